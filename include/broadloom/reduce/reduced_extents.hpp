// The extents of what a reduction gives.
#pragma once

#include <broadloom/shape/axes.hpp>
#include <broadloom/shape/shape.hpp>

namespace broadloom::detail {

// The result's extents from the array's: reduced axes gone, or 1 when they are kept.
template <int Out, int Rank>
constexpr indices<Out> reduced_extents(const indices<Rank>& x, unsigned bits) {
  indices<Out> r{};
  int to = 0;
  for (int i = 0; i < Rank; ++i) {
    const bool reduced = (bits >> i & 1) != 0;
    if (Out == Rank)
      r[i] = reduced ? 1 : x[i];
    else if (!reduced)
      r[to++] = x[i];
  }
  return r;
}
template <class Shape, class Axes, int Out>
constexpr auto reduced_static_extents() {
  constexpr int rank = Shape::axes_count;
  const auto& x = Shape::static_extents;
  if constexpr (Axes::is_static)
    return reduced_extents<Out>(x, Axes::bits());
  else {
    // Those that no constant names, of which so many are reduced, whichever they are.
    int free[rank == 0 ? 1 : rank] = {}, count = 0;
    for (int i = 0; i < rank; ++i)
      if ((Axes::constants >> i & 1) == 0) free[count++] = i;
    indices<Out> r{};
    if (Out == rank) {
      for (int i = 0; i < rank; ++i)
        r[i] = (Axes::constants >> i & 1) != 0 || count == Axes::others || x[i] == 1 ? 1 : dyn;
    } else
      for (int i = 0; i < Out; ++i) {
        common_extents<1> all;  // before the one that is left there come none to all of those that are reduced
        for (int k = i; k <= i + Axes::others && k < count; ++k) all.add({{x[free[k]]}});
        r[i] = all.extents[0];
      }
    return r;
  }
}

}  // namespace broadloom::detail
