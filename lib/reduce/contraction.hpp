// Runs a contraction by tiles.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../plan/reduction.hpp"

namespace broadloom::runtime {

// The sums over all pairs, f32 or f64, to a result that is row-major over the axes that are left. The bits are those of
// reduce(), except that under `fast` a product and its addition are rounded once.
void run_contraction(const contraction& c, const operand* operands, void* out, dtype type, accuracy maths,
                     const reduction_plan& plan);

}  // namespace broadloom::runtime
