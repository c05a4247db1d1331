// Whether two elements are the same, bit by bit: 0.0 and -0.0 are not, NaNs of one sign and payload are.
#pragma once

#include <broadloom/core/dtype.hpp>

namespace broadloom::detail {

constexpr bool same_bits(float a, float b) {
  return __builtin_bit_cast(unsigned, a) == __builtin_bit_cast(unsigned, b);
}
constexpr bool same_bits(double a, double b) {
  return __builtin_bit_cast(unsigned long long, a) == __builtin_bit_cast(unsigned long long, b);
}
template <element T>
  requires requires(const T& x) { x == x; }
constexpr bool same_bits(const T& a, const T& b) {
  if constexpr (is_complex_type<T>)
    return same_bits(a.real(), b.real()) && same_bits(a.imag(), b.imag());
  else
    return a == b;
}

}  // namespace broadloom::detail
