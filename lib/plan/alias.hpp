// Aliasing: operands that overlap the output without coinciding with it are read from copies, so that the result is
// what a copy of every operand would have given.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/small_array.hpp"

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

// Copies elements by their size, with strides in elements.
void copy_array(dtype type, const void* from, const index* from_strides, void* to, const index* to_strides, index rank,
                const index* extents, const options& how);

alias_decision decide_aliases(const problem& p);

// Evaluates with the temporaries the decision asks for.
void execute_without_aliases(const problem& p, const alias_decision& d);

}  // namespace broadloom::runtime
