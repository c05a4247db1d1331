// What functions of one square matrix are made of: solutions from LU factors, and products.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include <broadloom/core/complex.hpp>
#include <broadloom/linalg/exact.hpp>

#include "kernels.hpp"
#include "product.hpp"

namespace broadloom::runtime {

// Rows of x in the order in which the factorisation took them (or back).
template <class T>
void swap_rows(T* x, index ld, index cols, const int* pivots, index count, bool back) {
  for (index k = 0; k < count; ++k) {
    const index i = back ? count - 1 - k : k, j = pivots[i];
    if (i == j) continue;
    for (index c = 0; c < cols; ++c) std::swap(x[i + c * ld], x[j + c * ld]);
  }
}

// The pivot that is what rounding left of 0, of a singular matrix of whole numbers, given its factors; -1: none.
template <class T>
index lost_pivot(const matrix<T>& m, const T* lu) {
  const index n = m.rows;
  if constexpr (detail::is_complex_type<T>)
    return -1;
  else {
    const index k = n == 0 ? 0 : detail::first_lost_pivot<T>(n, [&](index i) { return lu[i * (n + 1)]; });
    return k < n && detail::is_singular_of_integers(n, m) ? k : -1;
  }
}

// x := a^-1 x from a's factors; `unit` is memory for n x n elements.
template <class T>
void solve_factored(const T* lu, const int* pivots, index n, T* x, index cols, T* unit) {
  const auto& k = factors<T>();
  swap_rows(x, n, cols, pivots, n, false);
  std::memcpy(static_cast<void*>(unit), lu, static_cast<std::size_t>(n * n) * sizeof(T));
  for (index i = 0; i < n; ++i) unit[i + i * n] = 1;
  k.solve_triangle(unit, n, n, false, x, n, cols);
  k.solve_triangle(lu, n, n, true, x, n, cols);
}

// x * y, column-major n x n: as row-major matrices the product is y * x.
template <class T>
void multiply_square(T* to, const T* x, const T* y, index n) {
  product_problem<T> p;
  p.a = {y, n, n, n, 1};
  p.b = {x, n, n, n, 1};
  p.c = to;
  p.ldc = n;
  p.how.threads = 1;
  multiply(p);
}

}  // namespace broadloom::runtime
