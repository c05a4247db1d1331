// The kernels of Fourier transforms for AVX2 and FMA.
#define BROADLOOM_LEVEL v3
#define BROADLOOM_LANE_BYTES 32
#include "fourier_level.hpp"
