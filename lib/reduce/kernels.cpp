// The choice of a level.
#include "kernels.hpp"

namespace broadloom::runtime {

const reduce_kernels* find_kernels(reduction op, dtype t, isa level) {
#if defined(__x86_64__)
  if (level == isa::v4) return v4_kernels(op, t);
  if (level == isa::v3) return v3_kernels(op, t);
#else
  static_cast<void>(level);
#endif
  return base_kernels(op, t);
}

}  // namespace broadloom::runtime
