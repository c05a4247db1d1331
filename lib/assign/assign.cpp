// Evaluates a tree whose leaves are bound, the one way that is chosen.
#include "bound_way.hpp"

#include "../base/extents.hpp"
#include "../fuse/fused_step.hpp"
#include "../move/vectors.hpp"
#include "../reduce/contiguous.hpp"

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

[[gnu::noinline]] void assign_chosen(const target_array& out, const leaf_array* leaves, int count, const program& code,
                                     const options& how) {
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

// Elements of a stage whose input, the results of the reduction x, is in the output's memory; other inputs are numbers.
[[gnu::noinline]] void finish_in_output(const target_array& out, const leaf_array* leaves, const leaf_array& x,
                                        const stage& only) {
  slot inputs[max_finished];
  for (int j = 0; j < only.input_count; ++j) {
    const leaf_array& from = leaves[only.inputs[j]];
    inputs[j] = &from == &x ? slot{out.data, -1} : slot{from.data, 0};
  }
  run_vectors(only, inputs, out.data, product(out.extents, out.rank), kernel_mode::any, static_cast<int>(active_isa()));
}

}  // namespace

// Before the loop of a small reduction there are as few calls and checks as may be: they take longer than the loop.
void assign(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how) {
  const leaf_array* x = reduced_to_output(out, leaves, count, code);
  const leaf_array* of = leaves;
  const stage* only = code.stages;
  if (x == nullptr) {
    if (const source* const let = let_in_output(out, leaves, count, code)) {
      of = let->leaves;
      only = let->code->stages;
      x = reduced_to_output(out, of, let->leaf_count, *let->code);
    }
    if (x == nullptr) return assign_chosen(out, leaves, count, code, how);
  }
  const source& s = *x->from;
  if (!reduce_leaves(s, s.leaves, out.data))
    return only->copies && of == leaves ? compute_in_output(out, s, how) : assign_chosen(out, leaves, count, code, how);
  if (s.repair != nullptr) repair_results(s, 0, product(s.extents, s.rank), out.data);
  if (!only->copies) finish_in_output(out, of, *x, *only);
}

}  // namespace broadloom::runtime
