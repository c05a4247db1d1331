// Sums of shifted rows times numbers: the inner loop of convolutions that are no products of matrices.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// out[i] = start + the sum over t < count of factors[t] * x[offsets[t] + i * step], i < n.
template <class T>
struct tap_kernels {
  void (*set)(T* out, index n, T start, const T* x, index step, const T* factors, const index* offsets, index count);
};
BROADLOOM_REAL_LEVELS(all, tap_kernels, taps)
// Integers are those without a sign: the bits are the same.
BROADLOOM_LEVELS_OF(all, tap_kernels, taps, std::uint8_t, u8)
BROADLOOM_LEVELS_OF(all, tap_kernels, taps, std::uint16_t, u16)
BROADLOOM_LEVELS_OF(all, tap_kernels, taps, std::uint32_t, u32)
BROADLOOM_LEVELS_OF(all, tap_kernels, taps, std::uint64_t, u64)

}  // namespace broadloom::runtime
