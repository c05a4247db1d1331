// Columns: rows combined element by element, and partial results of rows.
#pragma once

#include "vectors_level.hpp"

namespace broadloom::runtime {
namespace {

// Combines `count` partial results of n elements in place: after a step those of 2^k neighbours lie where the first of
// them was, in the end all where the first was.
template <class T, class Join>
BROADLOOM_INLINE void join_as_tree(T* p, index count, index n, const Join& join) {
  for (index step = 1; 2 * step <= count; step *= 2)
    for (index i = 0; i + 2 * step <= count; i += 2 * step) join(p + i * n, p + (i + step) * n);
  // What is left over is in blocks of falling powers of two: the last is combined with the one before it, and so on.
  index last = count;
  index end = -1;  // where what has been gathered from the right lies
  for (index size = 1; last > 0; size *= 2) {
    if ((count & size) == 0) continue;
    const index at = last - size;
    if (end >= 0) join(p + at * n, p + end * n);
    end = at;
    last = at;
  }
}

// 64 bytes of the identity element.
template <class Op, class T>
alignas(64) constexpr auto identity_line = [] {
  detail::fixed_array<T, static_cast<std::size_t>(lane_total<T>)> r{};
  for (T& x : r.v) x = Op::template identity<T>();
  return r;
}();

template <class Op, class T>
struct column_loops {
  static constexpr int w = width<T>;
  using vector = simd_vec<T, w>;

  template <int Count>
  BROADLOOM_INLINE static void add_rows(T* to, const T* from, const void* const* rows, index n) {
    const T* x[Count];
    for (int k = 0; k < Count; ++k) x[k] = static_cast<const T*>(rows[k]);
    index i = 0;
    for (; i + w <= n; i += w) {
      vector a = load<T, w>(from + i);
#pragma GCC unroll 8
      for (int k = 0; k < Count; ++k) a = Op::on(a, load<T, w>(x[k] + i));
      store<T>(to + i, a);
    }
    for (; i < n; ++i) {
      T a = from[i];
      for (int k = 0; k < Count; ++k) a = Op::on(a, x[k][i]);
      to[i] = a;
    }
  }
  static void rows(void* to, const void* from, const void* const* x, int count, index n) {
    T* const t = static_cast<T*>(to);
    const T* a = static_cast<const T*>(from);
    for (; count >= 8; count -= 8, x += 8) {
      add_rows<8>(t, a, x, n);
      a = t;
    }
    if (count >= 4) {
      add_rows<4>(t, a, x, n);
      a = t;
      count -= 4;
      x += 4;
    }
    if (count == 3) add_rows<3>(t, a, x, n);
    if (count == 2) add_rows<2>(t, a, x, n);
    if (count == 1) add_rows<1>(t, a, x, n);
  }

  static void fill_identity(void* to, index n) {
    T* const t = static_cast<T*>(to);
    const vector x = splat<w>(Op::template identity<T>());
    index i = 0;
    for (; i + w <= n; i += w) store<T>(t + i, x);
    for (; i < n; ++i) t[i] = Op::template identity<T>();
  }

  // Lanes of All, First, First + Half, ... of vectors of columns, as the lanes of one column would be: k and k + half
  // of them, from the last half on.
  template <index All, index Half>
  BROADLOOM_INLINE static vector joined(const T* x, index n) {
    if constexpr (Half == All)
      return load<T, w>(x);
    else
      return Op::on(joined<All, 2 * Half>(x, n), joined<All, 2 * Half>(x + Half * n, n));
  }
  template <index All>
  BROADLOOM_INLINE static void join_lanes(const T* x, index n, T* to) {
    index i = 0;
    for (; i + w <= n; i += w) store<T>(to + i, joined<All, 1>(x + i, n));
    if (i < n) store<T>(to + (n - w), joined<All, 1>(x + (n - w), n));
  }
  static void lanes(const void* x, index count, index n, void* to) {
    const T* const first = static_cast<const T*>(x);
    T* const t = static_cast<T*>(to);
    count == lane_total<T> ? join_lanes<lane_total<T>>(first, n, t) : join_lanes<lane_total<T> / 2>(first, n, t);
  }

  // Lane k with lane k + half, each of Count groups of rows, n elements of each half.
  template <int Count>
  BROADLOOM_INLINE static void add_halves(const T* x, index n, T* to) {
    const T* at[2 * Count];
    for (int k = 0; k < 2 * Count; ++k) at[k] = x + k * n;
    index i = 0;
    for (; i + w <= n; i += w) {
      vector a = load<T, w>(at[0] + i), b = load<T, w>(at[1] + i);
#pragma GCC unroll 4
      for (int k = 1; k < Count; ++k) {
        a = Op::on(a, load<T, w>(at[2 * k] + i));
        b = Op::on(b, load<T, w>(at[2 * k + 1] + i));
      }
      store<T>(to + i, Op::on(a, b));
    }
    for (; i < n; ++i) {
      T a = at[0][i], b = at[1][i];
      for (int k = 1; k < Count; ++k) {
        a = Op::on(a, at[2 * k][i]);
        b = Op::on(b, at[2 * k + 1][i]);
      }
      to[i] = Op::on(a, b);
    }
  }
  static void groups(const void* x, int count, index n, void* sums, void* to) {
    const T* const first = static_cast<const T*>(x);
    T* const t = static_cast<T*>(sums);
    const index half = n * (lane_total<T> / 2);
    if (count == 4) add_halves<4>(first, half, t);
    if (count == 3) add_halves<3>(first, half, t);
    if (count == 2) add_halves<2>(first, half, t);
    lanes(t, lane_total<T> / 2, n, to);
  }
  static constexpr bool joins_lanes = sizeof(T) >= 4;  // of smaller ones there are 32 or 64, and few such columns

  static void join(void* to, const void* right, index n) { rows(to, to, &right, 1, n); }
  static void tree(void* partial, index count, index n, void* to) {
    T *const p = static_cast<T*>(partial), *const t = static_cast<T*>(to);
    join_as_tree(p, count, n, [n](T* left, const T* right) { join(left, right, n); });
    for (index i = 0; i < n; ++i) t[i] = p[i];
  }
};

}  // namespace
}  // namespace broadloom::runtime
