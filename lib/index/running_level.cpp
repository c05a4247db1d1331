// Running maxima and minima by the vectors of a level.
#include <cstdint>
#include <cstring>

#include "../base/vectors.hpp"
#include "running.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace broadloom::runtime::BROADLOOM_LEVEL {
namespace {

constexpr int vector_bytes = BROADLOOM_LEVEL_BYTES;
template <class T>
using vector = vec<T, vector_bytes>;
using words = vector<std::int64_t>;

inline bool is_any(const words& v) {
#if BROADLOOM_LEVEL_BYTES == 64
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(v), reinterpret_cast<__m512i>(v)) != 0;
#elif BROADLOOM_LEVEL_BYTES == 32
  return _mm256_testz_si256(reinterpret_cast<__m256i>(v), reinterpret_cast<__m256i>(v)) == 0;
#elif defined(__x86_64__)
  return _mm_movemask_epi8(reinterpret_cast<__m128i>(v)) != 0;
#else
  return (v[0] | v[1]) != 0;
#endif
}

template <class V, class T>
[[gnu::always_inline]] inline void store_all(T* to, const V& v, int count) {
  for (int k = 0; k < count; k += static_cast<int>(sizeof(V) / sizeof(T))) std::memcpy(to + k, &v, sizeof v);
}

// Whether x takes the place of the best so far, which is no NaN: it does if it is one.
template <bool Largest, class V>
[[gnu::always_inline]] inline auto takes(const V& x, const V& best) {
  if constexpr (Largest)
    return ~(x < best);
  else
    return ~(best < x);
}
template <bool Largest, class T>
[[gnu::always_inline]] inline bool takes_one(T x, T best) {
  return Largest ? !(x < best) : !(best < x);
}

// Whether each of `count` elements takes the place of the one before it, and none is NaN.
template <bool Largest, class T, int Count>
[[gnu::always_inline]] inline bool each_takes(const T* x) {
  words others{};
#pragma GCC unroll 8
  for (int j = 0; j < Count; j += vector_bytes / static_cast<int>(sizeof(T))) {
    vector<T> v, before;
    std::memcpy(&v, x + j, sizeof v);
    std::memcpy(&before, x + j - 1, sizeof v);
    others |= reinterpret_cast<words>(Largest ? ~(v >= before) : ~(v <= before));
  }
  return !is_any(others);
}

template <bool Largest, class T>
index run(const void* x, index first, index last, void* y, index* at) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T)), block = lanes > 16 ? lanes : 16;
  const T* const from = static_cast<const T*>(x);
  T* const to = static_cast<T*>(y);
  T best = from[first];
  index place = first, k = first;
  // One element after the other; returns whether the last one took the place.
  const auto step = [&](index end) __attribute__((always_inline)) {
    for (; k < end && from[k] == from[k]; ++k) {
      const T v = from[k];
      const bool taken = takes_one<Largest>(v, best);
      best = taken ? v : best;
      place = taken ? k : place;
      to[k] = best;
      at[k] = place;
    }
    return k == end;
  };
  vector<index> counts{};
  for (int j = 0; j < vector_bytes / 8; ++j) counts[j] = j;
  // As a rule few elements take the place, and no block of them has one; or each of them does.
  while (k + block <= last) {
    const vector<T> old = vector<T>{} + best;
    words taken{};
#pragma GCC unroll 8
    for (int j = 0; j < block; j += lanes) {
      vector<T> v;
      std::memcpy(&v, from + k + j, sizeof v);
      taken |= reinterpret_cast<words>(takes<Largest>(v, old));
    }
    if (!is_any(taken)) {
      store_all(to + k, old, block);
      store_all(at + k, vector<index>{} + place, block);
      k += block;
    } else if (place == k - 1 && each_takes<Largest, T, block>(from + k)) {
      std::memcpy(to + k, from + k, block * sizeof(T));
      for (int j = 0; j < block; j += vector_bytes / 8) store_all(at + k + j, counts + (k + j), vector_bytes / 8);
      k += block;
      place = k - 1;
      best = from[place];
    } else if (!step(k + block))
      return k;
  }
  step(last);
  return k;
}

template <class T>
constexpr void list(running_kernels& r) {
  r.largest[static_cast<int>(dtype_of<T>)] = run<true, T>;
  r.smallest[static_cast<int>(dtype_of<T>)] = run<false, T>;
}
constexpr running_kernels all() {
  running_kernels r{};
  const auto types = [&]<class... T>(T...) { (list<T>(r), ...); };
  types(std::int8_t{}, std::int16_t{}, std::int32_t{}, std::int64_t{}, std::uint8_t{}, std::uint16_t{}, std::uint32_t{},
        std::uint64_t{}, float{}, double{});
  r.largest[static_cast<int>(dtype::b8)] = r.largest[static_cast<int>(dtype::u8)];
  r.smallest[static_cast<int>(dtype::b8)] = r.smallest[static_cast<int>(dtype::u8)];
  return r;
}

}  // namespace
}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {
constinit const running_kernels BROADLOOM_OF_LEVEL(running_of_level) = BROADLOOM_LEVEL::all();
}  // namespace broadloom::runtime
