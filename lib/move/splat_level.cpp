// Splats in the registers of AVX2 or AVX-512.
#include "../base/level.hpp"
#include "splat.hpp"

#if BROADLOOM_LEVEL_BYTES > 16
namespace broadloom::runtime {

void BROADLOOM_OF_LEVEL(splat)(std::byte* to, const std::byte* from, int size, index count) {
  detail::splat_to<BROADLOOM_LEVEL_BYTES>(to, from, size, count);
}

}  // namespace broadloom::runtime
#endif
