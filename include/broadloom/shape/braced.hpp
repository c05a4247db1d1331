// Shapes and axes in braces, as arguments: zeros<float>({2, n}), sum(x, {0, 1}).
#pragma once

#include <broadloom/shape/shape.hpp>

namespace broadloom::detail {

// An extent, from any integer: a size of the standard library would be narrowed in braces.
struct braced_extent {
  index n;
  template <integer Integer>
  constexpr braced_extent(Integer given) : n(static_cast<index>(given)) {}
  constexpr operator index() const { return n; }
};

// A parameter that only braces match; the compiler counts what is in them.
template <int R>
using braced_extents = const braced_extent (&)[R];

// Throws shape_error for negative extents.
template <int R, class Integer>
constexpr dshape<R> braced_shape(const Integer (&given)[R]) {
  indices<R> x{};
  for (int i = 0; i < R; ++i) x[i] = static_cast<index>(given[i]);
  for (index n : x)
    if (n < 0) throw_negative_extent(x.v, R);
  return dshape<R>::unchecked(x);
}

// Axes in braces, as the list of axes that functions take.
template <int R>
struct braced_axes {
  static constexpr index extent = R;
  index axes[R];
  constexpr explicit braced_axes(braced_extents<R> given) {
    for (int i = 0; i < R; ++i) axes[i] = given[i];
  }
  constexpr const index* data() const { return axes; }
  static constexpr index size() { return R; }
};

}  // namespace broadloom::detail
