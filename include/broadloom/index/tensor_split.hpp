// An array as parts along an axis: unbind, tensor_split, hsplit, vsplit, dsplit. Views, writable where it is.
#pragma once

#include <array>

#include <broadloom/core/api.hpp>
#include <broadloom/index/split.hpp>

namespace broadloom {

namespace detail {

// As many parts of an axis as `count` says, the first ones with one index more; or parts that end before each of these
// positions, which are those of slices.
BROADLOOM_API list<index> tensor_split_sizes(index extent, index count);
BROADLOOM_API list<index> tensor_split_sizes(index extent, const list<index>& ends, list<index>& starts);
BROADLOOM_API void check_even_split(index extent, index count, int axis, const char* call);

// narrow to one of N parts.
template <index N>
struct even_part_edit : narrow_edit {
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R>& to, index axis, index, index) {
    const int a = normal_axis(axis, R);
    to = x;
    to[a] = N > 0 && x[a] != dyn && x[a] % N == 0 ? x[a] / N : dyn;
    return true;
  }
};

template <class E, class N, class A>
auto split_evenly(const E& e, N count, A axis, const char* call) {
  const int a = normal_axis(static_cast<index>(axis), rank_of<E>, call);
  return split_node<even_part_edit<extent_of<N>()>>(e, axis,
                                                    tensor_split_sizes(e.shape()[a], static_cast<index>(count)));
}
template <class E, class A>
auto split_at(const E& e, const list<index>& ends, A axis, const char* call) {
  const int a = normal_axis(static_cast<index>(axis), rank_of<E>, call);
  list<index> starts;
  const list<index> sizes = tensor_split_sizes(e.shape()[a], ends, starts);
  list<decltype(edit_axes<narrow_edit>(e, axis, index{}, index{}))> parts;
  parts.reserve(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) parts.push_back(edit_axes<narrow_edit>(e, axis, starts[k], sizes[k]));
  return parts;
}

// hsplit and the like: along a constant axis, in equal parts or at positions.
template <int Axis, int Least, text Name>
struct split_along {
  template <array X, integer_like N>
  auto operator()(X&& x, N count) const {
    decltype(auto) e = as_node(static_cast<X&&>(x));
    constexpr int axis = axis_for<decltype(e)>();
    check_even_split(e.shape()[axis], static_cast<index>(count), axis, Name.c);
    return split_evenly(e, count, integer_constant<axis>{}, Name.c);
  }
  template <array X>
  auto operator()(X&& x, const list<index>& ends) const {
    decltype(auto) e = as_node(static_cast<X&&>(x));
    return split_at(e, ends, integer_constant<axis_for<decltype(e)>()>{}, Name.c);
  }

 private:
  template <class E>
  static constexpr int axis_for() {
    static_assert(rank_of<E> >= Least,
                  "hsplit wants one axis or more, vsplit two, dsplit three [errors.md#too-few-axes]");
    return rank_of<E> == 1 ? 0 : Axis;
  }
};

}  // namespace detail

// unbind(x, axis = 0): views of x at each index of the axis, which disappears (PyTorch's unbind, NumPy 2's unstack). A
// list, or of a constant axis with a static extent of at most 64 a std::array: auto [a, b] = unbind(x).
inline constexpr struct unbind_t {
  template <array X, detail::integer_like A = detail::integer_constant<0>>
  auto operator()(X&& x, A axis = {}) const {
    decltype(auto) e = detail::as_node(static_cast<X&&>(x));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(e)>, "unbind");
    using part = decltype(detail::edit_axes<detail::select_edit>(e, axis, index{}));
    constexpr index known = known_extent<detail::shape_of<decltype(e)>, A>();
    if constexpr (known >= 0 && known <= 64)
      return [&]<int... At>(detail::sequence<At...>) {
        return std::array<part, known>{{detail::edit_axes<detail::select_edit>(e, axis, index{At})...}};
      }(detail::make_sequence<known>{});
    else {
      list<part> parts;
      const index n = e.shape()[a];
      parts.reserve(static_cast<std::size_t>(n));
      for (index i = 0; i < n; ++i) parts.push_back(detail::edit_axes<detail::select_edit>(e, axis, i));
      return parts;
    }
  }

 private:
  template <class Shape, class A>
  static constexpr index known_extent() {
    if constexpr (detail::constant<A>)
      if constexpr (detail::is_axis(A::value, Shape::axes_count))
        return Shape::static_extents[detail::normal_axis(A::value, Shape::axes_count)];
    return dyn;
  }
} unbind{};

// for (auto row : rows(x)): the views of x at each index of the first axis, as unbind gives them. Writable where x is.
template <array X>
  requires(detail::rank_of<detail::node_of<X>> > 0)
auto rows(X&& x) {
  return unbind(static_cast<X&&>(x));
}

// tensor_split(x, count, axis = 0): that many views, the first ones with one index more where the extent is no
// multiple; tensor_split(x, {1, 3}, axis = 0): parts that end before these positions, as the slices x[:1], x[1:3],
// x[3:]. A constant count that divides a static extent gives static parts. Throws shape_error unless count > 0
// (PyTorch's tensor_split, NumPy's array_split).
inline constexpr struct tensor_split_t {
  template <array X, detail::integer_like N, detail::integer_like A = detail::integer_constant<0>>
  auto operator()(X&& x, N count, A axis = {}) const {
    return detail::split_evenly(detail::as_node(static_cast<X&&>(x)), count, axis, "tensor_split");
  }
  template <array X, detail::integer_like A = detail::integer_constant<0>>
  auto operator()(X&& x, const list<index>& ends, A axis = {}) const {
    return detail::split_at(detail::as_node(static_cast<X&&>(x)), ends, axis, "tensor_split");
  }
} tensor_split{};
inline constexpr tensor_split_t array_split{};

// hsplit(x, 2), vsplit(x, 2), dsplit(x, 2): equal parts along the second (the only one of rank 1), first and third
// axis; hsplit(x, {1, 3}): at positions, as tensor_split. Throw shape_error where the extent is no multiple (PyTorch's
// and NumPy's).
inline constexpr detail::split_along<1, 1, "hsplit"> hsplit{};
inline constexpr detail::split_along<0, 2, "vsplit"> vsplit{};
inline constexpr detail::split_along<2, 3, "dsplit"> dsplit{};

}  // namespace broadloom
