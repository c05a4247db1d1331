// Compresses elements by AVX-512's compressing stores.
#include "mask.hpp"

#include <cstring>

#include <immintrin.h>

// GCC 12 warns that the undefined halves of AVX-512 intrinsics are uninitialised.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace broadloom::detail {

namespace {

index count_set_in(const bool* mask, index n) {
  index count = 0, i = 0;
  for (; i + 64 <= n; i += 64) {
    const __m512i bytes = _mm512_loadu_si512(mask + i);
    count += __builtin_popcountll(_mm512_test_epi8_mask(bytes, bytes));
  }
  for (; i < n; ++i) count += mask[i] ? 1 : 0;
  return count;
}

// Compressed in a register and stored as a whole where there is room: Zen 4 takes 100 cycles for a store that
// compresses to memory. What is behind the elements of a vector is written after them.
void compress4(const bool* mask, index n, const void* from, void* to) {
  const auto* x = static_cast<const float*>(from);
  auto* out = static_cast<float*>(to);
  float* const end = out + count_set_in(mask, n);
  index i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask + i));
    const __mmask16 set = _mm_test_epi8_mask(bytes, bytes);
    const __m512 chosen = _mm512_maskz_compress_ps(set, _mm512_loadu_ps(x + i));
    const int count = __builtin_popcount(set);
    if (end - out >= 16)
      _mm512_storeu_ps(out, chosen);
    else
      _mm512_mask_storeu_ps(out, static_cast<__mmask16>((1U << count) - 1U), chosen);
    out += count;
  }
  for (; i < n; ++i)
    if (mask[i]) *out++ = x[i];
}

void compress8(const bool* mask, index n, const void* from, void* to) {
  const auto* x = static_cast<const double*>(from);
  auto* out = static_cast<double*>(to);
  double* const end = out + count_set_in(mask, n);
  index i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(mask + i));
    const auto set = static_cast<__mmask8>(_mm_test_epi8_mask(bytes, bytes));
    const __m512d chosen = _mm512_maskz_compress_pd(set, _mm512_loadu_pd(x + i));
    const int count = __builtin_popcount(set);
    if (end - out >= 8)
      _mm512_storeu_pd(out, chosen);
    else
      _mm512_mask_storeu_pd(out, static_cast<__mmask8>((1U << count) - 1U), chosen);
    out += count;
  }
  for (; i < n; ++i)
    if (mask[i]) *out++ = x[i];
}

void expand4(const bool* mask, index n, const void* from, void* to) {
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

void expand8(const bool* mask, index n, const void* from, void* to) {
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

index places(const std::uint8_t* x, index n, index first, index* to) {
  const index* const begin = to;
  const __m512i eight = _mm512_set1_epi64(8);
  __m512i number = _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
  for (index i = 0; i < n; i += 64) {
    const __mmask64 wanted = n - i < 64 ? (std::uint64_t{1} << (n - i)) - 1 : ~std::uint64_t{0};
    const __m512i bytes = _mm512_maskz_loadu_epi8(wanted, x + i);
    std::uint64_t set = _mm512_test_epi8_mask(bytes, bytes);
    for (int k = 0; k < 8; ++k, set >>= 8) {
      const auto own = static_cast<__mmask8>(set);
      _mm512_storeu_si512(to, _mm512_maskz_compress_epi64(own, number));
      number = _mm512_add_epi64(number, eight);
      to += __builtin_popcount(own);
    }
  }
  return to - begin;
}

// The bytes of each word the other way round.
__m512i turned(__m512i x) {
  return _mm512_shuffle_epi8(
      x, _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8)));
}

void pack_bits(const bool* x, index words, bool big, std::uint8_t* to) {
  for (index i = 0; i < words; ++i) {
    const __m512i truths = _mm512_loadu_si512(x + 64 * i), in_order = big ? turned(truths) : truths;
    const std::uint64_t bits = _mm512_test_epi8_mask(in_order, in_order);
    std::memcpy(to + 8 * i, &bits, sizeof bits);
  }
}

void unpack_bits(const std::uint8_t* x, index words, bool big, std::uint8_t* to) {
  for (index i = 0; i < words; ++i) {
    std::uint64_t bits;
    std::memcpy(&bits, x + 8 * i, sizeof bits);
    const __m512i truths = _mm512_maskz_set1_epi8(bits, 1);
    _mm512_storeu_si512(to + 64 * i, big ? turned(truths) : truths);
  }
}

}  // namespace

constinit const mask_kernels mask_code_v4{compress4, compress8, expand4, expand8, places, pack_bits, unpack_bits};

}  // namespace broadloom::detail
