// Distances for AVX2.
#define BROADLOOM_LEVEL v3
#define BROADLOOM_DISTANCE_BYTES 32
#include "distance_kernels.hpp"
