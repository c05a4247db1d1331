// The building blocks of our own functions, for floats and doubles.
#pragma once

#include <broadloom/core/maths.hpp>

#include "../base/vectors.hpp"
#include "own_fits.hpp"

namespace broadloom::runtime {

inline unsigned word_of(float) { return 0; }
inline unsigned long long word_of(double) { return 0; }
inline int integer_of(float) { return 0; }
inline long long integer_of(double) { return 0; }

// Sixteen sums of two doubles, high + low, apart and in pairs.
struct table_of_sums {
  double high[16], low[16], pairs[32];
  consteval table_of_sums(const double (&given)[16], const double (&rest)[16]) : high{}, low{}, pairs{} {
    for (int k = 0; k < 16; ++k) {
      high[k] = pairs[2 * k] = given[k];
      low[k] = pairs[2 * k + 1] = rest[k];
    }
  }
};

// Pack is a pack of a level with FMA, as lane_checks.hpp describes it, with multiply_add and sqrt. scaled(x, n) is x
// 2^n for an integer n; smaller(a, b) is a < b ? a : b; larger(a, b) likewise; smaller_in_size(a, b) compares
// magnitudes and returns b for NaN, if one instruction does that.
// With AVX-512 they have exponent(x), the integer n of x = 2^n (1 + f) with 0 <= f < 1, -inf for 0 and inf
// for infinity, and fraction(x), x 2^-n between 3/4 and 3/2, 1 for infinity and NaN for x < 0.
template <class Pack>
struct fused_numbers {
  using element = typename Pack::element;
  using value = typename Pack::value;
  using fits = fused_fits<element>;
  static constexpr bool f64 = sizeof(element) == 8;
  using bits = vec<decltype(word_of(element{})), sizeof(value)>;
  using whole = vec<decltype(integer_of(element{})), sizeof(value)>;

  static constexpr bool has_exponents = requires(value x) { Pack::exponent(x), Pack::fraction(x); };
  static constexpr bool has_quick_masks = requires(value x) { Pack::in_all_lanes(x); };
  static constexpr int bits_of_fraction = f64 ? 52 : 23, bias = f64 ? 1023 : 127;
  static constexpr double infinity = __builtin_inf();
  // Added to a number of fewer bits, it leaves the nearest integer in the low bits.
  static constexpr element rounder = f64 ? 0x1.8p52 : 0x1.8p23;

  static constexpr double either(double for_f32, double for_f64) { return f64 ? for_f64 : for_f32; }
  static value all(double x) { return Pack::splat(static_cast<element>(x)); }
  static value not_a_number() { return all(__builtin_nan("")); }
  static value abs(value x) { return Pack::abs(x); }
  static value sqrt(value x) { return Pack::sqrt(x); }
  static value multiply_add(value a, value b, value c) { return Pack::multiply_add(a, b, c); }
  static bits as_bits(value x) { return reinterpret_cast<bits>(x); }
  static value as_value(bits x) { return reinterpret_cast<value>(x); }

  template <class Mask>
  static value as_mask(Mask x) {
    return reinterpret_cast<value>(x);
  }

  static value power_of_2(whole n) { return reinterpret_cast<value>((n + bias) << bits_of_fraction); }
  // p 2^n, where t is n + rounder.
  static value scaled(value p, value t, value n) {
    if constexpr (requires { Pack::scaled(p, n); }) {
      return Pack::scaled(p, n);
    } else {
      // In two steps, as 2^n alone may overflow: the first one is exact. Both exponents with their bias, which add up
      // to n and twice the bias; AVX2 has no arithmetic shift of 64-bit integers.
      const bits both = as_bits(t) - (as_bits(all(rounder)) - 2 * bias), half = both >> 1;
      return p * as_value(half << bits_of_fraction) * as_value((both - half) << bits_of_fraction);
    }
  }
  // The same where the result is a normal number, or n is 0.
  static value scaled_normal(value p, value t) { return as_value(as_bits(p) + (as_bits(t) << bits_of_fraction)); }
  // normal(x), where |x| < limit in all lanes; else any(x). Only where scaled() takes several operations, and lanes are
  // compared quickly.
  template <class Normal, class Any>
  static value by_range(value x, double limit, Normal normal, Any any) {
    if constexpr (has_quick_masks)
      if (Pack::in_all_lanes(as_mask(abs(x) < all(limit)))) [[likely]]
        return normal(x);
    return any(x);
  }
  // The same for powers by exponents x, which are 0 for x <= zero. Their lanes are computed with exponent 0 and
  // cleared: products that underflow take some processors several times as long, and where the other lanes are within
  // the limit (a mask has subtracted infinity) `normal` will do.
  template <class Normal, class Any>
  static value power_by_range(value x, double limit, double zero, Normal normal, Any any) {
    if constexpr (has_quick_masks) {
      const value within = as_mask(abs(x) < all(limit));
      if (Pack::in_all_lanes(within)) [[likely]]
        return normal(x);
      const bits below = as_bits(as_mask(x <= all(zero))), kept = ~below;
      const value rest = as_value(as_bits(x) & kept);
      const bool simple = Pack::in_all_lanes(as_value(as_bits(within) | below));
      return as_value(as_bits(simple ? normal(rest) : any(rest)) & kept);
    }
    return any(x);
  }
  // n, where t is n + rounder.
  static whole integer(value t) { return reinterpret_cast<whole>(as_bits(t) - as_bits(all(rounder))); }

  // pairs[k] for each lane, where k is the low four bits of the lane.
  static void pairs_from_table(const double (&pairs)[32], value lanes, value& first, value& second) {
    if constexpr (requires { Pack::pairs_from_table(pairs, lanes, first, second); }) {
      Pack::pairs_from_table(pairs, lanes, first, second);
    } else {
      const bits k = as_bits(lanes) & 15u;
      for (unsigned lane = 0; lane < sizeof(value) / sizeof(element); ++lane) {
        first[lane] = pairs[2 * k[lane]];
        second[lane] = pairs[2 * k[lane] + 1];
      }
    }
  }

  // 1 / x for x > 0 of moderate size, with a relative error of 0.12: enough for the correction of a rounded quotient or
  // root.
  static value rough_reciprocal(value x) {
    constexpr decltype(word_of(element{})) one = 1;
    return as_value((one * 2 * bias << bits_of_fraction) - (one * 847421 << (bits_of_fraction - 23)) - as_bits(x));
  }

  // sqrt(x) to 1 ULP for positive x of moderate size, if the level has an approximate 1 / sqrt(x) to begin with; then
  // it is NaN for 0.
  static value quick_sqrt(value x) {
    if constexpr (requires { Pack::rough_reciprocal_sqrt(x); }) {
      const value y = Pack::rough_reciprocal_sqrt(x);  // to 2^-14
      value r = x * y, half = y * all(0.5);
      if constexpr (f64) {
        const value e = multiply_add(-r, half, all(0.5));
        r = multiply_add(r, e, r);
        half = multiply_add(half, e, half);
      }
      return multiply_add(multiply_add(-r, r, x), half, r);
    } else {
      return sqrt(x);
    }
  }

  // Whether all lanes are strictly between the limits.
  static bool all_between(double low, value x, double high) {
    return (Pack::less(all(low), x) & Pack::less(x, all(high))) == (1u << Pack::width) - 1;
  }

  // NaN stays, and so does x where it equals the limit.
  static value at_most(double high, value x) {
    if constexpr (requires { Pack::smaller(x, x); })
      return Pack::smaller(all(high), x);
    else
      return all(high) < x ? all(high) : x;
  }
  static value at_least(double low, value x) {
    if constexpr (requires { Pack::larger(x, x); })
      return Pack::larger(all(low), x);
    else
      return all(low) > x ? all(low) : x;
  }
  static value between(double low, value x, double high) { return at_least(low, at_most(high, x)); }
  // For x = n log(b) + r whose n scaled() turns into 0 or infinity beyond the limits, and NaN into NaN: x is clamped to
  // the limits first, or r to its own limits, in one instruction if there is one.
  static value argument_within(double low, value x, double high) {
    if constexpr (requires { Pack::smaller_in_size(x, x); })
      return x;
    else
      return between(low, x, high);
  }
  static value rest_within(value r, double limit) {
    if constexpr (requires { Pack::smaller_in_size(r, r); })
      return Pack::smaller_in_size(r, all(limit));
    else
      return r;
  }
  static value signed_like(value x, value r) {
    const bits sign = as_bits(all(-0.0));
    return as_value((as_bits(r) & ~sign) | (as_bits(x) & sign));
  }

  // c[0] + c[1] x + c[2] x^2 + ...; for doubles, the terms after c[0] as four independent polynomials of x^4.
  template <int N>
  static value polynomial(const element (&c)[N], value x) {
    if constexpr (!f64 || N < 10) {
      return in_turn(c, x);
    } else {
      const value square = x * x, fourth = square * square;
      const value low = multiply_add(x, part<2, 4>(c, fourth), part<1, 4>(c, fourth));
      const value high = multiply_add(x, part<4, 4>(c, fourth), part<3, 4>(c, fourth));
      return multiply_add(x, multiply_add(square, high, low), all(c[0]));
    }
  }
  // The same, slightly more accurate.
  template <int N>
  static value in_turn(const element (&c)[N], value x) {
    return part<0, 1>(c, x);
  }
  // The same by its even and its odd terms, where x^2 is at hand.
  template <int N>
  static value by_halves(const element (&c)[N], value x, value square) {
    return multiply_add(x, part<1, 2>(c, square), part<0, 2>(c, square));
  }
  // c[First] + c[First + Step] x + c[First + 2 Step] x^2 + ...
  template <int First, int Step, int N>
  static value part(const element (&c)[N], value x) {
    constexpr int last = First + (N - 1 - First) / Step * Step;
    value r = all(c[last]);
#pragma GCC unroll 32
    for (int k = last - Step; k >= First; k -= Step) r = multiply_add(r, x, all(c[k]));
    return r;
  }
};

}  // namespace broadloom::runtime
