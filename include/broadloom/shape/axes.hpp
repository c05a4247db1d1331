// Axes: numbers that may count from the end, and lists of them known to the compiler.
#pragma once

#include <broadloom/shape/shape.hpp>

namespace broadloom {

// axes<0, -1>: the first and the last axis, known to the compiler.
template <index... A>
struct axes_t {
  static constexpr int count = sizeof...(A);
  static constexpr detail::indices<count> values{{A...}};
};
template <index... A>
inline constexpr axes_t<A...> axes{};

namespace detail {

[[noreturn]] void throw_axis_out_of_range(index axis, index rank);

// The axis counted from the left; throws index_error outside [-rank, rank).
constexpr int normal_axis(index axis, int rank) {
  if (axis < -rank || axis >= rank) throw_axis_out_of_range(axis, rank);
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace detail
}  // namespace broadloom
