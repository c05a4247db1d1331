// Evaluations of few elements with broadcast or strided operands: planning would take longer than they do.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"

namespace broadloom::runtime {

// Evaluates a program over few elements and up to four axes. Operands that are not row-major with the output's extents
// are first materialized on the stack, and so is the result where the output is not row-major. False, and nothing done,
// where they do not fit, and for ramps, which are computed strip by strip.
bool run_on_stack(const target_array& out, const leaf_array* leaves, int count, const program& code,
                  const options& how);
// The same decision, and nothing done. `materialized` gets a bit for each leaf that would be.
bool runs_on_stack(const target_array& out, const leaf_array* leaves, int count, const program& code,
                   const options& how, unsigned& materialized);

using limits::unplanned::max_materialized;

}  // namespace broadloom::runtime
