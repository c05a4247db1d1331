// What view operations do to extents and strides, and the checks of their axes.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/axis_op.hpp>
#include <broadloom/expr/permutation.hpp>

namespace broadloom {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_cannot_expand(const index* from, index from_rank,
                                                                       const index* to, index to_rank,
                                                                       const char* call) {
  throw_error(error_kind::cannot_expand, {from, from_rank, to, to_rank, call});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_squeeze(index axis, index extent) {
  throw_error(error_kind::squeeze, {axis, extent});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_narrow(index start, index length, index extent) {
  throw_error(error_kind::narrow, {start, length, extent});
}

// Extents without the axis.
template <int R>
constexpr indices<R - 1> without_axis(const indices<R>& x, int axis) {
  indices<R - 1> r{};
  for (int i = 0; i < R - 1; ++i) r[i] = x[i + (i >= axis)];
  return r;
}

struct unsqueeze_edit {
  static constexpr int added = 1;
  static constexpr int axes(int, int rank) { return rank + 1; }
  template <int R>
  static constexpr auto apply(const geometry<R>& g, index axis) {
    const int a = normal_axis(axis, R + 1, "unsqueeze");
    geometry<R + 1> r{{}, {}, g.offset};
    for (int i = 0; i <= R; ++i) {
      r.extents[i] = i == a ? 1 : g.extents[i - (i > a)];
      r.strides[i] = i == a ? 0 : g.strides[i - (i > a)];
    }
    return r;
  }
};

struct squeeze_edit {
  static constexpr int added = -1;
  static constexpr int axes(int, int rank) { return rank; }
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R - 1>& to, index axis) {
    const int a = normal_axis(axis, R);
    to = without_axis(x, a);
    return x[a] == 1 || is_dyn(x[a]);
  }
  template <int R>
  static constexpr auto apply(const geometry<R>& g, index axis) {
    const int a = normal_axis(axis, R, "squeeze");
    if (g.extents[a] != 1 && !is_dyn(g.extents[a])) throw_squeeze(axis, g.extents[a]);
    return geometry<R - 1>{without_axis(g.extents, a), without_axis(g.strides, a), g.offset};
  }
};

struct swap_edit {
  static constexpr int added = 0;
  static constexpr int axes(int, int rank) { return rank; }
  template <int R>
  static constexpr auto apply(geometry<R> g, index first, index second) {
    const int a = normal_axis(first, R, "transpose"), b = normal_axis(second, R, "transpose");
    const index e = g.extents[a], s = g.strides[a];
    g.extents[a] = g.extents[b];
    g.strides[a] = g.strides[b];
    g.extents[b] = e;
    g.strides[b] = s;
    return g;
  }
};

struct move_edit {
  static constexpr int added = 0;
  static constexpr int axes(int, int rank) { return rank; }
  template <int R>
  static constexpr auto apply(geometry<R> g, index from, index to) {
    const int a = normal_axis(from, R, "movedim"), b = normal_axis(to, R, "movedim");
    const int step = a < b ? 1 : -1;
    for (int i = a; i != b; i += step) g = swap_edit::apply<R>(g, i, i + step);
    return g;
  }
};

struct flip_edit {
  static constexpr int added = 0;
  static constexpr int axes(int, int rank) { return rank; }
  template <int R>
  static constexpr auto apply(geometry<R> g, index axis) {
    const int a = normal_axis(axis, R, "flip");
    if (g.extents[a] > 0) g.offset += (g.extents[a] - 1) * g.strides[a];
    g.strides[a] = -g.strides[a];
    return g;
  }
};

// Axes of a list, as bits.
struct flip_op {
  unsigned bits;
  static constexpr bool is_static = false;
  static constexpr int rank(int in) { return in; }
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    return x;
  }
  template <int R>
  constexpr auto operator()(geometry<R> g) const {
    for (int a = 0; a < R; ++a)
      if ((bits >> a & 1) != 0) g = flip_edit::apply<R>(g, a);
    return g;
  }
};
// The axes of a list, at most Rank of them.
template <int Rank, axis_list L>
constexpr indices<Rank> first_axes(const L& list) {
  indices<Rank> r{};
  for (int i = 0; i < Rank && i < static_cast<index>(list.size()); ++i) r[i] = static_cast<index>(list.data()[i]);
  return r;
}

struct select_edit {
  static constexpr int added = -1;
  static constexpr int axes(int k, int rank) { return k == 0 ? rank : -1; }
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R - 1>& to, index axis, index at) {
    const int a = normal_axis(axis, R);
    to = without_axis(x, a);
    return is_dyn(x[a]) || (at == known_later ? x[a] > 0 : at >= -x[a] && at < x[a]);
  }
  template <int R>
  static constexpr auto apply(const geometry<R>& g, index axis, index at) {
    const int a = normal_axis(axis, R, "select");
    const index n = g.extents[a];
    if (!is_dyn(n) && (at < -n || at >= n)) throw_index_out_of_bounds(at, a, n, "select");
    return geometry<R - 1>{without_axis(g.extents, a), without_axis(g.strides, a),
                           g.offset + (at < 0 ? at + n : at) * g.strides[a]};
  }
};

struct narrow_edit {
  static constexpr int added = 0;
  static constexpr int axes(int k, int rank) { return k == 0 ? rank : -1; }
  // A length can be at most the number of elements from `start` on.
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R>& to, index axis, index start, index length) {
    const int a = normal_axis(axis, R);
    const index n = x[a], from = start == known_later ? 0 : start < 0 && !is_dyn(n) ? start + n : start;
    to = x;
    to[a] = length != known_later ? length : !is_dyn(n) && from == n ? 0 : dyn;
    return (length >= 0 || length == known_later) &&
           (is_dyn(n) || (from >= 0 && (length == known_later ? 0 : length) <= n - from));
  }
  template <int R>
  static constexpr auto apply(geometry<R> g, index axis, index start, index length) {
    const int a = normal_axis(axis, R, "narrow");
    const index n = g.extents[a];
    if (!is_dyn(n)) {
      const index s = start < 0 ? start + n : start;
      if (s < 0 || length < 0 || s > n - length) throw_narrow(start, length, n);
      g.offset += s * g.strides[a];
    }
    g.extents[a] = length;
    return g;
  }
};

// The extent of a diagonal `shift` above the main one of (rows, columns), none of them dyn.
constexpr index diagonal_extent(index rows, index columns, index shift) {
  if (shift <= -rows || shift >= columns) return 0;
  const index a = rows - (shift < 0 ? -shift : 0), b = columns - (shift > 0 ? shift : 0);
  return a < b ? a : b;
}

struct diagonal_edit {
  static constexpr int added = -1;
  static constexpr int axes(int k, int rank) { return k == 0 ? -1 : rank; }
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R - 1>& to, index shift, index first, index second) {
    const int a = normal_axis(first, R), b = normal_axis(second, R);
    if (a == b) return false;
    to[R - 2] = x[a] == 0 || x[b] == 0                                 ? 0
                : x[a] == x[b] && shift == 0                           ? x[a]  // a name stays
                : is_dyn(x[a]) || is_dyn(x[b]) || shift == known_later ? dyn
                                                                       : diagonal_extent(x[a], x[b], shift);
    for (int i = 0, k = 0; i < R; ++i)
      if (i != a && i != b) to[k++] = x[i];
    return true;
  }
  template <int R>
  static constexpr auto apply(const geometry<R>& g, index shift, index first, index second) {
    const int a = normal_axis(first, R, "diagonal"), b = normal_axis(second, R, "diagonal");
    if (a == b) throw_bad_permutation(fixed_array<index, 2>{{a, b}}.v, 2, R, "diagonal");
    geometry<R - 1> r{{}, {}, g.offset};
    shift = clamped(shift, -__PTRDIFF_MAX__, __PTRDIFF_MAX__);  // the least number means one that comes later
    known<R>(g.extents, r.extents, shift, first, second);
    int k = 0;
    for (int i = 0; i < R; ++i)
      if (i != a && i != b) r.strides[k++] = g.strides[i];
    r.strides[k] = g.strides[a] + g.strides[b];
    if (r.extents[k] > 0) r.offset += shift < 0 ? -shift * g.strides[a] : shift * g.strides[b];
    return r;
  }
};

// Whether an expansion is possible as far as the compiler knows, and the known extents of its result: those of the
// target, and extents other than 1, which must stay.
template <class From, class To>
constexpr bool expands_statically() {
  constexpr int a = From::axes_count, b = To::axes_count;
  bool ok = a <= b;
  for (int i = 1; i <= a && i <= b; ++i) {
    const index x = From::static_extents[a - i], y = To::static_extents[b - i];
    ok = ok && (x == 1 || may_become(x, y));
  }
  return ok;
}
template <class From, class To>
constexpr auto expanded_extents() {
  auto r = To::static_extents;
  for (int i = 1; i <= From::axes_count; ++i)
    if (const index x = From::static_extents[From::axes_count - i]; x != 1 && !is_dyn(x)) r[To::axes_count - i] = x;
  return r;
}

// Checks an expansion to a fixed target (PyTorch's rule for expand: the target's extents never change).
template <class From, class To>
constexpr void check_expandable(const From& from, const To& to, const char* call) {
  constexpr int a = From::axes_count, b = To::axes_count;
  bool ok = true;
  for (int i = 0; i < a && i < b; ++i) ok = ok && (from[a - 1 - i] == 1 || from[a - 1 - i] == to[b - 1 - i]);
  if (!ok) throw_cannot_expand(from.data(), a, to.data(), b, call);
}

}  // namespace detail
}  // namespace broadloom
