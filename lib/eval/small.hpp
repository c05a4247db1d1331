// Small evaluations with broadcast or strided operands: planning would take longer than they do.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// Evaluates a program over few elements, up to four axes and a row-major output. Operands that do not lie as the
// output does are first written out in full on the stack. False, and nothing done, where that does not serve.
bool assign_small(const target_array& out, const leaf_array* leaves, int count, const program& code,
                  const options& how);

}  // namespace broadloom::runtime
