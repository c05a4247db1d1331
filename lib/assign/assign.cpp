// The door for bound leaves: one route is chosen and run.
#include "bound_route.hpp"

#include <broadloom/core/isa.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "../base/limits.hpp"
#include "../move/vectors.hpp"
#include "../plan/blocks.hpp"
#include "../plan/bound.hpp"

namespace broadloom::runtime {

namespace {

// Few elements of one loop over vectors and ramps that its kernel counts, without a plan: planning would be most of the
// time. It is what the plan would do.
bool assign_counted(const target_array& out, const leaf_array* leaves, int count, const program& code) {
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
  run_vectors(only, inputs, out.data, n, kernel_mode::any, static_cast<int>(active_isa()), spare_slots, spare);
  took(route::flat);
  return true;
}

}  // namespace

void assign(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how) {
  switch (const route r = choose_bound(out, leaves, count, code)) {
    case route::no_elements: return took(r);
    case route::barrier_in_output: return compute_in_output(out, *leaves[0].from, how);
    case route::barriers_on_stack:
      if (!assign_small_barriers(out, leaves, count, code, how)) assign_with_barriers(out, leaves, count, code, how);
      return;
    case route::with_ramps:
      if (assign_counted(out, leaves, count, code)) return;
      return execute(bound_problem(out, leaves, count, code, how).problem);
    default:
      if (!run_on_stack(out, leaves, count, code, how)) execute(bound_problem(out, leaves, count, code, how).problem);
  }
}

}  // namespace broadloom::runtime
