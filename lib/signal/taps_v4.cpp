// The kernels of convolutions for AVX-512.
#define BROADLOOM_LEVEL v4
#define BROADLOOM_LANE_BYTES 64
#include "taps_level.hpp"
