// Logarithms of doubles in two parts.
#pragma once

#include <cstdint>

#include "own_fits.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

// log(x) of normal numbers, to 2^-66: n log(2) + 2 atanh(s) for x = 2^n (1 + s) / (1 - s), by the series.
two_parts logarithm(two_parts x) {
  using vec = wide_floats;
  using value = vec::value;
  using lanes::times;
  constexpr double infinity = __builtin_inf();
  using bits = detail::simd_vec<std::uint64_t, vec::width>;
  using fits = fused_fits<double>;
  const auto of = [](double v) { return reinterpret_cast<bits>(vec::all(v)); };
  const bits moved = reinterpret_cast<bits>(x.high) + (of(1) - of(0.70710678118654752440)),
             scale = moved & of(infinity);
  const value n = reinterpret_cast<value>((moved >> 52) | of(0x1p52)) - vec::all(0x1p52 + 1023);
  const value m = reinterpret_cast<value>(reinterpret_cast<bits>(x.high) + (of(1) - scale));
  const value rest = times(x.low / x.high, m);
  const value less = m - vec::all(1);
  const two_parts more = two_parts::sum(m, vec::all(1));
  const value q = less / more.high;
  const two_parts back = two_parts::product(q, more.high);
  // The derivative of (m - 1) / (m + 1) is 2 / (m + 1)^2.
  const value inverse = vec::all(1) / more.high;
  const value s_low =
      times((less - back.high) - back.low - times(q, more.low) + times(times(rest, inverse), vec::all(2)), inverse);
  const two_parts square = two_parts::product(q, q), cube = two_parts::product(square.high, q);
  const value cube_low = cube.low + times(square.low, q) + times(times(square.high, s_low), vec::all(3));
  const two_parts third = two_parts::product(cube.high, vec::all(0.66666666666666663));
  const value third_low =
      third.low + times(cube_low, vec::all(0.66666666666666663)) + times(cube.high, vec::all(3.7007434154171886e-17));
  value series = vec::all(2.0 / 27);
  for (int k = 25; k >= 5; k -= 2) series = vec::multiply_add(series, square.high, vec::all(2.0 / k));
  series = times(times(cube.high, square.high), series);
  const two_parts first = two_parts::sum(times(n, vec::all(fits::ln_2)), q + q),
                  second = two_parts::sum(first.high, third.high);
  return two_parts::ordered_sum(
      second.high,
      second.low + (first.low + ((s_low + s_low) + (series + (third_low + times(n, vec::all(fits::ln_2_rest)))))));
}

}  // namespace
}  // namespace broadloom::runtime
