// Reductions of a program's elements along axes. The order in which elements are combined depends on the reduced
// extents and the type alone:
//   the elements in row-major order of the reduced axes are cut into strips of 512;
//   in a strip, element i belongs to lane i modulo the lanes of 64 bytes, which are combined one after the other; then
//   lane k with lane k + half of the lanes, and so on; strips are combined in pairs, pairs in pairs, and what is left
//   over from the right to the left.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../plan/reduction.hpp"

namespace broadloom::runtime {

// Evaluates the program over p's extents and reduces it along the axes whose bits are set. The output is row-major over
// the other axes, whatever p.out_strides is, and overlaps no operand. Its type is the program's, or i64 for argmax and
// argmin. No axis is empty.
void reduce(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused);

// What that does, as a plan.
reduction_plan plan_of(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused);

// Whether such a reduction, of rows [i, j) of its result, too, reads operands' rows where their indices say that they
// are. Where it does not, no operand has any (`at`).
bool reads_selected_rows(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused);

}  // namespace broadloom::runtime
