// Index expressions of NumPy, part 2 of three.
#define ADVANCED_PART 1
#include "advanced_cases.hpp"
