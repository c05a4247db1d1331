// Vectors of f64 that are computed from floats, and rounded to floats; and from doubles.
#pragma once

#include <cstdint>

#include <broadloom/core/simd_vec.hpp>

#include "../base/level.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace broadloom::runtime {
namespace {

struct wide_floats {
  static constexpr int width = BROADLOOM_LEVEL_BYTES / 8;
  using value = detail::simd_vec<double, width>;

  static value all(double x) { return detail::splat<width>(x); }

  // Whether fused() is one instruction.
#if BROADLOOM_LEVEL_BYTES > 16 || defined(__ARM_FEATURE_FMA)
  static constexpr bool has_fused = true;
#else
  static constexpr bool has_fused = false;
#endif

  static value load(const double* p) { return detail::load<double, width>(p); }
  static void store(double* p, value x) { detail::store(p, x); }
  // Of `width` floats.
  static value load(const float* p) {
#if BROADLOOM_LEVEL_BYTES == 64
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
#elif BROADLOOM_LEVEL_BYTES == 32
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
#else
    return value{p[0], p[1]};
#endif
  }
  static void store(float* p, value x) {
#if BROADLOOM_LEVEL_BYTES == 64
    _mm256_storeu_ps(p, _mm512_cvtpd_ps(x));
#elif BROADLOOM_LEVEL_BYTES == 32
    _mm_storeu_ps(p, _mm256_cvtpd_ps(x));
#else
    p[0] = static_cast<float>(x[0]);
    p[1] = static_cast<float>(x[1]);
#endif
  }
  static value sqrt(value x) {
#if BROADLOOM_LEVEL_BYTES == 64
    return _mm512_sqrt_pd(x);
#elif BROADLOOM_LEVEL_BYTES == 32
    return _mm256_sqrt_pd(x);
#else
    return value{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])};
#endif
  }
  // a b + c; in one step where the level has it.
  static value multiply_add(value a, value b, value c) {
#if BROADLOOM_LEVEL_BYTES == 64
    return _mm512_fmadd_pd(a, b, c);
#elif BROADLOOM_LEVEL_BYTES == 32
    return _mm256_fmadd_pd(a, b, c);
#else
    return a * b + c;
#endif
  }
  // a b + c, rounded once.
  static value fused(value a, value b, value c) {
#if BROADLOOM_LEVEL_BYTES > 16
    return multiply_add(a, b, c);
#else
    return value{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
#endif
  }
  static bool any_nan(value x) {
#if BROADLOOM_LEVEL_BYTES == 64
    return _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q) != 0;
#elif BROADLOOM_LEVEL_BYTES == 32
    return _mm256_movemask_pd(_mm256_cmp_pd(x, x, _CMP_UNORD_Q)) != 0;
#else
    return x[0] != x[0] || x[1] != x[1];
#endif
  }
  // c[0] + c[1] x + c[2] x^2 + ...
  template <int N>
  static value polynomial(const double (&c)[N], value x) {
    value r = all(c[N - 1]);
#pragma GCC unroll 32
    for (int k = N - 2; k >= 0; --k) r = multiply_add(r, x, all(c[k]));
    return r;
  }
  template <int N, int M>
  static value quotient(const double (&above)[N], const double (&below)[M], value x) {
    return polynomial(above, x) / polynomial(below, x);
  }
  static value absolute(value x) {
    using bits = detail::simd_vec<std::uint64_t, width>;
    return reinterpret_cast<value>(reinterpret_cast<bits>(x) & ~reinterpret_cast<bits>(all(-0.0)));
  }
};

}  // namespace
}  // namespace broadloom::runtime
