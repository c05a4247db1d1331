// Reduction loops for processors with AVX2.
#define BROADLOOM_VECTOR 32
#include "reduce_kernels.inc"

namespace broadloom::runtime {

constinit const kernel_table v3_kernels = all_kernels();

}  // namespace broadloom::runtime
