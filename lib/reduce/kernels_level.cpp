// The reduction loops of one instruction-set level.
#include "../base/level.hpp"
#define BROADLOOM_VECTOR BROADLOOM_LEVEL_BYTES
#include "reduce_kernels.inc"

namespace broadloom::runtime {

constinit const kernel_table BROADLOOM_OF_LEVEL(reduce_tables) = all_kernels();

}  // namespace broadloom::runtime
