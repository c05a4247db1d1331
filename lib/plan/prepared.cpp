// The form of a prepared assignment.
#include <broadloom/core/isa.hpp>
#include <broadloom/plan/prepared.hpp>

#include "../base/limits.hpp"
#include "bound.hpp"

namespace broadloom::runtime {

namespace {

using namespace limits::prepared;

constexpr int most = max_flat_inputs + 1;  // operands: the leaves, then the output

// Up to two loops, the inner one first.
struct loops {
  int count = 0;
  index extents[2] = {1, 1};
  index steps[2][most] = {};
};

// False where there are more.
bool find_loops(const target_array& out, const leaf_array* all, int operands, loops& to) {
  small_array<index, 4 * most> strides(static_cast<std::size_t>(operands * out.rank));
  for (int k = 0; k < operands; ++k) bind_strides(all[k], strides.data() + k * out.rank, out.rank);
  for (int i = out.rank - 1; i >= 0; --i) {
    const index extent = out.extents[i];
    if (extent == 1) continue;
    bool continues = to.count > 0;
    for (int k = 0; k < operands && continues; ++k)
      continues = strides[k * out.rank + i] == to.steps[to.count - 1][k] * to.extents[to.count - 1];
    if (continues) {
      to.extents[to.count - 1] *= extent;
      continue;
    }
    if (to.count == 2) return false;
    to.extents[to.count] = extent;
    for (int k = 0; k < operands; ++k) to.steps[to.count][k] = strides[k * out.rank + i];
    ++to.count;
  }
  if (to.count == 0)  // one element
    for (index& step : to.steps[0]) step = 1;
  return true;
}

// Leaves may be the output, element for element, but overlap it in no other way.
bool may_be_in_turn(const leaf_array* all, int count, const loops& l, bool& apart) {
  std::uintptr_t low, high, from, to;
  memory_of(all[count], low, high);
  apart = true;
  for (int k = 0; k < count; ++k) {
    memory_of(all[k], from, to);
    if (from >= high || low >= to) continue;
    if (all[k].data != all[count].data || size_of(all[k].type) != size_of(all[count].type) ||
        l.steps[0][k] != l.steps[0][count] || l.steps[1][k] != l.steps[1][count])
      return false;
    apart = false;
  }
  return true;
}

}  // namespace

prepared_plan plan_prepared(const target_array& out, const leaf_array* leaves, int count, const program& code,
                            int lanes, slot* inputs, index* across) {
  prepared_plan plan{prepared_form::assigned, true, nullptr, 0, 0, 0};
  leaf_array all[most];
  for (int k = 0; k < count; ++k) {
    all[k] = leaves[k];
    inputs[k] = {leaves[k].data, 0};
    across[k] = 0;
  }
  all[count] = as_leaf(out);
  loops l;
  if (!find_loops(out, all, count + 1, l)) return plan;
  const index n = l.extents[0] * l.extents[1];
  if (n == 0 || n > max_elements || l.steps[0][count] != 1 || !may_be_in_turn(all, count, l, plan.apart)) return plan;
  bool in_line = l.count < 2;
  for (int k = 0; k < count; ++k) {
    if (leaves[k].is_scalar) continue;
    const index step = l.steps[0][k];
    if (step != 0 && step != 1) return plan;
    in_line = in_line && step == 1;
    inputs[k].advance = -step;
    across[k] = l.steps[1][k] * size_of(leaves[k].type);
  }
  plan.rows = l.extents[1];
  plan.columns = l.extents[0];
  plan.across = l.steps[1][count];
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
