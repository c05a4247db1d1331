// Distances for AVX-512.
#define BROADLOOM_LEVEL v4
#define BROADLOOM_DISTANCE_BYTES 64
#include "distance_kernels.hpp"
