// Functions of `fast`: of floats, within 4 units of the last place (docs/accuracy.md has the figures), in half to three
// quarters of the time of `accurate`. A value depends on its argument alone.
#pragma once

#include "own_numbers.hpp"
#include "own_tables.hpp"

namespace broadloom::runtime {

template <class Pack>
struct quick_functions : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::bits, typename numbers::fits;

  // For |x| up to fused_trigonometric's limit: x - n pi, then a polynomial.
  static value sin(value x) {
    const value t = multiply_add(x, all(1 / fits::pi), all(rounder)), n = t - all(rounder);
    return of_rest(rest(x, n), as_bits(t) << 31);
  }
  // The same of x + pi / 2.
  static value cos(value x) {
    const value t = multiply_add(x, all(1 / fits::pi), all(-0.5)) + all(rounder), k = t - all(rounder);
    return of_rest(rest(x, k + all(0.5)), (as_bits(t) + 1u) << 31);
  }

  // By a polynomial for each of 26 intervals: of 1/8 up to 1, of 1/4 up to 3, of 1/2 up to 7, of 1 up to 9.
  static value tanh(value x) {
    const interval v(numbers::at_most(9, numbers::abs(x)));
    return signed_like(x, v.polynomial(quick_tables::tanh_parts));
  }

  // e^(-x^2) times erfc(x) e^(x^2), which is a polynomial for each interval.
  static value erfc(value x) {
    const value a = numbers::at_most(10.5, numbers::abs(x)), square = a * a, off = multiply_add(a, a, -square);
    const value t = multiply_add(square, all(-fits::log2_e), all(rounder)), n = t - all(rounder);
    const value r = multiply_add(n, all(-fits::ln_2_rest), multiply_add(n, all(-fits::ln_2), -square)) - off;
    const value p = multiply_add(r, multiply_add(r, numbers::polynomial(fits::power_fit, r), all(1)), all(1));
    const value of_size = numbers::scaled(p * interval(a).polynomial(quick_tables::erfc_parts), t, n);
    return x < all(0) ? all(2) - of_size : of_size;
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::signed_like,
      numbers::rounder;

  static value rest(value x, value n) {
    const value high = multiply_add(n, all(-pi_first), x);  // exact
    return multiply_add(n, all(-pi_third), multiply_add(n, all(-pi_second), high));
  }
  // sin(r), of the sign of r, or of the other if the sign bit is set.
  static value of_rest(value r, bits sign) {
    const value u = r * r, size = multiply_add(r * u, numbers::polynomial(half_turn_fit, u), r);
    return signed_like(as_value(as_bits(r) ^ sign), size);
  }

  // The interval of a >= 0: a + 1 from 1 to 16 in eighths of its power of 2. The polynomials are of the distance from
  // its beginning, and stay in registers.
  struct interval {
    value number, r;
    explicit interval(value a) {
      const bits moved = as_bits(a + all(1));
      number = as_value(moved >> 20);
      r = a - (as_value(moved & 0xfff00000u) - all(1));
    }
    value polynomial(const float (&c)[6][32]) const {
      value p = Pack::from_table(c[5], number);
#pragma GCC unroll 5
      for (int k = 4; k >= 0; --k) p = multiply_add(p, r, Pack::from_table(c[k], number));
      return p;
    }
  };

  // Parts of pi that are all positive: then x - n pi is -0 for -0.
  static constexpr float pi_first = 3.1415925F, pi_second = 1.50995788e-07F, pi_third = 1.07806051e-14F;
  // (sin(r) / r - 1) / r^2 by r^2 for |r| up to pi / 2, to 2^-27; so that no result is beyond 1, and that of pi / 2
  // is 1.
  static constexpr float half_turn_fit[] = {-0.166666597F, 0.00833306555F, -0.000198094975F, 2.60537649e-06F};
};

// Powers of floats, computed in doubles. Doubles has exponent_of(x), n of x = 2^n m with 1 <= m < 2, -inf for 0 and inf
// for infinity, mantissa(x), m, 1 for 0 and infinity, and tables of 16 doubles by the low four bits of a lane.
template <class Floats, class Doubles>
struct quick_powers : private fused_numbers<Doubles> {
  using numbers = fused_numbers<Doubles>;
  using of_floats = fused_numbers<Floats>;
  using value = typename Floats::value;
  using wide = typename Doubles::value;

  static value pow(value x, value y) {
    const value a = Floats::abs(x);
    const value size = Doubles::rounded(of_size(Doubles::low_half(a), Doubles::low_half(y)),
                                        of_size(Doubles::high_half(a), Doubles::high_half(y)));
    const value sign = of_floats::signed_like(x, Floats::splat(1));
    if (Floats::less(sign, Floats::splat(0)) == 0) [[likely]]
      return size;
    // Of negative numbers: whole exponents only, of which odd ones keep the sign. From 2^24 on all floats are even.
    const value b = of_floats::at_most(0x1p24, Floats::abs(y)), half = b * Floats::splat(0.5F);
    const value of_whole = whole_part(half) == half ? size : sign * size;
    const value of_finite = a < Floats::splat(__builtin_inff()) ? of_floats::not_a_number() : size;
    const value of_others = a == Floats::splat(0) ? size : of_finite;
    const value of_negative = whole_part(b) == b ? of_whole : of_others;
    return sign < Floats::splat(0) ? of_negative : size;
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::rounder;

  static value whole_part(value b) {
    const value large = Floats::splat(0x1p23F);
    return b < large ? (b + large) - large : b;
  }

  // a^y for a >= 0.
  static wide of_size(wide a, wide y) {
    const wide m = Doubles::mantissa(a), number = as_value(as_bits(m) >> 48);
    const wide z = multiply_add(m, Doubles::from_table(reciprocals, number), all(-1));
    const wide whole = Doubles::exponent_of(a) + Doubles::from_table(logarithms, number);
    const wide logarithm = multiply_add(z, numbers::in_turn(log2_fit, z), whole);
    const wide product = logarithm == all(0) ? logarithm : logarithm * y;  // of 1 it is 0, whatever y is
    const wide t = product + all(rounder), n = t - all(rounder);
    const wide r = numbers::rest_within(product - n, 0.5);
    return numbers::scaled(multiply_add(r, numbers::in_turn(power_of_2_fit, r), all(1)), t, n);
  }

  // 1 / c and log2(c) for c in the middle of each sixteenth from 1 to 2, but 1 in the first and 2 in the last one:
  // there the logarithms of numbers near 1 have no error but that of the polynomial.
  alignas(64) static constexpr double reciprocals[] = {1.0,
                                                       0.91428571428571426,
                                                       0.86486486486486491,
                                                       0.82051282051282048,
                                                       0.78048780487804881,
                                                       0.7441860465116279,
                                                       0.71111111111111114,
                                                       0.68085106382978722,
                                                       0.65306122448979587,
                                                       0.62745098039215685,
                                                       0.60377358490566035,
                                                       0.58181818181818179,
                                                       0.56140350877192979,
                                                       0.5423728813559322,
                                                       0.52459016393442626,
                                                       0.5};
  alignas(64) static constexpr double logarithms[] = {0.0,
                                                      0.12928301694496649,
                                                      0.2094533656289497,
                                                      0.28540221886224837,
                                                      0.35755200461808362,
                                                      0.42626475470209796,
                                                      0.49185309632967467,
                                                      0.55458885167763738,
                                                      0.61470984411520835,
                                                      0.67242534197149562,
                                                      0.7279204545631992,
                                                      0.78135971352465972,
                                                      0.83289001416474173,
                                                      0.88264304936184124,
                                                      0.93073733756288624,
                                                      1.0};
  // log2(1 + z) / z for z from -1/31 to 1/16, to 2^-34.
  static constexpr double log2_fit[] = {1.4426950408652126, -0.72134751203080794, 0.48089852345038464,
                                        -0.360699570282422, 0.28855559766495609,  -0.22321110445561534};
  // (2^r - 1) / r for |r| up to 1/2, to 2^-23.3 of 2^r.
  static constexpr double power_of_2_fit[] = {0.69314697759743771, 0.24022242092012772, 0.055507337843514207,
                                              0.0096715124472852281, 0.0013264711521381296};
};

}  // namespace broadloom::runtime
