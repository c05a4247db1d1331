// The route of an evaluation whose leaves are bound.
#pragma once

#include "../fuse/barriers.hpp"
#include "../plan/route.hpp"
#include "small_barriers.hpp"
#include "small_strided.hpp"

namespace broadloom::runtime {

// no_elements, barrier_in_output; barriers_on_stack where they fit there, which small_barriers.hpp finds out, else
// barrier_plan says which way they go; and `planned` where no leaf is deferred: by small_strided.hpp where it fits
// there, else by plan_steps(), and always so `with_ramps`.
inline route choose_bound(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  for (int i = 0; i < out.rank; ++i)
    if (out.extents[i] == 0) return route::no_elements;
  route way = route::planned;
  for (int k = 0; k < count; ++k) {
    if (leaves[k].from == nullptr) continue;
    if (leaves[k].from != &any_ramp)
      return fits_in_output(out, leaves, count, code) ? route::barrier_in_output : route::barriers_on_stack;
    way = route::with_ramps;
  }
  return way;
}

}  // namespace broadloom::runtime
