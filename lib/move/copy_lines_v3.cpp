// Copies of contiguous lines in AVX2 registers.
#include <immintrin.h>

#include "copy_v3.hpp"

namespace broadloom::runtime {

std::size_t copy_lines_v3(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t group = 256;
  std::size_t i = 0;
  for (; i + group <= bytes; i += group) {
    __m256i x[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) x[k] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 32 * k));
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) _mm256_store_si256(reinterpret_cast<__m256i*>(to + i + 32 * k), x[k]);
  }
  return i;
}

}  // namespace broadloom::runtime
