// Elements are moved as integers of their size. Vectors are loaded whole even if only some of their elements are used.
// Nothing is read before the first or after the last element that is used.
#include "copy_v3.hpp"

#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "transpose.hpp"

namespace broadloom::runtime {

namespace {

#define ALWAYS_INLINE [[gnu::always_inline]] inline

ALWAYS_INLINE __m256i load32(const std::byte* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
ALWAYS_INLINE __m128i load16(const std::byte* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
ALWAYS_INLINE void store(std::byte* p, __m256i x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x); }
ALWAYS_INLINE void store(std::byte* p, __m128i x) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), x); }

// ---------------------------------------------------------------- squares
template <int Size>
struct square;

template <>
struct square<4> {
  static constexpr index size = 4, side = 8;
  ALWAYS_INLINE static void move(const std::byte* from, index from_step, std::byte* to, index to_step) {
    // Pairs the halves of rows k and k + 4, so that only exchanges within halves are left.
    __m256i r[8];
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      const std::byte *const low = from + k * from_step, *const high = low + 4 * from_step;
      r[k] = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(low)), load16(high), 1);
      r[k + 4] = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(low + 16)), load16(high + 16), 1);
    }
#pragma GCC unroll 2
    for (int h = 0; h < 8; h += 4) {
      const __m256i a = _mm256_unpacklo_epi32(r[h], r[h + 1]), b = _mm256_unpackhi_epi32(r[h], r[h + 1]);
      const __m256i c = _mm256_unpacklo_epi32(r[h + 2], r[h + 3]), d = _mm256_unpackhi_epi32(r[h + 2], r[h + 3]);
      store(to + h * to_step, _mm256_unpacklo_epi64(a, c));
      store(to + (h + 1) * to_step, _mm256_unpackhi_epi64(a, c));
      store(to + (h + 2) * to_step, _mm256_unpacklo_epi64(b, d));
      store(to + (h + 3) * to_step, _mm256_unpackhi_epi64(b, d));
    }
  }
};

template <>
struct square<8> {
  static constexpr index size = 8, side = 4;
  ALWAYS_INLINE static void move(const std::byte* from, index from_step, std::byte* to, index to_step) {
    const auto halves = [=](index k, index at) __attribute__((always_inline)) {
      return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(from + k * from_step + at)),
                                     load16(from + (k + 2) * from_step + at), 1);
    };
#pragma GCC unroll 2
    for (int h = 0; h < 2; ++h) {
      const __m256i a = halves(0, 16 * h), b = halves(1, 16 * h);
      store(to + 2 * h * to_step, _mm256_unpacklo_epi64(a, b));
      store(to + (2 * h + 1) * to_step, _mm256_unpackhi_epi64(a, b));
    }
  }
};

template <>
struct square<2> {
  static constexpr index size = 2, side = 8;
  ALWAYS_INLINE static void move(const std::byte* from, index from_step, std::byte* to, index to_step) {
    __m128i r[8], s[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) r[k] = load16(from + k * from_step);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      s[2 * k] = _mm_unpacklo_epi16(r[k], r[k + 4]);
      s[2 * k + 1] = _mm_unpackhi_epi16(r[k], r[k + 4]);
    }
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      r[2 * k] = _mm_unpacklo_epi16(s[k], s[k + 4]);
      r[2 * k + 1] = _mm_unpackhi_epi16(s[k], s[k + 4]);
    }
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      store(to + 2 * k * to_step, _mm_unpacklo_epi16(r[k], r[k + 4]));
      store(to + (2 * k + 1) * to_step, _mm_unpackhi_epi16(r[k], r[k + 4]));
    }
  }
};

template <>
struct square<1> {
  static constexpr index size = 1, side = 16;
  ALWAYS_INLINE static void exchange(const __m128i (&r)[16], __m128i (&s)[16]) {
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      s[2 * k] = _mm_unpacklo_epi8(r[k], r[k + 8]);
      s[2 * k + 1] = _mm_unpackhi_epi8(r[k], r[k + 8]);
    }
  }
  ALWAYS_INLINE static void move(const std::byte* from, index from_step, std::byte* to, index to_step) {
    __m128i r[16], s[16];
#pragma GCC unroll 16
    for (int k = 0; k < 16; ++k) r[k] = load16(from + k * from_step);
    exchange(r, s);
    exchange(s, r);
    exchange(r, s);
    exchange(s, r);
#pragma GCC unroll 16
    for (int k = 0; k < 16; ++k) store(to + k * to_step, r[k]);
  }
};

// ---------------------------------------------------------------- every K-th element
template <int Size, int K>
ALWAYS_INLINE void single_steps(std::byte* to, const std::byte* from, index first, index columns) {
  for (index c = first; c < columns; ++c) std::memcpy(to + c * Size, from + c * K * Size, Size);
}

// Elements of 4 or 8 bytes: words of K vectors are blended by constant masks, then ordered by one permutation, or by K.
template <int Size, int K>
void pick_words(std::byte* to, const std::byte* from, index columns) {
  constexpr int words = Size / 4, lanes = 8 / words;
  // The source of word w of the result: vector source / 8, word source % 8.
  constexpr auto source = [](int w) { return (w / words * K) * words + w % words; };
  alignas(32) std::int32_t order[8];
  for (int w = 0; w < 8; ++w) order[w] = source(w) % 8;
  const __m256i permutation = _mm256_load_si256(reinterpret_cast<const __m256i*>(order));
  index c = 0;
  // At least one more element must follow the last of this round: the vector that is read ends before it.
  for (; c + lanes < columns; c += lanes) {
    const std::byte* const p = from + c * K * Size;
    __m256i x;
    if constexpr (K % 2 == 1) {  // no word is taken from two vectors
      constexpr auto mask = [source](int vector) {
        int m = 0;
        for (int w = 0; w < 8; ++w)
          if (source(w) / 8 == vector) m |= 1 << source(w) % 8;
        return m;
      };
      constexpr int second = mask(1), third = mask(2);
      x = _mm256_blend_epi32(_mm256_blend_epi32(load32(p), load32(p + 32), second), load32(p + 64), third);
      x = _mm256_permutevar8x32_epi32(x, permutation);
    } else {
      constexpr auto mask = [source](int vector) {
        int m = 0;
        for (int w = 0; w < 8; ++w)
          if (source(w) / 8 == vector) m |= 1 << w;
        return m;
      };
      const auto part = [&](int k) __attribute__((always_inline)) {
        return _mm256_permutevar8x32_epi32(load32(p + 32 * k), permutation);
      };
      constexpr int second = mask(1), third = mask(2), fourth = mask(3);
      x = _mm256_blend_epi32(part(0), part(1), second);
      if constexpr (K > 2) x = _mm256_blend_epi32(_mm256_blend_epi32(x, part(2), third), part(3), fourth);
    }
    store(to + c * Size, x);
  }
  single_steps<Size, K>(to, from, c, columns);
}

// Elements of 1 or 2 bytes: the bytes used of K vectors of 16, each shuffled to its index in the result.
template <int Size, int K>
void pick_bytes(std::byte* to, const std::byte* from, index columns) {
  constexpr int lanes = 16 / Size;
  alignas(16) std::int8_t order[K][16];
  for (int b = 0; b < 16; ++b) {
    const int source = b / Size * K * Size + b % Size;
    for (int k = 0; k < K; ++k) order[k][b] = static_cast<std::int8_t>(source / 16 == k ? source % 16 : -1);
  }
  __m128i table[K];
  for (int k = 0; k < K; ++k) table[k] = _mm_load_si128(reinterpret_cast<const __m128i*>(order[k]));
  index c = 0;
  for (; c + lanes < columns; c += lanes) {
    const std::byte* const p = from + c * K * Size;
    __m128i x = _mm_shuffle_epi8(load16(p), table[0]);
#pragma GCC unroll 3
    for (int k = 1; k < K; ++k) x = _mm_or_si128(x, _mm_shuffle_epi8(load16(p + 16 * k), table[k]));
    store(to + c * Size, x);
  }
  single_steps<Size, K>(to, from, c, columns);
}

// Contiguous elements in reverse order, at least a vector of them. They are read upwards, as memory is prefetched best;
// the last vector may overlap the one before it.
template <int Size>
void reverse(std::byte* to, const std::byte* from, index columns) {
  constexpr int lanes = 32 / Size;
  alignas(32) std::int8_t order[32];  // of the bytes in each half
  for (int b = 0; b < 32; ++b) order[b] = static_cast<std::int8_t>(16 - Size - b % 16 / Size * Size + b % Size);
  const __m256i table = _mm256_load_si256(reinterpret_cast<const __m256i*>(order));
  const auto move = [=](index c) __attribute__((always_inline)) {
    const __m256i x = load32(from - (c + lanes - 1) * Size);
    store(to + c * Size, Size == 8 ? _mm256_permute4x64_epi64(x, 0x1b)
                                   : _mm256_permute4x64_epi64(_mm256_shuffle_epi8(x, table), 0x4e));
  };
  index c = columns - lanes;
#pragma GCC unroll 4
  for (; c > 0; c -= lanes) move(c);
  move(0);
}

template <int Size, int K>
void pick(std::byte* to, const std::byte* from, index columns) {
  if constexpr (K == -1)
    reverse<Size>(to, from, columns);
  else if constexpr (Size >= 4)
    pick_words<Size, K>(to, from, columns);
  else
    pick_bytes<Size, K>(to, from, columns);
}

template <int Size, int K>
bool pick_rows(std::byte* to, const std::byte* from, index rows, index columns, index rs, index pitch) {
  for (index r = 0; r < rows; ++r) pick<Size, K>(to + r * pitch, from + r * rs, columns);
  return true;
}

// Each row is one element, splat. The last vector of a row may overlap the one before it.
template <int Size>
bool repeat_rows(std::byte* to, const std::byte* from, index rows, index bytes, index rs) {
  for (index r = 0; r < rows; ++r, to += bytes, from += rs) {
    __m256i x;
    if constexpr (Size == 4) {
      std::int32_t e;
      std::memcpy(&e, from, sizeof e);
      x = _mm256_set1_epi32(e);
    } else {
      std::int64_t e;
      std::memcpy(&e, from, sizeof e);
      x = _mm256_set1_epi64x(e);
    }
    for (index b = 0; b + 32 <= bytes; b += 32) store(to + b, x);
    if (bytes % 32 != 0) store(to + bytes - 32, x);
  }
  return true;
}

// Contiguous elements, each K times: K vectors of the result come from one of theirs.
template <int Size, int K>
bool repeat_each(std::byte* to, const std::byte* from, index rows) {
  index r = 0;
  if constexpr (Size >= 4) {
    constexpr int words = Size / 4, lanes = 8 / words;
    alignas(32) std::int32_t order[K][8];
    for (int w = 0; w < 8 * K; ++w) order[w / 8][w % 8] = w / words / K * words + w % words;
    __m256i table[K];
    for (int k = 0; k < K; ++k) table[k] = _mm256_load_si256(reinterpret_cast<const __m256i*>(order[k]));
    for (; r + lanes <= rows; r += lanes) {
      const __m256i x = load32(from + r * Size);
#pragma GCC unroll 4
      for (int k = 0; k < K; ++k) store(to + r * K * Size + k * 32, _mm256_permutevar8x32_epi32(x, table[k]));
    }
  } else {
    constexpr int lanes = 16 / Size;
    alignas(16) std::int8_t order[K][16];
    for (int b = 0; b < 16 * K; ++b) order[b / 16][b % 16] = static_cast<std::int8_t>(b / Size / K * Size + b % Size);
    __m128i table[K];
    for (int k = 0; k < K; ++k) table[k] = _mm_load_si128(reinterpret_cast<const __m128i*>(order[k]));
    for (; r + lanes <= rows; r += lanes) {
      const __m128i x = load16(from + r * Size);
#pragma GCC unroll 4
      for (int k = 0; k < K; ++k) store(to + r * K * Size + k * 16, _mm_shuffle_epi8(x, table[k]));
    }
  }
  for (; r < rows; ++r)
    for (index k = 0; k < K; ++k) std::memcpy(to + (r * K + k) * Size, from + r * Size, Size);
  return true;
}

template <int Size>
bool gather_of(std::byte* to, const std::byte* from, index rows, index columns, index rs, index cs, index pitch) {
  if (cs == 0) {
    if constexpr (Size >= 4)
      if (columns * Size >= 32) return repeat_rows<Size>(to, from, rows, columns * Size, rs);
    if (rs != Size) return false;
    switch (columns) {
      case 2: return repeat_each<Size, 2>(to, from, rows);
      case 3: return repeat_each<Size, 3>(to, from, rows);
      case 4: return repeat_each<Size, 4>(to, from, rows);
      default: return false;
    }
  }
  if ((rs == Size || rs == -Size) && rows >= square<Size>::side && columns >= square<Size>::side) {
    transpose<square<Size>>(to, from, rows, columns, rs, cs, pitch);
    return true;
  }
  if (columns * Size < 32) return false;
  switch (cs) {
    case -Size: return pick_rows<Size, -1>(to, from, rows, columns, rs, pitch);
    case 2 * Size: return pick_rows<Size, 2>(to, from, rows, columns, rs, pitch);
    case 3 * Size: return pick_rows<Size, 3>(to, from, rows, columns, rs, pitch);
    case 4 * Size: return pick_rows<Size, 4>(to, from, rows, columns, rs, pitch);
    default: return false;
  }
}

#undef ALWAYS_INLINE

}  // namespace

bool gather_v3(void* to, const std::byte* from, int size, index rows, index columns, index rs, index cs, index pitch) {
  auto* const t = static_cast<std::byte*>(to);
  switch (size) {
    case 1: return gather_of<1>(t, from, rows, columns, rs, cs, pitch);
    case 2: return gather_of<2>(t, from, rows, columns, rs, cs, pitch);
    case 4: return gather_of<4>(t, from, rows, columns, rs, cs, pitch);
    case 8: return gather_of<8>(t, from, rows, columns, rs, cs, pitch);
    default: return false;
  }
}

}  // namespace broadloom::runtime
