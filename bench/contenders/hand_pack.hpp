// The vectors that the hand-written loops are made of: as wide as the processor the file is compiled for.
#pragma once
#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace hand {

#if defined(__AVX512F__)
constexpr int width = 64;
#else
constexpr int width = 32;
#endif

using vf = float __attribute__((vector_size(width)));
using vd = double __attribute__((vector_size(width)));
using vi = std::int32_t __attribute__((vector_size(width)));
using vb = std::uint8_t __attribute__((vector_size(width)));
constexpr int nf = width / 4, nd = width / 8;

#define BENCH_INLINE inline __attribute__((always_inline))

template <class V>
BENCH_INLINE V load(const void* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class V>
BENCH_INLINE void store(void* p, V v) {
  std::memcpy(p, &v, sizeof v);
}

// A streaming store. The address must be a multiple of the vector's size.
template <class V>
BENCH_INLINE void stream(void* p, V v) {
#if defined(__AVX512F__)
  _mm512_stream_si512(static_cast<__m512i*>(p), reinterpret_cast<__m512i&>(v));
#else
  _mm256_stream_si256(static_cast<__m256i*>(p), reinterpret_cast<__m256i&>(v));
#endif
}
template <bool Streaming, class V>
BENCH_INLINE void put(void* p, V v) {
  if constexpr (Streaming)
    stream(p, v);
  else
    store(p, v);
}

template <class V, class T>
BENCH_INLINE V splat(T x) {
  return x - V{};
}  // x - 0 is x for every x, signed zeros too

BENCH_INLINE vf fma(vf a, vf b, vf c) {
#if defined(__AVX512F__)
  return vf(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c)));
#else
  return vf(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c)));
#endif
}
BENCH_INLINE vf max(vf a, vf b) { return a > b ? a : b; }
BENCH_INLINE vf min(vf a, vf b) { return a < b ? a : b; }
BENCH_INLINE vf select(vi mask, vf yes, vf no) { return vf((vi(yes) & mask) | (vi(no) & ~mask)); }
BENCH_INLINE vf square_root(vf x) {
#if defined(__AVX512F__)
  return vf(_mm512_sqrt_ps(__m512(x)));
#else
  return vf(_mm256_sqrt_ps(__m256(x)));
#endif
}
// 1/x to about one unit in the last place: the processor's estimate and one Newton step.
BENCH_INLINE vf reciprocal(vf x) {
#if defined(__AVX512F__)
  const vf r = vf(_mm512_rcp14_ps(__m512(x)));
#else
  const vf r = vf(_mm256_rcp_ps(__m256(x)));
#endif
  return fma(fma(-x, r, splat<vf>(1.f)), r, r);
}
// The same for 1/sqrt(x).
BENCH_INLINE vf reciprocal_root(vf x) {
#if defined(__AVX512F__)
  const vf r = vf(_mm512_rsqrt14_ps(__m512(x)));
#else
  const vf r = vf(_mm256_rsqrt_ps(__m256(x)));
#endif
  return fma(fma(-x * r, r, splat<vf>(1.f)), r * 0.5f, r);
}
BENCH_INLINE vf nearest(vf x) {
#if defined(__AVX512F__)
  return vf(_mm512_roundscale_ps(__m512(x), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
  return vf(_mm256_round_ps(__m256(x), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#endif
}

// exp for |x| < 87: e^x = 2^n e^r with |r| <= ln 2 / 2, and a least-maximum polynomial for (e^r - 1 - r) / r^2.
BENCH_INLINE vf exp(vf x) {
  const vf n = nearest(x * 1.44269504f);
  const vf r = fma(n, splat<vf>(-1.90465421e-09f), fma(n, splat<vf>(-0.693145752f), x)) - n * 1.42667498e-06f;
  vf p = fma(splat<vf>(0.00139505f), r, splat<vf>(0.00836889f));
  p = fma(p, r, splat<vf>(0.04166621f));
  p = fma(p, r, splat<vf>(0.16666519f));
  p = fma(p, r, splat<vf>(0.50000001f));
  p = fma(p, r * r, r) + 1.f;
  return vf(vi(p) + (__builtin_convertvector(n, vi) << 23));
}

// log for positive normal x: m in [sqrt 1/2, sqrt 2), f = m - 1, log x = e ln 2 + f - f^2/2 + f^3 p(f).
BENCH_INLINE vf log(vf x) {
  const vi offset = vi(x) - 0x3f3504f3;
  const vi e = offset >> 23;
  const vf f = vf((offset & 0x007fffff) + 0x3f3504f3) - 1.f, z = f * f;
  vf p = fma(splat<vf>(-0.0763442984f), f, splat<vf>(0.127615503f));
  p = fma(p, f, splat<vf>(-0.131601951f));
  p = fma(p, f, splat<vf>(0.142017625f));
  p = fma(p, f, splat<vf>(-0.166233565f));
  p = fma(p, f, splat<vf>(0.200012267f));
  p = fma(p, f, splat<vf>(-0.250008211f));
  p = fma(p, f, splat<vf>(0.333333317f));
  const vf k = __builtin_convertvector(e, vf);
  return fma(k, splat<vf>(0.693147182f), fma(z, fma(p, f, splat<vf>(-0.5f)), f));
}

// erf: odd, within 1e-7 of 1 beyond 3.92; in between x P(x^2) / Q(x^2), least maximum relative error.
BENCH_INLINE vf erf(vf x) {
  x = min(max(x, splat<vf>(-3.92f)), splat<vf>(3.92f));
  const vf z = x * x;
  vf p = fma(splat<vf>(2.0362102e-06f), z, splat<vf>(0.000284754984f));
  p = fma(p, z, splat<vf>(0.00378953737f));
  p = fma(p, z, splat<vf>(0.052819816f));
  p = fma(p, z, splat<vf>(0.191051843f));
  p = fma(p, z, splat<vf>(1.12837914f));
  vf q = fma(splat<vf>(3.79417816e-05f), z, splat<vf>(0.00116710921f));
  q = fma(q, z, splat<vf>(0.0150174777f));
  q = fma(q, z, splat<vf>(0.114362935f));
  q = fma(q, z, splat<vf>(0.502647992f));
  q = fma(q, z, splat<vf>(1.f));
  return x * p * reciprocal(q);
}

// Transposes a square of vectors in registers.
BENCH_INLINE void transpose(vf (&r)[nf]) {
#if defined(__AVX512F__)
  // Squares of 4 x 4 within quarters of vectors, then the quarters: sixty-four cheap shuffles.
  const auto odd_quarters = [](vf a, vf b) { return vf(_mm512_shuffle_f32x4(__m512(a), __m512(b), 0xdd)); };
  const auto even_quarters = [](vf a, vf b) { return vf(_mm512_shuffle_f32x4(__m512(a), __m512(b), 0x88)); };
  vf t[4];
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
#pragma GCC unroll 2
    for (int k = 0; k < 4; k += 2) {
      t[k] = vf(_mm512_unpacklo_ps(__m512(r[i + k]), __m512(r[i + k + 1])));
      t[k + 1] = vf(_mm512_unpackhi_ps(__m512(r[i + k]), __m512(r[i + k + 1])));
    }
    r[i] = vf(_mm512_shuffle_ps(__m512(t[0]), __m512(t[2]), 0x44));
    r[i + 1] = vf(_mm512_shuffle_ps(__m512(t[0]), __m512(t[2]), 0xee));
    r[i + 2] = vf(_mm512_shuffle_ps(__m512(t[1]), __m512(t[3]), 0x44));
    r[i + 3] = vf(_mm512_shuffle_ps(__m512(t[1]), __m512(t[3]), 0xee));
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    t[0] = even_quarters(r[i], r[i + 4]), t[1] = even_quarters(r[i + 8], r[i + 12]);
    t[2] = odd_quarters(r[i], r[i + 4]), t[3] = odd_quarters(r[i + 8], r[i + 12]);
    r[i] = even_quarters(t[0], t[1]), r[i + 8] = odd_quarters(t[0], t[1]);
    r[i + 4] = even_quarters(t[2], t[3]), r[i + 12] = odd_quarters(t[2], t[3]);
  }
#else
  // Unpack within 128-bit halves, then exchange the halves: twenty-four cheap shuffles.
  vf t[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    t[i] = vf(_mm256_unpacklo_ps(__m256(r[i]), __m256(r[i + 1])));
    t[i + 1] = vf(_mm256_unpackhi_ps(__m256(r[i]), __m256(r[i + 1])));
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    r[i + 0] = vf(_mm256_shuffle_ps(__m256(t[i]), __m256(t[i + 2]), 0x44));
    r[i + 1] = vf(_mm256_shuffle_ps(__m256(t[i]), __m256(t[i + 2]), 0xee));
    r[i + 2] = vf(_mm256_shuffle_ps(__m256(t[i + 1]), __m256(t[i + 3]), 0x44));
    r[i + 3] = vf(_mm256_shuffle_ps(__m256(t[i + 1]), __m256(t[i + 3]), 0xee));
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    t[i] = vf(_mm256_permute2f128_ps(__m256(r[i]), __m256(r[i + 4]), 0x20));
    t[i + 4] = vf(_mm256_permute2f128_ps(__m256(r[i]), __m256(r[i + 4]), 0x31));
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) r[i] = t[i];
#endif
}

}  // namespace hand
