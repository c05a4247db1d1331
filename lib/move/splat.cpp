// Chooses the level.
#include "splat.hpp"

#include <broadloom/core/isa.hpp>

#include "copy.hpp"

namespace broadloom::runtime {

void splat_vector(std::byte* to, const std::byte* from, int size) {
#if defined(__x86_64__)
  if (active_isa() >= isa::v4) return splat_v4(to, from, size, 1);
  if (active_isa() >= isa::v3) return splat_v3(to, from, size, 1);
#endif
  splat(to, from, size, 64 / size);
}

}  // namespace broadloom::runtime
