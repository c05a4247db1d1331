// Elements of a line that may come before others, and narrowed integers, at one instruction-set level.
#include "before.hpp"

#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "../base/vectors.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

namespace broadloom::runtime {
namespace BROADLOOM_LEVEL {
namespace {

// What v4 uses of v3 keeps to its vectors.
#if defined(__AVX2__)
constexpr int bytes = 32;
#else
constexpr int bytes = 16;
#endif

template <class T>
struct before_of {
  using V = vec<T, bytes>;
  using M = decltype(V{} < V{});
  static constexpr index width = bytes / static_cast<int>(sizeof(T));

  [[gnu::always_inline]] static V load(const T* x) {
    V v;
    std::memcpy(&v, x, sizeof v);
    return v;
  }

  template <bool Descending>
  static void lanes(const T* x, index n, T* best) {
    constexpr int count = lanes_of_line / width;
    V own[count];
    for (int k = 0; k < count; ++k) own[k] = load(x + k * width);
    for (index i = lanes_of_line; i + lanes_of_line <= n; i += lanes_of_line)
      for (int k = 0; k < count; ++k) {
        const V v = load(x + i + k * width);
        own[k] = (Descending ? v > own[k] : v < own[k]) ? v : own[k];
      }
    std::memcpy(best, own, sizeof own);
  }
  static void first_of_lanes(const T* x, index n, bool descending, T* best) {
    descending ? lanes<true>(x, n, best) : lanes<false>(x, n, best);
  }

  // Neither equal nor after it: a NaN is neither of these.
  template <bool Descending, bool Equal>
  [[gnu::always_inline]] static M behind(V v, V limit) {
    if constexpr (Equal)
      return Descending ? v < limit : v > limit;
    else
      return Descending ? v <= limit : v >= limit;
  }
  [[gnu::always_inline]] static std::uint32_t bits_of(M m) {
#if defined(__AVX2__)
    if constexpr (sizeof(T) == 8)
      return static_cast<std::uint32_t>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m)));
    else
      return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(m)));
#else
    std::uint32_t bits = 0;
    for (int k = 0; k < width; ++k) bits |= static_cast<std::uint32_t>(m[k] & 1) << k;
    return bits;
#endif
  }

  template <bool Descending, bool Equal>
  static block_found next(const T* x, index blocks, T limit) {
    constexpr int count = block_of_line / width;
    const V all = V{} + limit;
    for (index b = 0; b < blocks; ++b, x += block_of_line) {
      M passed = ~M{};
      for (int k = 0; k < count; ++k) passed &= behind<Descending, Equal>(load(x + k * width), all);
      if (bits_of(passed) == (1U << width) - 1) continue;
      std::uint32_t which = 0;
      for (int k = 0; k < count; ++k)
        which |= bits_of(behind<Descending, Equal>(load(x + k * width), all)) << k * width;
      return {b, ~which};
    }
    return {blocks, 0};
  }
  static block_found next_block(const T* x, index blocks, T limit, bool descending, bool equal) {
    if (equal) return descending ? next<true, true>(x, blocks, limit) : next<false, true>(x, blocks, limit);
    return descending ? next<true, false>(x, blocks, limit) : next<false, false>(x, blocks, limit);
  }

  static constexpr before_kernels<T> table{first_of_lanes, next_block};
};

bool narrow(const std::uint64_t* x, index n, std::uint64_t middle, std::int32_t* to) {
  constexpr index part = 64;
  std::uint64_t odd = 0;
  const auto one = [&](index i) __attribute__((always_inline)) {
    const std::uint64_t own = x[i] - middle;
    odd |= own + (std::uint64_t{1} << 31);
    to[i] = static_cast<std::int32_t>(own);
  };
  index i = 0;
  for (; i + part <= n && odd >> 32 == 0; i += part)
    for (index k = i; k < i + part; ++k) one(k);
  for (; i < n && odd >> 32 == 0; ++i) one(i);
  return odd >> 32 == 0;
}

}  // namespace
}  // namespace BROADLOOM_LEVEL

constinit const narrow_kernels BROADLOOM_OF_LEVEL(narrow_code){BROADLOOM_LEVEL::narrow};
BROADLOOM_TABLE_OF(before_kernels, before_code, before_of, float, f32)
BROADLOOM_TABLE_OF(before_kernels, before_code, before_of, double, f64)
BROADLOOM_TABLE_OF(before_kernels, before_code, before_of, std::int32_t, i32)
BROADLOOM_TABLE_OF(before_kernels, before_code, before_of, std::int64_t, i64)

}  // namespace broadloom::runtime
