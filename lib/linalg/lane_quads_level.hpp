// Small core arrays into lanes: four elements of an array at a time, one array in each lane.
#pragma once

#include <broadloom/core/simd_vec.hpp>

#include "../base/level.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace broadloom::runtime::BROADLOOM_LEVEL {

// Vectors of one or two quads.
template <class T>
struct lane_quads {
#if defined(__AVX__)
  static constexpr int lanes = sizeof(T) == 4 ? 8 : 4;
#else
  static constexpr int lanes = 4;
#endif
  using V = detail::simd_vec<T, lanes>;

  // Four elements from p on; the second quad has those from p + step on.
  BROADLOOM_INLINE static V at(const T* p, [[maybe_unused]] index step) {
    if constexpr (lanes == 4) return detail::load<T, 4>(p);
#if defined(__AVX__)
    else  // GCC 12 permutes both halves of a __builtin_shufflevector
      return V(_mm256_insertf128_ps(_mm256_castps128_ps256(__m128(detail::load<T, 4>(p))),
                                    __m128(detail::load<T, 4>(p + step)), 1));
#endif
  }
  // The reverse: the first and the second quad.
  BROADLOOM_INLINE static void put(T* p, const V& x, [[maybe_unused]] index step) {
    if constexpr (lanes == 4) detail::store<T>(p, x);
#if defined(__AVX__)
    else {
      detail::store<T>(p, detail::simd_vec<T, 4>(_mm256_castps256_ps128(__m256(x))));
      detail::store<T>(p + step, detail::simd_vec<T, 4>(_mm256_extractf128_ps(__m256(x), 1)));
    }
#endif
  }
  // One of the quads.
  BROADLOOM_INLINE static detail::simd_vec<T, 4> half(const V& x, [[maybe_unused]] int second) {
    if constexpr (lanes == 4) return x;
#if defined(__AVX__)
    else
      return detail::simd_vec<T, 4>(second == 0 ? _mm256_castps256_ps128(__m256(x))
                                                : _mm256_extractf128_ps(__m256(x), 1));
#endif
  }
#if defined(__AVX__)
  static constexpr bool has_halves = true;
  // The columns of two elements each of f64 at a, b, c and d.
  BROADLOOM_INLINE static void turn_pairs(const T* a, const T* b, const T* c, const T* d, V* to) {
    const auto both = [](const T* x, const T* y) __attribute__((always_inline)) {
      return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(x)), _mm_loadu_pd(y), 1);
    };
    const __m256d ac = both(a, c), bd = both(b, d);
    to[0] = V(_mm256_unpacklo_pd(ac, bd));
    to[1] = V(_mm256_unpackhi_pd(ac, bd));
  }
#else
  static constexpr bool has_halves = false;
#endif
  // Lane K of each quad in all of its lanes.
  template <int K>
  BROADLOOM_INLINE static V splat_lane(const V& x) {
    if constexpr (lanes == 4)
      return __builtin_shufflevector(x, x, K, K, K, K);
    else
      return __builtin_shufflevector(x, x, K, K, K, K, 4 + K, 4 + K, 4 + K, 4 + K);
  }
  // Rows become columns, in each quad.
  BROADLOOM_INLINE static void turn(V& a, V& b, V& c, V& d) {
    if constexpr (lanes == 8) {
      const V ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13),
              AB = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15),
              cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13),
              CD = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
      a = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
      b = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
      c = __builtin_shufflevector(AB, CD, 0, 1, 8, 9, 4, 5, 12, 13);
      d = __builtin_shufflevector(AB, CD, 2, 3, 10, 11, 6, 7, 14, 15);
    } else if constexpr (sizeof(T) == 4) {
      const V ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), AB = __builtin_shufflevector(a, b, 2, 6, 3, 7),
              cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);
      a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
      b = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
      c = __builtin_shufflevector(AB, CD, 0, 1, 4, 5);
      d = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
    } else {
      const V ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), AB = __builtin_shufflevector(a, b, 1, 5, 3, 7),
              cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), CD = __builtin_shufflevector(c, d, 1, 5, 3, 7);
      a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
      b = __builtin_shufflevector(AB, CD, 0, 1, 4, 5);
      c = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
      d = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
    }
  }

  // Element p[e] of W arrays, `step` apart, to to[e].
  template <int Size, int W>
  BROADLOOM_INLINE static void bring(detail::simd_vec<T, W>* to, const T* p, index step) {
    if constexpr (Size == 3 && W == lanes)
      if (step >= 3) {
        // A quad extends into the next array; the last one begins before its own.
        V q[4] = {at(p, 4 * step), at(p + step, 4 * step), at(p + 2 * step, 4 * step), at(p + 3 * step - 1, 4 * step)};
        q[3] = next(q[3]);
        turn(q[0], q[1], q[2], q[3]);
        for (int e = 0; e < 3; ++e) to[e] = q[e];
        return;
      }
    constexpr int whole = W == lanes ? Size / 4 * 4 : 0;
    if constexpr (whole > 0)
#pragma GCC unroll 16
      for (int e = 0; e < whole; e += 4) {
        V q[4];
#pragma GCC unroll 4
        for (int l = 0; l < 4; ++l) q[l] = at(p + l * step + e, 4 * step);
        turn(q[0], q[1], q[2], q[3]);
#pragma GCC unroll 4
        for (int l = 0; l < 4; ++l) to[e + l] = q[l];
      }
#pragma GCC unroll 64
    for (int e = whole; e < Size; ++e) to[e] = element<W>(p + e, step);
  }
  // The reverse, to W arrays one after the other.
  template <int Size, int W>
  BROADLOOM_INLINE static void take(T* p, const detail::simd_vec<T, W>* from) {
    constexpr int whole = W == lanes ? (Size == 3 ? 3 : Size / 4 * 4) : 0;
    if constexpr (whole > 0)
#pragma GCC unroll 16
      for (int e = 0; e < whole; e += 4) {
        V q[4] = {from[e], from[e + 1], from[e + 2], from[Size == 3 ? 2 : e + 3]};
        turn(q[0], q[1], q[2], q[3]);
        if constexpr (Size == 3) {
          // A quad extends into the next array, which is written later; the last one is not written as a whole.
          T* to = p;
          for (int g = 0; g < lanes / 4; ++g)
            for (int l = 0; l < 4; ++l, to += 3)
              if (g * 4 + l + 1 < lanes) detail::store<T>(to, half(q[l], g));
          for (int i = 0; i < 3; ++i) to[i - 3] = half(q[3], lanes / 4 - 1)[i];
        } else {
#pragma GCC unroll 4
          for (int l = 0; l < 4; ++l) put(p + l * Size + e, q[l], 4 * Size);
        }
      }
#pragma GCC unroll 64
    for (int e = whole; e < Size; ++e)
      if constexpr (W == 1)
        p[e] = from[e];
      else
        for (int l = 0; l < W; ++l) p[l * Size + e] = from[e][l];
  }
  // One element of W arrays, `step` apart.
  template <int W>
  BROADLOOM_INLINE static detail::simd_vec<T, W> element(const T* p, index step) {
    return each<W>(p, step, detail::make_sequence<W>{});
  }

 private:
  // The lanes after the first, in each quad.
  BROADLOOM_INLINE static V next(const V& x) {
    if constexpr (lanes == 4)
      return __builtin_shufflevector(x, x, 1, 2, 3, 3);
    else
      return __builtin_shufflevector(x, x, 1, 2, 3, 3, 5, 6, 7, 7);
  }
  template <int W, int... L>
  BROADLOOM_INLINE static detail::simd_vec<T, W> each(const T* p, [[maybe_unused]] index step, detail::sequence<L...>) {
    if constexpr (W == 1)
      return *p;
    else
      return detail::simd_vec<T, W>{p[L * step]...};
  }
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL
