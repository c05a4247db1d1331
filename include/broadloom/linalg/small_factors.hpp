// Determinants, inverses, solutions and Cholesky factors of matrices of at most 8 x 8 real elements whose size the
// compiler knows: straight-line code, the same in constant expressions. What these functions refuse - singular and
// indefinite matrices, results that overflow, underflow or are NaN - is left to compiled code.
#pragma once

#include <cstdint>

#include <broadloom/core/simd_vec.hpp>
#include <broadloom/fn/lanes.hpp>
#include <broadloom/fn/real.hpp>
#include <broadloom/fn/sqrt.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

template <class T>
constexpr T size_of_number(T x) {
  return x < 0 ? -x : x;
}
// x y - z w; integers wrap.
template <class T>
BROADLOOM_INLINE constexpr T minor_of(const T& x, const T& y, const T& z, const T& w) {
  return static_cast<T>(lanes::minus(lanes::times(x, y), lanes::times(z, w)));
}

// N x N elements, row-major, or one such matrix in each lane; the determinant by minors, which is exact where its terms
// are small integers.
template <class T, int N>
struct small_matrix {
  using number = lane<T>;
  T v[N * N] = {};

  BROADLOOM_INLINE constexpr T determinant() const {
    if constexpr (N == 1)
      return v[0];
    else if constexpr (N == 2)
      return minor_of(v[0], v[3], v[1], v[2]);
    else if constexpr (N == 3) {
      T c[3] = {};
      first_minors(c);
      return by_first_minors(c);
    } else {
      T s[6] = {}, c[6] = {};
      minors_of_pairs(s, c);
      return by_minors_of_pairs(s, c);
    }
  }
  // False where what underflows may show in the determinant or the inverse, where anything overflows, and of NaN. What
  // underflows in a minor is below the smallest normal number, and is multiplied by at most N - 1 other elements.
  BROADLOOM_INLINE constexpr auto keeps(const T& d) const {
    const T s = lanes::plus(lanes::each<T>(number(1)), size()), least = lanes::times(lanes::each<T>(lowest()), s);
    return lanes::both(lanes::greater_equal(lanes::magnitude(d), N == 4 ? lanes::times(least, s) : least),
                       lanes::less(s, lanes::each<T>(highest())));
  }
  // The same of the determinant alone: what underflows in a product is multiplied by no other number (N = 2), by one of
  // the first row (N = 3), or by a minor of pairs (N = 4), and what overflows shows.
  BROADLOOM_INLINE constexpr auto keeps_determinant(const T& d) const {
    const T size = lanes::magnitude(d);
    T least = lanes::each<T>(number(1));
    if constexpr (N == 3)
      for (int i = 0; i < N; ++i) least = lanes::plus(least, lanes::magnitude(v[i]));
    if constexpr (N == 4) {
      T s[6] = {}, c[6] = {};
      minors_of_pairs(s, c);
      for (int i = 0; i < 6; ++i)
        least = lanes::plus(lanes::plus(least, lanes::magnitude(s[i])), lanes::magnitude(c[i]));
    }
    return lanes::both(lanes::greater_equal(size, lanes::times(lanes::each<T>(lowest()), least)),
                       lanes::less(size, lanes::each<T>(static_cast<number>(__builtin_huge_val()))));
  }
  // The sum of all sizes, two by two.
  BROADLOOM_INLINE constexpr T size() const {
    T s[N * N] = {};
#pragma GCC unroll 16
    for (int i = 0; i < N * N; ++i) s[i] = lanes::magnitude(v[i]);
#pragma GCC unroll 4
    for (int half = 8; half >= 1; half /= 2)
#pragma GCC unroll 8
      for (int i = 0; i < half; ++i)
        if (i + half < N * N) s[i] += s[i + half];
    return s[0];
  }
  // Whether these are whole numbers so small that the determinant and all that it is computed from are exact.
  constexpr bool is_exact() const {
    double bound = 1;
    for (int i = 0; i < N; ++i) {
      double sum = 0;
      for (int j = 0; j < N; ++j) {
        const double x = static_cast<double>(v[i * N + j]);
        if (!(x > -0x1p30 && x < 0x1p30) || static_cast<double>(static_cast<std::int32_t>(x)) != x) return false;
        sum += x < 0 ? -x : x;
      }
      bound *= sum < 1 ? 1 : sum;
    }
    return bound <= (sizeof(T) == 4 ? 0x1p24 : 0x1p53);
  }
  // The inverse, without a check.
  BROADLOOM_INLINE constexpr T inverse(T* to) const {
    T d{}, r[N * N] = {};
    if constexpr (N == 1) {
      d = v[0];
      r[0] = 1;
    } else if constexpr (N == 2) {
      d = determinant();
      r[0] = v[3];
      r[1] = -v[1];
      r[2] = -v[2];
      r[3] = v[0];
    } else if constexpr (N == 3) {
      T c[3] = {};
      first_minors(c);
      d = by_first_minors(c);
      r[0] = c[0];
      r[3] = c[1];
      r[6] = c[2];
      r[1] = minor_of(v[2], v[7], v[1], v[8]);
      r[4] = minor_of(v[0], v[8], v[2], v[6]);
      r[7] = minor_of(v[1], v[6], v[0], v[7]);
      r[2] = minor_of(v[1], v[5], v[2], v[4]);
      r[5] = minor_of(v[2], v[3], v[0], v[5]);
      r[8] = minor_of(v[0], v[4], v[1], v[3]);
    } else {
      T s[6] = {}, c[6] = {};
      minors_of_pairs(s, c);
      d = by_minors_of_pairs(s, c);
      // Row i of the adjugate's left half has minors of the lower rows, its right half of the upper ones.
      constexpr int order[4][3] = {{5, 4, 3}, {5, 2, 1}, {4, 2, 0}, {3, 1, 0}};
      constexpr int others[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i)
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) {
          const T* const m = j < 2 ? c : s;
          const T* const row = v + 4 * (j ^ 1);
          const T x = lanes::plus(lanes::minus(lanes::times(row[others[i][0]], m[order[i][0]]),
                                               lanes::times(row[others[i][1]], m[order[i][1]])),
                                  lanes::times(row[others[i][2]], m[order[i][2]]));
          r[i * 4 + j] = ((i + j) & 1) != 0 ? -x : x;
        }
    }
    divide(to, r, d);
    return d;
  }

 private:
  static constexpr number lowest() {
    return sizeof(number) == 4 ? static_cast<number>(0x1p-100) : static_cast<number>(0x1p-960);
  }
  static constexpr number highest() {
    number x = 1;
    for (int i = 0; i < (sizeof(number) == 4 ? 120 : 1000) / N; ++i) x *= 2;
    return x;
  }
  BROADLOOM_INLINE constexpr void first_minors(T* c) const {
    c[0] = minor_of(v[4], v[8], v[5], v[7]);
    c[1] = minor_of(v[5], v[6], v[3], v[8]);
    c[2] = minor_of(v[3], v[7], v[4], v[6]);
  }
  BROADLOOM_INLINE constexpr T by_first_minors(const T* c) const {
    return lanes::plus(lanes::plus(lanes::times(v[0], c[0]), lanes::times(v[1], c[1])), lanes::times(v[2], c[2]));
  }
  // Of the upper two rows and of the lower two, columns 01 02 03 12 13 23.
  BROADLOOM_INLINE constexpr void minors_of_pairs(T* s, T* c) const {
    constexpr int columns[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) {
      const int i = columns[k][0], j = columns[k][1];
      s[k] = minor_of(v[i], v[4 + j], v[j], v[4 + i]);
      c[k] = minor_of(v[8 + i], v[12 + j], v[8 + j], v[12 + i]);
    }
  }
  BROADLOOM_INLINE static constexpr T by_minors_of_pairs(const T* s, const T* c) {
    const T outer = lanes::plus(minor_of(s[0], c[5], s[1], c[4]), lanes::times(s[2], c[3]));
    return lanes::plus(outer, lanes::plus(minor_of(s[3], c[2], s[4], c[1]), lanes::times(s[5], c[0])));
  }
  // Vectors of what is in registers: a load right after stores of its elements would wait for them.
  template <int First, int... K>
  BROADLOOM_INLINE static void divide_some(T* to, const T* r, T d, sequence<K...>) {
    constexpr int w = sizeof...(K);
    store<T>(to + First, lanes::over(simd_vec<T, w>{r[First + K]...}, splat<w>(d)));
  }
  template <int W, int... At>
  BROADLOOM_INLINE static void divide_whole(T* to, const T* r, T d, sequence<At...>) {
    (divide_some<At * W>(to, r, d, make_sequence<W>{}), ...);
  }
  BROADLOOM_INLINE static constexpr void divide(T* to, const T* r, T d) {
    constexpr int w = N < 3 ? 1 : 16 / static_cast<int>(sizeof(T)), whole = N * N / w * w;
    if (w == 1 || __builtin_is_constant_evaluated()) {
      for (int i = 0; i < N * N; ++i) to[i] = lanes::over(r[i], d);
      return;
    }
    if constexpr (w > 1) divide_whole<w>(to, r, d, make_sequence<N * N / w>{});
    for (int i = whole; i < N * N; ++i) to[i] = lanes::over(r[i], d);
  }
};

// Steps of an elimination with row pivots, the first of the largest elements of a column, of a and of what stands
// beside it: b becomes the solution; false where a is singular.
template <class T, int N, int Cols>
BROADLOOM_INLINE constexpr bool eliminate_small(T (&a)[N][N], T (&b)[N][Cols]) {
  if constexpr (N <= 4) {
    small_matrix<T, N> m;
    for (int i = 0; i < N * N; ++i) m.v[i] = a[i / N][i % N];
    if (m.determinant() == 0 && m.is_exact()) return false;
  }
  const auto subtract = [](T x, T f, T y)
                            __attribute__((always_inline)) { return lanes::minus(x, lanes::times(f, y)); };
#pragma GCC unroll 4
  for (int k = 0; k < N; ++k) {
    int p = k;
    T largest = size_of_number(a[k][k]);
    for (int i = k + 1; i < N; ++i) {
      const T x = size_of_number(a[i][k]);
      p = x > largest ? i : p;
      largest = x > largest ? x : largest;
    }
    if (!(largest > 0)) return false;
    if (p != k) {
      for (int j = k; j < N; ++j) {
        const T x = a[k][j];
        a[k][j] = a[p][j];
        a[p][j] = x;
      }
      for (int j = 0; j < Cols; ++j) {
        const T x = b[k][j];
        b[k][j] = b[p][j];
        b[p][j] = x;
      }
    }
    for (int i = k + 1; i < N; ++i) {
      const T f = lanes::over(a[i][k], a[k][k]);
      for (int j = k + 1; j < N; ++j) a[i][j] = subtract(a[i][j], f, a[k][j]);
      for (int j = 0; j < Cols; ++j) b[i][j] = subtract(b[i][j], f, b[k][j]);
    }
  }
#pragma GCC unroll 4
  for (int i = N - 1; i >= 0; --i)
    for (int j = 0; j < Cols; ++j) {
      T x = b[i][j];
      for (int k = i + 1; k < N; ++k) x = subtract(x, a[i][k], b[k][j]);
      b[i][j] = lanes::over(x, a[i][i]);
    }
  return true;
}

// l with l l' = a, of which the lower triangle is read; false where a is not positive definite.
template <class T, int N>
BROADLOOM_INLINE constexpr bool factor_small(const T (&a)[N][N], T (&l)[N][N]) {
#pragma GCC unroll 4
  for (int j = 0; j < N; ++j)
#pragma GCC unroll 4
    for (int i = 0; i < N; ++i) {
      if (i < j) {
        l[i][j] = 0;
        continue;
      }
      T x = a[i][j];
      for (int k = 0; k < j; ++k) x = lanes::minus(x, lanes::times(l[i][k], l[j][k]));
      if (i > j)
        l[i][j] = lanes::over(x, l[j][j]);
      else if (x > 0 && x - x == 0)
        l[j][j] = lanes::root(x);
      else
        return false;
    }
  return true;
}

// The same of one triangle of a matrix: l, or u with u' u = m.
template <class T, int N>
BROADLOOM_INLINE constexpr bool factor_small(const small_matrix<T, N>& m, bool upper, T* to) {
  T x[N][N] = {}, l[N][N] = {};
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i)
#pragma GCC unroll 8
    for (int j = 0; j <= i; ++j) x[i][j] = m.v[upper ? j * N + i : i * N + j];
  if (!factor_small(x, l)) return false;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < N; ++j) to[i * N + j] = upper ? l[j][i] : l[i][j];
  return true;
}

// Elements of a matrix in memory, its strides known: row-major, or transposed.
template <class Leaf, int Rows, int Cols, bool Transposed = false, class T>
BROADLOOM_INLINE constexpr void read_small(const T* p, T* to) {
  constexpr auto s = typename Leaf::layout_type{}.strides(typename Leaf::shape_type{});
  constexpr index row = s[0], col = s.count > 1 ? s[s.count - 1] : 0;
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < Cols; ++j) to[i * Cols + j] = p[Transposed ? j * row + i * col : i * row + j * col];
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
