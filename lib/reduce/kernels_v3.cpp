// Reduction loops for processors with AVX2.
#define BROADLOOM_VECTOR 32
#include "reduce_kernels.inc"

namespace broadloom::runtime {

const reduce_kernels* v3_kernels(reduction op, dtype t) { return find(op, t); }

}  // namespace broadloom::runtime
