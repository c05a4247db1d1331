// The form of a prepared assignment.
#include <broadloom/core/isa.hpp>
#include <broadloom/plan/prepared.hpp>

#include "../base/limits.hpp"
#include "alias.hpp"
#include "bound.hpp"

namespace broadloom::runtime {

using namespace limits::prepared;

prepared_plan plan_prepared(const target_array& out, const leaf_array* leaves, int count, const program& code,
                            int lanes, slot* inputs, index* across) {
  prepared_plan plan{prepared_form::assigned, true, nullptr, 0, 0, 0};
  const bound_problem bound(out, leaves, count, code, {});
  const problem& p = bound.problem;
  for (int k = 0; k < count; ++k) {
    inputs[k] = {leaves[k].data, 0};
    across[k] = 0;
    plan.apart = plan.apart && !coincides(p, k);
  }
  const nest loops(p, false);
  const int rank = loops.rank;
  const index n = loops.size(), out_size = size_of(out.type);
  // Bytes from element to element, and from row to row.
  const auto along = [&](int k) { return rank == 0 ? loops.list[k].size : loops.stride(k, rank - 1); };
  const auto down = [&](int k) { return rank < 2 ? 0 : loops.stride(k, 0); };
  if (rank > 2 || n == 0 || n > max_elements || along(count) != out_size || decide_aliases(p).any()) return plan;
  bool in_line = rank < 2;
  for (int k = 0; k < count; ++k) {
    if (leaves[k].is_scalar) continue;
    const index step = along(k);
    if (step != 0 && step != size_of(leaves[k].type)) return plan;
    in_line = in_line && step != 0;
    inputs[k].advance = step == 0 ? 0 : -1;
    across[k] = down(k);
  }
  plan.columns = rank == 0 ? 1 : loops.extents[rank - 1];
  plan.rows = n / plan.columns;
  plan.across = down(count) / out_size;
  if (!in_line) {
    if (n <= max_elements_of_rows && (plan.columns >= lanes || n <= max_single)) plan.form = prepared_form::rows;
    return plan;
  }
  plan.form = prepared_form::line;
  const kernel& only = *code.stages[0].code;
  const auto level = static_cast<int>(active_isa());
  const index wide = only.lanes[level];
  const bool takes_all = n % wide == 0 || (level > 0 && only.overlaps && plan.apart && n >= wide);
  if (takes_all && wide > lanes && n >= vectors_in_line * lanes) {
    plan.form = prepared_form::kernel;
    plan.run = only.run[level];
  }
  return plan;
}

}  // namespace broadloom::runtime
