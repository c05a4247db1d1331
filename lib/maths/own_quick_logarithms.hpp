// log, asinh and atanh of `fast`, within 4 units of the last place.
#pragma once

#include "own_logarithms.hpp"
#include "own_numbers.hpp"

namespace broadloom::runtime {

template <class Pack>
struct quick_logarithms : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::whole, typename numbers::bits, typename numbers::fits;

  // Right for every x, zeros, infinities, NaN, negative and subnormal numbers included, if Pack has exponents, else for
  // positive normal numbers.
  static value log(value x) { return with_more(x, all(0)); }

  static value asinh(value x) {
    const value a = numbers::abs(x), u = a * a;
    const value near_0 = multiply_add(u * a, numbers::polynomial(fits::area_sine_fit, u), a);
    // Far away it is the logarithm of 2 a.
    const auto is_large = a > all(numbers::either(0x1p30, 0x1p60));
    const value sum = a + numbers::quick_sqrt(u + all(1));
    const value far = with_more(is_large ? a : sum, is_large ? all(1) : all(0));
    const value of_finite = a < all(numbers::infinity) ? far : a;
    return numbers::signed_like(x, a < all(0.625) ? near_0 : of_finite);
  }
  static value atanh(value x) {
    const value a = numbers::abs(x), u = a * a;
    const value near_0 = multiply_add(u * a, numbers::polynomial(fits::area_tangent_fit, u), a);
    const value far = all(0.5) * with_more((all(1) + a) / (all(1) - a), all(0));
    const value of_inside = a < all(0.5) ? near_0 : far;
    const value of_others = a == all(1) ? all(numbers::infinity) : numbers::not_a_number();
    return numbers::signed_like(x, a < all(1) ? of_inside : of_others);
  }

 private:
  using numbers::f64, numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value;

  // log(x) + more ln(2).
  static value with_more(value x, value more) {
    constexpr double ln_2 = 0.69314718055994531;
    if constexpr (numbers::has_exponents) {
      const value fraction = Pack::fraction(x), n = Pack::exponent(x) - Pack::exponent(fraction) + more;
      if constexpr (f64) {
        const value number = as_value(as_bits(fraction) >> 48);
        const value f = multiply_add(fraction, Pack::from_table(reciprocals, number), all(-1));
        const value large = multiply_add(n, all(ln_2), Pack::from_table(logarithms, number));
        return large + multiply_add(f * f, numbers::in_turn(part_fit, f), f);
      } else {
        const value f = fraction - all(1);
        return of_parts(n, f, numbers::polynomial(fits::log_fit_3_4, f));
      }
    } else if constexpr (f64) {
      // With s = f / (2 + f), the logarithm of 1 + f is 2 s + s^3 p(s^2).
      const exponent_of<Pack> e(x);
      const value f = e.removed_from(x) - all(1), s = f / (f + all(2)), u = s * s;
      const value small = multiply_add(u * s, numbers::in_turn(quotient_fit, u), s + s);
      return multiply_add(e.n + more, all(ln_2), small);
    } else {
      const bits moved = as_bits(x) - as_bits(all(0.70710677));
      const value n = __builtin_convertvector(reinterpret_cast<whole>(moved) >> 23, value) + more;
      const value f = as_value(as_bits(x) - (moved & 0xff800000u)) - all(1);
      // In pairs of terms: this takes less time than one after another.
      const auto& c = fits::log_fit_root;
      const value u = f * f;
      const auto pair = [&](int k) { return multiply_add(f, all(c[k + 1]), all(c[k])); };
      return of_parts(n, f, multiply_add(u, multiply_add(u, multiply_add(u, all(c[6]), pair(4)), pair(2)), pair(0)));
    }
  }
  // Of floats: n ln(2) + f - f^2 / 2 + f^3 p.
  static value of_parts(value n, value f, value p) {
    return multiply_add(n, all(0.693147181), multiply_add(f * f, multiply_add(p, f, all(-0.5)), f));
  }

  // 1 / c and log(c) for c in the middle of each sixteenth from 1 to 1.5 and each thirty-second from 3/4 to 1, but 1
  // for those beside 1: there the logarithms have no error but that of the polynomial.
  alignas(64) static constexpr double reciprocals[] = {1.0,
                                                       0.91428571428571426,
                                                       0.86486486486486491,
                                                       0.82051282051282048,
                                                       0.78048780487804881,
                                                       0.7441860465116279,
                                                       0.71111111111111114,
                                                       0.68085106382978722,
                                                       1.3061224489795917,
                                                       1.2549019607843137,
                                                       1.2075471698113207,
                                                       1.1636363636363636,
                                                       1.1228070175438596,
                                                       1.0847457627118644,
                                                       1.0491803278688525,
                                                       1.0};
  alignas(64) static constexpr double logarithms[] = {0.0,
                                                      0.089612158689687166,
                                                      0.14518200984449783,
                                                      0.19782574332991992,
                                                      0.24783616390458121,
                                                      0.2954642128938359,
                                                      0.34092658697059319,
                                                      0.38441169891033206,
                                                      -0.26706278524904514,
                                                      -0.22705745063534608,
                                                      -0.18859116980754997,
                                                      -0.15154989812720088,
                                                      -0.11583181552512165,
                                                      -0.081345639453952401,
                                                      -0.048009219186360662,
                                                      0.0};
  // (log(1 + f) - f) / f^2 for f from -1/31 to 1/16, to 2^-56.
  static constexpr double part_fit[] = {-0.5,
                                        0.33333333333348736,
                                        -0.25000000000072259,
                                        0.19999999925781392,
                                        -0.16666665693158964,
                                        0.14285814955498735,
                                        -0.12502137295939006,
                                        0.11077946442674659,
                                        -0.087861230871810428};
  // (2 atanh(s) - 2 s) / s^3 by s^2 for s up to tanh(ln(2) / 4), to 2^-52.2 of the whole.
  static constexpr double quotient_fit[] = {0.66666666666587093, 0.40000000052341594, 0.28571417117374381,
                                            0.22223372633991376, 0.1812361027527595,  0.168202236542005};
};

}  // namespace broadloom::runtime
