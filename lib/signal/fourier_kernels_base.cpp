// The kernels of Fourier transforms for every processor.
#define BROADLOOM_LEVEL base
#define BROADLOOM_LANE_BYTES 16
#include "fourier_level.hpp"
