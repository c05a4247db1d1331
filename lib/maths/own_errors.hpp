// The error function and gelu, computed in the type of their argument.
#pragma once

#include "own_numbers.hpp"

namespace broadloom::runtime {

// Minimax polynomials, with their errors relative to the function: erf(x) / x - 1 by x^2 for x up to `border`, and one
// by x - middle from there to `last`, from where erf rounds to 1.
template <class T>
struct error_fits;

template <>
struct error_fits<float> {
  static constexpr double border = 1, middle = 2.4688720703125, last = 3.93F;
  // To 2^-29.
  static constexpr float near_0[] = {0.128379166F,  -0.37612626F,    0.112835787F,   -0.0268533472F,
                                     0.0051871622F, -0.00079978531F, 7.80690389e-05F};
  // erf(x), to 2^-27.
  static constexpr float far[] = {0.999519706F,   0.00254258304F,  -0.0062774634F,   0.00948593765F,  -0.00961594004F,
                                  0.0066438918F,  -0.0029080906F,  0.000483930926F,  0.000332568103F, -0.000292970828F,
                                  7.7895078e-05F, 2.29468933e-05F, -1.72146283e-05F, 2.16379206e-07F, 1.07949552e-06F};
  // erfc(a / sqrt(2)) e^(a^2 / 2) (a + shift) / 2 by a / (a + shift) - centre, for a up to 14.3, to 2^-26.4.
  static constexpr float shift = 3.5F, centre = 0.40625F;
  static constexpr float tail[] = {0.86233294F,  -1.39300144F,  1.53556991F,   -1.01146138F,  0.1566799F,
                                   0.305925369F, -0.139047176F, -0.126139656F, 0.0603583306F, 0.0559830666F};
};

template <>
struct error_fits<double> {
  static constexpr double border = 0.875, middle = 0.875, last = 5.95;
  // To 2^-56; with `apart` x^2 added, so that what is rounded is small.
  static constexpr double apart = 0.25;
  static constexpr double near_0[] = {0.12837916709551259,     -0.12612638903184084,    0.11283791670970383,
                                      -0.026866170647966557,   0.0052239776528463719,   -0.00085483285760619876,
                                      0.00012055387702422109,  -1.4926875241136447e-05, 1.6479235494461245e-06,
                                      -1.6503670682239005e-07, 1.5274477922476102e-08,  -1.1344104199860662e-09};
  // log2((1 - erf(x)) / -factor), to 2^-57 of erf(x).
  static constexpr double factor = -0.25;
  static constexpr double far[] = {
      -0.21139821323414984,    -3.5060659425774863,     -1.1924476020612604,     -0.067656705338702494,
      0.016336125858888679,    -0.0030931338883947376,  0.00028967119787555744,  8.5533854550708905e-05,
      -5.6806124418207234e-05, 1.754804880727257e-05,   -2.9400710472715953e-06, -1.9990799230299154e-07,
      3.4389583344188404e-07,  -1.3897595169268067e-07, 3.5936128487946398e-08,  -6.4805014286495272e-09,
      7.9426252150426627e-10,  -5.9691028690160123e-11, 2.0765250114317683e-12};
  // (2^r - 1) / r for |r| up to 1/2, to 2^-57 of 2^r.
  static constexpr double power_of_2[] = {0.69314718055994529,    0.24022650695910111,    0.05550410866482175,
                                          0.0096181291076006363,  0.0013333558146536308,  0.00015403530450120367,
                                          1.5252733645442131e-05, 1.3215438347877054e-06, 1.017815480895145e-07,
                                          7.0733097640116374e-09, 4.4396935863590835e-10};
  // As of floats, for a up to 38.7, to 2^-57.9; and what the first coefficient was rounded by.
  static constexpr double shift = 4, centre = 0.5, tail_rest = -2.2297082402796487e-17;
  static constexpr double tail[] = {
      0.7552851304157515,    -1.2157932839437842,  1.5485496029688581,    -1.4921748636772576,   0.9663451982549792,
      -0.24128604693532069,  -0.22270031151278882, 0.20874476257550048,   0.03413614396373294,   -0.11832060695419012,
      -0.001954056481930735, 0.07197632014363553,  0.002935464587935938,  -0.048498100155842494, -0.010316972081657008,
      0.03347460330360846,   0.017813373616806665, -0.020313039309842244, -0.022392039132806813, 0.006966182897551692,
      0.02058203008045938,   0.004022779876679706, -0.010591367129536854, -0.006100311940249588};
};

template <class Pack>
struct fused_errors : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value;

  static value erf(value x) {
    const value a = numbers::at_most(fits::last, numbers::abs(x)), square = a * a, distance = a - all(fits::middle);
    const auto is_near = a < all(fits::border);
    value first = all(fits::near_0[0]);
    if constexpr (numbers::f64) first = multiply_add(square, all(-fits::apart), first);
    if constexpr (selects_freely) {
      // Both in one: the last steps of one polynomial with the coefficients of either.
      const value r = is_near ? square : distance;
      value p = is_near ? all(fits::near_0[near_last]) : part(fits::far, far_last, near_last, distance);
#pragma GCC unroll 32
      for (int k = near_last - 1; k >= 1; --k)
        p = multiply_add(p, r, is_near ? all(fits::near_0[k]) : all(fits::far[k]));
      p = multiply_add(p, r, is_near ? first : all(fits::far[0]));
      return signed_like(x, is_near ? multiply_add(a, p, a) : of_far(p));
    } else {
      const value near = multiply_add(part(fits::near_0, near_last, 1, square), square, first);
      return signed_like(x, is_near ? multiply_add(a, near, a) : of_far(numbers::in_turn(fits::far, distance)));
    }
  }

  // max(x, 0) - a erfc(a / sqrt(2)) / 2 for a = |x|, where erfc is e^(-a^2 / 2) times a function of a / (a + shift). It
  // vanishes for large a. Only -infinity is NaN, by the quotient, as x erfc(-x / sqrt(2)) is.
  static value gelu(value x) { return numbers::by_range(x, numbers::either(13, 37), &gelu_of<true>, &gelu_of<false>); }

 private:
  using fits = error_fits<typename numbers::element>;
  using exponent = typename numbers::fits;
  using numbers::all, numbers::multiply_add, numbers::signed_like;
  // With masks, as with AVX-512, a selection takes half the time of a multiply_add.
  static constexpr bool selects_freely = sizeof(value) == 64;
  static constexpr int near_last = sizeof fits::near_0 / sizeof *fits::near_0 - 1,
                       far_last = sizeof fits::far / sizeof *fits::far - 1;

  template <bool Normal>
  static value gelu_of(value x) {
    constexpr double last = numbers::either(15, 40);
    const value size = numbers::abs(Normal ? x : numbers::at_most(last, x)), sum = size + all(fits::shift),
                quotient = size / sum, q = quotient - all(fits::centre);
    const value a = Normal ? size : numbers::at_most(last, size), half = a * all(0.5), square = half * a,
                off = multiply_add(half, a, -square);
    const value t = multiply_add(square, all(-exponent::log2_e), all(numbers::rounder)), n = t - all(numbers::rounder);
    value part_of_1;
    if constexpr (numbers::f64) {
      const value r = multiply_add(n, all(-exponent::ln_2), -square) - multiply_add(n, all(exponent::ln_2_rest), off);
      const value power_less_1 = r * multiply_add(r, numbers::polynomial(exponent::power_fit, r), all(1));
      // What the tail, the product and, as far as the result depends on it, the quotient were rounded by.
      constexpr int highest = sizeof fits::tail / sizeof *fits::tail - 1;
      const value less = multiply_add(part(fits::tail, highest, 1, q), q, all(fits::tail_rest)),
                  tail = less + all(fits::tail[0]), p = quotient * tail, away = all(1) - quotient;
      const value of_quotient = multiply_add(-quotient, sum, size) - quotient * (size - (sum - all(fits::shift)));
      const value of_tail =
          multiply_add(quotient, less - (tail - all(fits::tail[0])), multiply_add(quotient, tail, -p));
      const value rest = multiply_add(of_quotient * (away * away) * (away * all(1 / fits::shift)), tail, of_tail);
      part_of_1 = p + multiply_add(p, power_less_1, rest);
    } else {
      const value r = multiply_add(n, all(-exponent::ln_2_rest), multiply_add(n, all(-exponent::ln_2), -square)) - off;
      const value power_less_1 = r * multiply_add(r, numbers::polynomial(exponent::power_fit, r), all(1));
      const value p = quotient * numbers::polynomial(fits::tail, q);
      part_of_1 = multiply_add(p, power_less_1, p);
    }
    const value tail = Normal ? numbers::scaled_normal(part_of_1, t) : numbers::scaled(part_of_1, t, n);
    const value result = numbers::at_least(-0.0, x) - tail;
    return size < all(0x1p-60) ? x * all(0.5) : result;  // where the quotient may be subnormal
  }
  // erf, of the polynomial far from 0: of doubles 1 + factor 2^p.
  static value of_far(value p) {
    if constexpr (numbers::f64) {
      const value t = p + all(numbers::rounder), r = p - (t - all(numbers::rounder));
      const value power =
          numbers::as_value(numbers::as_bits(all(fits::factor)) + (numbers::as_bits(t) << numbers::bits_of_fraction));
      return multiply_add(power * r, numbers::polynomial(fits::power_of_2, r), power + all(1));
    } else {
      return p;
    }
  }
  // c[high] x^(high - low) + ... + c[low]
  template <int N>
  static value part(const typename numbers::element (&c)[N], int high, int low, value x) {
    value p = all(c[high]);
#pragma GCC unroll 32
    for (int k = high - 1; k >= low; --k) p = multiply_add(p, x, all(c[k]));
    return p;
  }
};

}  // namespace broadloom::runtime
