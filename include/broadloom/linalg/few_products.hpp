// Products of few elements whose sizes are known when the program runs.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/linalg/straight.hpp>

namespace broadloom {

namespace runtime {

// rows x terms elements of `a` and terms x cols of `b`, their steps along each axis.
struct few_steps {
  index rows, terms, cols, a_row, a_term, b_term, b_col;
};
// The results, row-major, of f32 or f64; there are terms. Each result is a sum in the order of the index; no products
// are fused. The sum begins with the first product where the order is fixed, so that products of -0 give -0, else with
// 0, as in any other order.
BROADLOOM_API void multiply_few(dtype type, const void* a, const void* b, void* to, const options& how,
                                const few_steps& s);

}  // namespace runtime

namespace detail {

// At most this many multiplications.
inline constexpr index max_few_products = 512;
// Of a dot product, whose sums wait for each other.
inline constexpr index max_few_terms = 16;

}  // namespace detail
}  // namespace broadloom
