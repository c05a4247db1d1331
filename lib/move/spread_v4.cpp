// Elements spread over AVX-512 registers.
#include "spread.hpp"

namespace broadloom::runtime {

void spread_v4(std::byte* to, const std::byte* from, int size, index count) {
  detail::spread_to<64>(to, from, size, count);
}

}  // namespace broadloom::runtime
