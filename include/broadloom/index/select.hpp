// index_select and take: whole slices, or single elements, at listed positions. Lazy.
#pragma once

#include <broadloom/index/choose.hpp>
#include <broadloom/index/selected.hpp>

namespace broadloom {

namespace detail {

// The positions' axes stand where one axis of the array was.
template <bool Negative, text Name>
struct take_kind {
  int axis;
  static constexpr bool flat = false;
  static constexpr const char* name() { return Name.c; }
  constexpr bool operator==(const take_kind& o) const { return axis == o.axis; }

  template <int R, int K, int RX, int RI>
  void place(selection_plan<R, K>& p, const geometry<RX>& x, const geometry<RI>& i) const {
    for (int a = 0; a < R; ++a) {
      const int own = a - axis, origin = a < axis ? a : a - RI + 1;
      if (own >= 0 && own < RI)
        p.term_strides[0][a] = i.strides[own];
      else if (origin >= 0 && origin < RX)
        p.strides[a] = x.strides[origin];
    }
    p.point_term(0, x, axis, Negative);
  }
  template <int R, class X, class Index>
  constexpr auto element(const indices<R>& at, const X& x, const Index& i) const {
    constexpr int rx = rank_of<X>, ri = rank_of<Index>;
    indices<rx> origin{};
    indices<ri> position{};
    for (int a = 0; a < rx; ++a)
      if (a != axis) origin[a] = at[a < axis ? a : a + ri - 1];
    for (int a = 0; a < ri; ++a) position[a] = at[axis + a];
    origin[axis] = checked_position(static_cast<index>(i.element(position)), x.shape()[axis], axis, Negative, name());
    return x.element(origin);
  }
};

// Positions among all elements, row-major.
template <text Name>
struct take_flat_kind {
  static constexpr bool flat = true;
  static constexpr const char* name() { return Name.c; }
  constexpr bool operator==(const take_flat_kind&) const = default;

  template <int R, int K, int RX, int RI>
  void place(selection_plan<R, K>& p, const geometry<RX>& x, const geometry<RI>& i) const {
    p.broadcast_term(0, i, R);
    index n = 1;
    for (int a = 0; a < RX; ++a) n *= x.extents[a];
    p.point_term(0, geometry<1>{{{n}}, {{1}}, 0}, 0, true);
  }
  template <int R, class X, class Index>
  constexpr auto element(const indices<R>& at, const X& x, const Index& i) const {
    indices<rank_of<X>> origin{};
    index p = checked_position(static_cast<index>(i.element(at)), x.shape().size(), 0, true, name());
    for (int a = rank_of<X> - 1; a >= 0; --a) {
      origin[a] = p % x.shape()[a];
      p /= x.shape()[a];
    }
    return x.element(origin);
  }
};

// x's extents with the axis replaced by the axes of i.
template <int RX, int RI>
constexpr auto taken_extents(const indices<RX>& x, const indices<RI>& i, int axis) {
  indices<RX + RI - 1> r{};
  for (int a = 0; a < RX + RI - 1; ++a) {
    const int origin = a < axis ? a : a - RI + 1;
    r[a] = a >= axis && a < axis + RI ? i[a - axis]
           : origin < RX              ? x[origin]
                                      : 0;  // always below, which GCC 12 does not see
  }
  return r;
}
template <class A, class X, class Index>
constexpr auto taken_static_extents() {
  common_extents<X::axes_count + Index::axes_count - 1> r;
  for_each_axis<A>(X::axes_count,
                   [&](int axis) { r.add(taken_extents(X::static_extents, Index::static_extents, axis)); });
  return r.extents;
}
template <class A, class X, class Index>
constexpr auto taken_shape(const X& x, const Index& i, int axis) {
  return shape_from<taken_static_extents<A, X, Index>()>::unchecked(taken_extents(x.extents(), i.extents(), axis));
}

template <text Name, bool Vector>
struct take_rule {
  template <array X, integer_like A, array Index>
  static constexpr sentence fault() {
    sentence s;
    if (!positions_fit<Index>(s, Name.c)) return s;
    if (Vector && rank_of<node_of<Index>> > 1)
      s << Name.c << "(): Index is supposed to be a vector";
    else if (rank_of<node_of<X>> == 0)
      s << Name.c << ": an array of rank 0 has no axis";
    else
      axis_fits<A>(s, rank_of<node_of<X>>);
    return s;
  }
};

template <class Kind, class A, class X, class Index>
constexpr auto take_along_axis_of(const X& x, A axis, const Index& i) {
  const int a = normal_axis(static_cast<index>(axis), rank_of<X>, Kind::name());
  return select_elements(Kind{a}, taken_shape<A>(x.shape(), i.shape(), a), x, i);
}

}  // namespace detail

// index_select(x, axis, index): x's slices along the axis at these positions, one after the other; the index (i32 or
// i64) has one axis, or none and one position. Throws index_error when it is evaluated and a position is negative or
// too large (PyTorch's index_select).
inline constexpr struct index_select_t : detail::takes_axis_names<index_select_t> {
  static constexpr detail::text call{"index_select(x, axis, indices)"};
  using takes_axis_names::operator();
  using rule = detail::take_rule<"index_select", true>;
  template <array X, detail::integer_like A, array Index>
    requires detail::accepted<rule, X, A, Index>
  constexpr auto operator()(X&& x, A axis, Index&& i) const {
    const auto at = detail::capture(static_cast<Index&&>(i));
    using kind = detail::take_kind<false, "index_select">;
    if constexpr (detail::rank_of<decltype(at)> == 0)
      return detail::take_along_axis_of<kind>(detail::capture(static_cast<X&&>(x)), axis,
                                              unsqueeze(at, boost::hana::integral_constant<index, 0>{}));
    else
      return detail::take_along_axis_of<kind>(detail::capture(static_cast<X&&>(x)), axis, at);
  }
  template <array X, detail::integer_like A, array Index, class Error = detail::refusal<rule, X, A, Index>>
    requires(!std::is_void_v<Error>)
  Error operator()(X&&, A, Index&&) const BROADLOOM_REFUSED;
} index_select{};

// take(x, index): elements of x at positions among all its elements in row-major order; the result has the index's
// shape. take(x, index, axis, mode::raise): the axis of x gives way to the axes of the index, so take(table, ids, 0_c)
// of (n, c) and (a, b) is (a, b, c). Negative positions count from the end. Throws index_error when it is evaluated,
// and with mode::wrap and mode::clip when it is built and the axis is empty (NumPy's take).
inline constexpr struct take_t : detail::refuses_other_arguments<take_t> {
  static constexpr detail::text call{"take(x, indices, axis)"};
  using refuses_other_arguments::operator();
  using rule = detail::take_rule<"take", false>;
  template <array X, array Index>
    requires detail::are_positions<Index>
  constexpr auto operator()(X&& x, Index&& i) const {
    const auto at = detail::capture(static_cast<Index&&>(i));
    return detail::select_elements(detail::take_flat_kind<"take">{}, at.shape(), detail::capture(static_cast<X&&>(x)),
                                   at);
  }
  template <array X, array Index, detail::integer_like A, detail::bounds_mode M = mode::raise_t>
    requires detail::accepted<rule, X, A, Index>
  constexpr auto operator()(X&& x, Index&& i, A axis, M m = {}) const {
    const auto origin = detail::capture(static_cast<X&&>(x));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(origin)>, "take");
    return detail::take_along_axis_of<detail::take_kind<true, "take">>(
        origin, axis,
        detail::brought_inside(m, "take", detail::capture(static_cast<Index&&>(i)), origin.shape()[a], a));
  }
  template <array X, array Index, class A, class M = mode::raise_t, class Error = detail::refusal<rule, X, A, Index>>
    requires(!std::is_void_v<Error>)
  Error operator()(X&&, Index&&, A, M = {}) const = delete;
  template <array X, array Index, class Error = detail::refusal<detail::positions_rule<"take">, Index>>
    requires(!std::is_void_v<Error>)
  Error operator()(X&&, Index&&) const BROADLOOM_REFUSED;
} take{};

}  // namespace broadloom
