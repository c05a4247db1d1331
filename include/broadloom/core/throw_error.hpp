// How headers throw: the library has one function that does, and it is told which error, and what the message says.
#pragma once

#include <broadloom/core/api.hpp>

#include <initializer_list>

namespace broadloom::detail {

// The functions throw_NAME of the headers throw these; lib/base/errors.hpp declares what makes the exception of each.
enum class error_kind : unsigned char {
  axis_out_of_range,
  bad_class,
  bad_edges,
  bad_order,
  bad_percentile,
  bad_permutation,
  bad_quantile,
  bad_step,
  bits_left,
  brace_count,
  cannot_expand,
  division_by_zero,
  does_not_fit,
  empty_axis,
  empty_line,
  empty_range,
  empty_slices,
  equal_axes,
  extent_mismatch,
  index_count,
  index_larger,
  index_out_of_bounds,
  index_overflow,
  indexing,
  join,
  k_out_of_range,
  linalg_error,
  mask_shape,
  narrow,
  narrow_wrap,
  negative_count,
  negative_extent,
  negative_repeats,
  negative_stride,
  no_entry,
  no_norm,
  not_a_sum_to,
  not_broadcastable,
  not_expected,
  not_one_element,
  not_representable,
  nothing_to_reduce,
  number_outside,
  other_rank,
  overlapping_output,
  part_shape,
  put_counts,
  repeated_axis,
  reshape,
  run_time_one,
  scatter_shapes,
  scatter_undefined,
  search_shapes,
  shape_changed,
  shapeless,
  signed_outside,
  size_overflow,
  slice_shapes,
  sorter_shape,
  squeeze,
  stack,
  tensor_changed,
  too_few_elements,
  too_few_in_source,
  too_many_entries,
  transform_length,
  trapezoid,
  two_sided,
  two_sizes,
  uneven_windows,
  unsigned_outside,
  windows,
  wrong_dlpack_type,
  wrong_rank,
  wrong_shift,
  wrong_type,
  zero_step,
};

// A number, or the address of what the message shows.
union error_argument {
  constexpr error_argument(int x) noexcept : whole(x) {}
  constexpr error_argument(unsigned x) noexcept : whole(x) {}
  constexpr error_argument(long x) noexcept : whole(x) {}
  constexpr error_argument(unsigned long x) noexcept : whole(static_cast<long long>(x)) {}
  constexpr error_argument(long long x) noexcept : whole(x) {}
  constexpr error_argument(unsigned long long x) noexcept : whole(static_cast<long long>(x)) {}
  constexpr error_argument(double x) noexcept : number(x) {}
  constexpr error_argument(const void* x) noexcept : address(x) {}

  long long whole;
  double number;
  const void* address;
};

[[noreturn, gnu::cold]] BROADLOOM_API void throw_error(error_kind kind, std::initializer_list<error_argument> said);

}  // namespace broadloom::detail
