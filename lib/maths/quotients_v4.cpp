// By corrected reciprocals (divisor.hpp proves that these are the quotients). One test says whether all of four vectors
// are valid.
#include "quotients.hpp"

#include <immintrin.h>

#include <broadloom/eval/simd/divisor.hpp>

namespace broadloom::runtime {
namespace {

using detail::divisor;
using detail::load;
using detail::simd_vec;
using detail::store;
using detail::stream;

// Whether no lane is NaN or below `least` in magnitude. The minimum magnitude of two lanes ignores a NaN.
bool good(const simd_vec<float, 16>* q, const simd_vec<float, 16>& least) {
  constexpr __mmask16 all = 0xffff;
  constexpr int least_in_size = 0xa;
  const __m512 a = reinterpret_cast<__m512>(q[0]), b = reinterpret_cast<__m512>(q[1]);
  const __m512 c = reinterpret_cast<__m512>(q[2]), d = reinterpret_cast<__m512>(q[3]);
  const __m512 size = _mm512_maskz_range_ps(all, _mm512_maskz_range_ps(all, a, b, least_in_size),
                                            _mm512_maskz_range_ps(all, c, d, least_in_size), least_in_size);
  __mmask16 k = _mm512_cmp_ps_mask(size, reinterpret_cast<__m512>(least), _CMP_GE_OQ);
  k = _mm512_mask_cmp_ps_mask(k, a, b, _CMP_ORD_Q);
  return _mm512_mask_cmp_ps_mask(k, c, d, _CMP_ORD_Q) == all;
}
bool good(const simd_vec<double, 8>* q, const simd_vec<double, 8>& least) {
  constexpr __mmask8 all = 0xff;
  constexpr int least_in_size = 0xa;
  const __m512d a = reinterpret_cast<__m512d>(q[0]), b = reinterpret_cast<__m512d>(q[1]);
  const __m512d c = reinterpret_cast<__m512d>(q[2]), d = reinterpret_cast<__m512d>(q[3]);
  const __m512d size = _mm512_maskz_range_pd(all, _mm512_maskz_range_pd(all, a, b, least_in_size),
                                             _mm512_maskz_range_pd(all, c, d, least_in_size), least_in_size);
  __mmask8 k = _mm512_cmp_pd_mask(size, reinterpret_cast<__m512d>(least), _CMP_GE_OQ);
  k = _mm512_mask_cmp_pd_mask(k, a, b, _CMP_ORD_Q);
  return _mm512_mask_cmp_pd_mask(k, c, d, _CMP_ORD_Q) == all;
}

template <bool PastCaches, class T, int N>
void divide_all(const T* x, const divisor<T, N>& by, T* out, index n) {
  constexpr int side = 4;
  const auto put = [](T* to, const simd_vec<T, N>& q) {
    if constexpr (PastCaches)
      stream(to, q);
    else
      store<T>(to, q);
  };
  index i = 0;
  for (; i + side * N <= n; i += side * N) {
    simd_vec<T, N> q[side];
#pragma GCC unroll 4
    for (int k = 0; k < side; ++k) q[k] = by.quick(load<T, N>(x + i + k * N));
    if (!good(q, by.least)) [[unlikely]] {
#pragma GCC unroll 4
      for (int k = 0; k < side; ++k) q[k] = by.under(load<T, N>(x + i + k * N));
    }
#pragma GCC unroll 4
    for (int k = 0; k < side; ++k) put(out + i + k * N, q[k]);
  }
  for (; i + N <= n; i += N) put(out + i, by.under(load<T, N>(x + i)));
  for (; i < n; ++i) out[i] = x[i] / by.y[0];
}

template <class T>
void divide(const T* x, const T* y, T* out, index n, bool streaming) {
  divisor<T, 64 / sizeof(T)> by;
  by.share(*y);
  if (streaming)
    divide_all<true>(x, by, out, n);
  else
    divide_all<false>(x, by, out, n);
}

}  // namespace

void quotients_v4_f32(const float* x, const float* y, float* out, index n, bool streaming) {
  divide(x, y, out, n, streaming);
}
void quotients_v4_f64(const double* x, const double* y, double* out, index n, bool streaming) {
  divide(x, y, out, n, streaming);
}

}  // namespace broadloom::runtime
