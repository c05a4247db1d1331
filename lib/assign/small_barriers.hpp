// Few elements with reductions or `let` among them: each source is computed whole, one after the other, into memory on
// the stack. Planning which of them go by rows would take longer than all they do.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// False, and nothing done, where something is not small, or is no program.
bool assign_small_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                           const options& how);

}  // namespace broadloom::runtime
