// Sums of numbers times vectors, for loops that are written for the width of a level.
#pragma once

#include <cstdint>

#include "vectors.hpp"

namespace broadloom::runtime {

// The lanes of a vector of so many bytes, each start + the sum of factor * x. Floats as the compiler contracts them.
template <class T, int Bytes>
struct product_sums {
  using V = vec<T, Bytes>;
  static constexpr index lanes = Bytes / static_cast<index>(sizeof(T));
  V sum;

  [[gnu::always_inline]] void start(T x) { sum = V{} + x; }
  [[gnu::always_inline]] void load(const T* from) { __builtin_memcpy(&sum, from, sizeof sum); }
  [[gnu::always_inline]] void add(T factor, const T* from) {
    V x;
    __builtin_memcpy(&x, from, sizeof x);
    sum += factor * x;
  }
  [[gnu::always_inline]] void add_to_all(T x) { sum = sum + x; }
  [[gnu::always_inline]] void store(T* to) const { __builtin_memcpy(to, &sum, sizeof sum); }
};
// Bytes in pairs, as processors multiply no bytes: the lower one of a product of 16 bits is that of the lower ones, and
// the upper one that of the upper ones where the lower one is 0.
template <int Bytes>
  requires(Bytes % 2 == 0)
struct product_sums<std::uint8_t, Bytes> {
  using V = vec<std::uint16_t, Bytes>;
  static constexpr index lanes = Bytes;
  static constexpr std::uint16_t low = 0xff, high = 0xff00;
  V lower, upper;

  [[gnu::always_inline]] void start(std::uint8_t x) {
    lower = V{} + static_cast<std::uint16_t>(x);
    upper = lower << 8;
  }
  [[gnu::always_inline]] void load(const std::uint8_t* from) {
    __builtin_memcpy(&lower, from, sizeof lower);
    upper = lower & high;
  }
  [[gnu::always_inline]] void add(std::uint8_t factor, const std::uint8_t* from) {
    const std::uint16_t f = factor;
    V x;
    __builtin_memcpy(&x, from, sizeof x);
    lower += x * f;
    upper += (x & high) * f;
  }
  [[gnu::always_inline]] void add_to_all(std::uint8_t x) {
    lower += x;
    upper += static_cast<std::uint16_t>(x << 8);
  }
  [[gnu::always_inline]] void store(std::uint8_t* to) const {
    const V all = (lower & low) | upper;
    __builtin_memcpy(to, &all, sizeof all);
  }
};

}  // namespace broadloom::runtime
