// Evaluates a tree whose leaves are bound, the one way that is chosen.
#include "bound_way.hpp"

#include "../fuse/fused_step.hpp"

namespace broadloom::runtime {

namespace {

// The elements of a `let`, if they are few.
bool evaluate_small_let(const source& s, void* to, const options& how) {
  if (!is_program(s) || s.how != reduction::none || s.at != nullptr) return false;
  return run_on_stack(result_of(s, to), s.leaves, s.leaf_count, *s.code, how);
}

// By functions of their own, so that those before them keep little.
[[gnu::noinline]] void assign_planned(const target_array& out, const leaf_array* leaves, int count, const program& code,
                                      const options& how) {
  execute(bound_problem(out, leaves, count, code, how).problem);
}
[[gnu::noinline]] void assign_barrier(const target_array& out, const source& s, const options& how) {
  if (!evaluate_small_let(s, out.data, how)) compute_in_output(out, s, how);
}

}  // namespace

void assign(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how) {
  switch (choose_bound(out, leaves, count, code)) {
    case bound_way::no_elements: break;
    case bound_way::element_wise:
      if (!run_on_stack(out, leaves, count, code, how)) assign_planned(out, leaves, count, code, how);
      break;
    case bound_way::barrier_in_output: assign_barrier(out, *leaves[0].from, how); break;
    case bound_way::barriers:
      if (!assign_small_barriers(out, leaves, count, code, how)) assign_with_barriers(out, leaves, count, code, how);
      break;
  }
}

}  // namespace broadloom::runtime
