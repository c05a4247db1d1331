// Index expressions of NumPy, part 2 of three.
// Build: unoptimised, clang-alone
#define ADVANCED_PART 1
#include "advanced_cases.hpp"
