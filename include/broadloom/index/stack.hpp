// Joins that add axes or choose them: stack, hstack, vstack.
#pragma once

#include <broadloom/index/join.hpp>

namespace broadloom {

namespace detail {

template <class... P>
constexpr void check_stack(const P&... parts) {
  const shape_view shapes[] = {{parts.shape().data(), rank_of<P>}...};
  for (int k = 1; k < static_cast<int>(sizeof...(P)); ++k)
    for (index a = 0; a < shapes[0].rank; ++a)
      if (shapes[k].extents[a] != shapes[0].extents[a]) throw_stack(shapes[0], shapes[k], k);
}

struct stack_rule {
  template <integer_like A, array... P>
    requires(sizeof...(P) > 0)
  static constexpr sentence fault() {
    sentence s;
    constexpr int ranks[] = {rank_of<node_of<P>>...};
    for (int r : ranks)
      if (r != ranks[0] && s.n == 0)
        s << "stack expects each tensor to be equal size: " << ranks[0] << " and " << r << " axes";
    if (s.n == 0) static_cast<void>(axis_fits<A>(s, ranks[0] + 1));
    if constexpr (((rank_of<node_of<P>> == ranks[0]) && ...)) {
      indices<ranks[0]> known{};
      bool any = false;
      const auto one = [&](const indices<ranks[0]>& x) {
        if (!any) known = x;
        any = true;
        for (int a = 0; a < ranks[0] && s.n == 0; ++a) {
          if (!may_equal(known[a], x[a]))
            s << "dim " << a << ": " << extent_text{known[a]} << " vs " << extent_text{x[a]}
              << "; stack expects each tensor to be equal size";
          known[a] = equal_extent(known[a], x[a]);
        }
      };
      (one(shape_of<node_of<P>>::static_extents), ...);
    }
    return s;
  }
};

// The extents that the compiler knows of any of the arrays, and their number as a new axis.
template <class A, class First, class... N>
constexpr auto stacked_extents() {
  constexpr int rank = rank_of<First>;
  auto own = shape_of<First>::static_extents;
  [[maybe_unused]] const auto one = [&](const indices<rank>& x) {
    for (int a = 0; a < rank; ++a) own[a] = equal_extent(own[a], x[a]);
  };
  (one(shape_of<N>::static_extents), ...);
  common_extents<rank + 1> r;
  for_each_axis<A>(rank + 1, [&](int axis) {
    indices<rank + 1> e{};
    for (int a = 0; a <= rank; ++a) e[a] = a == axis ? index{sizeof...(N)} + 1 : own[a - (a > axis)];
    r.add(e);
  });
  return r.extents;
}

// The same of as many arrays as the run has.
template <class A, class Shape>
constexpr auto stacked_list_extents() {
  constexpr int rank = Shape::axes_count;
  common_extents<rank + 1> r;
  for_each_axis<A>(rank + 1, [&](int axis) {
    indices<rank + 1> e{};
    for (int a = 0; a <= rank; ++a) e[a] = a == axis ? dyn : Shape::static_extents[a - (a > axis)];
    r.add(e);
  });
  return r.extents;
}

// A node with at least two axes: (n) is (1, n).
template <class E>
constexpr auto at_least_two_axes(const E& e) {
  if constexpr (rank_of<E> >= 2)
    return e;
  else
    return edit_axes<unsqueeze_edit>(at_least_one_axis(e), boost::hana::integral_constant<index, 0>{});
}

}  // namespace detail

// stack(axis, a, b, ...): arrays of one shape along a new axis (PyTorch's stack). stack(list, axis = 0): of a range
// of arrays of one type, as many as the run has, evaluated. Throws shape_error where shapes differ, and for no arrays.
inline constexpr struct stack_t : detail::axis_comes_first {
  using axis_comes_first::operator();
  template <detail::integer_like A, array... P>
    requires(sizeof...(P) > 0) && detail::accepted<detail::stack_rule, A, P...>
  constexpr auto operator()(A axis, P&&... parts) const {
    return of(axis, detail::capture(static_cast<P&&>(parts))...);
  }
  template <detail::integer_like A, array... P, class Error = detail::refusal<detail::stack_rule, A, P...>>
    requires(sizeof...(P) > 0 && !std::is_void_v<Error>)
  Error operator()(A, P&&...) const = delete;

  template <class List, detail::integer_like A = detail::first_axis>
    requires(!array<List>) && array<decltype(*std::declval<const List&>().begin())>
  auto operator()(const List& list, A axis = {}) const {
    using part = detail::node_of<decltype(*list.begin())>;
    constexpr int rank = detail::rank_of<part> + 1;
    static_assert(
        !detail::constant<A> || detail::is_axis(detail::static_axis<A>(rank), rank),
        "Dimension out of range: an axis must lie in [-rank, rank) of the result [errors.md#axis-out-of-range]");
    const int a = detail::normal_axis(static_cast<index>(axis), rank, "stack");
    detail::indices<rank> x{};
    index count = 0;
    for (const auto& p : list) {
      const auto e = detail::as_node(p).shape().extents();
      for (int k = 0; count == 0 && k < rank - 1; ++k) x[k] = e[k];
      for (int k = 0; k < rank - 1; ++k)
        if (x[k] != e[k]) detail::throw_stack({x.v, rank - 1}, {e.v, rank - 1}, static_cast<int>(count));
      ++count;
    }
    if (count == 0) detail::throw_indexing("stack expects a non-empty list of arrays", "stack", nullptr, 0);
    for (int k = rank - 1; k > a; --k) x[k] = x[k - 1];
    x[a] = count;
    using shape = detail::shape_from<detail::stacked_list_extents<A, detail::shape_of<part>>()>;
    auto r = tensor<detail::value_of<part>, shape>::uninitialised(shape::unchecked(x));
    index at = 0;
    for (const auto& p : list) assign(select(r.as_view(), a, at++), p);
    return r;
  }

 private:
  template <class A, class... N>
  static constexpr auto of(A axis, const N&... nodes) {
    detail::check_stack(nodes...);
    const int ranks[] = {detail::rank_of<N>...};
    static_cast<void>(detail::normal_axis(static_cast<index>(axis), ranks[0] + 1, "stack"));
    using shape = detail::shape_from<detail::stacked_extents<A, N...>()>;
    return detail::join_nodes<promoted<N...>, shape>(axis, unsqueeze(nodes, axis)...);
  }
} stack{};

// hstack(a, b, ...): along the second axis, or the only one (NumPy's and PyTorch's hstack).
inline constexpr struct hstack_t {
  template <array... P>
    requires(sizeof...(P) > 0)
  constexpr auto operator()(P&&... parts) const {
    using axis = boost::hana::integral_constant<index, (detail::join_rank<P...>() > 1 ? 1 : 0)>;
    return cat(axis{}, detail::at_least_one_axis(detail::capture(static_cast<P&&>(parts)))...);
  }
} hstack{};

// vstack(a, b, ...): along the first axis; (n) counts as (1, n) (NumPy's and PyTorch's vstack).
inline constexpr struct vstack_t {
  template <array... P>
    requires(sizeof...(P) > 0)
  constexpr auto operator()(P&&... parts) const {
    return cat(boost::hana::integral_constant<index, 0>{},
               detail::at_least_two_axes(detail::capture(static_cast<P&&>(parts)))...);
  }
} vstack{};

}  // namespace broadloom
