// e^x and tanh of `fast`, within 4 units of the last place. With AVX-512 the powers of 2 between integers are looked up
// in registers; elsewhere arguments beyond `limit` are left to the function of `accurate`, so that neither the argument
// nor the result has to be clamped.
#pragma once

#include "own_numbers.hpp"

namespace broadloom::runtime {

// Polynomials by r, with their errors relative to the function.
template <class T>
struct quick_exponential_fits;

template <>
struct quick_exponential_fits<float> {
  // e^r is ((r + shift)^2 + constant) factor, up to ln(2) / 64, to 2^-24; of 0 it is 1.
  static constexpr float shift = 1.0000205F, constant = 0.999970675F;
  // (e^r - 1) / r, for the error of e^r, up to ln(2) / 2, to 2^-23.3.
  static constexpr float power[] = {0.999999702F, 0.499991506F, 0.166676536F, 0.0418978222F, 0.00828908104F};
  // (e^r - 1 - r) / r^2, for the error of e^r - 1, up to ln(2) / 2, to 2^-26.
  static constexpr float power_less_1[] = {0.49999997F, 0.16666545F, 0.0416675545F, 0.00836637337F, 0.00138600764F};
  // 2^(k / 32) factor.
  alignas(64) static constexpr float powers_of_2[] = {
      0.499997079F, 0.510945618F, 0.522133827F, 0.533567071F, 0.545250654F, 0.55719012F,  0.569391012F, 0.581859052F,
      0.594600081F, 0.60762012F,  0.620925307F, 0.634521782F, 0.648415983F, 0.662614465F, 0.677123845F, 0.691950917F,
      0.707102656F, 0.722586155F, 0.738408744F, 0.754577816F, 0.771100879F, 0.787985802F, 0.805240452F, 0.822872937F,
      0.84089148F,  0.859304607F, 0.878120959F, 0.897349298F, 0.916998684F, 0.937078357F, 0.957597673F, 0.978566349F};
};

template <>
struct quick_exponential_fits<double> {
  // (e^r - 1) / r, for the error of e^r: up to ln(2) / 32, to 2^-56; up to ln(2) / 2, to 2^-51.9.
  static constexpr double between_powers[] = {
      1.0, 0.49999999999999606, 0.16666666664411278, 0.041666666692614276, 0.0083334719298100782, 0.001388860839539912};
  static constexpr double power[] = {1.0000000000000056,     0.49999999999997974,    0.16666666666564822,
                                     0.041666666668209736,   0.008333333382900425,   0.0013888888527333512,
                                     0.00019841173124358257, 2.4801902898362994e-05, 2.7639176398605178e-06,
                                     2.7490573181074086e-07};
  // To 2^-55.5.
  static constexpr double power_less_1[] = {0.50000000000000056,    0.1666666666666661,     0.041666666666573884,
                                            0.0083333333333761132,  0.0013888888932257911,  0.00019841269747890541,
                                            2.4801504607721187e-05, 2.7557382708906169e-06, 2.762626027294189e-07,
                                            2.5061141875731774e-08};
  // 2^(k / 16).
  alignas(64) static constexpr double powers_of_2[] = {1.0,
                                                       1.0442737824274138,
                                                       1.0905077326652577,
                                                       1.1387886347566916,
                                                       1.189207115002721,
                                                       1.241857812073484,
                                                       1.2968395546510096,
                                                       1.3542555469368927,
                                                       1.4142135623730951,
                                                       1.4768261459394993,
                                                       1.5422108254079407,
                                                       1.6104903319492543,
                                                       1.681792830507429,
                                                       1.7562521603732995,
                                                       1.8340080864093424,
                                                       1.9152065613971474};
};

template <class Pack>
struct quick_exponential : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::fits;
  using quick = quick_exponential_fits<typename numbers::element>;

  // Whether exp is right for every argument. If not: up to which size, and larger ones are left to another function.
  static constexpr bool has_tables = requires { Pack::has_tables; };
  static constexpr typename numbers::element exp_limit = numbers::f64 ? 708 : 40;

  static value exp(value x) {
    if constexpr (has_tables) {
      // e^x = 2^n e^r, where n is a multiple of 1/32 or 1/16. Far below, the result is 0.
      constexpr double steps = sizeof(quick::powers_of_2) / sizeof(quick::powers_of_2[0]), start = rounder / steps;
      const value v = Pack::larger(all(-1e4), x);
      const value t = multiply_add(v, all(fits::log2_e), all(start)), n = t - all(start);
      const value part = Pack::from_table(quick::powers_of_2, t);
      if constexpr (f64) {
        const value r = rest(v, n);
        return Pack::scaled(multiply_add(part * r, numbers::in_turn(quick::between_powers, r), part), n);
      } else {
        const value r = multiply_add(n, all(-ln_2), v) + multiply_add(n, all(ln_2_lack), all(quick::shift));
        return Pack::scaled(part * multiply_add(r, r, all(quick::constant)), n);
      }
    } else {
      const value t = multiply_add(x, all(fits::log2_e), all(rounder)), r = rest(x, t - all(rounder));
      const value p = multiply_add(r, numbers::polynomial(quick::power, r), all(1));
      return as_value(as_bits(p) + (as_bits(t) << numbers::bits_of_fraction));
    }
  }

  // From e = e^2a - 1, which is computed without cancellation: e / (e + 2).
  static value tanh_by_power(value x) {
    const value a = numbers::at_most(f64 ? 20 : 9.5, numbers::abs(x)), twice = a + a;
    const value t = multiply_add(twice, all(fits::log2_e), all(rounder)), r = rest(twice, t - all(rounder));
    const value power = as_value(as_bits(all(1)) + (as_bits(t) << numbers::bits_of_fraction));
    const value less_1 = multiply_add(r * r, numbers::polynomial(quick::power_less_1, r), r);
    const value e = multiply_add(power, less_1, power - all(1));
    return numbers::signed_like(x, e / (e + all(2)));
  }

 private:
  using numbers::f64, numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::rounder;

  // The float nearest to ln(2), less ln(2).
  static constexpr float ln_2 = 0.693147182F, ln_2_lack = 1.90465421e-09F;

  // x - n ln(2); of floats with that float, by which it is off by no more than 2^-23 up to |x| = 40.
  static value rest(value x, value n) {
    if constexpr (f64)
      return multiply_add(n, all(-fits::ln_2_rest), multiply_add(n, all(-fits::ln_2), x));
    else
      return multiply_add(n, all(-ln_2), x);
  }
};

}  // namespace broadloom::runtime
