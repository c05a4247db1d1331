// Determinants and inverses of 2 x 2 to 4 x 4 real elements in rows one after the other, by vectors of 16 bytes: the
// bits of small_matrix.
#pragma once

#include <broadloom/linalg/small_factors.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// Of elements that are all below this, small_matrix keeps each determinant that is moderate.
template <class T>
inline constexpr T moderate = sizeof(T) == 4 ? static_cast<T>(0x1p16) : static_cast<T>(0x1p200);
template <class T>
BROADLOOM_INLINE bool is_moderate(T d) {
  using bits = typename int_of<sizeof(T)>::u;
  constexpr bits least = __builtin_bit_cast(bits, static_cast<T>(sizeof(T) == 4 ? 0x1p-58 : 0x1p-550)),
                 infinite = __builtin_bit_cast(bits, static_cast<T>(__builtin_huge_val()));
  return __builtin_bit_cast(bits, d) * 2 - least * 2 < (infinite - least) * 2;  // without the sign
}

// The upper halves of f64 elements, or f32 ones, as integers that are compared as the elements' sizes are.
template <class V>
BROADLOOM_INLINE auto exponents(const V& x) {
  return __builtin_bit_cast(typename vec_type<std::int32_t, 4>::type, x) & 0x7fffffff;
}
template <class V>
BROADLOOM_INLINE auto exponents(const V& x, const V& y) {
  using words = typename vec_type<std::int32_t, 4>::type;
  return exponents(shuffled<1, 3, 5, 7>(__builtin_bit_cast(words, x), __builtin_bit_cast(words, y)));
}
template <class T>
BROADLOOM_INLINE auto exponents_at(const T* p) {
  if constexpr (sizeof(T) == 4)
    return exponents(load<T, 4>(p));
  else
    return exponents(load<T, 2>(p), load<T, 2>(p + 2));
}
// What such integers are above for numbers of this size and larger ones.
template <class T>
constexpr std::int32_t exponent_below(T x) {
  return static_cast<std::int32_t>((__builtin_bit_cast(typename int_of<sizeof(T)>::u, x) >> (8 * sizeof(T) - 32)) - 1);
}
// The minors of two rows of 4 elements.
template <class T>
struct minors_of_rows {
  static constexpr int width = 16 / static_cast<int>(sizeof(T));
  simd_vec<T, width> next[4 / width], opposite;  // of columns 01 12 23 03, and 02 13 and, in f32, 20 31

  BROADLOOM_INLINE explicit minors_of_rows(const T* p) {
    if constexpr (width == 4) {
      const auto a = load<T, 4>(p), b = load<T, 4>(p + 4);
      next[0] = minor_of(shuffled<0, 1, 2, 0>(a, a), shuffled<1, 2, 3, 3>(b, b), shuffled<1, 2, 3, 3>(a, a),
                         shuffled<0, 1, 2, 0>(b, b));
      opposite = minor_of(a, shuffled<2, 3, 0, 1>(b, b), shuffled<2, 3, 0, 1>(a, a), b);
    } else {
      const auto a = load<T, 2>(p), c = load<T, 2>(p + 2), b = load<T, 2>(p + 4), d = load<T, 2>(p + 6);
      next[0] = minor_of(a, shuffled<1, 2>(b, d), shuffled<1, 2>(a, c), b);
      next[1] = minor_of(shuffled<0, 2>(c, a), shuffled<1, 1>(d, d), shuffled<1, 1>(c, c), shuffled<0, 2>(d, b));
      opposite = minor_of(a, d, c, b);
    }
  }
  // Whether the minors here and there are all below `moderate` squared.
  BROADLOOM_INLINE bool are_moderate(const minors_of_rows& o) const {
    constexpr auto below = exponent_below(moderate<T> * moderate<T>);
    if constexpr (width == 4)
      return all_are_false((exponents(next[0]) > below) | (exponents(opposite) > below) |
                           (exponents(o.next[0]) > below) | (exponents(o.opposite) > below));
    else
      return all_are_false((exponents(next[0], next[1]) > below) | (exponents(o.next[0], o.next[1]) > below) |
                           (exponents(opposite, o.opposite) > below));
  }
};
// small_matrix::determinant() of 3 x 3 elements.
template <class T>
BROADLOOM_INLINE T determinant_of_3_by_vectors(const T* p) {
  if constexpr (sizeof(T) == 4) {
    const auto a = load<T, 4>(p), b = load<T, 4>(p + 3), c = load<T, 4>(p + 5);
    const auto minors = minor_of(b, shuffled<2, 3, 1, 0>(c, c), shuffled<1, 2, 0, 3>(b, b), shuffled<1, 2, 3, 0>(c, c));
    const auto x = lanes::times(shuffled<2, 0, 1, 3>(a, a), minors);
    return (x[1] + x[2]) + x[0];
  } else {
    const auto minors = minor_of(load<T, 2>(p + 3), load<T, 2>(p + 7), load<T, 2>(p + 4), load<T, 2>(p + 6));
    const auto x = lanes::times(simd_vec<T, 2>{p[2], p[0]}, minors);
    return (x[1] + lanes::times(p[1], minor_of(p[5], p[6], p[3], p[8]))) + x[0];
  }
}
// The same of 4 x 4, from the minors of the upper rows and of the lower ones.
template <class T>
BROADLOOM_INLINE T determinant_by_vectors(const minors_of_rows<T>& s, const minors_of_rows<T>& c) {
  if constexpr (sizeof(T) == 4) {
    const auto x = lanes::times(s.next[0], shuffled<2, 3, 0, 1>(c.next[0], c.next[0]));
    const auto y = lanes::times(s.opposite, shuffled<1, 0, 3, 2>(c.opposite, c.opposite));
    const auto sums = lanes::plus(lanes::minus(x, y), shuffled<3, 2, 1, 0>(x, x));
    return sums[0] + sums[1];
  } else {
    const auto x = lanes::times(s.next[0], c.next[1]), z = lanes::times(s.next[1], c.next[0]);
    const auto y = lanes::times(s.opposite, shuffled<1, 0>(c.opposite, c.opposite));
    const auto sums = lanes::plus(lanes::minus(x, y), shuffled<1, 0>(z, z));
    return sums[0] + sums[1];
  }
}

// Whether the first `Count` elements, 4 or more, are below moderate: a quick look.
template <int Count, class T>
BROADLOOM_INLINE bool are_moderate(const T* p) {
  constexpr auto below = exponent_below(moderate<T>);
  auto beyond = exponents_at(p) > below;
#pragma GCC unroll 4
  for (int i = 4; i < Count; i += 4) beyond |= exponents_at(p + (i + 4 <= Count ? i : Count - 4)) > below;
  return all_are_false(beyond);
}

// small_matrix::inverse() of 2 x 2 and of 4 x 4 elements, and of 3 x 3 in f32. The signs of the adjugate are the
// divisor's.
template <class T>
BROADLOOM_INLINE T inverse_of_2_by_vectors(const T* p, T* to) {
  const T d = minor_of(p[0], p[3], p[1], p[2]);
  if constexpr (sizeof(T) == 4) {
    const auto x = load<T, 4>(p);
    store<T>(to, lanes::over(shuffled<3, 1, 2, 0>(x, x), simd_vec<T, 4>{d, -d, -d, d}));
  } else {
    store<T>(to, lanes::over(simd_vec<T, 2>{p[3], p[1]}, simd_vec<T, 2>{d, -d}));
    store<T>(to + 2, lanes::over(simd_vec<T, 2>{p[2], p[0]}, simd_vec<T, 2>{-d, d}));
  }
  return d;
}
BROADLOOM_INLINE float inverse_of_3_by_vectors(const float* p, float* to) {
  using V = simd_vec<float, 4>;
  const V a = load<float, 4>(p), b = load<float, 4>(p + 3), c = load<float, 4>(p + 5);
  const V low = shuffled<0, 4, 1, 5>(a, b), high = shuffled<2, 6, 3, 7>(a, b);
  const V column[3] = {shuffled<0, 1, 5, 5>(low, c), shuffled<2, 3, 6, 6>(low, c), shuffled<0, 1, 7, 7>(high, c)};
  // Row i of the adjugate is the product of the two columns that follow, the last element first.
  V row[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    const V x = column[(i + 1) % 3], y = column[(i + 2) % 3];
    row[i] = minor_of(x, shuffled<1, 2, 0, 3>(y, y), shuffled<1, 2, 0, 3>(x, x), y);
  }
  const float d = (lanes::times(p[0], row[0][1]) + lanes::times(p[1], row[1][1])) + lanes::times(p[2], row[2][1]);
  const V ends = shuffled<0, 0, 5, 5>(row[0], row[1]), divisor = splat<4>(d);
  store<float>(to, lanes::over(V(shuffled<1, 2, 4, 6>(row[0], ends)), divisor));
  store<float>(to + 4, lanes::over(V(shuffled<2, 0, 5, 6>(row[1], row[2])), divisor));
  to[8] = lanes::over(row[2][0], d);
  return d;
}
// Number `K` of small_matrix's minors of pairs, c for the left half of a row and s for its right half.
template <int K, class T>
BROADLOOM_INLINE auto minor_of_halves(const minors_of_rows<T>& s, const minors_of_rows<T>& c, int half) {
  constexpr int at[6] = {0, 0, 3, 1, 1, 2}, k = at[K];
  if constexpr (sizeof(T) == 4)
    return K == 1 || K == 4 ? shuffled<k, k, 4 + k, 4 + k>(c.opposite, s.opposite)
                            : shuffled<k, k, 4 + k, 4 + k>(c.next[0], s.next[0]);
  else {
    const minors_of_rows<T>& m = half == 0 ? c : s;
    const auto x = K == 1 || K == 4 ? m.opposite : m.next[k / 2];
    return shuffled<k % 2, k % 2>(x, x);
  }
}
template <class T>
BROADLOOM_INLINE T inverse_of_4_by_vectors(const T* p, const minors_of_rows<T>& s, const minors_of_rows<T>& c, T* to) {
  constexpr int w = 16 / static_cast<int>(sizeof(T));
  const T d = determinant_by_vectors(s, c);
#pragma GCC unroll 2
  for (int half = 0; half < 4 / w; ++half) {
    simd_vec<T, w> column[4], even, odd;  // of the rows 1 0 3 2
    if constexpr (w == 4) {
      const auto a = load<T, 4>(p), b = load<T, 4>(p + 4), e = load<T, 4>(p + 8), f = load<T, 4>(p + 12);
      const auto x = shuffled<0, 4, 1, 5>(b, a), y = shuffled<2, 6, 3, 7>(b, a);
      const auto z = shuffled<0, 4, 1, 5>(f, e), u = shuffled<2, 6, 3, 7>(f, e);
      column[0] = shuffled<0, 1, 4, 5>(x, z);
      column[1] = shuffled<2, 3, 6, 7>(x, z);
      column[2] = shuffled<0, 1, 4, 5>(y, u);
      column[3] = shuffled<2, 3, 6, 7>(y, u);
      even = simd_vec<T, 4>{d, -d, d, -d};
      odd = simd_vec<T, 4>{-d, d, -d, d};
    } else {
      const T* const q = p + 8 * half;
      const auto a = load<T, 2>(q), b = load<T, 2>(q + 4), e = load<T, 2>(q + 2), f = load<T, 2>(q + 6);
      column[0] = shuffled<0, 2>(b, a);
      column[1] = shuffled<1, 3>(b, a);
      column[2] = shuffled<0, 2>(f, e);
      column[3] = shuffled<1, 3>(f, e);
      even = simd_vec<T, 2>{d, -d};
      odd = simd_vec<T, 2>{-d, d};
    }
    const auto m0 = minor_of_halves<0>(s, c, half), m1 = minor_of_halves<1>(s, c, half),
               m2 = minor_of_halves<2>(s, c, half), m3 = minor_of_halves<3>(s, c, half),
               m4 = minor_of_halves<4>(s, c, half), m5 = minor_of_halves<5>(s, c, half);
    const auto cofactors = [&](int x, const auto& a, int y, const auto& b, int z, const auto& e)
                               __attribute__((always_inline)) {
                                 return lanes::plus(minor_of(column[x], a, column[y], b), lanes::times(column[z], e));
                               };
    // m2 is less than nothing.
    T* const at = to + half * w;
    store<T>(at, lanes::over(cofactors(1, m5, 2, m4, 3, m3), even));
    store<T>(at + 4, lanes::over(cofactors(0, m5, 2, m2, 3, m1), odd));
    store<T>(at + 8, lanes::over(cofactors(0, m4, 1, m2, 3, m0), even));
    store<T>(at + 12, lanes::over(cofactors(0, m3, 1, m1, 2, m0), odd));
  }
  return d;
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
