// The door by which headers throw: from the kind of an error to the function that writes its message.
#include "errors.hpp"
#include "raise.hpp"

namespace broadloom::detail {

void throw_error(error_kind kind, std::initializer_list<error_argument> said) {
  switch (kind) {
    case error_kind::axis_out_of_range: raise(raise_axis_out_of_range, said);
    case error_kind::bad_class: raise(raise_bad_class, said);
    case error_kind::bad_edges: raise(raise_bad_edges, said);
    case error_kind::bad_order: raise(raise_bad_order, said);
    case error_kind::bad_percentile: raise(raise_bad_percentile, said);
    case error_kind::bad_permutation: raise(raise_bad_permutation, said);
    case error_kind::bad_quantile: raise(raise_bad_quantile, said);
    case error_kind::bad_step: raise(raise_bad_step, said);
    case error_kind::bits_left: raise(raise_bits_left, said);
    case error_kind::brace_count: raise(raise_brace_count, said);
    case error_kind::cannot_expand: raise(raise_cannot_expand, said);
    case error_kind::division_by_zero: raise(raise_division_by_zero, said);
    case error_kind::does_not_fit: raise(raise_does_not_fit, said);
    case error_kind::empty_axis: raise(raise_empty_axis, said);
    case error_kind::empty_line: raise(raise_empty_line, said);
    case error_kind::empty_range: raise(runtime::raise_empty_range, said);
    case error_kind::empty_slices: raise(raise_empty_slices, said);
    case error_kind::equal_axes: raise(raise_equal_axes, said);
    case error_kind::extent_mismatch: raise(raise_extent_mismatch, said);
    case error_kind::index_count: raise(raise_index_count, said);
    case error_kind::index_larger: raise(raise_index_larger, said);
    case error_kind::index_out_of_bounds: raise(raise_index_out_of_bounds, said);
    case error_kind::index_overflow: raise(raise_index_overflow, said);
    case error_kind::indexing: raise(raise_indexing, said);
    case error_kind::join: raise(raise_join, said);
    case error_kind::k_out_of_range: raise(raise_k_out_of_range, said);
    case error_kind::linalg_error: raise(raise_linalg_error, said);
    case error_kind::mask_shape: raise(raise_mask_shape, said);
    case error_kind::narrow: raise(raise_narrow, said);
    case error_kind::narrow_wrap: raise(raise_narrow_wrap, said);
    case error_kind::negative_count: raise(raise_negative_count, said);
    case error_kind::negative_extent: raise(raise_negative_extent, said);
    case error_kind::negative_repeats: raise(raise_negative_repeats, said);
    case error_kind::negative_stride: raise(raise_negative_stride, said);
    case error_kind::no_entry: raise(raise_no_entry, said);
    case error_kind::no_norm: raise(raise_no_norm, said);
    case error_kind::not_a_sum_to: raise(raise_not_a_sum_to, said);
    case error_kind::not_broadcastable: raise(raise_not_broadcastable, said);
    case error_kind::not_expected: raise(raise_not_expected, said);
    case error_kind::not_one_element: raise(raise_not_one_element, said);
    case error_kind::not_representable: raise(raise_not_representable, said);
    case error_kind::nothing_to_reduce: raise(raise_nothing_to_reduce, said);
    case error_kind::number_outside: raise(raise_number_outside, said);
    case error_kind::other_rank: raise(raise_other_rank, said);
    case error_kind::overlapping_output: raise(raise_overlapping_output, said);
    case error_kind::part_shape: raise(raise_part_shape, said);
    case error_kind::put_counts: raise(raise_put_counts, said);
    case error_kind::repeated_axis: raise(raise_repeated_axis, said);
    case error_kind::reshape: raise(raise_reshape, said);
    case error_kind::run_time_one: raise(raise_run_time_one, said);
    case error_kind::scatter_shapes: raise(raise_scatter_shapes, said);
    case error_kind::scatter_undefined: raise(raise_scatter_undefined, said);
    case error_kind::search_shapes: raise(raise_search_shapes, said);
    case error_kind::shape_changed: raise(raise_shape_changed, said);
    case error_kind::shapeless: raise(raise_shapeless, said);
    case error_kind::signed_outside: raise(raise_signed_outside, said);
    case error_kind::size_overflow: raise(raise_size_overflow, said);
    case error_kind::slice_shapes: raise(raise_slice_shapes, said);
    case error_kind::sorter_shape: raise(raise_sorter_shape, said);
    case error_kind::squeeze: raise(raise_squeeze, said);
    case error_kind::stack: raise(raise_stack, said);
    case error_kind::tensor_changed: raise(runtime::raise_tensor_changed, said);
    case error_kind::too_few_elements: raise(raise_too_few_elements, said);
    case error_kind::too_few_in_source: raise(raise_too_few_in_source, said);
    case error_kind::too_many_entries: raise(raise_too_many_entries, said);
    case error_kind::transform_length: raise(raise_transform_length, said);
    case error_kind::trapezoid: raise(raise_trapezoid, said);
    case error_kind::two_sided: raise(raise_two_sided, said);
    case error_kind::two_sizes: raise(raise_two_sizes, said);
    case error_kind::uneven_windows: raise(raise_uneven_windows, said);
    case error_kind::unsigned_outside: raise(raise_unsigned_outside, said);
    case error_kind::windows: raise(raise_windows, said);
    case error_kind::wrong_dlpack_type: raise(raise_wrong_dlpack_type, said);
    case error_kind::wrong_rank: raise(raise_wrong_rank, said);
    case error_kind::wrong_shift: raise(raise_wrong_shift, said);
    case error_kind::wrong_type: raise(raise_wrong_type, said);
    case error_kind::zero_step: raise(raise_zero_step, said);
  }
  __builtin_trap();
}

}  // namespace broadloom::detail
