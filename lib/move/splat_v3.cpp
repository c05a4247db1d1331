// Splats in AVX2 registers.
#include "splat.hpp"

namespace broadloom::runtime {

void splat_v3(std::byte* to, const std::byte* from, int size, index count) {
  detail::splat_to<32>(to, from, size, count);
}

}  // namespace broadloom::runtime
