// Reduction loops for processors with AVX-512.
#define BROADLOOM_VECTOR 64
#include "reduce_kernels.inc"

namespace broadloom::runtime {

constinit const kernel_table v4_kernels = all_kernels();

}  // namespace broadloom::runtime
