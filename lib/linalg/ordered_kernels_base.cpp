// Products in a fixed order for every processor.
#define BROADLOOM_LEVEL base
#define BROADLOOM_ORDERED_BYTES 16
#include "ordered_kernels.hpp"
