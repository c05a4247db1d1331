// The door for bound leaves: one route is chosen and run.
#include "bound_route.hpp"

#include "../plan/bound.hpp"

namespace broadloom::runtime {

void assign(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how) {
  switch (const route r = choose_bound(out, leaves, count, code)) {
    case route::no_elements: return took(r);
    case route::barrier_in_output: return compute_in_output(out, *leaves[0].from, how);
    case route::barriers_on_stack:
      if (!assign_small_barriers(out, leaves, count, code, how)) assign_with_barriers(out, leaves, count, code, how);
      return;
    case route::with_ramps: return execute(bound_problem(out, leaves, count, code, how).problem);
    default:
      if (!run_on_stack(out, leaves, count, code, how)) execute(bound_problem(out, leaves, count, code, how).problem);
  }
}

}  // namespace broadloom::runtime
