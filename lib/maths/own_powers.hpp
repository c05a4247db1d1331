// Powers of doubles, with tables of 16 entries.
#pragma once

#include "own_logarithm_tables.hpp"
#include "own_logarithms.hpp"
#include "own_numbers.hpp"

namespace broadloom::runtime {

// 2^(k / 16).
alignas(64) inline constexpr table_of_sums sixteenths{
    {1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916, 1.189207115002721, 1.241857812073484,
     1.2968395546510096, 1.3542555469368927, 1.4142135623730951, 1.4768261459394993, 1.5422108254079407,
     1.6104903319492543, 1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474},
    {0.0, 8.551889705537965e-17, -3.046782079812471e-17, 8.912812676025408e-17, 3.982015231465646e-17,
     4.658027591836937e-17, 2.5382502794888315e-17, 7.70094837980299e-17, -9.667293313452913e-17,
     -3.483994556892796e-17, 7.949834809697621e-17, 2.4707192569797888e-17, 8.199010020581497e-17,
     2.960140695448873e-17, 3.283107224245627e-17, -1.0619946056195963e-16}};

// Quick: with an error of the logarithm up to 2^-61 of it, 1.9 units of the largest powers, instead of 2^-68.
template <class Pack, bool Quick>
struct tabled_powers : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::fits;

  // Rest computes powers of 0, of subnormal numbers, of what is not finite, and to what is not.
  template <auto Rest>
  static value pow(value x, value y) {
    constexpr unsigned every = (1u << Pack::width) - 1;
    const value infinity = all(numbers::infinity), a = Pack::abs(x), b = Pack::abs(y);
    const value size = of_positive(a, y);
    const unsigned finite = Pack::less(b, infinity);
    if ((normal(x) & finite) == every) [[likely]]
      return size;
    // Of negative numbers: whole exponents only, of which odd ones keep the sign. From 2^53 on all numbers are even.
    const value most = numbers::at_most(0x1p53, b), half = most * all(0.5);
    const value of_whole = whole_part(half) == half ? size : -size;
    const value of_negative = whole_part(most) == most ? of_whole : numbers::not_a_number();
    const value of_usual = x < all(0) ? of_negative : size;
    if ((normal(a) & finite) == every) return of_usual;
    // By lanes: no element depends on its neighbours.
    const value others = Rest(x, y);
    const value of_finite = a < infinity && b < infinity ? of_usual : others;
    return a < all(0x1p-1022) ? others : of_finite;
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::rounder;

  // The lanes that are positive normal numbers.
  static unsigned normal(value x) {
    if constexpr (requires { Pack::not_normal(x); })
      return ((1u << Pack::width) - 1) & ~Pack::not_normal(x);
    else
      return Pack::less(all(0x1p-1022 - 0x1p-1074), x) & Pack::less(x, all(numbers::infinity));
  }
  static value within(value x, double limit) {
    if constexpr (requires { Pack::smaller_in_size(x, x); })
      return Pack::smaller_in_size(x, all(limit));
    else
      return numbers::between(-limit, x, limit);
  }
  // p 2^n for the whole part n of sixteenths, where t is n + rounder / 16: in two steps, of which the first one is
  // exact.
  static value scaled(value p, value t) {
    const auto both = (as_bits(t) - (as_bits(all(rounder / 16)) - 32 * numbers::bias)) >> 4, half = both >> 1;
    return p * as_value(half << 52) * as_value((both - half) << 52);
  }
  static value whole_part(value b) {
    const value large = all(0x1p52);
    return b < large ? (b + large) - large : b;
  }

  struct sum {
    value high, low;
  };
  // a + b for |a| >= |b| or a = 0, exactly.
  static sum add(value a, value b) {
    const value high = a + b;
    return {high, b - (high - a)};
  }

  // log(x) of normal numbers.
  [[gnu::always_inline]] static inline sum logarithm(value x) {
    const tabled_parts<Pack, ln_table> v(x);
    const value r = v.r(), whole = multiply_add(v.n, all(ln_table.high[15]), v.high);
    const value rest = multiply_add(v.n, all(ln_table.low[15]), v.low);
    const value square = r * r, square_rest = multiply_add(r, r, -square), cube = square * r;
    const sum first = add(whole, r), second = add(first.high, all(-0.5) * square);
    const value small = multiply_add(square_rest, all(-0.5), rest + first.low) + second.low;
    const value p = numbers::by_halves(log_fit, r, square), q = multiply_add(r, p, all(third));
    if constexpr (Quick) {
      return add(second.high, multiply_add(cube, q, small));
    } else {
      // r^3 q in twice the bits.
      const value cube_rest = multiply_add(square_rest, r, multiply_add(square, r, -cube));
      const value q_rest = multiply_add(r, p, all(third) - q) + all(third_rest), part = cube * q;
      const value part_rest = multiply_add(cube, q_rest, multiply_add(cube_rest, q, multiply_add(cube, q, -part)));
      const sum last = add(second.high, part);
      return add(last.high, small + (last.low + part_rest));
    }
  }

  [[gnu::always_inline]] static inline value of_positive(value x, value y) {
    const sum l = logarithm(x);
    // Beyond the limit the result is 0 or infinity.
    constexpr double limit = 1100, start = rounder / 16;
    const value product = l.high * y, v = within(product, limit);
    const value exact_rest = multiply_add(l.low, y, multiply_add(l.high, y, -product));
    const value v_rest = Pack::abs(product) < all(limit) ? exact_rest : all(0);
    const value t = multiply_add(v, all(fits::log2_e), all(start)), n = t - all(start);
    value power, power_rest;
    if constexpr (requires { Pack::from_table(sixteenths.high, t); }) {
      power = Pack::from_table(sixteenths.high, t);
      power_rest = Pack::from_table(sixteenths.low, t);
    } else {
      numbers::pairs_from_table(sixteenths.pairs, t, power, power_rest);
    }
    const value r = multiply_add(n, all(-fits::ln_2), v) + multiply_add(n, all(-fits::ln_2_rest), v_rest);
    const value square = r * r, less_1 = multiply_add(square, numbers::by_halves(power_fit, r, square), r);
    const value p = Quick ? multiply_add(power, less_1, power) : power + multiply_add(power, less_1, power_rest);
    if constexpr (requires { Pack::scaled(p, n); })
      return Pack::scaled(p, n);
    else
      return scaled(p, t);
  }

  static constexpr double third = 1.0 / 3, third_rest = 1.850371707708594e-17;
  // ((log(1 + r) - r + r^2 / 2) / r^3 - 1/3) / r for r from -1/26.5 to 1/16, to 2^-68 of the logarithm.
  static constexpr double log_fit[] = {
      -0.2499999999999997, 0.19999999999999754, -0.1666666666681042, 0.14285714287623746,  -0.12499999772073221,
      0.11111106901346968, -0.1000013771088522, 0.0909442181801959,  -0.08316622465631016, 0.06710368006079902};
  // (e^r - 1 - r) / r^2 for |r| up to ln(2) / 32, to 2^-64.
  static constexpr double power_fit[] = {0.5000000000000006,   0.16666666666666624,  0.04166666666031399,
                                         0.008333333335914917, 0.001388911743167978, 0.00019840999756851158};
};

}  // namespace broadloom::runtime
