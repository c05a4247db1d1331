// Compresses elements by AVX-512's compressing stores.
#include "mask.hpp"

#include <immintrin.h>

namespace broadloom::detail {

void compress4_v4(const bool* mask, index n, const void* from, void* to) {
  const auto* x = static_cast<const float*>(from);
  auto* out = static_cast<float*>(to);
  index i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask + i));
    const __mmask16 set = _mm_test_epi8_mask(bytes, bytes);
    _mm512_mask_compressstoreu_ps(out, set, _mm512_loadu_ps(x + i));
    out += __builtin_popcount(set);
  }
  for (; i < n; ++i)
    if (mask[i]) *out++ = x[i];
}

void compress8_v4(const bool* mask, index n, const void* from, void* to) {
  const auto* x = static_cast<const double*>(from);
  auto* out = static_cast<double*>(to);
  index i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(mask + i));
    const auto set = static_cast<__mmask8>(_mm_test_epi8_mask(bytes, bytes));
    _mm512_mask_compressstoreu_pd(out, set, _mm512_loadu_pd(x + i));
    out += __builtin_popcount(set);
  }
  for (; i < n; ++i)
    if (mask[i]) *out++ = x[i];
}

void expand4_v4(const bool* mask, index n, const void* from, void* to) {
  const auto* x = static_cast<const float*>(from);
  auto* out = static_cast<float*>(to);
  index i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask + i));
    const __mmask16 set = _mm_test_epi8_mask(bytes, bytes);
    _mm512_mask_storeu_ps(out + i, set, _mm512_maskz_expandloadu_ps(set, x));
    x += __builtin_popcount(set);
  }
  for (; i < n; ++i)
    if (mask[i]) out[i] = *x++;
}

void expand8_v4(const bool* mask, index n, const void* from, void* to) {
  const auto* x = static_cast<const double*>(from);
  auto* out = static_cast<double*>(to);
  index i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(mask + i));
    const auto set = static_cast<__mmask8>(_mm_test_epi8_mask(bytes, bytes));
    _mm512_mask_storeu_pd(out + i, set, _mm512_maskz_expandloadu_pd(set, x));
    x += __builtin_popcount(set);
  }
  for (; i < n; ++i)
    if (mask[i]) out[i] = *x++;
}

}  // namespace broadloom::detail
