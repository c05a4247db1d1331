// Minima and maxima of rows of elements of one or two bytes. The last vector of a row overlaps the one before it, which
// changes no minimum. Part of kernels_level.cpp.
#pragma once

#include "vectors_level.hpp"

namespace broadloom::runtime {
namespace {

// An element may be combined twice.
template <class Op>
inline constexpr bool is_min_or_max = __is_same(Op, maximum) || __is_same(Op, minimum);

template <class Op, class T>
struct narrow_rows {
  template <int Bytes>
  using part = simd_vec<T, Bytes / static_cast<int>(sizeof(T))>;
  using words = simd_vec<std::uint64_t, BROADLOOM_VECTOR / 8>;
  static constexpr index together = 64;  // rows: when their words are read as vectors, they are in the cache

  template <int Bytes>
  BROADLOOM_INLINE static part<Bytes> load_part(const char* x) {
    return load<T, Bytes / static_cast<int>(sizeof(T))>(reinterpret_cast<const T*>(x));
  }
  template <class V, int... I>
  BROADLOOM_INLINE static auto halves_joined(const V& x, detail::sequence<I...>) {
    constexpr int half = sizeof...(I);
    return Op::on(__builtin_shufflevector(x, x, I...), __builtin_shufflevector(x, x, (I + half)...));
  }
  // Eight bytes of elements whose minimum or maximum is that of the vector.
  template <int Bytes>
  BROADLOOM_INLINE static std::uint64_t word_of(const part<Bytes>& x) {
    if constexpr (Bytes > 16) {
      return word_of<Bytes / 2>(halves_joined(x, detail::make_sequence<Bytes / 2 / static_cast<int>(sizeof(T))>{}));
    } else {
      const auto w = (simd_vec<std::uint64_t, 2>)x;
      return ((simd_vec<std::uint64_t, 2>)Op::on(x, (part<16>)__builtin_shufflevector(w, w, 1, 0)))[0];
    }
  }
  // The same of a row of `bytes`, as many as the vectors that it is read by have, or more.
  template <int Bytes>
  BROADLOOM_INLINE static std::uint64_t by_vectors(const char* x, index bytes) {
    part<Bytes> all = load_part<Bytes>(x);
    for (index i = Bytes; i < bytes; i += Bytes)
      all = Op::on(all, load_part<Bytes>(x + (i + Bytes <= bytes ? i : bytes - Bytes)));
    return word_of<Bytes>(all);
  }
  template <class Word>
  BROADLOOM_INLINE static Word read(const char* x) {
    Word r;
    __builtin_memcpy(&r, x, sizeof r);
    return r;
  }
  // And of one of fewer bytes than two of these words have.
  template <class Word>
  BROADLOOM_INLINE static std::uint64_t by_words(const char* x, index bytes) {
    const auto last = bytes - static_cast<index>(sizeof(Word));
    if constexpr (sizeof(Word) == 8) {
      return word_of<16>((part<16>)simd_vec<std::uint64_t, 2>{read<Word>(x), read<Word>(x + last)});
    } else {
      std::uint64_t r = read<Word>(x) | std::uint64_t{read<Word>(x + last)} << (8 * sizeof(Word));
      if constexpr (sizeof(Word) < 4) r |= r << (16 * sizeof(Word));
      if constexpr (sizeof(Word) < 2) r |= r << 32;
      return r;
    }
  }

  static void all(const char* row, index rows, index n, index pitch, T* to) {
    const index bytes = n * static_cast<index>(sizeof(T));
    alignas(64) std::uint64_t found[together] = {};
    const auto find = [&](index some, const auto& word_at) __attribute__((always_inline)) {
      for (index k = 0; k < some; ++k, row += pitch) found[k] = word_at(row, bytes);
    };
    for (index some; rows > 0; rows -= some, to += some) {
      some = rows < together ? rows : together;
      if (bytes >= BROADLOOM_VECTOR)
        find(some, by_vectors<BROADLOOM_VECTOR>);
      else if (bytes >= 16)
        find(some, by_vectors<16>);
      else if (bytes >= 8)
        find(some, by_words<std::uint64_t>);
      else if (bytes >= 4)
        find(some, by_words<std::uint32_t>);
      else if (bytes >= 2)
        find(some, by_words<std::uint16_t>);
      else
        find(some, by_words<std::uint8_t>);
      constexpr index w = BROADLOOM_VECTOR / 8;
      for (index k = 0; k < some; k += w) {
        words x = load<std::uint64_t, static_cast<int>(w)>(found + k);
#pragma GCC unroll 4
        for (int bits = 32; bits >= 8 * static_cast<int>(sizeof(T)); bits /= 2)
          x = (words)Op::on((part<BROADLOOM_VECTOR>)x, (part<BROADLOOM_VECTOR>)(x >> bits));
        store<std::uint64_t>(found + k, x);
      }
      for (index k = 0; k < some; ++k) to[k] = static_cast<T>(found[k]);
    }
  }
};

}  // namespace
}  // namespace broadloom::runtime
