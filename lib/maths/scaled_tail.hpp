// The tail of the normal distribution without its power of e, in two parts.
#pragma once

#include "normal_fits.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

// erfc(a / sqrt(2)) e^(a^2 / 2) for a >= 0.
two_parts scaled_tail(two_parts::value a) {
  using vec = wide_floats;
  using value = vec::value;
  using lanes::times;
  constexpr double shift = 4;
  const two_parts sum = two_parts::sum(a, vec::all(shift));
  const value by = vec::all(1) / sum.high, quotient = times(a, by), x = quotient - vec::all(0.5);
  const two_parts back = two_parts::product(quotient, sum.high);
  const value off = times((a - back.high) - back.low - times(quotient, sum.low), by) + (quotient - (x + vec::all(0.5)));
  two_parts t = two_parts::polynomial(tail_fit, tail_fit_rests, x);
  t.low = vec::multiply_add(off, vec::polynomial(tail_slope, x), t.low);
  const value r = times(t.high, by);
  const two_parts of_r = two_parts::product(r, sum.high);
  return {r, times((t.high - of_r.high) - of_r.low - times(r, sum.low) + t.low, by)};
}

}  // namespace
}  // namespace broadloom::runtime
