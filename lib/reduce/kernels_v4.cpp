// Reduction loops for processors with AVX-512.
#define BROADLOOM_VECTOR 64
#include "reduce_kernels.inc"

namespace broadloom::runtime {

const reduce_kernels* v4_kernels(reduction op, dtype t) { return find(op, t); }

}  // namespace broadloom::runtime
