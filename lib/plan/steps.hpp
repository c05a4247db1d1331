// The steps of a plan in their order: equal stages are shared, parts that lack an axis are hoisted, operands that
// overlap the output are copied, one loop nest is left.
#pragma once

#include "alias.hpp"
#include "blocks.hpp"
#include "hoist.hpp"
#include "sharing.hpp"

namespace broadloom::runtime {

// A problem as one nest over blocks, which have at least so many rows.
struct planned_nest {
  explicit planned_nest(const problem& p, bool often = false, index rows = 1)
      : loops(p), cutting(cut(loops, p.code, p.how, often)) {
    if (cutting.rows < rows) cutting.rows = rows;
  }
  nest loops;
  blocks cutting;
};

// Calls to.hoisted(h) and to.copied(p, decision) or to.run(p) for the steps behind sharing. execute() runs what it is
// given, explain() takes it down.
template <class Steps>
void plan_without_sharing(const problem& p, Steps& to) {
  if (const int s = p.code.stage_count > 1 ? hoistable_stage(p) : -1; s >= 0) {
    const hoisting h(p, s);
    to.hoisted(h);
    return plan_without_sharing(h.rest(), to);
  }
  const alias_decision aliases = decide_aliases(p);
  if (aliases.any())
    to.copied(p, aliases);
  else
    to.run(p);
}

// The same after to.shared(n), where n stages repeat earlier ones. Fewer than three stages repeat none: the last one
// writes the output.
template <class Steps>
void plan_steps(const problem& p, Steps& to) {
  if (p.code.stage_count < 3) return plan_without_sharing(p, to);
  const repetitions repeated(p);
  if (!repeated.any()) return plan_without_sharing(p, to);
  if (repeated.stages > 0) to.shared(repeated.stages);
  plan_without_sharing(sharing(p, repeated).shared(), to);
}

}  // namespace broadloom::runtime
