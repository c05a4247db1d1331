// Reductions, run once or planned for many runs. A part of the program that should be hoisted is computed first.
#include "reduce.hpp"

#include "../plan/hoist.hpp"
#include "../plan/nest.hpp"
#include "contiguous.hpp"
#include "reducer.hpp"

namespace broadloom::runtime {

struct reduction_plan::state : reducer {
  using reducer::reducer;
};

reduction_plan::reduction_plan(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused)
    : state_(hoistable_stage(p) >= 0 ? nullptr : new state(p, reduced, op, fused)) {}
reduction_plan::~reduction_plan() { delete state_; }

void reduction_plan::operator()(const operand* operands, void* out) {
  state_->move(operands, out);
  state_->run();
}

bool reads_selected_rows(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused) {
  return reducer(p, reduced, op, fused).reads_selected_rows();
}

void reduce(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused) {
  if (reduce_contiguous(p, reduced, op, fused.rows)) return;
  if (const int s = hoistable_stage(p); s >= 0) {
    const hoisting h(p, s);
    execute(h.part());
    return reduce(h.rest(), reduced, op, {});
  }
  reducer(p, reduced, op, fused).run();
}

}  // namespace broadloom::runtime
