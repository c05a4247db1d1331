// The product kernels of one instruction-set level: Eigen's packing and block kernel.
#define BROADLOOM_KERNELS broadloom_eigen_product_
#include <complex>
#include <type_traits>

#include "../base/vectors.hpp"
#include "eigen.hpp"
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
    if (x_stride == 1 && y_stride == 1) {
      if constexpr (std::is_floating_point_v<T>)
        return dense_dot(x, y, n);
      else {
        using dense = e::Map<const e::Matrix<T, e::Dynamic, 1>>;
        return dense(x, n).conjugate().dot(dense(y, n));
      }
    }
    using strided = e::Map<const e::Matrix<T, e::Dynamic, 1>, 0, e::InnerStride<>>;
    return strided(x, n, e::InnerStride<>(x_stride)).conjugate().dot(strided(y, n, e::InnerStride<>(y_stride)));
  }
  // Eight sums of vectors, none of which waits for another.
  template <int Bytes>
  struct wide {
    static constexpr int lanes = Bytes / static_cast<int>(sizeof(T));
    using V = vec<T, Bytes>;
    static V product(const T* x, const T* y) {
      V a, b;
      __builtin_memcpy(&a, x, sizeof a);
      __builtin_memcpy(&b, y, sizeof b);
      return a * b;
    }
    static T add_up(V v) {
      if constexpr (Bytes == 16) {
        T sum = v[0] + v[lanes / 2];
        if constexpr (lanes == 4) sum += v[1] + v[3];
        return sum;
      } else {
        typename wide<Bytes / 2>::V halves[2];
        __builtin_memcpy(halves, &v, sizeof v);
        return wide<Bytes / 2>::add_up(halves[0] + halves[1]);
      }
    }
  };
  static T dense_dot(const T* x, const T* y, index n) {
    using vectors = wide<BROADLOOM_LEVEL_BYTES>;
    constexpr int sums = 8, lanes = vectors::lanes;
    typename vectors::V sum[sums];
#pragma GCC unroll 8
    for (int k = 0; k < sums; ++k) sum[k] = typename vectors::V{};  // at once, GCC clears them by `rep stos`: 10 ns
    index i = 0;
    for (; i + sums * lanes <= n; i += sums * lanes)
#pragma GCC unroll 8
      for (int k = 0; k < sums; ++k) sum[k] += vectors::product(x + i + k * lanes, y + i + k * lanes);
#pragma GCC unroll 8
    for (int k = 0; k < sums - 1; ++k)
      if (i + lanes <= n) {
        sum[k] += vectors::product(x + i, y + i);
        i += lanes;
      }
    using rest = wide<16>;
    typename rest::V last = {};
    for (; i + rest::lanes <= n; i += rest::lanes) last += rest::product(x + i, y + i);
    T single = 0;
    for (; i < n; ++i) single += x[i] * y[i];
#pragma GCC unroll 3
    for (int half = sums / 2; half > 0; half /= 2)
#pragma GCC unroll 4
      for (int k = 0; k < half; ++k) sum[k] += sum[k + half];
    return vectors::add_up(sum[0]) + (rest::add_up(last) + single);
  }

  // Blocks of real products use tiles if the level has them.
  static constexpr bool tiled = std::is_floating_point_v<T> && BROADLOOM_LEVEL_BYTES > 16;
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

BROADLOOM_REAL_TABLES(product_kernels, products, product_code)
#if BROADLOOM_LEVEL_BYTES < 64
BROADLOOM_COMPLEX_TABLES(product_kernels, products, product_code)
#endif

}  // namespace broadloom::runtime
