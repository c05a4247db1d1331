// The product kernels of one instruction-set level: Eigen's packing and block kernel. BROADLOOM_LEVEL names the level.
#pragma once

#define BROADLOOM_KERNELS broadloom_eigen_product_
#include <type_traits>

#include "eigen_level.hpp"
#include "kernels.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

namespace e = Eigen;
namespace ei = Eigen::internal;

// c is row-major, so its transpose is the column-major result of b' * a': b is Eigen's left side and a its right side.
template <class T>
struct product_code {
  using traits = ei::gebp_traits<T, T>;
  template <int Order>
  using mapper = ei::const_blas_data_mapper<T, index, Order>;
  using result = ei::blas_data_mapper<T, index, e::ColMajor, e::Unaligned, 1>;
  template <int Order>
  using left_packer = ei::gemm_pack_lhs<T, index, mapper<Order>, traits::mr, traits::LhsProgress,
                                        typename traits::LhsPacket4Packing, Order>;
  template <int Order>
  using right_packer = ei::gemm_pack_rhs<T, index, mapper<Order>, traits::nr, Order>;

  static void pack_left(T* to, const T* b, index stride, bool row_major, index depth, index cols) {
    if (row_major)
      left_packer<e::ColMajor>()(to, mapper<e::ColMajor>(b, stride), depth, cols);
    else
      left_packer<e::RowMajor>()(to, mapper<e::RowMajor>(b, stride), depth, cols);
  }
  static void pack_right(T* to, const T* a, index stride, bool row_major, index depth, index rows) {
    if (row_major)
      right_packer<e::ColMajor>()(to, mapper<e::ColMajor>(a, stride), depth, rows);
    else
      right_packer<e::RowMajor>()(to, mapper<e::RowMajor>(a, stride), depth, rows);
  }
  static void block(T* c, index ldc, const T* left, const T* right, index cols, index depth, index rows, T alpha) {
    ei::gebp_kernel<T, T, index, result, traits::mr, traits::nr, false, false>()(result(c, ldc), left, right, cols,
                                                                                 depth, rows, alpha);
  }
  static void matvec(T* y, const T* a, index stride, bool row_major, index rows, index cols, const T* x, T alpha) {
    using vector = e::Map<e::Matrix<T, e::Dynamic, 1>>;
    using factor = e::Map<const e::Matrix<T, e::Dynamic, 1>>;
    using by_rows = e::Map<const e::Matrix<T, e::Dynamic, e::Dynamic, e::RowMajor>, 0, e::OuterStride<>>;
    using by_columns = e::Map<const e::Matrix<T, e::Dynamic, e::Dynamic, e::ColMajor>, 0, e::OuterStride<>>;
    if (row_major)
      vector(y, rows).noalias() += alpha * by_rows(a, rows, cols, e::OuterStride<>(stride)) * factor(x, cols);
    else
      vector(y, rows).noalias() += alpha * by_columns(a, rows, cols, e::OuterStride<>(stride)) * factor(x, cols);
  }
  static T dot(const T* x, index x_stride, const T* y, index y_stride, index n) {
    using dense = e::Map<const e::Matrix<T, e::Dynamic, 1>>;
    using strided = e::Map<const e::Matrix<T, e::Dynamic, 1>, 0, e::InnerStride<>>;
    if (x_stride == 1 && y_stride == 1) return dense(x, n).conjugate().dot(dense(y, n));
    return strided(x, n, e::InnerStride<>(x_stride)).conjugate().dot(strided(y, n, e::InnerStride<>(y_stride)));
  }

  // Blocks of real products use tiles if the level has them.
#ifdef BROADLOOM_TILES
  static constexpr bool tiled = std::is_floating_point_v<T>;
#else
  static constexpr bool tiled = false;
#endif
  static constexpr product_kernels<T> made() {
    if constexpr (tiled)
      return {0, nullptr, nullptr, nullptr, matvec, dot};
    else
      return {256, pack_left, pack_right, block, matvec, dot};
  }
  static constexpr product_kernels<T> table = made();
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

#ifdef BROADLOOM_COMPLEX_KERNELS
constinit const product_kernels<std::complex<float>> BROADLOOM_JOIN(products_c64_, BROADLOOM_LEVEL) =
    BROADLOOM_LEVEL::product_code<std::complex<float>>::table;
constinit const product_kernels<std::complex<double>> BROADLOOM_JOIN(products_c128_, BROADLOOM_LEVEL) =
    BROADLOOM_LEVEL::product_code<std::complex<double>>::table;
#endif
constinit const product_kernels<float> BROADLOOM_JOIN(products_f32_,
                                                      BROADLOOM_LEVEL) = BROADLOOM_LEVEL::product_code<float>::table;
constinit const product_kernels<double> BROADLOOM_JOIN(products_f64_,
                                                       BROADLOOM_LEVEL) = BROADLOOM_LEVEL::product_code<double>::table;

}  // namespace broadloom::runtime
