// Broadcasting of shapes whose rank is known at run time only.
#pragma once

#include <initializer_list>

#include <broadloom/core/api.hpp>
#include <broadloom/core/list.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

namespace detail {

BROADLOOM_API list<index> broadcast_extents(const shape_view* shapes, std::size_t count);
BROADLOOM_API list<index> broadcast_extents(std::initializer_list<std::initializer_list<index>> shapes);

}  // namespace detail

// broadcast_shapes({{5, 1}, {3}}) and broadcast_shapes(range of shapes): the extents that the shapes broadcast to, {5,
// 3}. No shapes give rank 0. Throws shape_error when two extents do not meet or one is negative (NumPy's and PyTorch's
// broadcast_shapes).
inline constexpr struct broadcast_shapes_t {
  list<index> operator()(std::initializer_list<std::initializer_list<index>> shapes) const {
    return detail::broadcast_extents(shapes);
  }
  template <class Range>
    requires requires(const Range& r) {
      static_cast<const index*>((*r.begin()).data());
      (*r.begin()).size();
    }
  list<index> operator()(const Range& shapes) const {
    list<detail::shape_view> views;
    for (const auto& s : shapes) views.push_back({s.data(), static_cast<index>(s.size())});
    return detail::broadcast_extents(views.data(), views.size());
  }
} broadcast_shapes{};

}  // namespace broadloom
