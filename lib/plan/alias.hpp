// The alias decision: which operands overlap the output without coinciding with it, and so must be copied before the
// output is written.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

struct alias_decision {
  index copied_bytes = 0;     // of operands that are copied first
  bool result_first = false;  // the result goes to a temporary of its own size instead
  bool found = false;
  bool any() const { return found; }
};

// True when operand k may not be read while the output is being written.
bool conflicts(const problem& p, int k);

// True when operand k is, element for element, the output's memory.
bool coincides(const problem& p, int k);

// Bytes of the operand's own elements: broadcast axes count once.
index own_bytes(const problem& p, const operand& x);

alias_decision decide_aliases(const problem& p);

}  // namespace broadloom::runtime
