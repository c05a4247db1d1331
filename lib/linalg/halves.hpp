// LU factors, solutions of triangular systems and inverses by halves: what joins the halves are products, which run on
// Broadloom's own kernels and take most of the time. Defined for the types of kernels.hpp.
#pragma once

#include <broadloom/core/complex.hpp>

#include "batch.hpp"

namespace broadloom::runtime {

// A matrix that is written: contiguous along one axis. Rows are best, but LAPACK's LU of complex numbers needs columns.
template <class T>
struct grid {
  T* data;
  index row, col;

  T& operator()(index i, index j) const { return data[i * row + j * col]; }
  grid from(index i, index j) const { return {data + i * row + j * col, row, col}; }
  matrix<T> read(index rows, index cols) const { return {data, rows, cols, row, col}; }
};
template <class T>
grid<T> by_rows(T* data, index cols) {
  return {data, cols, 1};
}
template <class T>
grid<T> by_columns(T* data, index rows) {
  return {data, 1, rows};
}
// Matrices of fewer rows or columns are factorised whole.
constexpr index min_halved = 128;
// Elements from one row to the next. Rows of a multiple of 512 bytes share few sets of the caches, so a cache line lies
// between them: on Zen 3 a determinant of 1024 x 1024 takes 0.85 of the time in f64 and 0.82 in f32, of 256 x 256 0.93
// and 0.91.
template <class T>
constexpr index padded(index cols) {
  constexpr index shared = 512 / sizeof(T), line = 64 / sizeof(T);
  return cols >= min_halved && cols % shared == 0 ? cols + line : cols;
}
// As the LU factorisation prefers it: in memory for rows * padded<T>(cols) elements.
template <class T>
grid<T> for_lu(T* data, index rows, index cols) {
  if (detail::is_complex_type<T> || rows < min_halved || cols < min_halved) return by_columns(data, rows);
  return by_rows(data, padded<T>(cols));
}

enum class triangle_kind : unsigned char { lower, unit_lower, upper };

// a = p * l * u; row i was swapped with row pivots[i]. The result is LAPACK's info: from 1, the first zero on u's
// diagonal; the factors are valid even then. Matrices that are not halved lie by columns.
template <class T>
int factor_lu(const grid<T>& a, index rows, index cols, int* pivots, int threads);

// The lower triangle becomes l with a = l * l', for real a. The result is factor_kernels<T>::cholesky's; the upper
// triangle is not read, and is left as anything.
template <class T>
int factor_cholesky(const grid<T>& a, index n, int threads);

// x := the inverse of this triangle of a, times x; x has `count` columns.
template <class T>
void solve_triangle(triangle_kind kind, const matrix<T>& a, const grid<T>& x, index count, int threads);

// x := the inverse of a lower triangle of a. Above the diagonal x holds zeros, and must hold them before.
template <class T>
void invert_lower(triangle_kind kind, const matrix<T>& a, const grid<T>& x, int threads);

// The lower triangle of `to` := w' w for the real lower triangle w.
template <class T>
void multiply_by_transpose(const matrix<T>& w, const grid<T>& to, int threads);

// Rows of x in the order in which the factorisation took them.
template <class T>
void swap_rows(const grid<T>& x, index cols, const int* pivots, index count);

}  // namespace broadloom::runtime
