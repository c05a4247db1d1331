// Vector maths for processors with AVX2 and FMA.
#include <immintrin.h>
#include <sleef.h>

#include "strips.hpp"

#define BROADLOOM_HAS_FMA 1
#define BROADLOOM_HAS_TABLES 0
#define BROADLOOM_SLEEF32(name, variant) Sleef_finz_##name##f8_##variant##avx2
#define BROADLOOM_SLEEF64(name, variant) Sleef_finz_##name##d4_##variant##avx2
#define BROADLOOM_LIBMVEC32_1(name) _ZGVdN8v_##name##f
#define BROADLOOM_LIBMVEC64_1(name) _ZGVdN4v_##name
#define BROADLOOM_LIBMVEC32_2(name) _ZGVdN8vv_##name##f
#define BROADLOOM_LIBMVEC64_2(name) _ZGVdN4vv_##name

namespace broadloom::runtime {
namespace v3 {

struct f32_vec {
  using element = float;
  using value = __m256;
  static constexpr bool has_fma = true;
  static constexpr index width = 8;
  static value load(const float* p) { return _mm256_loadu_ps(p); }
  static void store(float* p, value v) { _mm256_storeu_ps(p, v); }
  static value splat(float x) { return _mm256_set1_ps(x); }
  static value abs(value v) { return _mm256_andnot_ps(splat(-0.0f), v); }
  static value multiply_add(value a, value b, value c) { return _mm256_fmadd_ps(a, b, c); }
  static value sqrt(value x) { return _mm256_sqrt_ps(x); }
  // table[k] for each lane, where k is the low three bits of the lane.
  static value from_table(const float (&table)[8], value lanes) {
    return _mm256_permutevar8x32_ps(load(table), _mm256_castps_si256(lanes));
  }
  static unsigned less(value a, value b) {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ)));
  }
};

struct f64_vec {
  using element = double;
  using value = __m256d;
  static constexpr bool has_fma = true;
  static constexpr index width = 4;
  static value load(const double* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, value v) { _mm256_storeu_pd(p, v); }
  static value splat(double x) { return _mm256_set1_pd(x); }
  static value abs(value v) { return _mm256_andnot_pd(splat(-0.0), v); }
  static unsigned less(value a, value b) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ)));
  }
  static value multiply_add(value a, value b, value c) { return _mm256_fmadd_pd(a, b, c); }
  static value divide(value a, value b) { return _mm256_div_pd(a, b); }
  static value sqrt(value x) { return _mm256_sqrt_pd(x); }
  static value low_half(__m256 x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
  static value high_half(__m256 x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }
  static __m256 rounded(value low, value high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)), _mm256_cvtpd_ps(high), 1);
  }
};

#include "maths_table.inc"

}  // namespace v3

constinit const maths_table maths_v3 = v3::make_table();

}  // namespace broadloom::runtime
