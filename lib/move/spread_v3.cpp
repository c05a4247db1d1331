// Elements spread over AVX2 registers.
#include "spread.hpp"

namespace broadloom::runtime {

void spread_v3(std::byte* to, const std::byte* from, int size, index count) {
  detail::spread_to<32>(to, from, size, count);
}

}  // namespace broadloom::runtime
