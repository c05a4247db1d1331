// The alias decision: operands that overlap the output without coinciding with it must be copied before the output is
// written.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

struct alias_decision {
  index copied_bytes = 0;     // of operands that are copied first
  bool result_first = false;  // the result is written to a temporary instead, which is smaller
  bool found = false;
  bool any() const { return found; }
};

// True if operand k may not be read while the output is written.
bool conflicts(const problem& p, int k);

// True if operand k is the output's memory, element for element.
bool coincides(const problem& p, int k);

// Bytes of the operand's own elements: broadcast axes count once.
index own_bytes(const problem& p, const operand& x);

alias_decision decide_aliases(const problem& p);

}  // namespace broadloom::runtime
