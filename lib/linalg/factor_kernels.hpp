// The factorisation kernels of one instruction-set level, Eigen's. BROADLOOM_LEVEL names the level.
#pragma once

#define BROADLOOM_KERNELS broadloom_eigen_factor_
#include "eigen_level.hpp"
#include "kernels.hpp"
#ifdef BROADLOOM_COMPLEX_KERNELS
#include "lapacke.hpp"
#endif

#include <Eigen/Cholesky>
#include <Eigen/Householder>
#include <Eigen/LU>
#include <Eigen/QR>

namespace broadloom::runtime::BROADLOOM_LEVEL {

namespace e = Eigen;
namespace ei = Eigen::internal;

#ifdef BROADLOOM_COMPLEX_KERNELS
inline int factored(int rows, int cols, std::complex<float>* a, int ld, int* pivots) {
  return LAPACKE_cgetrf_work(LAPACK_COL_MAJOR, rows, cols, a, ld, pivots);
}
inline int factored(int rows, int cols, std::complex<double>* a, int ld, int* pivots) {
  return LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, rows, cols, a, ld, pivots);
}
#endif

template <class T>
struct factor_code {
  using dense = e::Matrix<T, e::Dynamic, e::Dynamic>;
  using block = e::Map<dense, 0, e::OuterStride<>>;
  using const_block = e::Map<const dense, 0, e::OuterStride<>>;
  using vector = e::Map<e::Matrix<T, e::Dynamic, 1>>;
  using const_vector = e::Map<const e::Matrix<T, e::Dynamic, 1>>;

  static int lu(index rows, index cols, T* a, index ld, int* pivots) {
    if (rows == 0 || cols == 0) return 0;
#ifdef BROADLOOM_COMPLEX_KERNELS
    // LAPACK's pivots are the largest by the sum of their parts' absolute values, and Eigen's by the absolute value.
    if constexpr (e::NumTraits<T>::IsComplex) {
      const int info = factored(static_cast<int>(rows), static_cast<int>(cols), a, static_cast<int>(ld), pivots);
      for (index i = 0; i < (rows < cols ? rows : cols); ++i) --pivots[i];
      return info;
    }
#endif
    int swaps = 0;
    const index zero =
        ei::partial_lu_impl<T, e::ColMajor, int, e::Dynamic>::blocked_lu(rows, cols, a, ld, pivots, swaps);
    return static_cast<int>(zero + 1);
  }
  static void solve_triangle(const T* a, index ld, index n, bool upper, T* x, index x_ld, index count) {
    if (n == 0 || count == 0) return;
    const const_block m(a, n, n, e::OuterStride<>(ld));
    block to(x, n, count, e::OuterStride<>(x_ld));
    if (upper)
      m.template triangularView<e::Upper>().solveInPlace(to);
    else
      m.template triangularView<e::Lower>().solveInPlace(to);
  }
  static int cholesky(index n, T* a, index ld) {
    block m(a, n, n, e::OuterStride<>(ld));
    return static_cast<int>(ei::llt_inplace<T, e::Lower>::blocked(m) + 1);
  }
  static void qr(index rows, index cols, T* a, index ld, T* tau) {
    if (rows == 0 || cols == 0) return;
    block m(a, rows, cols, e::OuterStride<>(ld));
    vector factors(tau, rows < cols ? rows : cols);
    ei::householder_qr_inplace_blocked<block, vector>::run(m, factors, 48);
    if constexpr (e::NumTraits<T>::IsComplex) factors = factors.conjugate().eval();  // LAPACK's are the adjoint ones
  }
  static void apply_q(index rows, index count, const T* a, index ld, const T* tau, bool transposed, T* c, index c_ld,
                      index cols) {
    if (rows == 0 || count == 0 || cols == 0) return;
    const const_block m(a, rows, count, e::OuterStride<>(ld));
    const const_vector factors(tau, count);
    block to(c, rows, cols, e::OuterStride<>(c_ld));
    const auto q = e::householderSequence(m, factors);
    if (transposed)
      to.applyOnTheLeft(q.adjoint());
    else
      to.applyOnTheLeft(q);
  }

  static constexpr factor_kernels<T> table{lu, solve_triangle, cholesky, qr, apply_q};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

#ifdef BROADLOOM_COMPLEX_KERNELS
constinit const factor_kernels<std::complex<float>> factors_c64 =
    BROADLOOM_LEVEL::factor_code<std::complex<float>>::table;
constinit const factor_kernels<std::complex<double>> factors_c128 =
    BROADLOOM_LEVEL::factor_code<std::complex<double>>::table;
#endif
constinit const factor_kernels<float> BROADLOOM_JOIN(factors_f32_,
                                                     BROADLOOM_LEVEL) = BROADLOOM_LEVEL::factor_code<float>::table;
constinit const factor_kernels<double> BROADLOOM_JOIN(factors_f64_,
                                                      BROADLOOM_LEVEL) = BROADLOOM_LEVEL::factor_code<double>::table;

}  // namespace broadloom::runtime
