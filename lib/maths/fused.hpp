// Functions of floats in the arithmetic of floats, with products that are added without being rounded before: in half
// to two thirds of the time of a call, which has its constants in registers for one vector only. Right to 0.9 units of
// the last place, erf to 0.99, over all arguments. None needs repair, and all levels with FMA give the same bits.
#pragma once

#include <broadloom/core/maths.hpp>

namespace broadloom::runtime {

// Floats is a pack of one level, as strips.hpp describes it, with multiply_add, and scaled(x, n), x 2^n for a whole
// number n, where one instruction does that.
template <class Floats>
struct fused {
  using value = typename Floats::value;

  static value exp(value x) {
    // e^x = 2^n e^r with |r| <= ln(2) / 2; beyond the limits it is 0 and infinite.
    const value v = between(-104, x, 89);
    const value t = multiply_add(v, all(log2_e), all(rounder)), n = t - all(rounder);
    const value r = multiply_add(n, all(-ln_2_rest), multiply_add(n, all(-ln_2), v));
    const value p = multiply_add(r, multiply_add(r, polynomial(power_fit, r), all(1)), all(1));
    return scaled(p, t, n);
  }
  static value exp2(value x) {
    const value v = between(-150, x, 129);
    const value t = v + all(rounder), n = t - all(rounder), r = v - n;
    return scaled(multiply_add(r, polynomial(power_of_2_fit, r), all(1)), t, n);
  }

  static value log(value x) {
    // x = 2^n (1 + f) with 1 + f from sqrt(1/2) to sqrt(2).
    const value is_small = x < all(smallest_normal) ? all(0x1p23F) : all(1);
    const value v = x * is_small;
    const whole n = reinterpret_cast<whole>(as_bits(v) - as_bits(all(root_half))) >> 23;
    const value f = reinterpret_cast<value>(as_bits(v) - (reinterpret_cast<bits>(n) << 23)) - all(1);
    const value exponent = __builtin_convertvector(n, value) - (x < all(smallest_normal) ? all(23) : all(0));
    // n ln(2) is exact without its rest, and what the sum with f rounds off is added to the small terms.
    const value large = exponent * all(ln_2), sum = large + f;
    const value tail = multiply_add(f * f, multiply_add(f, polynomial(logarithm_fit, f), all(-0.5F)),
                                    multiply_add(exponent, all(ln_2_rest), f - (sum - large)));
    const value of_finite = sum + tail;
    const value of_positive = x < all(infinity) ? of_finite : x;
    const value of_others = x == all(0) ? all(-infinity) : all(__builtin_nanf(""));
    return x > all(0) ? of_positive : of_others;
  }

  static value erf(value x) {
    const value a = Floats::abs(x), v = all(3.93F) < a ? all(3.93F) : a;  // NaN stays
    const value near_0 = multiply_add(v, polynomial(erf_fit_near_0, v * v), v);
    const value far = polynomial(erf_fit_far, v - all(erf_middle));
    return signed_like(x, v < all(erf_border) ? near_0 : far);
  }

 private:
  using whole [[gnu::vector_size(sizeof(value))]] = int;
  using bits [[gnu::vector_size(sizeof(value))]] = unsigned;

  static constexpr float infinity = __builtin_inff(), smallest_normal = 0x1p-126F, root_half = 0.70710677F;
  // ln(2) in two parts, the first of which has few bits.
  static constexpr float log2_e = 1.44269502F, ln_2 = 0.693145752F, ln_2_rest = 1.42860677e-6F;
  // Added to a number of less than 22 bits, it leaves the nearest integer in the lowest bits.
  static constexpr float rounder = 12582912.0F;
  static constexpr float erf_middle = 2.4688720703125F, erf_border = 1.0F;

  // Fitted for the least error relative to the function, which is:
  // 2^-28: (e^r - 1 - r) / r^2 for |r| up to ln(2) / 2,
  static constexpr float power_fit[] = {0.49999994F, 0.166665211F, 0.0416682586F, 0.00836866908F, 0.00138213043F};
  // 2^-28: (2^r - 1) / r for |r| up to 1/2,
  static constexpr float power_of_2_fit[] = {0.693147182F,   0.240226477F,   0.0555035993F,
                                             0.00961850584F, 0.00133908121F, 0.000153264948F};
  // 2^-27: (ln(1 + f) - f + f^2 / 2) / f^3 for 1 + f from sqrt(1/2) to sqrt(2),
  static constexpr float logarithm_fit[] = {0.333333313F, -0.250008196F, 0.200012416F, -0.166234091F,
                                            0.1420158F,   -0.131596103F, 0.127622157F, -0.0763643533F};
  // 2^-29: erf(x) / x - 1 by x^2 for x up to erf_border,
  static constexpr float erf_fit_near_0[] = {0.128379166F,  -0.37612626F,    0.112835787F,   -0.0268533472F,
                                             0.0051871622F, -0.00079978531F, 7.80690389e-05F};
  // 2^-27: erf(x) by x - erf_middle from there to 3.93.
  static constexpr float erf_fit_far[] = {0.999519706F,     0.00254258304F,   -0.0062774634F, 0.00948593765F,
                                          -0.00961594004F,  0.0066438918F,    -0.0029080906F, 0.000483930926F,
                                          0.000332568103F,  -0.000292970828F, 7.7895078e-05F, 2.29468933e-05F,
                                          -1.72146283e-05F, 2.16379206e-07F,  1.07949552e-06F};

  static value all(float x) { return Floats::splat(x); }
  static value multiply_add(value a, value b, value c) { return Floats::multiply_add(a, b, c); }
  static bits as_bits(value x) { return reinterpret_cast<bits>(x); }
  // p 2^n, where t is n + rounder.
  static value scaled(value p, value t, value n) {
    if constexpr (requires { Floats::scaled(p, n); }) {
      return Floats::scaled(p, n);
    } else {
      // In two steps, as 2^n alone may be no float: the first one is exact.
      const whole whole_n = reinterpret_cast<whole>(as_bits(t) - as_bits(all(rounder))), half = whole_n >> 1;
      return p * power_of_2(half) * power_of_2(whole_n - half);
    }
  }
  static value power_of_2(whole n) { return reinterpret_cast<value>((n + 127) << 23); }

  // NaN stays.
  static value between(float low, value x, float high) {
    const value v = all(high) < x ? all(high) : x;
    return all(low) > v ? all(low) : v;
  }
  static value signed_like(value x, value r) {
    const bits sign = as_bits(all(-0.0F));
    return reinterpret_cast<value>((as_bits(r) & ~sign) | (as_bits(x) & sign));
  }

  // c[0] + c[1] x + c[2] x^2 + ...
  template <int N>
  static value polynomial(const float (&c)[N], value x) {
    value r = all(c[N - 1]);
#pragma GCC unroll 16
    for (int k = N - 2; k >= 0; --k) r = multiply_add(r, x, all(c[k]));
    return r;
  }
};

}  // namespace broadloom::runtime
