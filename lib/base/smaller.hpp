// The smaller of two numbers of elements, without <algorithm>.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

constexpr index smaller(index a, index b) { return a < b ? a : b; }

}  // namespace broadloom::runtime
