// Index expressions of NumPy, part 1 of three.
#define ADVANCED_PART 0
#include "advanced_cases.hpp"
