// Reductions. A part of the program that should be hoisted is computed first.
#include "reduce.hpp"

#include "../plan/hoist.hpp"
#include "../plan/nest.hpp"
#include "contiguous.hpp"
#include "reducer.hpp"

namespace broadloom::runtime {

bool reads_selected_rows(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused) {
  return reducer(p, reduced, op, fused).reads_selected_rows();
}

reduction_plan plan_of(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused) {
  if (reduction_plan x; reduce_contiguous(p, reduced, op, fused.rows, &x)) return x;
  const int s = hoistable_stage(p);
  return s >= 0 ? plan_of(hoisting(p, s).rest(), reduced, op, {}) : reducer(p, reduced, op, fused).plan();
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
