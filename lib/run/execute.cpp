// Evaluates a bound problem: shared stages, hoisted stages and aliases are dealt with first, then one nest is run.
#include "../plan/hoist.hpp"
#include "../plan/sharing.hpp"
#include "execute_without_aliases.hpp"
#include "run.hpp"

namespace broadloom::runtime {

void execute(const problem& p) {
  if (repeated_stages(p) > 0) return execute(sharing(p).shared());
  if (const int s = hoistable_stage(p); s >= 0) {
    const hoisting h(p, s);
    execute(h.part());
    return execute(h.rest());
  }
  const alias_decision aliases = decide_aliases(p);
  if (aliases.any()) return execute_without_aliases(p, aliases);
  execute_as_is(p);
}

void execute_as_is(const problem& p) {
  nest n(p);
  drop_unit_axes(n);
  order(n);
  coalesce(n);
  const blocks b = cut(n, p.code, p.how);
  run(n, b, p.code, p.how);
}

}  // namespace broadloom::runtime
