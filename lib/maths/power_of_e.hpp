// Powers of e by exponents in two parts, as powers of 2 beside what is left of them.
#pragma once

#include <cstdint>

#include "own_fits.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

// e^x of the sum x of both parts as (1 + less) 2^n, where n is t less `rounder`.
struct power_of_e {
  static constexpr double rounder = 0x1.8p52;
  using vec = wide_floats;
  using value = vec::value;
  using bits = detail::simd_vec<std::uint64_t, vec::width>;
  value less, t;

  explicit power_of_e(two_parts x) {
    using fits = fused_fits<double>;
    t = lanes::times(x.high, vec::all(fits::log2_e)) + vec::all(rounder);
    const value n = t - vec::all(rounder);
    const value first = x.high - lanes::times(n, vec::all(fits::ln_2));  // exact
    const two_parts r = two_parts::sum(first, x.low - lanes::times(n, vec::all(fits::ln_2_rest)));
    less = r.high + vec::multiply_add(lanes::times(r.high, r.high), vec::polynomial(fits::power_fit, r.high), r.low);
  }
  // x 2^(n + more). In two steps, as powers of 2 may be subnormal or overflow where the result does not.
  value scale(value x, int more) const {
    const bits both = reinterpret_cast<bits>(t) -
                      (reinterpret_cast<bits>(vec::all(rounder)) - static_cast<std::uint64_t>(2 * 1023 + more)),
               half = both >> 1;
    return x * reinterpret_cast<value>(half << 52) * reinterpret_cast<value>((both - half) << 52);
  }
};

}  // namespace
}  // namespace broadloom::runtime
