// Included before all else by GCC 11, which has no __builtin_shufflevector: lane by lane.
#pragma once

#include <broadloom/core/lane_types.hpp>

#define __builtin_shufflevector(A, B, ...) broadloom::detail::shuffled<__VA_ARGS__>(A, B)
