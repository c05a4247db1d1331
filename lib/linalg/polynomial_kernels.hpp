// The inner loops of polynomials of real coefficients.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

template <class T>
struct polynomial_kernels {
  // x[i] = ((c[0] x[i] + c[1]) x[i] + ...) + c[n - 1], i < size. Products are rounded.
  void (*evaluate)(const T* c, index n, T* x, index size);
  index strip, vector;  // elements
  // to[i] (+)= the sum over t < count of factors[t * step] * x[i - t * step], for a strip, or a vector. Products are
  // rounded.
  void (*add_strip)(T* to, bool adds, const T* factors, index step, index count, const T* x);
  void (*add_vector)(T* to, bool adds, const T* factors, index step, index count, const T* x);
};
BROADLOOM_REAL_LEVELS(all, polynomial_kernels, polynomial_loops)
// Integers are those without a sign: the bits are the same.
BROADLOOM_LEVELS_OF(all, polynomial_kernels, polynomial_loops, std::uint8_t, u8)
BROADLOOM_LEVELS_OF(all, polynomial_kernels, polynomial_loops, std::uint16_t, u16)
BROADLOOM_LEVELS_OF(all, polynomial_kernels, polynomial_loops, std::uint32_t, u32)
BROADLOOM_LEVELS_OF(all, polynomial_kernels, polynomial_loops, std::uint64_t, u64)

}  // namespace broadloom::runtime
