// Products in a fixed order for AVX-512.
#define BROADLOOM_LEVEL v4
#define BROADLOOM_ORDERED_BYTES 64
#include "ordered_kernels.hpp"
