// Chooses the level.
#include "splat.hpp"

#include <broadloom/core/isa.hpp>

#include "copy.hpp"

namespace broadloom::runtime {

void splat_vectors(std::byte* to, const std::byte* from, int size, index count) {
#if defined(__x86_64__)
  if (active_isa() >= isa::v4) return splat_v4(to, from, size, count);
#endif
  for (index k = 0; k < count; ++k) splat(to + k * 64, from + k * size, size, 64 / size);
}

}  // namespace broadloom::runtime
