// Stacks of small matrices at constant steps, several at a time, of one instruction-set level.
#pragma once

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// Matrices of 2 to max_run_size rows and columns.
inline constexpr index max_run_size = 8, max_run_eigen = 6;

// `count` matrices, `step` elements from one to the next.
template <class T>
struct matrix_run {
  const T* data;
  index step, row_stride, col_stride, count;
};
// Their products with as many vectors: alpha a x, one after the other in memory.
template <class T>
struct vector_run_of {
  matrix_run<T> a;
  index rows, depth;  // 2 ... 8, 1 ... 8
  const T* x;
  index x_step, x_stride;
  T alpha;
  T* to;
};

template <class T>
struct run_kernels {
  void (*multiply)(const vector_run_of<T>& r);
  // By minors, of 2 x 2 up to 4 x 4 elements. NaN where what overflows or underflows may show, and of 0. False where
  // there is such a matrix.
  bool (*determinant)(const matrix_run<T>& r, index n, T* to);
  // Eigenvalues in ascending order and vectors, one a column, of symmetric matrices of 2 x 2 up to 6 x 6 elements given
  // by one triangle. The first value is NaN where elements have to be scaled and where they are not finite. False where
  // there is such a matrix.
  bool (*symmetric)(const matrix_run<T>& r, index n, bool upper, T* values, T* vectors);
};

BROADLOOM_REAL_LEVELS(v3, run_kernels, small_runs)

}  // namespace broadloom::runtime
