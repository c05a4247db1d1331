// The smaller of two numbers of elements, without <algorithm>, and division that rounds up.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

constexpr index smaller(index a, index b) { return a < b ? a : b; }
constexpr index divide_up(index a, index b) { return (a + b - 1) / b; }
constexpr index round_up(index n, index to) { return divide_up(n, to) * to; }

}  // namespace broadloom::runtime
