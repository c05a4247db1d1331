// The inner kernels of linear algebra, for each element type and instruction-set level. Matrices are column-major
// unless said otherwise; `ld` is the distance between two columns.
#pragma once

#include <complex>

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// Products. c is row-major, rows x cols; the product is a * b with a: rows x depth, b: depth x cols. The functions that
// pack and multiply blocks are null if product_tiles has them.
template <class T>
struct product_kernels {
  index depth_block;  // how much of the depth is packed together
  // Packs a block of b: what one panel of the result reads is contiguous. cols * depth elements.
  void (*pack_left)(T* to, const T* b, index stride, bool row_major, index depth, index cols);
  // Packs a block of a: rows * depth elements.
  void (*pack_right)(T* to, const T* a, index stride, bool row_major, index depth, index rows);
  // c += alpha * the product of packed blocks.
  void (*block)(T* c, index ldc, const T* left, const T* right, index cols, index depth, index rows, T alpha);
  // y += alpha * a * x, x and y contiguous.
  void (*matvec)(T* y, const T* a, index stride, bool row_major, index rows, index cols, const T* x, T alpha);
  T (*dot)(const T* x, index x_stride, const T* y, index y_stride, index n);
};

// Products by tiles, if a level has them. Those of real matrices read b in place if its rows are whole vectors; those
// of complex ones pack it, each element as the two rows (re, im) and (-im, re), so that they are real products.
template <class T>
struct product_tiles {
  struct block {
    T* c;  // rows x cols, row-major; overwritten if `fresh`, else added to
    index ldc;
    const T* a;
    index a_row, a_col, a_group;  // a_group: the distance between groups of rows
    const T* b;
    index b_row;  // the distance of b's rows if it is not packed
    T* panel;     // null, or where the first group of rows packs b's columns, a panel at a time
    index depth, rows, cols;
    T alpha;
    bool packed, fresh;
    bool far;  // b is packed and, as c, does not stay in the first-level cache
  };
  index unit;         // elements of a vector: packed columns are padded to a multiple with zeros
  index panel;        // the columns that are computed together, at most
  index group;        // the rows that are computed together
  index depth_block;  // a larger depth is divided
  void (*pack)(T* to, const T* b, index row_stride, index col_stride, index depth, index cols);
  // Packs a block of a with contiguous columns, group after group of rows.
  void (*pack_left)(T* to, const T* a, index col_stride, index depth, index rows);
  void (*multiply)(const block& k);
};

// Factorisations in place. Each returns 0 or LAPACK's info, which counts from 1.
template <class T>
struct factor_kernels {
  // a = p * l * u; row i was swapped with row pivots[i]. Info: the first zero on u's diagonal; the factors are valid
  // even then.
  int (*lu)(index rows, index cols, T* a, index ld, int* pivots);
  // x := inverse of the triangle of a, times x; a: n x n, x: n x count.
  void (*solve_triangle)(const T* a, index ld, index n, bool upper, T* x, index x_ld, index count);
  // The same for real x with contiguous rows, x_row apart, by divisions; null for complex numbers.
  void (*solve_rows)(const T* a, index n, bool upper, T* x, index x_row, index count);
  // The lower triangle becomes l with a = l * l'. Info: the order of the first leading minor that is not positive.
  int (*cholesky)(index n, T* a, index ld);
  // r in the upper triangle, Householder vectors below, their factors in tau (LAPACK's geqrf); `exponents` is memory
  // for cols integers.
  void (*qr)(index rows, index cols, T* a, index ld, T* tau, int* exponents);
  // c := q * c or q' * c, where q is the product of `count` Householder reflections in a (rows x count). c: rows x
  // cols.
  void (*apply_q)(index rows, index count, const T* a, index ld, const T* tau, bool transposed, T* c, index c_ld,
                  index cols);
};

BROADLOOM_REAL_LEVELS(all, product_kernels, products)
BROADLOOM_COMPLEX_LEVELS(v3, product_kernels, products)
BROADLOOM_REAL_LEVELS(v3, factor_kernels, factors)
// Compiled once.
extern const factor_kernels<std::complex<float>> factors_c64_base;
extern const factor_kernels<std::complex<double>> factors_c128_base;
template <>
inline const factor_kernels<std::complex<float>>& factors() noexcept {
  return factors_c64_base;
}
template <>
inline const factor_kernels<std::complex<double>>& factors() noexcept {
  return factors_c128_base;
}

BROADLOOM_REAL_LEVELS(all, product_tiles, tiles_of_level)
BROADLOOM_COMPLEX_LEVELS(all, product_tiles, tiles_of_level)
// Null if this level has none.
template <class T>
const product_tiles<T>* tiles() noexcept {
  const product_tiles<T>& found = tiles_of_level<T>();
  return found.unit != 0 ? &found : nullptr;
}

}  // namespace broadloom::runtime
