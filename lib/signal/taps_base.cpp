// The kernels of convolutions for every processor.
#define BROADLOOM_LEVEL base
#define BROADLOOM_LANE_BYTES 16
#include "taps_level.hpp"
