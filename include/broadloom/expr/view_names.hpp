// NumPy's and PyTorch's other names of views, and views that are one call of another: swapaxes, moveaxis, expand_dims,
// fliplr, flipud, atleast_1d, atleast_2d, atleast_3d.
#pragma once

#include <broadloom/expr/views.hpp>

namespace broadloom {

// expand_dims(x, axis) = unsqueeze(x, axis).
inline constexpr unsqueeze_t expand_dims{};

// swapaxes(x, i, j), swapdims(x, i, j) = transpose(x, i, j).
inline constexpr struct swapaxes_t {
  template <array A, detail::integer_like First, detail::integer_like Second>
  constexpr auto operator()(A&& a, First i, Second j) const {
    return transpose(static_cast<A&&>(a), i, j);
  }
} swapaxes{};
inline constexpr swapaxes_t swapdims{};

namespace detail {

// The permutation that takes axes `from` to the places `to`, the others in order.
template <int R, int N>
constexpr indices<R> moved_axes(const indices<N>& from, const indices<N>& to) {
  indices<R> p{};
  bool taken[R == 0 ? 1 : R] = {}, moved[R == 0 ? 1 : R] = {};
  for (int k = 0; k < N; ++k) {
    const int a = normal_axis(from[k], R, "moveaxis"), b = normal_axis(to[k], R, "moveaxis");
    if (moved[a]) throw_repeated_axis(a, "moveaxis");
    if (taken[b]) throw_repeated_axis(b, "moveaxis");
    moved[a] = taken[b] = true;
    p[b] = a;
  }
  int next = 0;
  for (int b = 0; b < R; ++b) {
    if (taken[b]) continue;
    while (moved[next]) ++next;
    p[b] = next++;
  }
  return p;
}

}  // namespace detail

// moveaxis(x, from, to) = movedim(x, from, to). moveaxis(x, axes<0, 1>, axes<-1, -2>), or with two std::array of
// integers: several axes at once, the others in order (NumPy's moveaxis, PyTorch's movedim of tuples). Throws
// index_error for an axis that is out of range or comes twice; constants: at compile time.
inline constexpr struct moveaxis_t {
  template <array A, detail::integer_like Axis, detail::integer_like Place>
  constexpr auto operator()(A&& a, Axis axis, Place place) const {
    return movedim(static_cast<A&&>(a), axis, place);
  }
  template <array A, index... From, index... To>
    requires(sizeof...(From) == sizeof...(To))
  constexpr auto operator()(A&& a, axes_t<From...>, axes_t<To...>) const {
    constexpr int rank = detail::rank_of<detail::node_of<A>>;
    constexpr auto p = detail::moved_axes<rank>(axes_t<From...>::values, axes_t<To...>::values);
    return [&]<int... K>(detail::sequence<K...>) {
      return permute(static_cast<A&&>(a), axes<p[K]...>);
    }(detail::make_sequence<rank>{});
  }
  template <array A, detail::axis_list From, detail::axis_list To>
  constexpr auto operator()(A&& a, const From& list, const To& places) const {
    constexpr index count = detail::container_extent<From>();
    static_assert(count != dyn && count == detail::container_extent<To>(),
                  "as many places as axes: two std::array of one size [errors.md#permutation]");
    constexpr int rank = detail::rank_of<detail::node_of<A>>, n = static_cast<int>(count);
    const auto p = detail::moved_axes<rank>(detail::first_axes<n>(list), detail::first_axes<n>(places));
    return [&]<int... K>(detail::sequence<K...>) {
      return permute(static_cast<A&&>(a), p[K]...);
    }(detail::make_sequence<rank>{});
  }
} moveaxis{};

// fliplr(x): the second axis in reverse order; flipud(x): the first one (NumPy's and PyTorch's).
inline constexpr struct fliplr_t {
  template <array A>
  constexpr auto operator()(A&& a) const {
    static_assert(detail::rank_of<detail::node_of<A>> >= 2,
                  "fliplr: input must have two axes or more [errors.md#too-few-axes]");
    return flip(static_cast<A&&>(a), detail::integer_constant<1>{});
  }
} fliplr{};
inline constexpr struct flipud_t {
  template <array A>
  constexpr auto operator()(A&& a) const {
    static_assert(detail::rank_of<detail::node_of<A>> >= 1,
                  "flipud: input must have one axis or more [errors.md#too-few-axes]");
    return flip(static_cast<A&&>(a), detail::integer_constant<0>{});
  }
} flipud{};

namespace detail {

template <int R>
struct atleast {
  template <array A>
  constexpr decltype(auto) operator()(A&& a) const {
    constexpr int rank = rank_of<node_of<A>>;
    if constexpr (rank >= R) {
      decltype(auto) e = as_node(static_cast<A&&>(a));
      return std::remove_cvref_t<decltype(e)>(e);
    } else if constexpr (R == 1)
      return unsqueeze(static_cast<A&&>(a), integer_constant<0>{});
    else if constexpr (R == 2)  // (n) is a row
      return unsqueeze(atleast<1>{}(static_cast<A&&>(a)), integer_constant<0>{});
    else  // (m, n) is (m, n, 1)
      return unsqueeze(atleast<2>{}(static_cast<A&&>(a)), integer_constant<2>{});
  }
};

}  // namespace detail

// x as a view of at least one, two or three axes: () is (1), (n) is (1, n), and for atleast_3d (1, n, 1), (m, n) is
// (m, n, 1) (NumPy's and PyTorch's).
inline constexpr detail::atleast<1> atleast_1d{};
inline constexpr detail::atleast<2> atleast_2d{};
inline constexpr detail::atleast<3> atleast_3d{};

}  // namespace broadloom
