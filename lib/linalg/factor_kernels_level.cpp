// The factorisation kernels of one instruction-set level, Eigen's. Those of complex numbers are compiled once.
#include "../base/level.hpp"
#include "../base/vectors.hpp"
#if BROADLOOM_LEVEL_BYTES < 64
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#define BROADLOOM_KERNELS broadloom_eigen_factor_
#include "eigen.hpp"
#include "kernels.hpp"
#if BROADLOOM_LEVEL_BYTES == 16
#include "lapacke.hpp"
#endif

#include <Eigen/Cholesky>
#include <Eigen/Householder>
#include <Eigen/LU>
#include <Eigen/QR>

#include "kept_memory_level.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

namespace e = Eigen;
namespace ei = Eigen::internal;

template <class T>
struct factor_code {
  using dense = e::Matrix<T, e::Dynamic, e::Dynamic>;
  using block = e::Map<dense, 0, e::OuterStride<>>;
  using const_block = e::Map<const dense, 0, e::OuterStride<>>;
  using vector = e::Map<e::Matrix<T, e::Dynamic, 1>>;
  using line = e::Matrix<T, e::Dynamic, 1>;
  using R = typename e::NumTraits<T>::Real;
  using limits = std::numeric_limits<R>;
  static constexpr index reflections = 48;  // that are applied together

  // The larger of a number's real and imaginary parts, in magnitude.
  static R magnitude(const T& x) {
    const R re = std::abs(e::numext::real(x)), im = std::abs(e::numext::imag(x));
    return re < im ? im : re;
  }
  // Whether x lies in [2^-exponent, 2^exponent], or is NaN.
  static bool within(R x, int exponent) { return !(x < std::ldexp(R(1), -exponent) || x > std::ldexp(R(1), exponent)); }
  static T scaled(const T& x, int exponent) {
    if constexpr (e::NumTraits<T>::IsComplex)
      return {std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent)};
    else
      return std::ldexp(x, exponent);
  }

  static int lu(index rows, index cols, T* a, index ld, int* pivots) {
    if (rows == 0 || cols == 0) return 0;
#if BROADLOOM_LEVEL_BYTES == 16
    // LAPACK picks complex pivots by |re| + |im|, Eigen by the absolute value.
    if constexpr (e::NumTraits<T>::IsComplex && has_lapack) {
      const int info = lapack<T>::getrf(column_major, static_cast<int>(rows), static_cast<int>(cols), a,
                                        static_cast<int>(ld), pivots);
      for (index i = 0; i < (rows < cols ? rows : cols); ++i) --pivots[i];
      return info;
    } else
#endif
      return real_lu(rows, cols, a, ld, pivots);
  }
  static int real_lu(index rows, index cols, T* a, index ld, int* pivots) {
    int swaps = 0;
    const index square = rows < cols ? rows : cols;
    const index zero =
        ei::partial_lu_impl<T, e::ColMajor, int, e::Dynamic>::blocked_lu(rows, square, a, ld, pivots, swaps);
    if (square < cols) {
      // Eigen's blocks end at the last row; further columns are l^-1 times the permuted columns.
      block beyond(a + square * ld, rows, cols - square, e::OuterStride<>(ld));
      for (index i = 0; i < rows; ++i)
        if (pivots[i] != i) beyond.row(i).swap(beyond.row(pivots[i]));
      const const_block l(a, rows, rows, e::OuterStride<>(ld));
      l.template triangularView<e::UnitLower>().solveInPlace(beyond);
    }
    return static_cast<int>(zero + 1);
  }
  static void solve_triangle(const T* a, index ld, index n, bool upper, T* x, index x_ld, index count) {
    if (n == 0 || count == 0) return;
    // Eigen multiplies by the inverse of the diagonal, which must not lose digits or overflow.
    for (index i = 0; i < n; ++i)
      if (!within(magnitude(a[i + i * ld]), -limits::min_exponent - 3)) return divide(a, ld, n, upper, x, x_ld, count);
    const const_block m(a, n, n, e::OuterStride<>(ld));
    block to(x, n, count, e::OuterStride<>(x_ld));
    if (upper)
      m.template triangularView<e::Upper>().solveInPlace(to);
    else
      m.template triangularView<e::Lower>().solveInPlace(to);
  }
  // The same by division.
  static void divide(const T* a, index ld, index n, bool upper, T* x, index x_ld, index count) {
    for (index j = 0; j < count; ++j, x += x_ld)
      for (index step = 0; step < n; ++step) {
        const index k = upper ? n - 1 - step : step;
        x[k] /= a[k + k * ld];
        for (index i = upper ? 0 : k + 1; i < (upper ? k : n); ++i) x[i] -= a[i + k * ld] * x[k];
      }
  }
  // Width vectors of type V of each row: an element of x is what is left of it after its terms are subtracted in order.
  template <class V, int Width>
  static void solve_strip(const T* a, index n, bool upper, T* x, index x_row) {
    constexpr index lanes = sizeof(V) / sizeof(T);
    for (index step = 0; step < n; ++step) {
      const index i = upper ? n - 1 - step : step;
      T* const to = x + i * x_row;
      V rest[Width];
      for (int v = 0; v < Width; ++v) std::memcpy(&rest[v], to + v * lanes, sizeof(V));
      for (index k = upper ? n - 1 : 0; k != i; k += upper ? -1 : 1) {
        const T factor = a[i + k * n];
        for (int v = 0; v < Width; ++v) {
          V known;
          std::memcpy(&known, x + k * x_row + v * lanes, sizeof(V));
          rest[v] -= factor * known;
        }
      }
      for (int v = 0; v < Width; ++v) {
        rest[v] /= a[i * (n + 1)];
        std::memcpy(to + v * lanes, &rest[v], sizeof(V));
      }
    }
  }
  static void solve_rows(const T* a, index n, bool upper, T* x, index x_row, index count) {
    using V = vec<T, BROADLOOM_LEVEL_BYTES>;
    constexpr index lanes = sizeof(V) / sizeof(T), width = 8;
    index j = 0;
    for (; j + width * lanes <= count; j += width * lanes) solve_strip<V, width>(a, n, upper, x + j, x_row);
    for (; j + lanes <= count; j += lanes) solve_strip<V, 1>(a, n, upper, x + j, x_row);
    for (; j < count; ++j) solve_strip<T, 1>(a, n, upper, x + j, x_row);
  }
  static int cholesky(index n, T* a, index ld) {
#if BROADLOOM_LEVEL_BYTES == 16
    // Eigen divides complex numbers by the square of the divisor.
    if constexpr (e::NumTraits<T>::IsComplex && has_lapack)
      for (index i = 0; i < n; ++i)
        if (!within(a[i + i * ld].real(), limits::max_exponent / 2))
          return lapack<T>::potrf(column_major, 'L', static_cast<int>(n), a, static_cast<int>(ld));
#endif
    block m(a, n, n, e::OuterStride<>(ld));
    if (const index at = ei::llt_inplace<T, e::Lower>::blocked(m); at >= 0) return static_cast<int>(at + 1);
    for (index i = 0; i < n; ++i)
      if (!(e::numext::real(a[i + i * ld]) > 0)) return static_cast<int>(i + 1);  // NaN, as LAPACK
    return 0;
  }
  // Columns [k, k + n) below row k. Eigen's householder_qr_inplace_blocked and HouseholderSequence have a type for each
  // block and compile everything anew for each; here one type is used, which takes half the time to compile.
  static block block_at(const T* a, index ld, index k, index rows, index n) {
    return block(const_cast<T*>(a) + k + k * ld, rows - k, n, e::OuterStride<>(ld));
  }
  // c += alpha a b, with the adjoint of a if asked. Eigen's product itself: its expressions also compile what is for
  // small sizes, and anew for each type of operand.
  template <bool Adjoint>
  static void multiply_add(block c, const block& a, const block& b, T alpha) {
    product_space<T> blocking(c.rows(), c.cols(), b.rows());
    ei::general_matrix_matrix_product<e::Index, T, Adjoint ? e::RowMajor : e::ColMajor,
                                      Adjoint && e::NumTraits<T>::IsComplex, T, e::ColMajor, false, e::ColMajor,
                                      1>::run(c.rows(), c.cols(), b.rows(), a.data(), a.outerStride(), b.data(),
                                              b.outerStride(), c.data(), 1, c.outerStride(), alpha, blocking, nullptr);
  }
  // m = h0 h1 ... m if forward, else its adjoint times m, by blocks of Householder vectors in v: the product of the
  // reflections is 1 - u t u^H, where u is v with its ones and zeros and t is upper triangular.
  static void apply_block(block& m, const block& v, const T* tau, bool forward, bool conjugate) {
    const index n = v.cols();
    const kept_memory<T> memory(n * (v.rows() + 2 * n + 2 * m.cols()));
    T* next = memory.data();
    const auto part = [&next](index rows, index cols) {
      T* const at = next;
      next += rows * cols;
      return block(at, rows, cols, e::OuterStride<>(rows));
    };
    block u = part(v.rows(), n), gram = part(n, n), t = part(n, n);
    block product = part(n, m.cols()), turned = part(n, m.cols());
    for (index j = 0; j < n; ++j) {
      T* const column = u.data() + j * v.rows();
      std::fill_n(column, j, T(0));
      column[j] = 1;
      std::copy_n(&v(0, j) + j + 1, v.rows() - j - 1, column + j + 1);
    }
    std::fill_n(gram.data(), n * n, T(0));
    multiply_add<true>(gram, u, u, T(1));
    for (index j = 0; j < n; ++j) {
      T* const sums = t.data() + j * n;
      std::fill_n(sums, n, T(0));
      sums[j] = -1;
      for (index i = j; i >= 0; --i) {
        sums[i] *= -(conjugate ? T(e::numext::conj(tau[i])) : tau[i]);
        for (index k = 0; k < i; ++k) sums[k] += gram(k, i) * sums[i];
      }
    }
    std::fill_n(product.data(), product.size(), T(0));
    std::fill_n(turned.data(), turned.size(), T(0));
    multiply_add<true>(product, u, m, T(1));
    if (forward)
      multiply_add<false>(turned, t, product, T(1));
    else
      multiply_add<true>(turned, t, product, T(1));
    multiply_add<false>(m, u, turned, T(-1));
  }
  // Householder vectors below the diagonal, r on and above it.
  static void reflect(index rows, index cols, T* a, index ld, T* tau) {
    const index size = rows < cols ? rows : cols;
    line workspace(cols);
    for (index k = 0; k < size; k += reflections) {
      const index n = size - k < reflections ? size - k : reflections;
      block panel = block_at(a, ld, k, rows, n);
      vector factors(tau + k, n);
      ei::householder_qr_inplace_unblocked(panel, factors, workspace.data());
      if (k + n == cols) continue;
      block beyond(a + k + (k + n) * ld, rows - k, cols - k - n, e::OuterStride<>(ld));
      apply_block(beyond, panel, tau + k, false, true);
    }
  }
  // Eigen squares elements, for which LAPACK scales. Columns far from 1 are scaled by powers of two, which changes no
  // digit of the reflections; those of r are scaled back.
  static void qr(index rows, index cols, T* a, index ld, T* tau, int* exponents) {
    if (rows == 0 || cols == 0) return;
    for (index j = 0; j < cols; ++j) {
      R largest = 0;
      for (index i = 0; i < rows; ++i) {
        const R x = magnitude(a[i + j * ld]);
        largest = largest < x ? x : largest;
      }
      exponents[j] = 0;
      if (largest == 0 || largest > limits::max() || within(largest, limits::max_exponent / 8)) continue;
      exponents[j] = std::ilogb(largest);
      for (index i = 0; i < rows; ++i) a[i + j * ld] = scaled(a[i + j * ld], -exponents[j]);
    }
    reflect(rows, cols, a, ld, tau);
    for (index j = 0; j < cols; ++j)
      for (index i = 0; exponents[j] != 0 && i <= j && i < rows; ++i)
        a[i + j * ld] = scaled(a[i + j * ld], exponents[j]);
    if constexpr (e::NumTraits<T>::IsComplex)  // LAPACK's are the adjoints
      for (index j = 0; j < (rows < cols ? rows : cols); ++j) tau[j] = e::numext::conj(tau[j]);
  }
  static void apply_q(index rows, index count, const T* a, index ld, const T* tau, bool transposed, T* c, index c_ld,
                      index cols) {
    if (rows == 0 || count == 0 || cols == 0) return;
    const auto v = [=](index k, index n) { return block_at(a, ld, k, rows, n); };
    if (count >= reflections && cols > 1) {
      // Fewer than two blocks do not pay off.
      const index size = count < 2 * reflections ? (count + 1) / 2 : reflections;
      for (index i = 0; i < count; i += size) {
        const index k = transposed ? i : (count - i > size ? count - i - size : 0);
        const index end = transposed ? (count < i + size ? count : i + size) : count - i;
        // Columns of zeros stay what they are: of the identity matrix, which becomes q, the first ones.
        index zeros = 0;
        while (zeros < cols &&
               std::all_of(c + zeros * c_ld + k, c + zeros * c_ld + rows, [](const T& x) { return x == T(0); }))
          ++zeros;
        block below(c + k + zeros * c_ld, rows - k, cols - zeros, e::OuterStride<>(c_ld));
        if (zeros < cols) apply_block(below, v(k, end - k), tau + k, !transposed, false);
      }
      return;
    }
    line workspace(cols);
    block to(c, rows, cols, e::OuterStride<>(c_ld));
    for (index i = 0; i < count; ++i) {
      const index k = transposed ? i : count - i - 1;
      const T factor = transposed ? T(e::numext::conj(tau[k])) : tau[k];
      block reflection = v(k, 1);
      to.bottomRows(rows - k).applyHouseholderOnTheLeft(reflection.col(0).tail(rows - k - 1), factor, workspace.data());
    }
  }

  static constexpr factor_kernels<T> made() {
    if constexpr (e::NumTraits<T>::IsComplex)
      return {lu, solve_triangle, nullptr, cholesky, qr, apply_q};
    else
      return {lu, solve_triangle, solve_rows, cholesky, qr, apply_q};
  }
  static constexpr factor_kernels<T> table = made();
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(factor_kernels, factors, factor_code)
#if BROADLOOM_LEVEL_BYTES == 16
BROADLOOM_COMPLEX_TABLES(factor_kernels, factors, factor_code)
#endif

}  // namespace broadloom::runtime
#endif
