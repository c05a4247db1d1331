// Vector maths for every x86-64 processor: SSE2, without FMA.
#if defined(__x86_64__)

#include <immintrin.h>

#include "strips.hpp"

#if BROADLOOM_SLEEF
#include <sleef.h>
#endif

#define BROADLOOM_HAS_FMA 0
#define BROADLOOM_TABLES 0
#if BROADLOOM_SLEEF
#define BROADLOOM_SLEEF32(name, variant) Sleef_cinz_##name##f4_##variant##sse2
#define BROADLOOM_SLEEF64(name, variant) Sleef_cinz_##name##d2_##variant##sse2
#endif
#define BROADLOOM_LIBMVEC32_1(name) _ZGVbN4v_##name##f
#define BROADLOOM_LIBMVEC64_1(name) _ZGVbN2v_##name
#define BROADLOOM_LIBMVEC32_2(name) _ZGVbN4vv_##name##f
#define BROADLOOM_LIBMVEC64_2(name) _ZGVbN2vv_##name

namespace broadloom::runtime {
namespace base {

struct f32_vec {
  using element = float;
  using value = __m128;
  static constexpr bool has_fma = false;
  static constexpr index width = 4;
  static value load(const float* p) { return _mm_loadu_ps(p); }
  static void store(float* p, value v) { _mm_storeu_ps(p, v); }
  static value splat(float x) { return _mm_set1_ps(x); }
  static value abs(value v) { return _mm_andnot_ps(splat(-0.0f), v); }
  static value sqrt(value x) { return _mm_sqrt_ps(x); }
  static unsigned less(value a, value b) { return static_cast<unsigned>(_mm_movemask_ps(_mm_cmplt_ps(a, b))); }
};

struct f64_vec {
  using element = double;
  using value = __m128d;
  static constexpr bool has_fma = false;
  static constexpr index width = 2;
  static value load(const double* p) { return _mm_loadu_pd(p); }
  static void store(double* p, value v) { _mm_storeu_pd(p, v); }
  static value splat(double x) { return _mm_set1_pd(x); }
  static value abs(value v) { return _mm_andnot_pd(splat(-0.0), v); }
  static unsigned less(value a, value b) { return static_cast<unsigned>(_mm_movemask_pd(_mm_cmplt_pd(a, b))); }
  static value multiply_add(value a, value b, value c) { return _mm_add_pd(_mm_mul_pd(a, b), c); }
  static value divide(value a, value b) { return _mm_div_pd(a, b); }
  static value sqrt(value x) { return _mm_sqrt_pd(x); }
  static value low_half(__m128 x) { return _mm_cvtps_pd(x); }
  static value high_half(__m128 x) { return _mm_cvtps_pd(_mm_movehl_ps(x, x)); }
  static __m128 rounded(value low, value high) { return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)); }
};

#include "maths_table.inc"

}  // namespace base

constinit const maths_table maths_base = base::make_table();

}  // namespace broadloom::runtime

#endif
