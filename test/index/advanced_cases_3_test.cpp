// Index expressions of NumPy, part 3 of three.
#define ADVANCED_PART 2
#include "advanced_cases.hpp"
