// Running sums and products of a program's elements along one axis.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// Evaluates the program and replaces each element by the running sum or product up to it, along the axis whose bit is
// set (none: an array of rank 0). The output is contiguous and row-major, and overlaps no operand.
void scan(const problem& p, unsigned axis, reduction op);

}  // namespace broadloom::runtime
