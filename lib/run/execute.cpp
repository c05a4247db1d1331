// Runs a bound problem: the steps of its plan, of which the last is one loop nest.
#include "../plan/steps.hpp"
#include "alias_copies.hpp"
#include "run.hpp"

namespace broadloom::runtime {

namespace {

struct executed_steps {
  void shared(int) const {}
  void hoisted(const hoisting& h) { plan_without_sharing(h.part(), *this); }
  void copied(const problem& p, const alias_decision& d) const {
    const alias_copies copies(p, d);
    copies.before();
    run(copies.inner());
    copies.after();
  }
  void run(const problem& p) const {
    const planned_nest x(p);
    runtime::run(x.loops, x.cutting, p.code, p.how);
  }
};

}  // namespace

void execute(const problem& p) {
  executed_steps steps;
  plan_steps(p, steps);
}

void execute_as_is(const problem& p) {
  const planned_nest x(p);
  run(x.loops, x.cutting, p.code, p.how);
}

}  // namespace broadloom::runtime
