// Running sums and products of a program's elements along one axis.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// Evaluates the program and replaces each element by what it makes, in order, of those before it along the axis whose
// bit is set (none: an array without axes). The output is row-major without gaps and overlaps no operand.
void scan(const problem& p, unsigned axis, reduction op);

}  // namespace broadloom::runtime
