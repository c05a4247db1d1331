// What view operations do to extents and strides, and the checks of their axes.
#pragma once

#include <broadloom/expr/capture.hpp>
#include <broadloom/shape/axes.hpp>

namespace broadloom {

namespace detail {

[[noreturn]] void throw_cannot_expand(const index* from, index from_rank, const index* to, index to_rank);
[[noreturn]] void throw_bad_permutation(const index* axes, index count, index rank);
[[noreturn]] void throw_squeeze(index axis, index extent);
[[noreturn]] void throw_narrow(index start, index length, index extent);

// An axis or an amount: in the type when it is a constant, else a number.
template <class N>
struct number {
  static constexpr bool is_static = false;
  index n;
  constexpr operator index() const { return n; }
};
template <constant N>
struct number<N> {
  static constexpr bool is_static = true;
  constexpr number() = default;
  constexpr explicit number(N) {}
  constexpr operator index() const { return N::value; }
};
template <integer_like N>
constexpr auto as_number(N n) {
  if constexpr (constant<N>)
    return number<N>{};
  else
    return number<index>{static_cast<index>(n)};
}
template <class N>
using number_of = decltype(as_number(std::declval<N>()));

template <int Rank>
constexpr bool is_permutation(const indices<Rank>& p) {
  bool seen[Rank == 0 ? 1 : Rank] = {};
  for (index a : p) {
    if (a < -Rank || a >= Rank || seen[a < 0 ? a + Rank : a]) return false;
    seen[a < 0 ? a + Rank : a] = true;
  }
  return true;
}

template <int Rank>
struct permute_op {
  indices<Rank> axes;

  static constexpr bool is_static = false;
  static constexpr int rank(int in) { return in; }
  template <int R>
  static constexpr auto known(const indices<R>&) {
    return all_dyn<R>();
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    if (!is_permutation(axes)) throw_bad_permutation(axes.v, Rank, R);
    geometry<R> r{{}, {}, g.offset};
    for (int i = 0; i < R; ++i) {
      const index a = axes[i] < 0 ? axes[i] + R : axes[i];
      r.extents[i] = g.extents[a];
      r.strides[i] = g.strides[a];
    }
    return r;
  }
};
template <index... A>
struct static_permute_op {
  static constexpr bool is_static = true;
  static constexpr int rank(int in) { return in; }
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    return static_permute_op{}(geometry<R>{x, {}, 0}).extents;
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    return permute_op<R>{{{A...}}}(g);
  }
};

struct reverse_axes_op {
  static constexpr bool is_static = true;
  static constexpr int rank(int in) { return in; }
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    return reverse_axes_op{}(geometry<R>{x, {}, 0}).extents;
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    geometry<R> r{{}, {}, g.offset};
    for (int i = 0; i < R; ++i) {
      r.extents[i] = g.extents[R - 1 - i];
      r.strides[i] = g.strides[R - 1 - i];
    }
    return r;
  }
};

template <class E>
constexpr auto reversed_axes(const E& e) {
  return transform(reverse_axes_op{}, e);
}

// Operations on axes given as numbers. `Edit` works on a geometry; with constants it also works on static extents.
template <class Edit, class... N>
struct axis_op {
  boost::hana::basic_tuple<N...> n;

  static constexpr bool is_static = (N::is_static && ...);
  static constexpr int rank(int in) { return in + Edit::added; }
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    if constexpr (is_static)
      return Edit::template apply<R>(geometry<R>{x, {}, 0}, index{N{}}...).extents;
    else
      return all_dyn<R + Edit::added>();
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    return detail::unpack(n, [&](const N&... a) { return Edit::template apply<R>(g, index{a}...); });
  }
};

constexpr bool is_axis(index axis, int rank) { return axis >= -rank && axis < rank; }

// Axes that the compiler knows are checked by it.
template <class Edit, int Rank, class... N>
constexpr bool axes_are_valid() {
  if constexpr ((N::is_static && ...))
    return Edit::valid(Rank, index{N{}}...);
  else
    return true;
}

template <class Edit, class E, class... N>
constexpr auto edit_axes(const E& e, N... n) {
  constexpr bool ok = axes_are_valid<Edit, rank_of<E>, number_of<N>...>();
  static_assert(ok, "Dimension out of range: an axis must lie in [-rank, rank)");
  if constexpr (ok)
    return transform(axis_op<Edit, number_of<N>...>{boost::hana::basic_tuple<number_of<N>...>(as_number(n)...)}, e);
  else
    return e;
}

struct unsqueeze_edit {
  static constexpr bool valid(int rank, index a) { return is_axis(a, rank + 1); }
  static constexpr int added = 1;
  template <int R>
  static constexpr auto apply(const geometry<R>& g, index axis) {
    const int a = normal_axis(axis, R + 1);
    geometry<R + 1> r{{}, {}, g.offset};
    for (int i = 0; i <= R; ++i) {
      r.extents[i] = i == a ? 1 : g.extents[i - (i > a)];
      r.strides[i] = i == a ? 0 : g.strides[i - (i > a)];
    }
    return r;
  }
};

struct squeeze_edit {
  static constexpr bool valid(int rank, index a) { return is_axis(a, rank); }
  static constexpr int added = -1;
  template <int R>
  static constexpr auto apply(const geometry<R>& g, index axis) {
    const int a = normal_axis(axis, R);
    if (g.extents[a] != 1 && g.extents[a] != dyn) throw_squeeze(axis, g.extents[a]);
    geometry<R - 1> r{{}, {}, g.offset};
    for (int i = 0; i < R - 1; ++i) {
      r.extents[i] = g.extents[i + (i >= a)];
      r.strides[i] = g.strides[i + (i >= a)];
    }
    return r;
  }
};

struct swap_edit {
  static constexpr bool valid(int rank, index a, index b) { return is_axis(a, rank) && is_axis(b, rank); }
  static constexpr int added = 0;
  template <int R>
  static constexpr auto apply(geometry<R> g, index first, index second) {
    const int a = normal_axis(first, R), b = normal_axis(second, R);
    const index e = g.extents[a], s = g.strides[a];
    g.extents[a] = g.extents[b];
    g.strides[a] = g.strides[b];
    g.extents[b] = e;
    g.strides[b] = s;
    return g;
  }
};

struct move_edit {
  static constexpr bool valid(int rank, index a, index b) { return is_axis(a, rank) && is_axis(b, rank); }
  static constexpr int added = 0;
  template <int R>
  static constexpr auto apply(geometry<R> g, index from, index to) {
    const int a = normal_axis(from, R), b = normal_axis(to, R);
    const int step = a < b ? 1 : -1;
    for (int i = a; i != b; i += step) g = swap_edit::apply<R>(g, i, i + step);
    return g;
  }
};

struct flip_edit {
  static constexpr bool valid(int rank, index a) { return is_axis(a, rank); }
  static constexpr int added = 0;
  template <int R>
  static constexpr auto apply(geometry<R> g, index axis) {
    const int a = normal_axis(axis, R);
    if (g.extents[a] > 0) g.offset += (g.extents[a] - 1) * g.strides[a];
    g.strides[a] = -g.strides[a];
    return g;
  }
};

struct select_edit {
  static constexpr bool valid(int rank, index a, index) { return is_axis(a, rank); }
  static constexpr int added = -1;
  template <int R>
  static constexpr auto apply(const geometry<R>& g, index axis, index at) {
    const int a = normal_axis(axis, R);
    const index n = g.extents[a];
    if (n != dyn && (at < -n || at >= n)) throw_index_out_of_bounds(at, a, n);
    geometry<R - 1> r{{}, {}, g.offset + (at < 0 ? at + n : at) * g.strides[a]};
    for (int i = 0; i < R - 1; ++i) {
      r.extents[i] = g.extents[i + (i >= a)];
      r.strides[i] = g.strides[i + (i >= a)];
    }
    return r;
  }
};

struct narrow_edit {
  static constexpr bool valid(int rank, index a, index, index) { return is_axis(a, rank); }
  static constexpr int added = 0;
  template <int R>
  static constexpr auto apply(geometry<R> g, index axis, index start, index length) {
    const int a = normal_axis(axis, R);
    const index n = g.extents[a];
    if (n != dyn) {
      const index s = start < 0 ? start + n : start;
      if (s < 0 || length < 0 || s > n - length) throw_narrow(start, length, n);
      g.offset += s * g.strides[a];
    }
    g.extents[a] = length;
    return g;
  }
};

struct diagonal_edit {
  static constexpr bool valid(int rank, index, index a, index b) { return is_axis(a, rank) && is_axis(b, rank); }
  static constexpr int added = -1;
  template <int R>
  static constexpr auto apply(const geometry<R>& g, index shift, index first, index second) {
    const int a = normal_axis(first, R), b = normal_axis(second, R);
    if (a == b) throw_bad_permutation(fixed_array<index, 2>{{a, b}}.v, 2, R);
    geometry<R - 1> r{{}, {}, g.offset};
    int k = 0;
    for (int i = 0; i < R; ++i)
      if (i != a && i != b) {
        r.extents[k] = g.extents[i];
        r.strides[k++] = g.strides[i];
      }
    const index da = shift < 0 ? -shift : 0, db = shift > 0 ? shift : 0;
    if (g.extents[a] == dyn || g.extents[b] == dyn) {
      r.extents[k] = dyn;
      return r;
    }
    const index na = g.extents[a] - da, nb = g.extents[b] - db, n = na < nb ? na : nb;
    r.extents[k] = n < 0 ? 0 : n;
    r.strides[k] = g.strides[a] + g.strides[b];
    if (n > 0) r.offset += da * g.strides[a] + db * g.strides[b];
    return r;
  }
};

// Checks an expansion to a fixed target (PyTorch's rule for expand: the target never gives way).
template <class From, class To>
constexpr void check_expandable(const From& from, const To& to) {
  constexpr int a = From::axes_count, b = To::axes_count;
  static_assert(a <= b, "an expanded array has at least as many axes as the array");
  bool ok = true;
  for (int i = 0; i < a && i < b; ++i) ok = ok && (from[a - 1 - i] == 1 || from[a - 1 - i] == to[b - 1 - i]);
  if (!ok) {
    const auto x = from.extents();
    const auto y = to.extents();
    throw_cannot_expand(x.v, a, y.v, b);
  }
}

}  // namespace detail
}  // namespace broadloom
