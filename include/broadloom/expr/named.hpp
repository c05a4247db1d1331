// Names for the sizes of an array, and axes in the order of their names: named, unnamed, transpose_to, align. All are
// views; nothing is copied.
#pragma once

#include <broadloom/expr/takes_axis_names.hpp>
#include <broadloom/expr/views.hpp>

namespace broadloom {

namespace errors_md {
// A call that no naming of the array's axes allows.
template <auto Text, class... Shapes>
struct names_do_not_fit;
}  // namespace errors_md

namespace detail {

// Not constexpr: the compiler names it where a constant expression calls it.
void a_sizes_name_has_1_to_10_letters_digits_or_underscores();

// What named<...> says of one axis: a name, a size, or dyn.
struct wanted_extent {
  index e = dyn;

  template <int N>
  consteval wanted_extent(const char (&name)[N]) : e(packed_name(name, N - 1)) {
    if (e == dyn) a_sizes_name_has_1_to_10_letters_digits_or_underscores();
  }
  consteval wanted_extent(index n) : e(n) {}
};

// The same elements with other static extents; what the types fix has been checked. Leaves of a function keep theirs:
// a view of it sees them with the names.
template <class Shape, leaf E>
constexpr auto with_shape(const E& e, const Shape& s) {
  return e.seen_as(0, s, e.layout());
}
template <class Shape, class F, class Old, class... Args>
constexpr auto with_shape(const map<F, Old, Args...>& e, const Shape& s) {
  return unpack(e.args(), [&](const Args&... a) { return map<F, Shape, Args...>(e.function(), s, a...); });
}

template <auto X, class E>
constexpr auto renamed(const E& e) {
  if constexpr (X == shape_of<E>::static_extents)
    return e;
  else {
    const auto now = e.shape().extents();
    for (int i = 0; i < X.count; ++i)
      if (!is_dyn(X.v[i]) && X.v[i] != now[i]) throw_extent_mismatch(i, X.v[i], now[i]);
    if constexpr (repeats_a_name(X)) check_names(X, now.v);
    return with_shape(e, shape_from<X>::unchecked(now));
  }
}

template <int R>
constexpr indices<R> without_names(indices<R> x) {
  for (index& e : x)
    if (is_named(e)) e = dyn;
  return x;
}

// The first mistake in naming axes of these extents; empty where there is none.
template <class S, int R>
constexpr sentence naming_mistake(const indices<R>& wanted) {
  sentence s;
  if (R != S::axes_count)
    s << R << " names, " << S::axes_count << " axes; named<...>(x) says a name, a size or dyn for each axis";
  for (int i = 0; i < R && i < S::axes_count && s.n == 0; ++i)
    if (const index w = wanted[i], x = S::static_extents[i]; !is_dyn(w) && !is_dyn(x) && w != x)
      s << "dim " << i << ": " << x << " vs " << w << "; named<...>(x): the size of this axis is known";
  return s;
}

// Which axis of a shape has each of the names; -1 where none or more than one has.
template <class S, int R>
constexpr indices<R> places_of(const indices<R>& names) {
  indices<R> r{};
  for (int i = 0; i < R; ++i) {
    const int a = is_named(names[i]) ? axis_called(S::static_extents, names[i]) : -1;
    r[i] = a < 0 ? -1 : a;
  }
  return r;
}

template <auto P, class E>
constexpr auto permuted(const E& e) {
  return [&]<int... At>(sequence<At...>) { return permute(e, axes<P.v[At]...>); }(make_sequence<P.count>{});
}

// Why x's axes cannot be brought into the order of y's; empty where they can.
template <class X, class Y>
constexpr sentence align_mistake() {
  sentence s;
  for (int i = 0; i < X::axes_count && s.n == 0; ++i) {
    const index e = X::static_extents[i];
    if (!is_named(e))
      s << "dim " << i << " has no name; align(x, y) wants a name for every axis of x";
    else if (axis_called(X::static_extents, e) < 0)
      s << extent_text{e} << " names two axes of x; align(x, y) wants different names";
    else if (const int a = axis_called(Y::static_extents, e); a < 0)
      s << extent_text{e} << (a == -1 ? " names no axis of y; align(x, y) cannot place it" : " names two axes of y");
  }
  return s;
}

// The axes of X in the order in which Y has them.
template <class X, class Y>
constexpr indices<X::axes_count> aligned_order() {
  indices<X::axes_count> r{};
  int k = 0;
  for (int i = 0; i < Y::axes_count; ++i)
    if (const int a = is_named(Y::static_extents[i]) ? axis_called(X::static_extents, Y::static_extents[i]) : -1;
        a >= 0)
      r[k++] = a;
  return r;
}

// New axes of extent 1 where Y has an axis that X lacks, from axis At on.
template <class X, class Y, int At, class E>
constexpr auto with_missing_axes(const E& e) {
  if constexpr (At == Y::axes_count)
    return e;
  else if constexpr (is_named(Y::static_extents[At]) && axis_called(X::static_extents, Y::static_extents[At]) >= 0)
    return with_missing_axes<X, Y, At + 1>(e);
  else
    return with_missing_axes<X, Y, At + 1>(unsqueeze(e, boost::hana::integral_constant<index, At>{}));
}

}  // namespace detail

// named<"batch", 3, dyn>(x): x with a name, a size or dyn for each axis; in and out the same elements. A size that is
// known at run time only is checked against a number, and two axes of one name against each other (shape_error).
template <detail::wanted_extent... W>
struct named_t {
  static constexpr detail::indices<sizeof...(W)> wanted{{W.e...}};

  template <array A>
    requires(detail::naming_mistake<typename detail::node_of<A>::shape_type>(wanted).n == 0)
  constexpr auto operator()(A&& a) const {
    return detail::renamed<wanted>(detail::as_node(static_cast<A&&>(a)));
  }
  template <array A, class S = typename detail::node_of<A>::shape_type,
            class Error = errors_md::names_do_not_fit<
                detail::fit<detail::naming_mistake<S>(wanted).n>(detail::naming_mistake<S>(wanted)), S>>
    requires(detail::naming_mistake<typename detail::node_of<A>::shape_type>(wanted).n != 0)
  Error operator()(A&&) const = delete;
};
template <detail::wanted_extent... W>
inline constexpr named_t<W...> named{};

// unnamed(x): x with dyn wherever its shape has a name.
inline constexpr struct unnamed_t {
  template <array A>
  constexpr auto operator()(A&& a) const {
    decltype(auto) e = detail::as_node(static_cast<A&&>(a));
    return detail::renamed<detail::without_names(detail::shape_of<decltype(e)>::static_extents)>(e);
  }
} unnamed{};

// transpose_to<"time", "batch">(x): the axes of x in this order. Every axis of x is named, once.
template <detail::wanted_extent... W>
struct transpose_to_t {
  template <array A>
  constexpr auto operator()(A&& a) const {
    decltype(auto) e = detail::as_node(static_cast<A&&>(a));
    using shape = detail::shape_of<decltype(e)>;
    constexpr auto places = detail::places_of<shape>(detail::indices<sizeof...(W)>{{W.e...}});
    constexpr bool fits = places.count == shape::axes_count && detail::is_permutation(places);
    static_assert(
        fits,
        "transpose_to<...>(x): one name for each axis of x, and each names one axis [errors.md#transpose-to-names]");
    if constexpr (fits) return detail::permuted<places>(e);
  }
};
template <detail::wanted_extent... W>
inline constexpr transpose_to_t<W...> transpose_to{};

// align(x, y): the axes of x in the order in which y has them, and an axis of extent 1 where x lacks one: x broadcasts
// with y then. Every axis of x has a name that y has, too (xarray's rule, without y's permutation).
inline constexpr struct align_t {
  template <array X, array Y>
    requires(detail::align_mistake<typename detail::node_of<X>::shape_type, typename detail::node_of<Y>::shape_type>()
                 .n == 0)
  constexpr auto operator()(X&& x, const Y&) const {
    using own = typename detail::node_of<X>::shape_type;
    using others = typename detail::node_of<Y>::shape_type;
    return detail::with_missing_axes<own, others, 0>(
        detail::permuted<detail::aligned_order<own, others>()>(detail::as_node(static_cast<X&&>(x))));
  }
  template <array X, array Y, class From = typename detail::node_of<X>::shape_type,
            class To = typename detail::node_of<Y>::shape_type,
            class Error = errors_md::names_do_not_fit<
                detail::fit<detail::align_mistake<From, To>().n>(detail::align_mistake<From, To>()), From, To>>
    requires(detail::align_mistake<typename detail::node_of<X>::shape_type, typename detail::node_of<Y>::shape_type>()
                 .n != 0)
  Error operator()(X&&, const Y&) const = delete;
} align{};

}  // namespace broadloom
