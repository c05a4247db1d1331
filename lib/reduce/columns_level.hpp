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

// The elements of an array.
template <class T>
struct array_elements {
  static constexpr int w = width<T>;
  const T* x;
  BROADLOOM_INLINE simd_vec<T, w> at(index i) const { return load<T, w>(x + i); }
  BROADLOOM_INLINE void move(index bytes, index) {
    x = reinterpret_cast<const T*>(reinterpret_cast<const char*>(x) + bytes);
  }
};

// Rows of n elements, each combined with those before it: as many columns at a time as fit into registers, so that an
// element is read once, and memory in order where rows are as short. A row is a number of vectors of 64 bytes.
template <class Op, class T, class Elements>
struct long_columns {
  static constexpr int w = width<T>;
  using vector = simd_vec<T, w>;
  static constexpr int most = BROADLOOM_VECTOR == 64 ? 16 : 8;  // half of the registers

  // Minima and maxima of `Side` vectors of columns, where no element is NaN; else false.
  template <int Side>
  BROADLOOM_INLINE static bool min_max_block(Elements e, index rows, index x_pitch, index y_pitch, T* to) {
    constexpr int tests = Side < 8 ? 1 : Side / 4;  // each waits for the one before it
    vector acc[Side];
    no_nan<vector> numbers[tests];
    const auto look = [&](int s, const vector& a, const vector& b)
                          __attribute__((always_inline)) { numbers[s / 2 % tests].look_at(a, b); };
#pragma GCC unroll 16
    for (int s = 0; s < Side; ++s) acc[s] = e.at(s * w);
#pragma GCC unroll 16
    for (int s = 0; s < Side; s += 2) look(s, acc[s], acc[Side > 1 ? s + 1 : s]);
    for (index r = 1; r < rows; ++r) {
      e.move(x_pitch, y_pitch);
#pragma GCC unroll 16
      for (int s = 0; s < Side; s += 2) {
        const vector a = e.at(s * w), b = Side > 1 ? e.at((s + 1) * w) : a;
        look(s, a, b);
        acc[s] = min_max_instruction<Op>(acc[s], a);
        if constexpr (Side > 1) acc[s + 1] = min_max_instruction<Op>(acc[s + 1], b);
      }
    }
    bool there = false;
#pragma GCC unroll 16
    for (int k = 0; k < tests; ++k) there |= numbers[k].was_there();
    if (there) return false;
#pragma GCC unroll 16
    for (int s = 0; s < Side; ++s) store<T>(to + s * w, acc[s]);
    return true;
  }
  template <int Side>
  static void block(Elements e, index rows, index x_pitch, index y_pitch, T* to) {
    if constexpr (has_min_max_instruction<Op, vector>)
      if (min_max_block<Side>(e, rows, x_pitch, y_pitch, to)) return;
    vector acc[Side];
#pragma GCC unroll 16
    for (int s = 0; s < Side; ++s) acc[s] = e.at(s * w);
    for (index r = 1; r < rows; ++r) {
      e.move(x_pitch, y_pitch);
#pragma GCC unroll 16
      for (int s = 0; s < Side; ++s) acc[s] = Op::on(acc[s], e.at(s * w));
    }
#pragma GCC unroll 16
    for (int s = 0; s < Side; ++s) store<T>(to + s * w, acc[s]);
  }
  template <int Side>
  BROADLOOM_INLINE static void blocks(Elements& e, index rows, index& n, index x_pitch, index y_pitch, T*& to) {
    constexpr index bytes = Side * BROADLOOM_VECTOR;
    for (; n >= Side * w; n -= Side * w, to += Side * w) {
      block<Side>(e, rows, x_pitch, y_pitch, to);
      e.move(bytes, bytes);
    }
    if constexpr (Side > 1) blocks<Side / 2>(e, rows, n, x_pitch, y_pitch, to);
  }
  static void all(Elements e, index rows, index n, index x_pitch, index y_pitch, T* to) {
    blocks<most>(e, rows, n, x_pitch, y_pitch, to);
  }
};

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

  static void long_rows(const void* x, index count, index n, index pitch, void* to) {
    // Where all rows lie in the same sets of the first-level cache, blocks of so few bytes are evicted before the
    // processor's prefetch of the next ones is used: eight rows at a time stay.
    if constexpr (BROADLOOM_VECTOR == 16 && !has_min_max_instruction<Op, vector>)
      if (pitch % 4096 == 0) {
        const void *from = x, *next[8];
        for (index r = 1; r < count; r += 8, from = to) {
          const index some = count - r < 8 ? count - r : 8;
          for (index k = 0; k < some; ++k) next[k] = static_cast<const char*>(x) + (r + k) * pitch;
          rows(to, from, next, static_cast<int>(some), n);
        }
        return;
      }
    long_columns<Op, T, array_elements<T>>::all({static_cast<const T*>(x)}, count, n, pitch, 0, static_cast<T*>(to));
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
  // Elements of `from` with those of `right`, by vectors of falling numbers of elements.
  template <int W>
  BROADLOOM_INLINE static void combine(T* to, const T* from, const T* right, index n) {
    index i = 0;
    for (; i + W <= n; i += W) store<T>(to + i, Op::on(load<T, W>(from + i), load<T, W>(right + i)));
    if constexpr (W * sizeof(T) > 16)
      combine<W / 2>(to + i, from + i, right + i, n - i);
    else
      for (; i < n; ++i) to[i] = Op::on(from[i], right[i]);
  }
  // Of columns that fill no vector: the rows of half of the lanes are contiguous.
  static void join_narrow(const T* x, index count, index n, T* to) {
    alignas(64) T sums[lane_total<T> / 2 * lane_total<T>];
    for (index half = count / 2; half > 0; half /= 2, x = sums)
      combine<w>(half == 1 ? to : sums, x, x + half * n, half * n);
  }
  static void lanes(const void* x, index count, index n, void* to) {
    const T* const first = static_cast<const T*>(x);
    T* const t = static_cast<T*>(to);
    if (n < w) return join_narrow(first, count, n, t);
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
    if (count == 2) return combine<w>(t, p, p + n, n);
    join_as_tree(p, count, n, [n](T* left, const T* right) { combine<w>(left, left, right, n); });
    __builtin_memcpy(t, p, static_cast<std::size_t>(n) * sizeof(T));
  }
};

}  // namespace
}  // namespace broadloom::runtime
