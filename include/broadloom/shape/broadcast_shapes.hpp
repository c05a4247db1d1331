// Broadcasting of shapes whose rank is known at run time only.
#pragma once

#include <initializer_list>
#include <span>

#include <broadloom/core/index.hpp>
#include <broadloom/core/list.hpp>

namespace broadloom {

namespace detail {

list<index> broadcast_extents(const std::span<const index>* shapes, std::size_t count);

}  // namespace detail

// broadcast_shapes({{5, 1}, {3}}) and broadcast_shapes(range of shapes): the extents that the shapes broadcast to, {5,
// 3}. No shapes give rank 0. Throws shape_error when two extents do not meet or one is negative (NumPy's and PyTorch's
// broadcast_shapes).
inline constexpr struct broadcast_shapes_t {
  list<index> operator()(std::initializer_list<std::initializer_list<index>> shapes) const {
    list<std::span<const index>> views;
    views.reserve(shapes.size());
    for (const auto& s : shapes) views.push_back({s.begin(), s.size()});
    return detail::broadcast_extents(views.data(), views.size());
  }
  template <class Range>
    requires requires(const Range& r) { std::span<const index>(*r.begin()); }
  list<index> operator()(const Range& shapes) const {
    list<std::span<const index>> views;
    for (const auto& s : shapes) views.push_back(std::span<const index>(s));
    return detail::broadcast_extents(views.data(), views.size());
  }
} broadcast_shapes{};

}  // namespace broadloom
