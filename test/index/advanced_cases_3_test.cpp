// Index expressions of NumPy, part 3 of three.
// Build: unoptimised, clang-alone
#define ADVANCED_PART 2
#include "advanced_cases.hpp"
