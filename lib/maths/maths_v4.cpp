// Vector maths for processors with AVX-512.
#include <immintrin.h>

#include "complex_exponentials.hpp"
#include "sine_and_cosine.hpp"
#include "strips.hpp"

#if BROADLOOM_SLEEF
#include <sleef.h>
#endif
#include "summed.hpp"

#define BROADLOOM_HAS_FMA 1
#define BROADLOOM_HAS_SINE_AND_COSINE 1
#define BROADLOOM_TABLES 32
#if BROADLOOM_SLEEF
#define BROADLOOM_SLEEF32(name, variant) Sleef_finz_##name##f16_##variant##avx512f
#define BROADLOOM_SLEEF64(name, variant) Sleef_finz_##name##d8_##variant##avx512f
#endif
#define BROADLOOM_LIBMVEC32_1(name) _ZGVeN16v_##name##f
#define BROADLOOM_LIBMVEC64_1(name) _ZGVeN8v_##name
#define BROADLOOM_LIBMVEC32_2(name) _ZGVeN16vv_##name##f
#define BROADLOOM_LIBMVEC64_2(name) _ZGVeN8vv_##name

namespace broadloom::runtime {
namespace v4 {

struct f32_vec {
  using element = float;
  using value = __m512;
  static constexpr bool has_fma = true;
  static constexpr index width = 16;
  static value load(const float* p) { return _mm512_loadu_ps(p); }
  static void store(float* p, value v) { _mm512_storeu_ps(p, v); }
  static value load_first(const float* p, index n) { return _mm512_mask_loadu_ps(splat(p[n - 1]), first(n), p); }
  [[gnu::always_inline]] static inline void store_first(float* p, value v, index n) {
    _mm512_mask_storeu_ps(p, first(n), v);
  }
  static value only_first(value v, index n) { return _mm512_mask_mov_ps(splat(-0.0f), first(n), v); }
  static __mmask16 first(index n) { return static_cast<__mmask16>((1u << n) - 1u); }
  static value splat(float x) { return _mm512_set1_ps(x); }
  static value abs(value v) { return _mm512_abs_ps(v); }
  static value multiply_add(value a, value b, value c) { return _mm512_fmadd_ps(a, b, c); }
  static value sqrt(value x) { return _mm512_maskz_sqrt_ps(0xffff, x); }
  static value rough_reciprocal_sqrt(value x) { return _mm512_maskz_rsqrt14_ps(0xffff, x); }
  // table[k] for each lane, where k is the low four bits of the lane.
  static constexpr bool has_tables = true;
  static value from_table(const float (&table)[16], value lanes) {
    return _mm512_maskz_permutexvar_ps(0xffff, _mm512_castps_si512(lanes), load(table));
  }
  // The same of the low five bits.
  static value from_table(const float (&table)[32], value lanes) {
    return _mm512_permutex2var_ps(load(table), _mm512_castps_si512(lanes), load(table + 16));
  }
  static value exponent(value x) { return _mm512_maskz_getexp_ps(0xffff, x); }
  static value fraction(value x) {
    return _mm512_maskz_getmant_ps(0xffff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
  }
  static value mantissa(value x) { return _mm512_maskz_getmant_ps(0xffff, x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero); }
  // With a mask: GCC 12 warns of what it leaves undefined in the form without.
  static value scaled(value x, value n) { return _mm512_maskz_scalef_ps(0xffff, x, n); }
  static unsigned less(value a, value b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
  static value smaller(value a, value b) { return _mm512_maskz_min_ps(0xffff, a, b); }
  static value larger(value a, value b) { return _mm512_maskz_max_ps(0xffff, a, b); }
  static value smaller_in_size(value a, value b) { return _mm512_maskz_range_ps(0xffff, a, b, 2); }  // a's sign
};

struct f64_vec {
  using element = double;
  using value = __m512d;
  static constexpr bool has_fma = true;
  static constexpr index width = 8;
  static value load(const double* p) { return _mm512_loadu_pd(p); }
  static void store(double* p, value v) { _mm512_storeu_pd(p, v); }
  static value load_first(const double* p, index n) { return _mm512_mask_loadu_pd(splat(p[n - 1]), first(n), p); }
  [[gnu::always_inline]] static inline void store_first(double* p, value v, index n) {
    _mm512_mask_storeu_pd(p, first(n), v);
  }
  static value only_first(value v, index n) { return _mm512_mask_mov_pd(splat(-0.0), first(n), v); }
  static __mmask8 first(index n) { return static_cast<__mmask8>((1u << n) - 1u); }
  static value splat(double x) { return _mm512_set1_pd(x); }
  static value abs(value v) { return _mm512_abs_pd(v); }
  static unsigned less(value a, value b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
  // The lanes that are no positive normal numbers: all classes but these.
  static unsigned not_normal(value v) { return _mm512_fpclass_pd_mask(v, 0xff); }
  static value smaller(value a, value b) { return _mm512_maskz_min_pd(0xff, a, b); }
  static value larger(value a, value b) { return _mm512_maskz_max_pd(0xff, a, b); }
  static value smaller_in_size(value a, value b) { return _mm512_maskz_range_pd(0xff, a, b, 2); }
  static value multiply_add(value a, value b, value c) { return _mm512_fmadd_pd(a, b, c); }
  static value scaled(value x, value n) { return _mm512_maskz_scalef_pd(0xff, x, n); }
  static value divide(value a, value b) { return _mm512_div_pd(a, b); }
  static value sqrt(value x) { return _mm512_maskz_sqrt_pd(0xff, x); }
  static value rough_reciprocal_sqrt(value x) { return _mm512_maskz_rsqrt14_pd(0xff, x); }
  static value exponent(value x) { return _mm512_maskz_getexp_pd(0xff, x); }
  static value mantissa(value x) { return _mm512_maskz_getmant_pd(0xff, x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero); }
  static value fraction(value x) { return _mm512_maskz_getmant_pd(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan); }
  static constexpr bool has_tables = true;
  static value from_table(const double (&table)[16], value lanes) {
    return _mm512_permutex2var_pd(load(table), _mm512_castpd_si512(lanes), load(table + 8));
  }
  // With masks, as above; without intrinsics GCC 12 converts by halves, in five instructions.
  static value low_half(__m512 x) { return _mm512_maskz_cvtps_pd(0xff, _mm512_castps512_ps256(x)); }
  static value high_half(__m512 x) { return _mm512_maskz_cvtps_pd(0xff, _mm512_maskz_extractf32x8_ps(0xff, x, 1)); }
  static __m512 rounded(value low, value high) {
    const __m512 first = _mm512_zextps256_ps512(_mm512_maskz_cvtpd_ps(0xff, low));
    return _mm512_maskz_insertf32x8(0xffff, first, _mm512_maskz_cvtpd_ps(0xff, high), 1);
  }
};

#include "maths_table.inc"

}  // namespace v4

constinit const maths_table maths_v4 = v4::make_table();

}  // namespace broadloom::runtime
