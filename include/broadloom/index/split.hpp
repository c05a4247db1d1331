// split and chunk: an array as views of its parts along an axis.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/list.hpp>
#include <broadloom/expr/views.hpp>
#include <broadloom/index/operand.hpp>

namespace broadloom {

namespace detail {

// The extents of parts of n indices each, or of n parts, the last one perhaps smaller; throws shape_error for a wrong
// n.
BROADLOOM_API list<index> part_sizes(index extent, index n, bool by_count);
BROADLOOM_API void check_split(const list<index>& sizes, index extent);

// How long each part of `size` indices, or each of `count` parts, is: dyn where they differ or the compiler does not
// know.
constexpr index even_split(index extent, index size) {
  if (extent == 0 || extent == 1) return extent;
  return is_dyn(extent) || size <= 0 ? dyn : size >= extent ? extent : extent % size == 0 ? size : dyn;
}
constexpr index even_chunk(index extent, index count) {
  return extent <= 0 || count <= 0 ? even_split(extent, dyn) : even_split(extent, (extent - 1) / count + 1);
}
// narrow to a part of an axis that is split into parts of N indices, or into N chunks.
template <index N, bool Chunks>
struct part_edit : narrow_edit {
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R>& to, index axis, index, index) {
    const int a = normal_axis(axis, R);
    to = x;
    to[a] = Chunks ? even_chunk(x[a], N) : even_split(x[a], N);
    return true;
  }
};

template <class Edit, class E, class A>
auto split_node(const E& e, A axis, const list<index>& sizes) {
  list<decltype(edit_axes<Edit>(e, axis, index{}, index{}))> parts;
  parts.reserve(sizes.size());
  index at = 0;
  for (index n : sizes) {
    parts.push_back(edit_axes<Edit>(e, axis, at, n));
    at += n;
  }
  return parts;
}

}  // namespace detail

// split(x, size, axis = 0): views of `size` indices each, the last one perhaps of fewer; split(x, {2, 3}, axis): of
// these sizes, which add up to the extent (PyTorch's split). Writable where x is. With a constant size that divides the
// extent, the parts' is static too.
inline constexpr struct split_t : detail::takes_axis_names<split_t> {
  static constexpr detail::text call{"split(x, size, axis)"};
  using takes_axis_names::operator();
  template <array X, detail::integer_like N, detail::integer_like A = boost::hana::integral_constant<index, 0>>
  auto operator()(X&& x, N size, A axis = {}) const {
    decltype(auto) e = detail::as_node(static_cast<X&&>(x));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(e)>, "split");
    return detail::split_node<detail::part_edit<detail::extent_of<N>(), false>>(
        e, axis, detail::part_sizes(e.shape()[a], static_cast<index>(size), false));
  }
  // (No parameter of type list<index>, which braces would match, too: takes_axis_names takes these.)
  template <array X, class L, detail::integer_like A = boost::hana::integral_constant<index, 0>>
    requires std::is_convertible_v<const L&, list<index>>
  auto operator()(X&& x, const L& of_these, A axis = {}) const {
    const list<index>& sizes = of_these;
    decltype(auto) e = detail::as_node(static_cast<X&&>(x));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(e)>, "split");
    detail::check_split(sizes, e.shape()[a]);
    return detail::split_node<detail::narrow_edit>(e, axis, sizes);
  }
} split{};

// chunk(x, count, axis = 0): at most that many views of equal extents, the last one perhaps smaller (PyTorch's chunk).
inline constexpr struct chunk_t : detail::takes_axis_names<chunk_t> {
  static constexpr detail::text call{"chunk(x, count, axis)"};
  using takes_axis_names::operator();
  template <array X, detail::integer_like N, detail::integer_like A = boost::hana::integral_constant<index, 0>>
  auto operator()(X&& x, N count, A axis = {}) const {
    decltype(auto) e = detail::as_node(static_cast<X&&>(x));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(e)>, "chunk");
    return detail::split_node<detail::part_edit<detail::extent_of<N>(), true>>(
        e, axis, detail::part_sizes(e.shape()[a], static_cast<index>(count), true));
  }
} chunk{};

}  // namespace broadloom
