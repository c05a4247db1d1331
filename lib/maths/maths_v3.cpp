// Vector maths for processors with AVX2 and FMA.
#include <immintrin.h>

#include "complex_exponentials.hpp"
#include "sine_and_cosine.hpp"
#include "strips.hpp"

#if BROADLOOM_SLEEF
#include <sleef.h>
#endif

#define BROADLOOM_HAS_FMA 1
#define BROADLOOM_HAS_SINE_AND_COSINE 1
#define BROADLOOM_TABLES 8
#if BROADLOOM_SLEEF
#define BROADLOOM_SLEEF32(name, variant) Sleef_finz_##name##f8_##variant##avx2
#define BROADLOOM_SLEEF64(name, variant) Sleef_finz_##name##d4_##variant##avx2
#endif
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
  static __m256i first(index n) {
    alignas(64) static constexpr int masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(masks + (8 - n)));
  }
  static value load_first(const float* p, index n) {
    const __m256i mask = first(n);
    return _mm256_blendv_ps(splat(p[n - 1]), _mm256_maskload_ps(p, mask), _mm256_castsi256_ps(mask));
  }
  static value only_first(value v, index n) { return _mm256_blendv_ps(splat(-0.0f), v, _mm256_castsi256_ps(first(n))); }
  // Masked stores take some processors ten times as long.
  [[gnu::always_inline]] static inline void store_first(float* p, value v, index n) {
    const index from = n > 4 ? n - 4 : n - 1;
    const __m256i order =
        _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(from)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const __m128 low = _mm256_castps256_ps128(v), last = _mm256_castps256_ps128(_mm256_permutevar8x32_ps(v, order));
    if (n >= 4) _mm_storeu_ps(p, low);
    if (n > 4) return _mm_storeu_ps(p + from, last);
    if (n < 4 && (n & 2) != 0) _mm_storel_pi(reinterpret_cast<__m64*>(p), low);
    if ((n & 1) != 0) _mm_store_ss(p + from, last);
  }
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
  static bool in_all_lanes(value mask) { return _mm256_movemask_ps(mask) == 0xff; }
  static value smaller(value a, value b) { return _mm256_min_ps(a, b); }
  static value larger(value a, value b) { return _mm256_max_ps(a, b); }
};

struct f64_vec {
  using element = double;
  using value = __m256d;
  static constexpr bool has_fma = true;
  static constexpr index width = 4;
  static value load(const double* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, value v) { _mm256_storeu_pd(p, v); }
  static __m256i first(index n) {
    alignas(64) static constexpr long long masks[8] = {-1, -1, -1, -1};
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(masks + (4 - n)));
  }
  static value load_first(const double* p, index n) {
    const __m256i mask = first(n);
    return _mm256_blendv_pd(splat(p[n - 1]), _mm256_maskload_pd(p, mask), _mm256_castsi256_pd(mask));
  }
  static value only_first(value v, index n) { return _mm256_blendv_pd(splat(-0.0), v, _mm256_castsi256_pd(first(n))); }
  [[gnu::always_inline]] static inline void store_first(double* p, value v, index n) {
    const __m128d low = _mm256_castpd256_pd128(v);
    if (n >= 2) _mm_storeu_pd(p, low);
    if (n != 2) _mm_store_sd(p + (n - 1), n == 1 ? low : _mm256_extractf128_pd(v, 1));
  }
  static value splat(double x) { return _mm256_set1_pd(x); }
  static value abs(value v) { return _mm256_andnot_pd(splat(-0.0), v); }
  static unsigned less(value a, value b) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ)));
  }
  static bool in_all_lanes(value mask) { return _mm256_movemask_pd(mask) == 0xf; }
  // The lanes that are no positive normal numbers.
  static unsigned not_normal(value v) {
    // Without the smallest normal number, and with the other sign bit: then signed numbers are ordered as unsigned
    // ones.
    const __m256i moved = _mm256_add_epi64(_mm256_castpd_si256(v), _mm256_set1_epi64x(0x7ff0000000000000));
    const __m256i beyond = _mm256_cmpgt_epi64(moved, _mm256_set1_epi64x(-0x20000000000001));
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(beyond)));
  }
  static value smaller(value a, value b) { return _mm256_min_pd(a, b); }
  static value larger(value a, value b) { return _mm256_max_pd(a, b); }
  static value multiply_add(value a, value b, value c) { return _mm256_fmadd_pd(a, b, c); }
  static value divide(value a, value b) { return _mm256_div_pd(a, b); }
  // pairs[k] for each lane, where k is the low four bits of the lane; a gather takes some processors twice as long.
  static void pairs_from_table(const double (&pairs)[32], value lanes, value& first, value& second) {
    alignas(32) long long k[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(k),
                       _mm256_and_si256(_mm256_castpd_si256(lanes), _mm256_set1_epi64x(15)));
    const auto two = [&](int i) {
      const __m256d low = _mm256_castpd128_pd256(_mm_load_pd(pairs + 2 * k[i]));
      return _mm256_insertf128_pd(low, _mm_load_pd(pairs + 2 * k[i + 2]), 1);
    };
    const __m256d even = two(0), odd = two(1);
    first = _mm256_unpacklo_pd(even, odd);
    second = _mm256_unpackhi_pd(even, odd);
  }
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
