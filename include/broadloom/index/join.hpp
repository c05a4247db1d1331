// cat: arrays one after the other along an axis, each evaluated straight to where it belongs.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/index/gather.hpp>
#include <broadloom/index/joined.hpp>

namespace broadloom {

namespace detail {

// The axes of a join; parts that the compiler knows to be empty and of one axis count for nothing (PyTorch's rule).
template <class P>
inline constexpr bool skipped_in_join = rank_of<node_of<P>> == 1 && statically_empty<P>;
template <class... P>
constexpr int join_rank() {
  int rank = 1;
  ((rank = skipped_in_join<P> ? rank : rank_of<node_of<P>>), ...);
  return rank;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_join(int axis, index expected, index given, int number) {
  throw_error(error_kind::join, {axis, expected, given, number});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_stack(const shape_view& first, const shape_view& other,
                                                               int number) {
  throw_error(error_kind::stack, {&first, &other, number});
}

// Extents that the compiler knows of the joined shape. With a run-time axis each is possible off which extents agree.
template <class A, int R, class... P>
constexpr indices<R> joined_extents() {
  common_extents<R> r;
  for_each_axis<A>(R, [&](int axis) {
    indices<R> e = all_dyn<R>();
    index total = 0;
    bool fits = true, begun = false;
    const auto one = [&](const indices<R>& x, bool skipped) {
      if (skipped) return;
      if (!begun) e = x;
      begun = true;
      for (int a = 0; a < R; ++a) {
        if (a == axis) continue;
        fits = fits && may_equal(e[a], x[a]);
        e[a] = equal_extent(e[a], x[a]);
      }
      if (is_dyn(total) || is_dyn(x[axis]) || __builtin_add_overflow(total, x[axis], &total)) total = dyn;
    };
    const auto extents = []<class Q>(const Q*) {
      if constexpr (rank_of<node_of<Q>> == R)
        return shape_of<node_of<Q>>::static_extents;
      else
        return indices<R>{};
    };
    (one(extents(static_cast<const std::remove_reference_t<P>*>(nullptr)), skipped_in_join<P>), ...);
    e[axis] = total;
    if (fits) r.add(e);
  });
  return r.extents;
}

struct cat_rule {
  template <integer_like A, array... P>
  static constexpr sentence fault() {
    sentence s;
    constexpr int rank = join_rank<P...>();
    if (promoted_code<P...> == no_type) {
      s << "cat: the element types have no common type";
      return s;
    }
    const auto ranks = [&](int r, bool skipped) {
      if (s.n == 0 && !skipped && r != rank)
        s << "Tensors must have same number of dimensions: got " << rank << " and " << r;
      if (s.n == 0 && r == 0) s << "zero-dimensional tensor cannot be concatenated";
    };
    (ranks(rank_of<node_of<P>>, skipped_in_join<P>), ...);
    if (s.n > 0 || !axis_fits<A>(s, rank)) return s;
    if constexpr (constant<A>) {
      constexpr index axis = static_axis<A>(rank);
      indices<rank> known{};
      bool any = false;
      int number = 0;
      const auto one = [&]<int R>(const indices<R>& x, bool skipped) {
        if constexpr (R == rank)
          if (!skipped) {
            if (!any) known = x;
            any = true;
            for (int a = 0; a < rank && s.n == 0; ++a) {
              if (a == axis) continue;
              if (!may_equal(known[a], x[a]))
                s << "dim " << a << ": " << extent_text{x[a]} << " vs " << extent_text{known[a]}
                  << "; Sizes of tensors must match except in dimension " << axis << ". Expected size "
                  << extent_text{known[a]} << " but got size " << extent_text{x[a]} << " for tensor number " << number
                  << " in the list.";
              known[a] = equal_extent(known[a], x[a]);
            }
          }
        ++number;
      };
      (one(shape_of<node_of<P>>::static_extents, skipped_in_join<P>), ...);
    }
    return s;
  }
};

template <class T, class Shape, class A, class... P>
constexpr auto join_nodes(A axis, const P&... parts) {
  constexpr int rank = join_rank<P...>();
  const int a = normal_axis(static_cast<index>(axis), rank, "cat");
  indices<rank> x{};
  bool begun = false;
  int number = 0;
  const auto one = [&](const auto& p) {
    if constexpr (rank_of<decltype(p)> == rank) {
      const auto e = p.shape().extents();
      if (!begun)
        x = e;
      else {
        for (int k = 0; k < rank; ++k)
          if (k != a && x[k] != e[k]) throw_join(a, x[k], e[k], number);
        x[a] = checked_add("cat", x[a], e[a]);
      }
      begun = true;
    }
    ++number;
  };
  (one(parts), ...);
  return deferred<joined<T, Shape, P...>>(joined<T, Shape, P...>(a, Shape::unchecked(x), parts...));
}

// The parts that count, in order.
template <class T, class A, class... Kept>
constexpr auto join_kept(A axis, boost::hana::basic_tuple<Kept...> kept) {
  using shape = shape_from<joined_extents<A, join_rank<Kept...>(), Kept...>()>;
  return detail::unpack(kept, [&](const Kept&... k) { return join_nodes<T, shape>(axis, k...); });
}
template <class T, class A, class... Kept, class P, class... Rest>
constexpr auto join_kept(A axis, boost::hana::basic_tuple<Kept...> kept, const P& part, const Rest&... rest) {
  if constexpr (rank_of<P> == 1 && statically_empty<P> && sizeof...(Kept) + sizeof...(Rest) > 0)
    return join_kept<T>(axis, kept, rest...);
  else
    return detail::unpack(kept, [&](const Kept&... k) {
      return join_kept<T>(axis, boost::hana::basic_tuple<Kept..., P>(k..., part), rest...);
    });
}

// cat(a, b), cat(a, b, 0), cat({a, b}), cat({a, b}, 0), cat(0, list). (One value, which clang does not take apart when
// it lists what did not fit.)
template <class A, class... B>
inline constexpr bool axis_is_last = array<A> && (sizeof...(B) > 1 || (array<B> || ...) || (integer_like<B> || ...));
using first_axis = boost::hana::integral_constant<index, 0>;  // of lists
struct axis_comes_first : refuses_other_arguments<axis_comes_first> {
  static constexpr text call{"cat(0, x, y)"};
  using refuses_other_arguments<axis_comes_first>::operator();
  template <class A, class... B, class Error = errors_md::write_the_axis_first_and_no_braces_cat_0_a_b>
    requires(axis_is_last<A, B...>)
  Error operator()(const A&, const B&...) const BROADLOOM_REFUSED;
  template <class A, int N, class Axis = int, class Error = errors_md::write_the_axis_first_and_no_braces_cat_0_a_b>
    requires(axis_is_last<A, Axis>)
  Error operator()(const A (&)[N], Axis = {}) const BROADLOOM_REFUSED;
  template <array A, class Error = errors_md::write_the_axis_first_and_no_braces_cat_0_a_b>
  Error operator()(const A&) const BROADLOOM_REFUSED;
  template <integer_like A, class List, class Error = errors_md::write_the_axis_after_a_list_cat_v_0>
    requires(!array<List>) && array<decltype(*std::declval<const List&>().begin())>
  Error operator()(A, const List&) const BROADLOOM_REFUSED;
};

}  // namespace detail

// cat(axis, a, b, ...): the arrays one after the other along the axis; other extents are equal, and nothing broadcasts.
// Element types are promoted. Lazy: an assignment evaluates each part straight to its place. Throws shape_error when it
// is built (PyTorch's cat; a part that the compiler knows to have shape (0) is skipped). cat(list, axis = 0): of a
// range of arrays of one type, as many as the run has, evaluated; shape_error for none.
inline constexpr struct cat_t : detail::axis_comes_first {
  using axis_comes_first::operator();
  template <detail::integer_like A, array... P>
    requires(sizeof...(P) > 0) && detail::accepted<detail::cat_rule, A, P...>
  constexpr auto operator()(A axis, P&&... parts) const {
    using T = promoted<P...>;
    return detail::join_kept<T>(axis, boost::hana::basic_tuple<>{}, detail::capture(static_cast<P&&>(parts))...);
  }
  template <detail::integer_like A, array... P, class Error = detail::refusal<detail::cat_rule, A, P...>>
    requires(sizeof...(P) > 0 && !std::is_void_v<Error>)
  Error operator()(A, P&&...) const BROADLOOM_REFUSED;

  template <class List, detail::integer_like A = detail::first_axis, int Native = BROADLOOM_NATIVE>
    requires(!array<List>) && array<decltype(*std::declval<const List&>().begin())>
  auto operator()(const List& list, A axis = {}) const {
    using part = detail::node_of<decltype(*list.begin())>;
    using T = detail::value_of<part>;
    constexpr int rank = detail::rank_of<part>;
    static_assert(rank > 0, "zero-dimensional tensor cannot be concatenated [errors.md#cat-of-other-shapes]");
    const int a = detail::normal_axis(static_cast<index>(axis), rank, "cat");
    detail::indices<rank> x{};
    int number = 0;
    for (const auto& p : list) {
      const auto e = detail::as_node(p).shape().extents();
      if (number == 0) x = e;
      for (int k = 0; k < rank; ++k)
        if (k != a && x[k] != e[k]) detail::throw_join(a, x[k], e[k], number);
      if (number++ > 0) x[a] = detail::checked_add("cat", x[a], e[a]);
    }
    if (number == 0) detail::throw_indexing("expected a non-empty list of arrays", "cat", nullptr, 0);
    using shape = detail::shape_with<A, detail::shape_of<part>, dyn>;
    auto r = tensor<T, shape>::uninitialised(shape::unchecked(x));
    index at = 0;
    for (const auto& p : list) {
      const index n = detail::as_node(p).shape()[a];
      if (n > 0) assign(narrow(r.as_view(), a, at, n), p);
      at += n;
    }
    return r;
  }
} cat{};
// NumPy's and PyTorch's other names.
inline constexpr cat_t concat{};
inline constexpr cat_t concatenate{};

}  // namespace broadloom
