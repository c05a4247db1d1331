// Integer arithmetic of formulas: division, bits, and powers here. Everything wraps.
#pragma once

#include <broadloom/fn/integer_bits.hpp>
#include <broadloom/fn/integer_division.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::lanes {

#define BROADLOOM_LANES [[gnu::always_inline]] constexpr

// x to the power y for integers, wrapping; a negative power of anything but 1 and -1 is 0.
template <whole V>
BROADLOOM_LANES V power(const V& base, const V& exponent) {
  constexpr bool is_signed = lane<V>(-1) < lane<V>(0);
  V r = each<V>(1), b = base, e = exponent;
  if constexpr (is_signed) e = select(less(exponent, V{}), V{}, exponent);  // whose upper bits would take all steps
  for (unsigned i = 0; i < 8 * sizeof(lane<V>) - is_signed; ++i) {
    if (!any_bit(e)) break;
    r = select(unequal(as<V>(static_cast<bits<V>>(as<bits<V>>(e) & bits<V>(each<bits<V>>(1)))), V{}), times(r, b), r);
    b = times(b, b);
    e = as<V>(static_cast<bits<V>>(as<bits<V>>(e) >> 1));
  }
  if constexpr (is_signed) {
    const V odd = as<V>(static_cast<bits<V>>(as<bits<V>>(exponent) & bits<V>(each<bits<V>>(1))));
    const V of_minus_one = select(equal(odd, V{}), each<V>(1), each<V>(-1));
    const V inverse = select(equal(base, each<V>(1)), each<V>(1), select(equal(base, each<V>(-1)), of_minus_one, V{}));
    r = select(less(exponent, V{}), inverse, r);
  }
  return r;
}

#undef BROADLOOM_LANES

}  // namespace broadloom::lanes

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
