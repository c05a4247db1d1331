// Tiles of contractions for AVX2.
#define BROADLOOM_LEVEL v3
#define BROADLOOM_CONTRACTION_BYTES 32
#include "contraction_level.hpp"
