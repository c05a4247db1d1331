// Distances for every processor.
#define BROADLOOM_LEVEL base
#define BROADLOOM_DISTANCE_BYTES 16
#include "distance_kernels.hpp"
