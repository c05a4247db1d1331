// Compresses and expands elements by AVX2's permutations, which a table has for each mask of eight.
#include "mask.hpp"

#include <array>
#include <cstring>

#include <immintrin.h>

namespace broadloom::detail {

namespace {

// A permutation of eight lanes, a byte each.
using lanes = std::array<std::uint8_t, 8>;

// Of each mask of `Bits` elements of `Words` lanes each: those that are set come first.
template <int Bits, int Words>
constexpr auto compressing_lanes() {
  std::array<lanes, 1 << Bits> all{};
  for (unsigned mask = 0; mask < all.size(); ++mask)
    for (unsigned i = 0, to = 0; i < Bits; ++i)
      if ((mask >> i & 1) != 0)
        for (unsigned k = 0; k < Words; ++k) all[mask][to++] = static_cast<std::uint8_t>(i * Words + k);
  return all;
}
// And back, of eight: each that is set has the next one.
constexpr auto expanding_lanes() {
  std::array<lanes, 256> all{};
  for (unsigned mask = 0; mask < all.size(); ++mask)
    for (unsigned i = 0, from = 0; i < 8; ++i)
      if ((mask >> i & 1) != 0) all[mask][i] = static_cast<std::uint8_t>(from++);
  return all;
}
constexpr auto compressing_1 = compressing_lanes<8, 1>();
constexpr auto compressing_2 = compressing_lanes<4, 2>();
constexpr auto expanding_1 = expanding_lanes();

__m128i bytes_of(const lanes& l) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(l.data())); }
__m256i words_of(const lanes& l) { return _mm256_cvtepu8_epi32(bytes_of(l)); }

// All bits of the first `n` lanes.
__m256i first_lanes(int n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

__m256i load_bytes(const void* x) { return _mm256_loadu_si256(static_cast<const __m256i*>(x)); }
void store_bytes(void* to, __m256i x) { _mm256_storeu_si256(static_cast<__m256i*>(to), x); }

unsigned set_of(__m256i bytes) {
  return ~static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())));
}
std::uint64_t set_of_64(const void* x) {
  const auto* const bytes = static_cast<const std::byte*>(x);
  return set_of(load_bytes(bytes)) | static_cast<std::uint64_t>(set_of(load_bytes(bytes + 32))) << 32;
}

index count_set_in(const bool* mask, index n) {
  index count = 0, i = 0;
  for (; i + 64 <= n; i += 64) count += __builtin_popcountll(set_of_64(mask + i));
  for (; i < n; ++i) count += mask[i] ? 1 : 0;
  return count;
}

// The bits of 32 elements of the mask, `Bits` at a time: f(bits, the number of their first element). Returns how many
// elements that was.
template <int Bits, class F>
index for_masks(const bool* mask, index n, F f) {
  index i = 0;
  for (; i + 32 <= n; i += 32) {
    unsigned set = set_of(load_bytes(mask + i));
    for (int k = 0; k < 32; k += Bits, set >>= Bits) f(set & ((1U << Bits) - 1), i + k);
  }
  return i;
}

template <class T, int Bits, const auto& Lanes>
void compress_by(const bool* mask, index n, const void* from, void* to) {
  constexpr int words = sizeof(T) / 4;
  const auto* const x = static_cast<const T*>(from);
  auto* out = static_cast<T*>(to);
  T* const end = out + count_set_in(mask, n);
  index i = for_masks<Bits>(mask, n, [&](unsigned set, index at) {
    const __m256i chosen = _mm256_permutevar8x32_epi32(load_bytes(x + at), words_of(Lanes[set]));
    const int count = __builtin_popcount(set);
    // what is behind the elements of a vector is written after them
    if (end - out >= Bits)
      store_bytes(out, chosen);
    else
      _mm256_maskstore_epi32(reinterpret_cast<int*>(out), first_lanes(count * words), chosen);
    out += count;
  });
  for (; i < n; ++i)
    if (mask[i]) *out++ = x[i];
}

// Eight elements of T at a time: bytes exchanged by one instruction.
template <class T>
void compress_narrow(const bool* mask, index n, const void* from, void* to) {
  const auto* const x = static_cast<const T*>(from);
  auto* out = static_cast<T*>(to);
  T* const end = out + count_set_in(mask, n);
  index i = for_masks<8>(mask, n, [&](unsigned set, index at) {
    __m128i own = bytes_of(compressing_1[set]), eight;
    if constexpr (sizeof(T) == 1)
      eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(x + at));
    else {
      eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + at));
      // two bytes an element
      own = _mm_add_epi16(_mm_mullo_epi16(_mm_cvtepu8_epi16(own), _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));
    }
    const __m128i chosen = _mm_shuffle_epi8(eight, own);
    const int count = __builtin_popcount(set);
    // what is behind the elements of a vector is written after them
    if (end - out >= 8)
      std::memcpy(out, &chosen, 8 * sizeof(T));
    else
      std::memcpy(out, &chosen, static_cast<std::size_t>(count) * sizeof(T));
    out += count;
  });
  for (; i < n; ++i)
    if (mask[i]) *out++ = x[i];
}

void expand4(const bool* mask, index n, const void* from, void* to) {
  const auto* x = static_cast<const int*>(from);
  auto* const out = static_cast<int*>(to);
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  index i = for_masks<8>(mask, n, [&](unsigned set, index at) {
    if (set == 0) return;
    const int count = __builtin_popcount(set);
    const __m256i next = _mm256_maskload_epi32(x, first_lanes(count));
    x += count;
    if (set == 255) return store_bytes(out + at, next);
    const __m256i chosen = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(set)), bit), bit);
    _mm256_maskstore_epi32(out + at, chosen, _mm256_permutevar8x32_epi32(next, words_of(expanding_1[set])));
  });
  for (; i < n; ++i)
    if (mask[i]) out[i] = *x++;
}

index places(const std::uint8_t* x, index n, index first, index* to) {
  const index* const begin = to;
  __m256i number = _mm256_set1_epi64x(first);
  const __m256i eight = _mm256_set1_epi64x(8);
  const auto list = [&](unsigned set) {
    const __m128i own = bytes_of(compressing_1[set]);
    store_bytes(to, _mm256_add_epi64(number, _mm256_cvtepu8_epi64(own)));
    store_bytes(to + 4, _mm256_add_epi64(number, _mm256_cvtepu8_epi64(_mm_srli_si128(own, 4))));
    number = _mm256_add_epi64(number, eight);
    to += __builtin_popcount(set);
  };
  index i = 0;
  for (; i + 64 <= n; i += 64) {
    std::uint64_t set = set_of_64(x + i);
    for (int k = 0; k < 8; ++k, set >>= 8) list(set & 255);
  }
  for (; i < n; ++i) {
    *to = first + i;
    to += x[i] != 0 ? 1 : 0;
  }
  return to - begin;
}

// The bytes of each word the other way round.
__m256i turned(__m256i x) {
  return _mm256_shuffle_epi8(
      x, _mm256_broadcastsi128_si256(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8)));
}

void pack_bits(const bool* x, index words, bool big, std::uint8_t* to) {
  for (index i = 0; i < 2 * words; ++i) {
    const __m256i truths = load_bytes(x + 32 * i);
    const unsigned bits = set_of(big ? turned(truths) : truths);
    std::memcpy(to + 4 * i, &bits, sizeof bits);
  }
}

void unpack_bits(const std::uint8_t* x, index words, bool big, std::uint8_t* to) {
  // eight copies of each of four bytes
  const __m256i copies = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i bit = _mm256_set1_epi64x(big ? 0x0102040810204080 : static_cast<long long>(0x8040201008040201));
  for (index i = 0; i < 2 * words; ++i) {
    int four;
    std::memcpy(&four, x + 4 * i, sizeof four);
    const __m256i own = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(four), copies), bit);
    store_bytes(to + 32 * i, _mm256_min_epu8(own, _mm256_set1_epi8(1)));
  }
}

}  // namespace

constinit const mask_kernels mask_code_v3{compress_by<std::uint32_t, 8, compressing_1>,
                                          compress_by<std::uint64_t, 4, compressing_2>,
                                          expand4,
                                          nullptr,
                                          places,
                                          pack_bits,
                                          unpack_bits};
constinit const narrow_mask_kernels narrow_mask_code_v3{compress_narrow<std::uint8_t>, compress_narrow<std::uint16_t>};

}  // namespace broadloom::detail
