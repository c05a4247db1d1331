// Index expressions of NumPy, part 1 of three.
// Build: unoptimised, clang-alone
#define ADVANCED_PART 0
#include "advanced_cases.hpp"
