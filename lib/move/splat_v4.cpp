// Splats in AVX-512 registers.
#include "splat.hpp"

namespace broadloom::runtime {

void splat_v4(std::byte* to, const std::byte* from, int size, index count) {
  detail::splat_to<64>(to, from, size, count);
}

}  // namespace broadloom::runtime
