// What functions of one square matrix are made of: solutions from LU factors, and products.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include <broadloom/core/complex.hpp>
#include <broadloom/linalg/exact.hpp>

#include "halves.hpp"
#include "kernels.hpp"
#include "product.hpp"

namespace broadloom::runtime {

// The pivot that is what rounding left of 0, of a singular matrix of whole numbers, given its factors; -1: none.
template <class T>
index lost_pivot(const matrix<T>& m, const matrix<T>& lu) {
  const index n = m.rows;
  if constexpr (detail::is_complex_type<T>)
    return -1;
  else {
    const index k = n == 0 ? 0 : detail::first_lost_pivot<T>(n, [&](index i) { return lu(i, i); });
    return k < n && detail::is_singular_of_integers(n, m) ? k : -1;
  }
}

// x := a^-1 x from a's factors.
template <class T>
void solve_factored(const matrix<T>& lu, const int* pivots, const grid<T>& x, index cols, int threads) {
  swap_rows(x, cols, pivots, lu.rows);
  solve_triangle(triangle_kind::unit_lower, lu, x, cols, threads);
  solve_triangle(triangle_kind::upper, lu, x, cols, threads);
}

// x := a^-1 from a's factors. The columns are put in order at last, so that l's inverse is a triangle.
template <class T>
void invert_factored(const matrix<T>& lu, const int* pivots, const grid<T>& x, int threads) {
  const index n = lu.rows;
  std::memset(static_cast<void*>(x.data), 0, static_cast<std::size_t>(n * std::max(x.row, x.col)) * sizeof(T));
  invert_lower(triangle_kind::unit_lower, lu, x, threads);
  solve_triangle(triangle_kind::upper, lu, x, n, threads);
  if (x.col == 1) {
    for (index i = 0; i < n; ++i)
      for (index k = n; k-- > 0;) std::swap(x(i, k), x(i, pivots[k]));
  } else
    for (index k = n; k-- > 0;)
      if (pivots[k] != k) std::swap_ranges(&x(0, k), &x(0, k) + n, &x(0, pivots[k]));
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
