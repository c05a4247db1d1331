// Exponentials and hyperbolic functions, computed in the argument's own precision.
#pragma once

#include "own_numbers.hpp"

namespace broadloom::runtime {

template <class Pack>
struct fused_exponential : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::whole, typename numbers::fits;

  static value exp(value x) {
    return numbers::power_by_range(x, either(87, 708), either(-104, -746), &exp_of<true>, &exp_of<false>);
  }
  static value exp2(value x) {
    return numbers::power_by_range(x, either(126, 1022), either(-150, -1076), &exp2_of<true>, &exp2_of<false>);
  }
  static value exp10(value x) {
    return numbers::power_by_range(x, either(37, 307), either(-46, -325), &exp10_of<true>, &exp10_of<false>);
  }

  static value expm1(value x) { return numbers::by_range(x, either(18, 40), &expm1_of<true>, &expm1_of<false>); }
  static value sinh(value x) { return numbers::by_range(x, either(42, 353), &sinh_of<true>, &sinh_of<false>); }
  static value cosh(value x) { return numbers::by_range(x, either(42, 353), &cosh_of<true>, &cosh_of<false>); }

  static value tanh(value x) {
    const value a = numbers::at_most(either(9.5, 20), numbers::abs(x)), u = a * a;
    const value near_0 = multiply_add(u * a, numbers::in_turn(fits::tanh_fit, u), a);
    // 1 - 2 / (e^2a + 1) with more than 2^-24 of e^2a + 1.
    const remainder v(a + a);
    const value power = multiply_add(v.r, multiply_add(v.r, numbers::in_turn(fits::power_fit, v.r), all(1)), all(1));
    const value far = all(1) - all(2) / (scaled_normal(power, v.t) + all(1));
    return signed_like(x, a >= all(1) ? far : near_0);  // NaN is only near 0
  }

 private:
  using numbers::as_bits, numbers::as_value, numbers::f64, numbers::either, numbers::all, numbers::multiply_add,
      numbers::scaled, numbers::scaled_normal, numbers::integer, numbers::power_of_2, numbers::rounder,
      numbers::at_most, numbers::between, numbers::signed_like, numbers::argument_within, numbers::rest_within;
  template <int N>
  static value polynomial(const typename numbers::element (&c)[N], value x) {
    return numbers::polynomial(c, x);
  }

  // e^x = 2^n e^r with |r| <= ln(2) / 2. `Normal`: it is known to be a normal number; else it is 0 or infinite beyond
  // the limits.
  template <bool Normal>
  static value exp_of(value x) {
    const value v = Normal ? x : argument_within(either(-104, -746), x, either(89, 710));
    const value t = multiply_add(v, all(fits::log2_e), all(rounder)), n = t - all(rounder);
    const value r = rest_within(multiply_add(n, all(-fits::ln_2_rest), multiply_add(n, all(-fits::ln_2), v)), 0.375);
    const value p = multiply_add(r, multiply_add(r, polynomial(fits::power_fit, r), all(1)), all(1));
    return Normal ? scaled_normal(p, t) : scaled(p, t, n);
  }
  template <bool Normal>
  static value exp2_of(value x) {
    const value v = Normal ? x : argument_within(either(-150, -1076), x, either(129, 1025));
    const value t = v + all(rounder), n = t - all(rounder), r = rest_within(v - n, 0.5);
    value p;
    if constexpr (f64)
      p = power(r, fits::ln_2_full, fits::ln_2_full_rest);
    else
      p = multiply_add(r, polynomial(fits::power_of_2_fit, r), all(1));
    return Normal ? scaled_normal(p, t) : scaled(p, t, n);
  }
  template <bool Normal>
  static value exp10_of(value x) {
    const value v = Normal ? x : argument_within(either(-46, -325), x, either(39, 310));
    const value t = multiply_add(v, all(fits::log2_10), all(rounder)), n = t - all(rounder);
    const value r =
        rest_within(multiply_add(n, all(-fits::log10_2_rest), multiply_add(n, all(-fits::log10_2), v)), 0.1875);
    const value p = power(r, fits::ln_10, fits::ln_10_rest);
    return Normal ? scaled_normal(p, t) : scaled(p, t, n);
  }

  template <bool Normal>
  static value expm1_of(value x) {
    // 2^n ((1 - 2^-n) + (e^r - 1)): the rounding error of the first sum is added to the small terms.
    const remainder v(Normal ? x : between(either(-18, -40), x, either(89, 710)));
    const value inverse = power_of_2(-integer(Normal ? v.t : at_most(rounder + 64, v.t)));
    const value high = all(1) - inverse, sum = high + v.r;
    const value off = ((high - sum) + v.r) + (((all(1) - high) - inverse) + v.rest);
    const value p = sum + square_and_more(v.r, off);
    return signed_like(x, Normal ? scaled_normal(p, v.t) : scaled(p, v.t, v.n));
  }
  // 2^n (differences cosh(r) + sums sinh(r)), and the other way round: what the first two terms of that are rounded by
  // is added to the small ones.
  template <bool Normal>
  static value sinh_of(value x) {
    const halves<Normal> v(numbers::abs(x));
    const value rest = multiply_add(v.sums_rest, v.r - all(1), v.sums * v.low);
    return signed_like(x, v.of_terms(v.differences, v.sums, rest));
  }
  template <bool Normal>
  static value cosh_of(value x) {
    const halves<Normal> v(numbers::abs(x));
    const value rest = multiply_add(v.sums_rest, all(1) - v.r, v.differences * v.low);
    return v.of_terms(v.sums, v.differences, rest);
  }

  // e^r - 1 - r + off.
  static value square_and_more(value r, value off) {
    if constexpr (f64) {
      const value half = r * all(0.5), square = r * half, rest = multiply_add(r, half, -square);
      return square + multiply_add(square * r, polynomial(fits::power_less_1_fit, r), rest + off);
    } else {
      return multiply_add(r * r, polynomial(fits::power_less_1_fit, r), off);
    }
  }

  // c^r, where ln(c) is given in two parts, for |r ln(c)| up to ln(2) / 2.
  static value power(value r, double ln_c, double ln_c_rest) {
    const value s = r * all(ln_c), rest = multiply_add(r, all(ln_c_rest), multiply_add(r, all(ln_c), -s));
    const value sum = all(1) + s, off = (all(1) - sum) + s;
    return sum + multiply_add(s * s, polynomial(fits::power_fit, s), rest + off);
  }

  // n, the integer nearest to x / ln(2), and x - n ln(2) as high + low.
  struct remainder {
    value t, n, r, rest;
    explicit remainder(value x) {
      t = multiply_add(x, all(fits::log2_e), all(rounder));
      n = t - all(rounder);
      const value high = multiply_add(n, all(-fits::ln_2), x);  // exact
      r = multiply_add(n, all(-fits::ln_2_rest), high);
      rest = multiply_add(n, all(-fits::ln_2_rest), high - r);
    }
  };
  // Of a >= 0: r = high + low, what is left of a and n ln(2), and of e^a and e^-a, divided by 2^n: (1 + 4^-n) / 2 and
  // (1 - 4^-n) / 2, which both have the rounding error of the first, once with the other sign.
  template <bool Normal>
  struct halves {
    value t, n, high, low, r, sums, sums_rest, differences;
    explicit halves(value size) {
      const value a = Normal ? size : numbers::at_most(either(91, 712), size);
      t = multiply_add(a, all(fits::log2_e), all(rounder));
      n = t - all(rounder);
      high = multiply_add(n, all(-fits::ln_2), a);  // exact
      low = n * all(-fits::ln_2_rest);
      r = high + low;
      const value low_n = Normal ? t : at_most(rounder + either(62, 510), t);
      const value small = as_value(as_bits(all(0.5)) - (as_bits(low_n) << (numbers::bits_of_fraction + 1)));
      sums = all(0.5) + small;
      sums_rest = (all(0.5) - sums) + small;
      differences = all(1) - sums;
    }
    // 2^n (of_cosine cosh(r) + of_sine sinh(r) + rest)
    value of_terms(value of_cosine, value of_sine, value rest) const {
      const value sum = multiply_add(of_sine, high, of_cosine), square = r * r;
      const value off = multiply_add(of_sine, high, of_cosine - sum) + rest;
      const value sine = multiply_add(of_sine * (square * r), polynomial(fits::sinh_fit, square), off);
      const value p = sum + multiply_add(of_cosine * square, polynomial(fits::cosh_fit, square), sine);
      return Normal ? scaled_normal(p, t) : scaled(p, t, n);
    }
  };
};

}  // namespace broadloom::runtime
