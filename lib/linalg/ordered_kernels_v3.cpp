// Products in a fixed order for AVX2.
#define BROADLOOM_LEVEL v3
#define BROADLOOM_ORDERED_BYTES 32
#include "ordered_kernels.hpp"
