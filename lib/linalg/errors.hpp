// What makes the exception of each kind of error of linear algebra; throw_error.cpp calls them.
#pragma once

#include <broadloom/linalg/binding.hpp>
#include <broadloom/linalg/singular_values.hpp>

namespace broadloom {

namespace detail {

[[noreturn]] void raise_core_mistake(const char* function, const char* signature, const core_binding& b,
                                     const shape_view* shapes, int count);
[[noreturn]] void raise_inner_sizes(const shape_view& a, const shape_view& b);

}  // namespace detail

namespace runtime {

[[noreturn]] void raise_subset(index first, index count, index n);
[[noreturn]] void raise_bands(index rows, index lower, index upper);
[[noreturn]] void raise_row_lengths(index left, index right);
[[noreturn]] void raise_einsum_size(char label, index operand, index given, index expected);
[[noreturn]] void raise_einsum_name(index name, index operand, index given, index other, index expected);
[[noreturn]] void raise_negative_power(std::int64_t n);
[[noreturn]] void raise_fused_addend(const char* function, const detail::shape_view& c,
                                     const detail::shape_view& product, const detail::shape_view& a,
                                     const detail::shape_view& b);
[[noreturn]] void raise_fused_in_place(const char* function, const detail::shape_view& out,
                                       const detail::shape_view& product, const detail::shape_view& a,
                                       const detail::shape_view& b);
[[noreturn]] void raise_reflections(const char* function, index rows, index cols, index count);
[[noreturn]] void raise_norm_of_other_shape(const norm_kind& k, index rows, index cols);
[[noreturn]] void raise_norm_of_nothing(const norm_kind& k, index rows, index cols, index axes);
[[noreturn]] void raise_norm_order(const char* function, double order);
[[noreturn]] void raise_tensor_equation(const char* function, const detail::shape_view& a, const detail::shape_view& b);
[[noreturn]] void raise_contracted_sizes(index left, index size, index right, index other);

}  // namespace runtime

}  // namespace broadloom
