// Reduction loops for every processor.
#define BROADLOOM_VECTOR 16
#include "reduce_kernels.inc"

namespace broadloom::runtime {

const reduce_kernels* base_kernels(reduction op, dtype t) { return find(op, t); }

}  // namespace broadloom::runtime
