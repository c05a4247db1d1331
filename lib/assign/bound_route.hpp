// The route of an evaluation whose leaves are bound.
#pragma once

#include "../fuse/barriers.hpp"
#include "../plan/route.hpp"
#include "small_barriers.hpp"
#include "small_strided.hpp"

namespace broadloom::runtime {

// no_elements, barrier_in_output, barriers_on_stack; whole_barriers where barrier_plan says which way they go; and
// `planned` where no leaf is deferred: by small_strided.hpp where it fits there, else by plan_steps().
inline route choose_bound(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  for (int i = 0; i < out.rank; ++i)
    if (out.extents[i] == 0) return route::no_elements;
  for (int k = 0; k < count; ++k)
    if (leaves[k].from != nullptr) {
      if (fits_in_output(out, leaves, count, code)) return route::barrier_in_output;
      return fits_on_stack(out, leaves, count) ? route::barriers_on_stack : route::whole_barriers;
    }
  return route::planned;
}

}  // namespace broadloom::runtime
