// What an evaluation is whose leaves are bound: assign() runs it, explain() prints it.
#pragma once

#include "../fuse/barriers.hpp"
#include "small_barriers.hpp"
#include "small_strided.hpp"

namespace broadloom::runtime {

enum class bound_way : unsigned char {
  no_elements,
  element_wise,       // no leaf is deferred: on the stack if it fits there, else by plan_steps()
  barrier_in_output,  // the tree is a barrier, which is computed in the output's memory
  barriers            // on the stack where they fit there, else as barrier_plan says
};

inline bound_way choose_bound(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  for (int i = 0; i < out.rank; ++i)
    if (out.extents[i] == 0) return bound_way::no_elements;
  for (int k = 0; k < count; ++k)
    if (leaves[k].from != nullptr && leaves[k].from != &any_ramp)
      return fits_in_output(out, leaves, count, code) ? bound_way::barrier_in_output : bound_way::barriers;
  return bound_way::element_wise;
}

}  // namespace broadloom::runtime
