// Evaluates a tree whose leaves are bound, the one way that is chosen.
#include "bound_way.hpp"

#include <broadloom/core/isa.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "../base/limits.hpp"
#include "../fuse/barrier_schedule.hpp"
#include "../move/vectors.hpp"
#include "../plan/blocks.hpp"
#include "../plan/bound.hpp"

namespace broadloom::runtime {

namespace {

// Few elements of one loop over vectors and ramps that its kernel counts, without a plan: planning would be most of the
// time. It is what the plan would do.
[[gnu::noinline]] bool assign_counted(const target_array& out, const leaf_array* leaves, int count,
                                      const program& code) {
  const stage& only = code.stages[0];
  if (out.rank != 1 || (out.strides != nullptr && out.strides[0] != 1) || code.stage_count != 1 ||
      only.input_count != count || count > max_flat_inputs)
    return false;
  const index n = out.extents[0], bytes = n * size_of(out.type);
  if (n > limits::unplanned::max_unplanned) return false;
  slot inputs[max_flat_inputs], spare_slots[max_flat_inputs];
  for (int j = 0; j < count; ++j) {
    const leaf_array& x = leaves[only.inputs[j]];
    if (x.is_scalar) {
      inputs[j] = {x.data, 0};
      continue;
    }
    if (x.rank != 1 || x.extents[0] != n || (x.strides != nullptr && x.strides[0] != 1)) return false;
    if (x.from != nullptr) {
      if (!takes_ramps(only, x.type) || !counts_exactly(x.type, x.offset, n)) return false;
      inputs[j] = {moved(nullptr, x.offset * size_of(x.type)), ramp_advance};
      continue;
    }
    const auto from = reinterpret_cast<std::uintptr_t>(x.data), to = reinterpret_cast<std::uintptr_t>(out.data);
    const bool apart = from + static_cast<std::uintptr_t>(n * size_of(x.type)) <= to ||
                       to + static_cast<std::uintptr_t>(bytes) <= from;
    if (!apart && (from != to || size_of(x.type) != size_of(out.type))) return false;
    inputs[j] = {x.data, -1};
  }
  alignas(16) std::byte spare[spare_bytes(max_flat_inputs)];
  const kernel_mode mode = only.function == dense_ramps ? kernel_mode::dense : kernel_mode::any;
  run_vectors(only, inputs, out.data, n, mode, static_cast<int>(active_isa()), spare_slots, spare);
  return true;
}

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
[[gnu::noinline]] void assign_with_ramps(const target_array& out, const leaf_array* leaves, int count,
                                         const program& code, const options& how) {
  if (!assign_counted(out, leaves, count, code)) assign_planned(out, leaves, count, code, how);
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
    case bound_way::with_ramps: assign_with_ramps(out, leaves, count, code, how); break;
    case bound_way::barrier_in_output: assign_barrier(out, *leaves[0].from, how); break;
    case bound_way::barriers:
      if (!assign_small_barriers(out, leaves, count, code, how)) assign_with_barriers(out, leaves, count, code, how);
      break;
  }
}

}  // namespace broadloom::runtime
