// The square root of each element of a vector, rounded correctly, of one instruction-set level.
#pragma once

#include <cmath>

#include <broadloom/core/simd_vec.hpp>

#include "../base/level.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T, class V>
BROADLOOM_INLINE V vector_root(const V& x) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64 && sizeof(T) == 4) return V(_mm512_sqrt_ps(__m512(x)));
  if constexpr (sizeof(V) == 64 && sizeof(T) == 8) return V(_mm512_sqrt_pd(__m512d(x)));
#endif
#if defined(__AVX__)
  if constexpr (sizeof(V) == 32 && sizeof(T) == 4) return V(_mm256_sqrt_ps(__m256(x)));
  if constexpr (sizeof(V) == 32 && sizeof(T) == 8) return V(_mm256_sqrt_pd(__m256d(x)));
#endif
  V r{};
  for (int l = 0; l < static_cast<int>(sizeof(V) / sizeof(T)); ++l) r[l] = std::sqrt(x[l]);
  return r;
}

}  // namespace broadloom::runtime::BROADLOOM_LEVEL
