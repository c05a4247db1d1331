// A number for each axis of a signal, or one for all.
#pragma once

#include <broadloom/core/index.hpp>
#include <broadloom/signal/signal_operand.hpp>

namespace broadloom {

// per_axis<2>: 3, or {3, 5}.
template <int Axes>
  requires(Axes >= 1 && Axes <= detail::max_signal_axes)
struct per_axis {
  index n[Axes];

  template <detail::integer_like N>
  constexpr per_axis(N every) {
    for (index& x : n) x = static_cast<index>(every);
  }
  template <detail::integer_like... N>
    requires(sizeof...(N) == Axes && Axes > 1)
  constexpr per_axis(N... each) : n{static_cast<index>(each)...} {}

  constexpr index operator[](int axis) const { return n[axis]; }
  constexpr bool operator==(const per_axis&) const = default;
};

}  // namespace broadloom
