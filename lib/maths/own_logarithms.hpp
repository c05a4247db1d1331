// log*, asinh, acosh and atanh, computed in the argument's own precision.
#pragma once

#include "own_logarithm_tables.hpp"
#include "own_numbers.hpp"

namespace broadloom::runtime {

// n such that x = 2^n (1 + f) with 1 + f from sqrt(1/2) to sqrt(2), for positive normal x: as a number, and as the
// difference between the bits of 2^n and of 1.
template <class Pack>
struct exponent_of : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::bits;
  value n;
  bits shift;
  explicit exponent_of(value x) {
    constexpr double large = numbers::either(0x1p23, 0x1p52), root_half = 0.70710677;
    const bits moved = as_bits(x) + (as_bits(all(1)) - as_bits(all(root_half)));
    n = as_value((moved >> numbers::bits_of_fraction) | as_bits(all(large))) - all(large + numbers::bias);
    shift = (moved & as_bits(all(numbers::infinity))) - as_bits(all(1));
  }
  // x 2^-n
  value removed_from(value x) const { return as_value(as_bits(x) - shift); }

 private:
  using numbers::all, numbers::as_bits, numbers::as_value;
};

// x = 2^n (1 + r) c for positive normal doubles x, with 1 / c and a logarithm of c, as high + low, out of a table; r is
// exact, from -1/26.9 to 1/16. c is 1 for x from 31/32 to 17/16.
template <class Pack, const logarithm_table& Table>
struct tabled_parts : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::bits;
  value n, m, over_c, high, low;
  explicit tabled_parts(value x) {
    if constexpr (numbers::has_exponents) {
      m = Pack::mantissa(x);
      n = Pack::exponent(x);
    } else {
      const bits of_fraction = as_bits(x) & 0xfffffffffffffu;
      m = as_value(of_fraction | as_bits(all(1)));
      n = as_value((as_bits(x) >> 52) | as_bits(all(0x1p52))) - all(0x1p52 + 1023);
    }
    const value number = as_value(as_bits(x) >> 48);
    if constexpr (requires { Pack::from_table(Table.high, number); }) {
      over_c = Pack::from_table(runtime::over_c, number);
      high = Pack::from_table(Table.high, number);
      low = Pack::from_table(Table.low, number);
    } else {
      value both;
      numbers::pairs_from_table(Table.pairs, number, both, high);
      over_c = as_value(as_bits(both) & 0xfffffc0000000000u);
      low = (both - over_c) * all(0x1p-29);
    }
  }
  value r() const { return numbers::multiply_add(m, over_c, all(-1)); }

 private:
  using numbers::all, numbers::as_bits, numbers::as_value;
};

template <class Pack>
struct fused_logarithms : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::bits, typename numbers::fits;
  using exponent = exponent_of<Pack>;

  // log, log2 and log10 of positive normal numbers; SLEEF computes the others.
  static value log(value x) {
    if constexpr (f64) {
      const parts v(x);
      return of_tabled(v, v.n, v.r());
    } else {
      const exponent e(x);
      const value f = e.removed_from(x) - all(1);
      // n ln(2) is exact but for its low part; the rounding error of the sum with f is added to the small terms.
      const value large = e.n * all(fits::ln_2), sum = large + f;
      const value tail = multiply_add(f * f, multiply_add(f, polynomial(fits::logarithm_fit, f), all(-0.5)),
                                      multiply_add(e.n, all(fits::ln_2_rest), f - (sum - large)));
      return sum + tail;
    }
  }
  static value log2(value x) {
    if constexpr (f64)
      return in_tabled_base<log2_table>(x, fits::log2_e, fits::log2_e_rest, tabled_log2_fit);
    else
      return in_base(x, 1, 0, fits::log2_e, fits::log2_e_rest, fits::log2_fit);
  }
  static value log10(value x) {
    if constexpr (f64)
      return in_tabled_base<log10_table>(x, fits::log10_e, fits::log10_e_rest, tabled_log10_fit);
    else
      return in_base(x, fits::log10_2, fits::log10_2_rest, fits::log10_e, fits::log10_e_rest, fits::log10_fit);
  }

  static value log1p(value x) {
    value r;
    if constexpr (f64) {
      // The sum with 1 and what it lacks.
      const value y = x + all(1), more = numbers::at_least(1, x), less = numbers::at_most(1, x);
      const parts v(y);
      const value factor =
          v.over_c * as_value(as_bits(all(1)) + as_bits(all(1)) - (as_bits(y) & as_bits(all(infinity))));
      const value part = v.r(), rest = (less - (y - more)) * factor;
      r = signed_like(x, of_tabled(v, v.n, part, multiply_add(-rest, part, rest)));
      if (numbers::all_between(-1, x, infinity)) [[likely]]
        return r;
    } else
      r = of_1_plus(x, all(0), all(0));
    const value of_inside = x < all(infinity) ? r : x;
    const value of_others = x == all(-1) ? all(-infinity) : numbers::not_a_number();
    const value of_domain = numbers::abs(x) < all(either(0x1p-26, 0x1p-55)) ? x : of_inside;
    return x > all(-1) ? of_domain : of_others;
  }

  static value asinh(value x) {
    const value a = numbers::abs(x), u = a * a;
    const value near_0 = multiply_add(u * a, polynomial(fits::area_sine_fit, u), a);
    // a + sqrt(a^2 + 1) as high + low; 2 a if the 1 is negligible.
    const value square = multiply_add(a, a, all(1)), rest = multiply_add(a, a, all(1) - square);
    const value r = numbers::sqrt(square);
    const value r_rest = (multiply_add(-r, r, square) + rest) * (all(0.5) * numbers::rough_reciprocal(r));
    const value sum = r + a, sum_rest = (r - sum) + a + r_rest;
    const auto is_large = a > all(either(0x1p30, 0x1p60));
    const value far = of_pair(is_large ? a * all(either(0x1p-32, 0x1p-64)) : sum, is_large ? all(0) : sum_rest,
                              is_large ? all(either(33, 65)) : all(0));
    const value of_finite = a < all(infinity) ? far : a;
    return signed_like(x, a < all(0.625) ? near_0 : of_finite);
  }
  static value acosh(value x) {
    // t + sqrt(t^2 + 2t) with t = x - 1, as high + low.
    const value t = x - all(1), square = multiply_add(t, t, t + t), rest = multiply_add(t, t, (t + t) - square);
    const value r = numbers::sqrt(square);
    const value r_rest = (multiply_add(-r, r, square) + rest) * (all(0.5) * numbers::rough_reciprocal(r));
    const value sum = r + t, sum_rest = (r - sum) + t + r_rest;
    const auto is_large = x > all(either(0x1p30, 0x1p60));
    const value least = is_large ? x : sum, low = is_large ? all(0) : sum_rest, more = is_large ? all(1) : all(0);
    value r_all;
    if constexpr (f64) {
      const parts_of_1_plus v(least, low);
      r_all = of_tabled(v.of_sum, v.of_sum.n + more, v.r, v.low);
    } else
      r_all = of_1_plus(least, low, more);
    const value of_finite = x < all(infinity) ? r_all : x;
    return x >= all(1) ? of_finite : numbers::not_a_number();
  }
  static value atanh(value x) {
    const value a = numbers::abs(x);
    if constexpr (f64) {
      // Half of the logarithm of 1 + t with t = 2 a / (1 - a); 1 / (1 - a) is 1 + t / 2.
      const value twice = a + a, below = all(1) - a, below_rest = (all(1) - below) - a, t = twice / below;
      const value lack = multiply_add(-t, below_rest, multiply_add(-t, below, twice));
      const parts_of_1_plus v(t, lack * multiply_add(t, all(0.5), all(1)));
      const value of_any = all(0.5) * of_tabled(v.of_sum, v.of_sum.n, v.r, v.low);
      const value of_inside = a < all(0x1p-30) ? a : of_any;
      if (numbers::all_between(-1, x, 1)) [[likely]]
        return signed_like(x, of_inside);
      const value of_others = a == all(1) ? all(infinity) : numbers::not_a_number();
      return signed_like(x, a < all(1) ? of_inside : of_others);
    } else {
      const value u = a * a;
      const value near_0 = multiply_add(u * a, polynomial(fits::area_tangent_fit, u), a);
      // Half of the logarithm of (1 + a) / (1 - a) = 2^n (1 + f).
      const value below = all(1) - a;
      const value q = (all(1) + a) / below;
      const exponent e(q);
      const value scale = e.removed_from(all(1));
      // From (1 + a) 2^-n - (1 - a), whose rounding error is added, too.
      const value above = multiply_add(a, scale, scale - below), off = multiply_add(a, scale, (scale - below) - above);
      const value f = above / below, f_rest = (multiply_add(-f, below, above) + off) * numbers::rough_reciprocal(below);
      const value far = all(0.5) * of_parts(e.n, f, f_rest);
      const value of_inside = a < all(0.5) ? near_0 : far;
      const value of_others = a == all(1) ? all(infinity) : numbers::not_a_number();
      return signed_like(x, a < all(1) ? of_inside : of_others);
    }
  }

 private:
  using numbers::f64, numbers::either, numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value,
      numbers::signed_like, numbers::infinity;
  template <int N>
  static value polynomial(const typename numbers::element (&c)[N], value x) {
    return numbers::polynomial(c, x);
  }

  using parts = tabled_parts<Pack, ln_table>;
  // Of doubles: n ln(2) + ln(c) + ln(1 + r), and terms that are small beside r.
  template <class... Rest>
  static value of_tabled(const parts& v, value n, value r, Rest... rest) {
    const value large = multiply_add(n, all(ln_table.high[15]), v.high);
    const value sum = large + r, square = r * r;
    const value low = (multiply_add(n, all(ln_table.low[15]), v.low) + ... + rest);
    const value small = low + (r - (sum - large));
    return sum + multiply_add(square, numbers::by_halves(tabled_ln_fit, r, square), small);
  }

  // Of doubles: 1 + x + rest = 2^n c (1 + r + low) for x >= 0 of which a quarter is normal, or 0.
  struct parts_of_1_plus {
    parts of_sum;
    value r, low;
    explicit parts_of_1_plus(value x, value rest) : of_sum(x + all(1)) {
      // Four times 2^-n, which may be subnormal itself.
      const bits exponent = as_bits(x + all(1)) & as_bits(all(infinity));
      const value scale = as_value(as_bits(all(4)) + as_bits(all(1)) - exponent);
      const value moved = (x * all(0.25)) * scale, factor = (of_sum.over_c * all(0.25)) * scale;
      // Exact, but for the low part of the product.
      const value product = moved * of_sum.over_c;
      r = product + (factor - all(1));
      low = multiply_add(rest, factor, multiply_add(moved, of_sum.over_c, -product));
    }
  };

  // The logarithm of doubles in a base, given that of e as high + low.
  template <const logarithm_table& Table, int N>
  static value in_tabled_base(value x, double of_e, double of_e_rest, const double (&c)[N]) {
    const tabled_parts<Pack, Table> v(x);
    const value r = v.r(), square = r * r, high = r * all(of_e);
    const value large = multiply_add(v.n, all(Table.high[15]), v.high), sum = large + high;
    const value low = multiply_add(r, all(of_e_rest), multiply_add(r, all(of_e), -high));
    const value of_c = Table.low[15] == 0 ? v.low : multiply_add(v.n, all(Table.low[15]), v.low);
    const value small = (of_c + low) + (high - (sum - large));
    return sum + multiply_add(square, numbers::by_halves(c, r, square), small);
  }

  // The logarithm of a base, from its values at 2 and e, each as high + low; n times the high part at 2 is exact.
  template <int N>
  static value in_base(value x, double of_2, double of_2_rest, double of_e, double of_e_rest,
                       const typename numbers::element (&c)[N]) {
    const exponent e(x);
    const value f = e.removed_from(x) - all(1), high = f * all(of_e), low = multiply_add(f, all(of_e), -high);
    const value large = e.n * all(of_2), sum = large + high;
    const value small = multiply_add(f, all(of_e_rest), low) + multiply_add(e.n, all(of_2_rest), high - (sum - large));
    return sum + multiply_add(f * f, polynomial(c, f), small);
  }

  // n ln(2) + ln(1 + f + rest), where rest is small beside f.
  static value of_parts(value n, value f, value rest) {
    const value large = n * all(fits::ln_2), sum = large + f;
    const value small = multiply_add(n, all(fits::ln_2_rest), f - (sum - large)) + multiply_add(-rest, f, rest);
    return sum + multiply_add(f * f, multiply_add(f, polynomial(fits::logarithm_fit, f), all(-0.5)), small);
  }
  // ln((x + rest) 2^more) for normal x.
  static value of_pair(value x, value rest, value more) {
    if constexpr (f64) {
      const parts v(x);
      const value scale = as_value(as_bits(all(1)) + as_bits(all(1)) - (as_bits(x) & as_bits(all(infinity))));
      return of_tabled(v, v.n + more, v.r(), rest * (scale * v.over_c));
    } else {
      const exponent e(x);
      return of_parts(e.n + more, e.removed_from(x) - all(1), rest * e.removed_from(all(1)));
    }
  }
  // ln((1 + x + rest) 2^more) for finite x > -1 of which a quarter is normal; accurate relative to x, too.
  static value of_1_plus(value x, value rest, value more) {
    const exponent e(x + all(1));
    // Four times the scale, which may be subnormal itself.
    const value scale = e.removed_from(all(4)), moved = (x * all(0.25)) * scale;
    const value start = multiply_add(scale, all(0.25), all(-1));
    const value f = moved + start, off = moved - (f - start);
    return of_parts(e.n + more, f, multiply_add(rest * all(0.25), scale, off));
  }
};

}  // namespace broadloom::runtime
