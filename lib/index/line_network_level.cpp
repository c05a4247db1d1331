// Batcher's network of merges by exchange (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M), for any
// length: the exchanges of a pass do not meet, and each is of eight lines.
#include "line_network.hpp"

#include <cstring>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

namespace broadloom::runtime {
namespace BROADLOOM_LEVEL {
namespace {

#if defined(__AVX512F__)

void exchange(std::uint64_t* a, std::uint64_t* b) {
  const __m512i x = _mm512_loadu_si512(a), y = _mm512_loadu_si512(b);
  _mm512_storeu_si512(a, _mm512_min_epu64(x, y));
  _mm512_storeu_si512(b, _mm512_max_epu64(x, y));
}

#elif defined(__AVX2__)

void exchange(std::uint64_t* a, std::uint64_t* b) {
  for (int half = 0; half < 2; ++half, a += 4, b += 4) {
    auto* const to_a = reinterpret_cast<__m256i*>(a);
    auto* const to_b = reinterpret_cast<__m256i*>(b);
    const __m256i x = _mm256_loadu_si256(to_a), y = _mm256_loadu_si256(to_b), greater = _mm256_cmpgt_epi64(x, y);
    _mm256_storeu_si256(to_a, _mm256_blendv_epi8(x, y, greater));
    _mm256_storeu_si256(to_b, _mm256_blendv_epi8(y, x, greater));
  }
}

#endif

#if defined(__AVX2__)

void sort_eight(std::uint64_t* keys, index n) {
  if (n < 2) return;
  index top = 1;
  while (2 * top < n) top *= 2;
  for (index p = top; p > 0; p /= 2)
    for (index q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
      // all i below n - d whose bit p is that of r
      for (index first = r; first < n - d; first += 2 * p) {
        const index last = first + p < n - d ? first + p : n - d;
        for (index i = first; i < last; ++i) exchange(keys + i * network_lines, keys + (i + d) * network_lines);
      }
      if (q == p) break;
    }
}

// Keys are compared as signed numbers where there is no other comparison.
#if defined(__AVX512F__)
constexpr std::uint32_t sign = 0;
#else
constexpr std::uint32_t sign = std::uint32_t{1} << 31;
#endif

// The bits of eight elements as keys: NaN last, both zeros equal.
template <bool Floating>
void keys_of(std::uint32_t* x) {
  for (index l = 0; l < network_lines; ++l) {
    const std::uint32_t bits = x[l];
    if constexpr (Floating) {
      const std::uint32_t size = bits & 0x7fffffff;
      const auto negative = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31);
      const std::uint32_t flipped = bits ^ (negative | 0x80000000);
      const std::uint32_t key = size == 0 ? 0x80000000 : flipped;
      x[l] = size > 0x7f800000 ? 0xffffffff : key;
    } else
      x[l] = bits ^ 0x80000000;
  }
}

template <bool Floating>
void pack_as(const eight_lines& x, std::uint64_t* keys) {
  const std::uint32_t flip = (x.descending ? 0xffffffff : 0) ^ sign;
  const auto* const first = static_cast<const std::uint32_t*>(x.from[0]);
  bool together = true;
  for (index l = 1; l < network_lines; ++l) together = together && x.from[l] == first + l;
  for (index i = 0; i < x.n; ++i, keys += network_lines) {
    std::uint32_t own[network_lines];
    if (together)
      std::memcpy(own, first + i * x.step, sizeof own);
    else
      for (index l = 0; l < network_lines; ++l) own[l] = static_cast<const std::uint32_t*>(x.from[l])[i * x.step];
    keys_of<Floating>(own);
    for (index l = 0; l < network_lines; ++l)
      keys[l] = static_cast<std::uint64_t>(own[l] ^ flip) << 32 | static_cast<std::uint64_t>(i);
  }
}
void pack(const eight_lines& x, std::uint64_t* keys) {
  if (x.floating)
    pack_as<true>(x, keys);
  else
    pack_as<false>(x, keys);
}

void unpack(const eight_lines& x, const std::uint64_t* keys, const eight_results& to) {
  keys += to.first * network_lines;
  const auto place = [&](index k, index l) {
    return static_cast<index>(static_cast<std::uint32_t>(keys[k * network_lines + l]));
  };
  for (index l = 0; to.step == 1 && l < network_lines; ++l) {
    const auto* const from = static_cast<const std::uint32_t*>(x.from[l]);
    if (to.indices[l] != nullptr)
      for (index k = 0; k < to.count; ++k) to.indices[l][k] = place(k, l);
    auto* const values = static_cast<std::uint32_t*>(to.values[l]);
    if (values != nullptr)
      for (index k = 0; k < to.count; ++k) values[k] = from[place(k, l)];
  }
  for (index k = 0; to.step != 1 && k < to.count; ++k) {
    if (to.indices[0] != nullptr)
      for (index l = 0; l < network_lines; ++l) to.indices[l][k * to.step] = place(k, l);
    if (to.values[0] != nullptr)
      for (index l = 0; l < network_lines; ++l)
        static_cast<std::uint32_t*>(to.values[l])[k * to.step] =
            static_cast<const std::uint32_t*>(x.from[l])[place(k, l) * x.step];
  }
}

#endif

}  // namespace
}  // namespace BROADLOOM_LEVEL

#if defined(__AVX2__)
constinit const line_network BROADLOOM_OF_LEVEL(line_networks){BROADLOOM_LEVEL::pack, BROADLOOM_LEVEL::sort_eight,
                                                               BROADLOOM_LEVEL::unpack};
#else
constinit const line_network BROADLOOM_OF_LEVEL(line_networks){nullptr, nullptr, nullptr};
#endif

}  // namespace broadloom::runtime
