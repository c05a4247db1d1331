// Evaluates a tree whose leaves are bound, the one way that is chosen.
#include "bound_way.hpp"

#include "../base/extents.hpp"
#include "../fuse/fused_step.hpp"
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

// Whether the leaf is a reduction to results with the output's extents, both row-major, which is the whole tree and
// reads nothing of the output: what fits_in_output() finds, asked in one loop.
inline bool is_reduced_to(const target_array& out, const leaf_array& x, const program& code) {
  const source& s = *x.from;
  if (s.how == reduction::none || s.type != out.type || code.stage_count != 1 || !code.stages[0].copies ||
      x.offset != 0 || x.strides != nullptr || out.strides != nullptr || x.rank != out.rank || s.rank != out.rank)
    return false;
  index n = 1, differ = 0;
  for (int i = 0; i < out.rank; ++i) {
    const index own = out.extents[i];
    n *= own;
    differ |= (own ^ x.extents[i]) | (own ^ s.extents[i]);
  }
  const auto low = reinterpret_cast<std::uintptr_t>(out.data);
  const std::uintptr_t high = low + static_cast<std::uintptr_t>(n * size_of(out.type));
  for (int k = 0; k < s.leaf_count; ++k)
    if (s.leaves[k].from != nullptr || may_overlap(s.leaves[k], low, high)) return false;
  return n != 0 && differ == 0;
}

}  // namespace

// Before the loop of a small reduction there are as few calls and checks as may be: they take longer than the loop.
void assign(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how) {
  if (count != 1 || leaves[0].from == nullptr || !is_reduced_to(out, leaves[0], code))
    return assign_chosen(out, leaves, count, code, how);
  const source& s = *leaves[0].from;
  if (!reduce_leaves(s, s.leaves, out.data)) return compute_in_output(out, s, how);
  if (s.repair != nullptr) repair_results(s, 0, product(s.extents, s.rank), out.data);
}

}  // namespace broadloom::runtime
