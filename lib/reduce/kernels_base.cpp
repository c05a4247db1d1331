// Reduction loops for every processor.
#define BROADLOOM_VECTOR 16
#include "reduce_kernels.inc"

namespace broadloom::runtime {

constinit const kernel_table base_kernels = all_kernels();

}  // namespace broadloom::runtime
