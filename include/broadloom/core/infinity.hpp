// inf and nan: infinity and not-a-number, by NumPy's names.
#pragma once

#include <broadloom/core/compiler.hpp>

namespace broadloom {

// Beside an array they are numbers, so x + inf has the type of a floating x; full<float>(shape, inf) is of float.
inline constexpr double inf = __builtin_inf();
inline constexpr double nan = __builtin_nan("");

}  // namespace broadloom
