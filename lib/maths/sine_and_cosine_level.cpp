// Sines and cosines of one instruction-set level.
#include "sines_and_cosines.hpp"

#include "../base/vectors.hpp"

#if BROADLOOM_LEVEL_BYTES > 16
#include <immintrin.h>

#include "own_trigonometric.hpp"
#endif

namespace broadloom::runtime::BROADLOOM_LEVEL {

#if BROADLOOM_LEVEL_BYTES > 16
template <class T>
struct sine_and_cosine_pack {
  using element = T;
  using value = vec<T, BROADLOOM_LEVEL_BYTES>;
  static value splat(T x) { return x - value{}; }
  static value multiply_add(value a, value b, value c) {
#if BROADLOOM_LEVEL_BYTES == 64
    if constexpr (sizeof(T) == 4)
      return value(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c)));
    else
      return value(_mm512_fmadd_pd(__m512d(a), __m512d(b), __m512d(c)));
#else
    if constexpr (sizeof(T) == 4)
      return value(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c)));
    else
      return value(_mm256_fmadd_pd(__m256d(a), __m256d(b), __m256d(c)));
#endif
  }
  static bool any_beyond(value x, T limit) {
#if BROADLOOM_LEVEL_BYTES == 64
    if constexpr (sizeof(T) == 4)
      return _mm512_cmp_ps_mask(_mm512_abs_ps(__m512(x)), _mm512_set1_ps(limit), _CMP_GT_OQ) != 0;
    else
      return _mm512_cmp_pd_mask(_mm512_abs_pd(__m512d(x)), _mm512_set1_pd(limit), _CMP_GT_OQ) != 0;
#else
    if constexpr (sizeof(T) == 4) {
      const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), __m256(x));
      return _mm256_movemask_ps(_mm256_cmp_ps(size, _mm256_set1_ps(limit), _CMP_GT_OQ)) != 0;
    } else {
      const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), __m256d(x));
      return _mm256_movemask_pd(_mm256_cmp_pd(size, _mm256_set1_pd(limit), _CMP_GT_OQ)) != 0;
    }
#endif
  }
};
#endif

template <class T>
struct sine_and_cosine_code {
#if BROADLOOM_LEVEL_BYTES > 16
  static index run(const T* x, T* sine, T* cosine, index n) noexcept {
    using pack = sine_and_cosine_pack<T>;
    using functions = fused_trigonometric<pack>;
    using value = typename pack::value;
    constexpr index width = BROADLOOM_LEVEL_BYTES / static_cast<index>(sizeof(T));
    index i = 0;
    for (; i + width <= n; i += width) {
      value v, s, c;
      __builtin_memcpy(&v, x + i, sizeof v);
      if (pack::any_beyond(v, functions::limit)) [[unlikely]]
        break;
      functions::sine_and_cosine(v, s, c);
      __builtin_memcpy(sine + i, &s, sizeof s);
      __builtin_memcpy(cosine + i, &c, sizeof c);
    }
    return i;
  }
  static constexpr sine_and_cosine_kernels<T> table{run};
#else
  static constexpr sine_and_cosine_kernels<T> table{nullptr};
#endif
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(sine_and_cosine_kernels, sine_and_cosine_loops, sine_and_cosine_code)

}  // namespace broadloom::runtime
