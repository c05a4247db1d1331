// gather and its broadcasting relatives: take_along_dim, gather_broadcast. Lazy.
#pragma once

#include <broadloom/expr/views.hpp>
#include <broadloom/index/select.hpp>
#include <broadloom/tensor/reshape.hpp>

namespace broadloom {

namespace detail {

// Result and positions have the array's axes; positions replace the index of one of them.
template <bool Negative, text Name>
struct along_kind {
  int axis;
  static constexpr bool flat = false;
  static constexpr const char* name() { return Name.c; }
  constexpr bool operator==(const along_kind& o) const { return axis == o.axis; }

  template <int R, int K, int RX, int RI>
  void place(selection_plan<R, K>& p, const geometry<RX>& x, const geometry<RI>& i) const {
    for (int a = 0; a < R; ++a) p.strides[a] = a == axis || x.extents[a] == 1 ? 0 : x.strides[a];
    p.broadcast_term(0, i, R);
    p.point_term(0, x, axis, Negative);
  }
  template <int R, class X, class Index>
  constexpr auto element(indices<R> at, const X& x, const Index& i) const {
    const index p = checked_position(static_cast<index>(i.element(at)), x.shape()[axis], axis, Negative, name());
    at[axis] = p;
    return x.element(at);
  }
};

// An index has as many axes as the array; rank 0 counts as rank 1.
template <class X, class Index>
inline constexpr bool same_axes =
    rank_of<node_of<X>> == rank_of<node_of<Index>> || rank_of<node_of<X>> + rank_of<node_of<Index>> == 1;

// Extents of the index are at most the array's, off the axis.
template <class X, class Index, class A>
constexpr void smaller_index(sentence& s) {
  using x = shape_of<node_of<X>>;
  using i = shape_of<node_of<Index>>;
  if constexpr (constant<A> && x::axes_count == i::axes_count) {
    constexpr index axis = static_axis<A>(x::axes_count);
    for (int a = 0; a < x::axes_count; ++a) {
      const index n = x::static_extents[a], m = i::static_extents[a];
      if (a == axis || is_dyn(n) || is_dyn(m) || m <= n) continue;
      s << "dim " << a << ": " << m << " vs " << n << "; Size does not match at dimension " << a << " expected index ";
      list_extents(s, i::static_extents);
      s << " to be smaller than self ";
      list_extents(s, x::static_extents);
      s << " apart origin dimension " << axis;
      return;
    }
  }
}

template <class Index>
inline constexpr bool statically_empty = [] {
  using i = shape_of<node_of<Index>>;
  return i::is_static && checked_size(i::static_extents.v, i::axes_count) == 0;
}();

struct gather_rule {
  template <array X, integer_like A, array Index>
  static constexpr sentence fault() {
    sentence s;
    constexpr int rank = rank_of<node_of<X>> == 0 ? 1 : rank_of<node_of<X>>;
    if (!positions_fit<Index>(s, "gather") || statically_empty<Index>) return s;
    if (!same_axes<X, Index>)
      s << "Index tensor must have the same number of dimensions as input tensor";
    else if (axis_fits<A>(s, rank))
      smaller_index<X, Index, A>(s);
    return s;
  }
};

// A node of rank 0 as one of rank 1.
template <class E>
constexpr auto at_least_one_axis(const E& e) {
  if constexpr (rank_of<E> == 0)
    return edit_axes<unsqueeze_edit>(e, boost::hana::integral_constant<index, 0>{});
  else
    return e;
}
template <int Rank, class E>
constexpr auto back_to_rank(const E& e) {
  if constexpr (Rank == 0)
    return edit_axes<squeeze_edit>(e, boost::hana::integral_constant<index, 0>{});
  else
    return e;
}

template <class X, class Index>
constexpr void check_smaller(const X& x, const Index& i, int axis) {
  for (int a = 0; a < X::axes_count; ++a)
    if (a != axis && i[a] > x[a]) throw_index_larger({x.data(), X::axes_count}, {i.data(), Index::axes_count}, axis, a);
}

}  // namespace detail

// gather(x, axis, index): element [i][j][k] of the result is x[index[i][j][k]][j][k] for axis 0, and so on; the result
// has the index's shape. The index (i32 or i64) has as many axes as x and at most its extents off the axis. Throws
// shape_error when it is built, and index_error when it is evaluated and a position is negative or too large (PyTorch's
// gather).
inline constexpr struct gather_t : detail::takes_axis_names<gather_t> {
  static constexpr detail::text call{"gather(x, axis, indices)"};
  using takes_axis_names::operator();
  template <array X, detail::integer_like A, array Index>
    requires detail::accepted<detail::gather_rule, X, A, Index>
  constexpr auto operator()(X&& x, A axis, Index&& i) const {
    const auto origin = detail::at_least_one_axis(detail::capture(static_cast<X&&>(x)));
    const auto at = detail::capture(static_cast<Index&&>(i));
    if constexpr (!detail::same_axes<X, Index>)  // no positions, nothing is read: PyTorch takes any rank then
      return view<const detail::value_of<decltype(origin)>, detail::shape_of<decltype(at)>, row_major>(nullptr,
                                                                                                       at.shape());
    else {
      const auto at1 = detail::at_least_one_axis(at);
      const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(origin)>, "gather");
      detail::check_smaller(origin.shape(), at1.shape(), a);
      return detail::back_to_rank<detail::rank_of<decltype(at)>>(
          detail::select_elements(detail::along_kind<false, "gather">{a}, at1.shape(), origin, at1));
    }
  }
  template <array X, detail::integer_like A, array Index,
            class Error = detail::refusal<detail::gather_rule, X, A, Index>>
    requires(!std::is_void_v<Error>)
  Error operator()(X&&, A, Index&&) const BROADLOOM_REFUSED;
} gather{};

namespace detail {

struct take_along_rule {
  template <array X, array Index, integer_like A>
  static constexpr sentence fault() {
    sentence s;
    using x = shape_of<node_of<X>>;
    using i = shape_of<node_of<Index>>;
    if (!positions_fit<Index>(s, "take_along_dim")) return s;
    if constexpr (x::axes_count != i::axes_count)
      s << "take_along_dim(): input and indices should have the same number of dimensions, but got " << x::axes_count
        << " dimensions for input, and " << i::axes_count << " dimensions for indices";
    else if (axis_fits<A>(s, x::axes_count)) {
      constexpr auto c = broadcast_static(shape_with<A, x, 1>::static_extents, i::static_extents);
      if (c.axis >= 0) s = clash_sentence(c.axis, c.left, c.right);
    }
    return s;
  }
};

template <class A, class X, class Index>
constexpr auto taken_along_extents() {
  common_extents<X::axes_count> r;
  for_each_axis<A>(X::axes_count, [&](int axis) {
    auto others = X::static_extents;
    others[axis] = 1;
    const auto both = broadcast_static(others, Index::static_extents);
    if (both.axis < 0) r.add(both.extents);
  });
  return r.extents;
}

}  // namespace detail

// take_along_dim(x, index, axis): as gather, but x and index broadcast off the axis, and negative positions count from
// the end (NumPy's take_along_axis). Both have the same number of axes. take_along_dim(x, index): positions among all
// elements of x in row-major order; the result has one axis (PyTorch's, and NumPy's with axis None).
inline constexpr struct take_along_dim_t : detail::takes_axis_names<take_along_dim_t> {
  static constexpr detail::text call{"take_along_dim(x, indices, axis)"};
  using takes_axis_names::operator();
  template <array X, array Index, detail::integer_like A>
    requires detail::accepted<detail::take_along_rule, X, Index, A>
  constexpr auto operator()(X&& x, Index&& i, A axis) const {
    const auto origin = detail::capture(static_cast<X&&>(x));
    const auto at = detail::capture(static_cast<Index&&>(i));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(origin)>, "take_along_dim");
    const auto others = detail::with_extent<A, 1>(origin.shape(), a, 1);
    using shape =
        typename detail::broadcast_of<std::remove_const_t<decltype(others)>, detail::shape_of<decltype(at)>>::type;
    const auto both = detail::broadcast_checked<shape>("take_along_dim", others, at.shape());
    using result = detail::shape_from<
        detail::taken_along_extents<A, detail::shape_of<decltype(origin)>, detail::shape_of<decltype(at)>>()>;
    return detail::select_elements(detail::along_kind<true, "take_along_dim">{a}, result::unchecked(both.extents()),
                                   origin, at);
  }
  template <array X, array Index>
    requires detail::are_positions<Index>
  constexpr auto operator()(X&& x, Index&& i) const {
    using shape = detail::shape_of<detail::node_of<Index>>;
    const auto at = detail::capture(static_cast<Index&&>(i));
    const auto in_order = [&] {
      if constexpr (shape::is_static)
        return reshape(at, boost::hana::integral_constant<index, shape{}.size()>{});
      else
        return reshape(at, index{-1});
    }();
    return detail::select_elements(detail::take_flat_kind<"take_along_dim">{}, in_order.shape(),
                                   detail::capture(static_cast<X&&>(x)), in_order);
  }
  template <array X, array Index, class Error = detail::refusal<detail::positions_rule<"take_along_dim">, Index>>
    requires(!std::is_void_v<Error>)
  Error operator()(X&&, Index&&) const BROADLOOM_REFUSED;
  template <array X, array Index, detail::integer_like A,
            class Error = detail::refusal<detail::take_along_rule, X, Index, A>>
    requires(!std::is_void_v<Error>)
  Error operator()(X&&, Index&&, A) const BROADLOOM_REFUSED;
} take_along_dim{};
// NumPy's name.
inline constexpr take_along_dim_t take_along_axis{};

namespace detail {

// Whether an index of Index axes, aligned at the last axis of an array of X axes, has the axis.
constexpr bool reaches(int axes, int index_axes, index axis) { return axes - axis <= index_axes; }

template <class X, class Index, class A>
constexpr bool broadcast_ranks_fit(sentence& s, const char* call) {
  constexpr int x = rank_of<node_of<X>>, i = rank_of<node_of<Index>>;
  if (!axis_fits<A>(s, x)) return false;
  if (i > x) s << call << ": an index of " << i << " axes for an array of " << x << "; it has at most as many";
  return i <= x;
}

struct gather_broadcast_rule {
  template <array X, integer_like A, array Index>
  static constexpr sentence fault() {
    sentence s;
    if (!positions_fit<Index>(s, "gather_broadcast") || !broadcast_ranks_fit<X, Index, A>(s, "gather_broadcast"))
      return s;
    if (!constant<A> && rank_of<node_of<Index>> < rank_of<node_of<X>>)
      s << "gather_broadcast: an index with fewer axes than the array wants a constant axis, 1_c: it decides the rank";
    return s;
  }
};

// x's extents with the index's, or 1 where it does not have the axis; the index expands to the others.
template <class A, class X, class Index>
constexpr auto gather_broadcast_extents() {
  constexpr int n = X::axes_count, fewer = n - Index::axes_count;
  common_extents<n> r;
  for_each_axis<A>(n, [&](int axis) {
    auto e = X::static_extents;
    bool fits = true;
    for (int k = fewer; k < n; ++k) {
      const index i = Index::static_extents[k - fewer];
      if (k == axis || i == 1 || is_dyn(i)) continue;
      fits = fits && may_equal(e[k], i);
      e[k] = i;
    }
    e[axis] = axis < fewer ? 1 : Index::static_extents[axis - fewer];
    if (fits) r.add(e);
  });
  return r.extents;
}

}  // namespace detail

// gather_broadcast(x, axis, index): gather with an index that is expanded to x's extents, ones being put before its
// axes. Where the index has the axis, its extent there is the result's; where it is too short to have it, one position
// for each element of the other axes is meant and the axis disappears: gather_broadcast(x, 0_c, index) is NumPy's
// choose(index, x). The rule is that of the notes on broadcasting from which PyTorch's came. The axis is a constant
// when the index has fewer axes than x.
inline constexpr struct gather_broadcast_t {
  template <array X, detail::integer_like A, array Index>
    requires detail::accepted<detail::gather_broadcast_rule, X, A, Index>
  constexpr auto operator()(X&& x, A axis, Index&& i) const {
    const auto origin = detail::capture(static_cast<X&&>(x));
    const auto at = detail::capture(static_cast<Index&&>(i));
    constexpr int n = detail::rank_of<decltype(origin)>, r = detail::rank_of<decltype(at)>;
    const int a = detail::normal_axis(static_cast<index>(axis), n, "gather_broadcast");
    constexpr bool has_axis = [] {
      if constexpr (detail::constant<A>)
        return detail::reaches(n, r, detail::static_axis<A>(n));
      else
        return true;
    }();
    auto extents = origin.shape().extents();
    extents[a] = 1;
    if constexpr (has_axis) extents[a] = at.shape()[a - (n - r)];
    using result = detail::shape_from<
        detail::gather_broadcast_extents<A, detail::shape_of<decltype(origin)>, detail::shape_of<decltype(at)>>()>;
    detail::check_expandable(at.shape(), dshape<n>::unchecked(extents), "gather_broadcast");
    const auto target = result::unchecked(extents);
    const auto e =
        detail::select_elements(detail::along_kind<false, "gather_broadcast">{a}, target, origin, expand(at, target));
    if constexpr (has_axis)
      return e;
    else
      return squeeze(e, axis);
  }
  template <array X, detail::integer_like A, array Index,
            class Error = detail::refusal<detail::gather_broadcast_rule, X, A, Index>>
    requires(!std::is_void_v<Error>)
  Error operator()(X&&, A, Index&&) const BROADLOOM_REFUSED;
} gather_broadcast{};

}  // namespace broadloom
