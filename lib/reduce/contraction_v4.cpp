// Tiles of contractions for AVX-512.
#define BROADLOOM_LEVEL v4
#define BROADLOOM_CONTRACTION_BYTES 64
#include "contraction_level.hpp"
