// split and chunk: an array as views of its parts along an axis.
#pragma once

#include <broadloom/core/list.hpp>
#include <broadloom/expr/views.hpp>
#include <broadloom/index/operand.hpp>

namespace broadloom {

namespace detail {

// Where parts of `size` end, the last one perhaps smaller; throws shape_error unless size > 0.
list<index> split_sizes(index extent, index size);
list<index> chunk_sizes(index extent, index count);
void check_split(const list<index>& sizes, index extent);

template <class E>
auto split_node(const E& e, int axis, const list<index>& sizes) {
  list<decltype(edit_axes<narrow_edit>(e, index{}, index{}, index{}))> parts;
  parts.reserve(sizes.size());
  index at = 0;
  for (index n : sizes) {
    parts.push_back(edit_axes<narrow_edit>(e, index{axis}, at, n));
    at += n;
  }
  return parts;
}

}  // namespace detail

// split(x, size, axis = 0): views of `size` indices each, the last one perhaps of fewer; split(x, {2, 3}, axis): of
// these sizes, which add up to the extent (PyTorch's split). Writable where x is.
inline constexpr struct split_t {
  template <array X>
  auto operator()(X&& x, index size, index axis = 0) const {
    decltype(auto) e = detail::as_node(static_cast<X&&>(x));
    const int a = detail::normal_axis(axis, detail::rank_of<decltype(e)>);
    return detail::split_node(e, a, detail::split_sizes(e.shape()[a], size));
  }
  template <array X>
  auto operator()(X&& x, const list<index>& sizes, index axis = 0) const {
    decltype(auto) e = detail::as_node(static_cast<X&&>(x));
    const int a = detail::normal_axis(axis, detail::rank_of<decltype(e)>);
    detail::check_split(sizes, e.shape()[a]);
    return detail::split_node(e, a, sizes);
  }
} split{};

// chunk(x, count, axis = 0): at most that many views of equal extents, the last one perhaps smaller (PyTorch's chunk).
inline constexpr struct chunk_t {
  template <array X>
  auto operator()(X&& x, index count, index axis = 0) const {
    decltype(auto) e = detail::as_node(static_cast<X&&>(x));
    const int a = detail::normal_axis(axis, detail::rank_of<decltype(e)>);
    return detail::split_node(e, a, detail::chunk_sizes(e.shape()[a], count));
  }
} chunk{};

}  // namespace broadloom
