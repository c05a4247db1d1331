// What makes the exception of each kind of error, where its message is written; throw_error.cpp calls them.
#pragma once

#include <cstdint>

#include <broadloom/core/list.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/number.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/shape/broadcast_shapes.hpp>

namespace broadloom {

namespace detail {

[[noreturn]] void raise_index_overflow(const char* call, index a, char operation, index b);
[[noreturn]] void raise_linalg_error(const char* message);
[[noreturn]] void raise_no_entry(std::size_t i, std::size_t size);
[[noreturn]] void raise_too_many_entries(std::size_t n);
[[noreturn]] void raise_axis_out_of_range(index axis, index rank, const char* call);
[[noreturn]] void raise_overlapping_output();
[[noreturn]] void raise_does_not_fit(runtime::writing how, const shape_view& out, const shape_view& result);
[[noreturn]] void raise_not_expected(const char* expected, index name, int argument, int axis, index size, int other,
                                     index wanted);
[[noreturn]] void raise_index_out_of_bounds(index value, index axis, index extent, const char* call);
[[noreturn]] void raise_not_one_element(const index* extents, index rank);
[[noreturn]] void raise_bad_permutation(const index* axes, index count, index rank, const char* call);
[[noreturn]] void raise_zero_step();
[[noreturn]] void raise_shape_changed(const index* built, const index* now, index rank);
[[noreturn]] void raise_cannot_expand(const index* from, index from_rank, const index* to, index to_rank,
                                      const char* call);
[[noreturn]] void raise_squeeze(index axis, index extent);
[[noreturn]] void raise_narrow(index start, index length, index extent);
[[noreturn]] void raise_windows(index axis, index extent, index size, index step);
[[noreturn]] void raise_wrong_shift();
[[noreturn]] void raise_division_by_zero();
[[noreturn]] void raise_signed_outside(dtype type, std::int64_t x);
[[noreturn]] void raise_unsigned_outside(dtype type, std::uint64_t x);
[[noreturn]] void raise_number_outside(dtype type, double x);
[[noreturn]] void raise_two_sided(const shape_view* shapes, int count);
[[noreturn]] void raise_run_time_one(const shape_view* shapes, int count, int operand, index axis);
[[noreturn]] void raise_mask_shape(const shape_view& mask, const shape_view& self, int axis);
[[noreturn]] void raise_empty_axis(const char* call, const shape_view& positions, int axis);
[[noreturn]] void raise_empty_line(const char* call, const shape_view& a, const shape_view& v);
[[noreturn]] void raise_uneven_windows(index n, index step, int axis, const shape_view& x);
[[noreturn]] void raise_transform_length(const char* call, index n, int axis, const shape_view& x);
[[noreturn]] void raise_narrow_wrap(const char* call, index n, int axis);
[[noreturn]] void raise_negative_count(index x);
[[noreturn]] void raise_search_shapes(const shape_view& edges, const shape_view& values);
[[noreturn]] void raise_sorter_shape(const shape_view& edges, const shape_view& sorter);
[[noreturn]] void raise_bad_order(index n);
[[noreturn]] void raise_trapezoid(index points, index extent);
[[noreturn]] void raise_equal_axes(index first, index second);
[[noreturn]] void raise_bad_edges(const char* call, const char* sentence);
[[noreturn]] void raise_join(int axis, index expected, index given, int number);
[[noreturn]] void raise_stack(const shape_view& first, const shape_view& other, int number);
[[noreturn]] void raise_bad_class(index x, index classes);
[[noreturn]] void raise_bad_percentile(double q);
[[noreturn]] void raise_index_larger(const shape_view& self, const shape_view& position, int axis, int at);
[[noreturn]] void raise_scatter_shapes(const shape_view& self, const shape_view& position, const shape_view& source,
                                       int axis);
[[noreturn]] void raise_index_count(const char* call, index positions, index extent, int axis);
[[noreturn]] void raise_slice_shapes(const char* call, const shape_view& self, const shape_view& source, int axis);
[[noreturn]] void raise_indexing(const char* sentence, const char* call, const shape_view* shapes, int count);
[[noreturn]] void raise_k_out_of_range(const char* sentence, const char* call, index k, index extent);
[[noreturn]] void raise_put_counts(index positions, index values);
[[noreturn]] void raise_negative_repeats(index count);
[[noreturn]] void raise_scatter_undefined(int axis, const shape_view& self, const shape_view& position,
                                          const shape_view& source);
[[noreturn]] void raise_part_shape(const char* call, const shape_view& part, const shape_view& source);
[[noreturn]] void raise_bad_quantile(double q);
[[noreturn]] void raise_empty_slices(const char* call, const shape_view& x, int axis);
[[noreturn]] void raise_negative_stride(const char* call, index stride);
[[noreturn]] void raise_not_representable(const char* call, const char* what);
[[noreturn]] void raise_wrong_rank(const char* call, index expected, index given);
[[noreturn]] void raise_wrong_type(const char* call, const char* expected, const char* given);
[[noreturn]] void raise_wrong_dlpack_type(const char* call, const char* expected, int code, int bits, int lanes);
[[noreturn]] void raise_no_norm(double order, const index* extents, index rank, unsigned bits, bool all);
[[noreturn]] void raise_nothing_to_reduce(const char* function, const index* extents, index rank, unsigned bits,
                                          bool all);
[[noreturn]] void raise_not_a_sum_to(const index* to, index to_rank, const index* from, index rank);
[[noreturn]] void raise_repeated_axis(index axis, const char* call);
[[noreturn]] void raise_not_broadcastable(const char* function, const shape_view* shapes, int count);
[[noreturn]] void raise_negative_extent(const index* extents, index rank);
[[noreturn]] void raise_size_overflow(const index* extents, index rank, const char* call);
[[noreturn]] void raise_extent_mismatch(index axis, index expected, index given);
[[noreturn]] void raise_two_sizes(index name, index first, index second);
[[noreturn]] void raise_other_rank(const char* call, const index* extents, int rank, const int* wanted, int count);
[[noreturn]] void raise_bits_left(const index* extents, index rank, index from, index to);
[[noreturn]] void raise_brace_count(index axis, index expected, index given);
[[noreturn]] void raise_shapeless();
[[noreturn]] void raise_bad_step();
[[noreturn]] void raise_too_few_elements(index given, const index* extents, index rank);
[[noreturn]] void raise_too_few_in_source(index given, index wanted);
[[noreturn]] void raise_reshape(const index* wanted, index rank, index size);

}  // namespace detail

namespace runtime {

[[noreturn]] void raise_tensor_changed(const slot* leaves, int count, const index* extents, int rank);
[[noreturn]] void raise_empty_range(const char* function, double low, double high);

}  // namespace runtime

}  // namespace broadloom
