// Kernels of ramps: elements that are computed from their position, a vector at a time.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// to[i] = first + i * step. Integers modulo 2^n, by the bytes of an element: 1, 2, 4, 8. Floating numbers are exact
// before they are rounded: of f32 where all are within 32 bits, of f64 within 53.
struct ramp_kernels {
  void (*integers[4])(void* to, index n, std::uint64_t first, std::uint64_t step);
  void (*f32)(float* to, index n, index first, index step);
  void (*f64)(double* to, index n, index first, index step);
};
BROADLOOM_LEVELS(all, ramp_kernels, ramp_table)

}  // namespace broadloom::runtime
