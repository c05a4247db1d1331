// Correctly rounded square roots for constant expressions, by integers.
#pragma once

#include <cstdint>

#include <broadloom/core/wide.hpp>

namespace broadloom::detail {

constexpr double constexpr_sqrt(double x) {
  const auto u = __builtin_bit_cast(std::uint64_t, x);
  if (x != x || x == 0 || u == 0x7ff0000000000000u) return x;  // NaN, zeros, infinity
  if (x < 0) return __builtin_bit_cast(double, std::uint64_t{0x7ff8000000000000u});
  std::uint64_t m = u & 0xfffffffffffffu;
  int e = static_cast<int>(u >> 52);
  if (e == 0) {
    e = 1;
    while (m < (std::uint64_t{1} << 52)) {
      m <<= 1;
      --e;
    }
  } else
    m |= std::uint64_t{1} << 52;
  e -= 1075;  // x = m * 2^e
  int shift = 54;
  if (((e - shift) & 1) != 0) ++shift;
  const u128 n = static_cast<u128>(m) << shift;  // sqrt(n) has 54 bits
  u128 r = 0;
  for (int b = 54; b >= 0; --b) {
    const u128 t = r | (static_cast<u128>(1) << b);
    if (t * t <= n) r = t;
  }
  const bool inexact = r * r != n;
  int re = (e - shift) / 2;
  // round r * 2^re to 53 bits, ties to even; an inexact root lies above r
  const bool half = (r & 1) != 0;
  std::uint64_t q = static_cast<std::uint64_t>(r >> 1);
  if (half && (inexact || (q & 1) != 0)) ++q;
  re += 1;
  if (q == (std::uint64_t{1} << 53)) {
    q >>= 1;
    ++re;
  }
  return __builtin_bit_cast(double, (static_cast<std::uint64_t>(re + 1075) << 52) | (q & 0xfffffffffffffu));
}

// Rounding a double's root once more is harmless: 53 >= 2 * 24 + 2 bits.
constexpr float constexpr_sqrt(float x) { return static_cast<float>(constexpr_sqrt(static_cast<double>(x))); }

}  // namespace broadloom::detail
