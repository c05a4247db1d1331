// Sums of products in one fixed order, for bl::reproducible: an element is (a0 b0 + a1 b1) + a2 b2 + ... in the order
// of the index, each product and each sum rounded. The same bits in every layout and slice, on every processor, and in
// constant expressions.
#pragma once

#include <broadloom/core/complex.hpp>

#include "../base/level.hpp"
#include "product.hpp"

namespace broadloom::runtime {

// The kernels of one instruction-set level. A strip has so many columns, and `strip` real numbers for each row of the
// sums and of b: for complex numbers the real parts, then the imaginary ones.
template <class T>
struct ordered_kernels {
  using real = detail::real_of<T>;
  index columns, strip;
  // sums += the products of `rows` rows of a with b's strip, in the order of the depth.
  void (*add)(real* sums, const T* a, index a_row, index a_col, const real* b, index depth, index rows);
};

BROADLOOM_REAL_LEVELS(all, ordered_kernels, ordered)
BROADLOOM_COMPLEX_LEVELS(all, ordered_kernels, ordered)

// The stack of products, or of sums of them (p.terms, in order). The addend has been written.
void multiply_ordered(const product_problem<float>& p);
void multiply_ordered(const product_problem<double>& p);
void multiply_ordered(const product_problem<std::complex<float>>& p);
void multiply_ordered(const product_problem<std::complex<double>>& p);

}  // namespace broadloom::runtime
