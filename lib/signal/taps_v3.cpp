// The kernels of convolutions for AVX2 and FMA.
#define BROADLOOM_LEVEL v3
#define BROADLOOM_LANE_BYTES 32
#include "taps_level.hpp"
