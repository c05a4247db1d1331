// Tiles of contractions for every processor.
#define BROADLOOM_LEVEL base
#define BROADLOOM_CONTRACTION_BYTES 16
#include "contraction_level.hpp"
