// The incomplete gamma functions of large a by Temme's uniform expansion (The asymptotic expansion of the incomplete
// gamma functions, 1979): with eta^2 / 2 = m - log(1 + m) for m = (x - a) / a, the smaller one of P and Q is e^(-a
// eta^2 / 2) times half of erfcx(|eta| sqrt(a / 2)), more or less the sum of c_k(eta) a^-k / sqrt(2 pi a).
#pragma once

#include "erfc_fit.hpp"
#include "logarithm_in_parts.hpp"
#include "own_fits.hpp"
#include "scaled_tail.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

// c_k by eta: of floats for a from 128 on, where |eta| is up to 1.3 as long as the function is not 0, with an error of
// 2^-34 of the sum; of doubles from 1000 on, up to 1.13, with one of 2^-57.
inline constexpr double temme_0_f32[] = {-0.33333333332904613,   0.08333333362686376,     -0.014814815029968459,
                                         0.0011574025003077495,  0.00035273552934598606,  -0.00017873168864414158,
                                         3.9186521995283655e-05, -2.233574945802676e-06,  -1.8440963450621337e-06,
                                         8.778333791243632e-07,  -1.8537855566864546e-07, -1.6579517744246527e-08,
                                         1.4345183924893358e-08};
inline constexpr double temme_1_f32[] = {-0.0018518471969323734, -0.0034722358642751312, 0.002645364574786185,
                                         -0.0009900881144820658, 0.00020641196298528744, -8.066862464604806e-07,
                                         -1.916077318854802e-05, 8.146313469389495e-06,  -9.22277869887614e-07,
                                         -2.700532417078277e-07};
inline constexpr double temme_2_f32[] = {0.004133489304483044,    -0.002681044367303311,   0.000773666561176031,
                                         1.4976275424843966e-07,  -0.00011339879118440764, 5.639031006895406e-05,
                                         -7.2653184782253455e-06, -2.460429668380355e-06};
inline constexpr double temme_3_f32[] = {0.0006514723199662734,  0.00022495027149482865,  -0.0004909490264276492,
                                         0.00028500020578351234, -4.2395785184289294e-05, -1.8093398794131904e-05};
inline constexpr double temme_4_f32[] = {-0.0008900326873700193, 0.0008340724915755394, -0.00016647247891448376,
                                         -9.40212194835574e-05};
inline constexpr double temme_0_f64[] = {
    -0.3333333333333333,     0.08333333333333333,     -0.014814814814814828,   0.0011574074074073648,
    0.0003527336860674285,   -0.00017875514403209827, 3.9192631780034294e-05,  -2.185448518024004e-06,
    -1.8540621768446718e-06, 8.29671170409754e-07,    -1.7665965697088183e-07, 6.707744232351974e-09,
    1.0262121433455284e-08,  -4.381826071852131e-09,  9.14282525960027e-10,    -2.5775353560560823e-11,
    -5.7807632065393915e-11, 2.4568693799507648e-11,  -5.358327984363123e-12,  1.3014558779635146e-14,
    4.704615178203919e-13,   -1.1788952656346985e-13};
inline constexpr double temme_1_f64[] = {-0.0018518518518505576, -0.003472222222194914,  0.0026455026453549384,
                                         -0.0009902263384718858, 0.0002057613196719632,  -4.018664636790269e-07,
                                         -1.80985709316437e-05,  7.649107252681866e-06,  -1.6120136832426912e-06,
                                         4.782777661139999e-09,  1.3770342410114648e-07, -5.771537262185345e-08,
                                         1.2148541345772652e-08, 1.2608915250978917e-10, -1.1498265159675795e-09,
                                         3.676113583783176e-10,  -3.2712056942482714e-11};
inline constexpr double temme_2_f64[] = {0.004133597882769258,    -0.002681327236148443,  0.0007716049934875725,
                                         2.011062706398885e-06,   -0.0001073671603118267, 5.291284355883359e-05,
                                         -1.2757866476748726e-05, 6.307630241589258e-08,  1.3661730437498601e-06,
                                         -6.681893124239104e-07,  1.4986133388513359e-07, 2.4419039274535582e-08,
                                         -1.8547620156059547e-08};
inline constexpr double temme_3_f64[] = {0.0006494327464064825, 0.00022947686210335872, -0.0004691341561835545,
                                         0.0002676567171229802, -7.596307585463672e-05, 7.900298938667288e-09,
                                         1.182803290346422e-05, -6.076834101120832e-06, 7.825810163244387e-07,
                                         2.932713213420513e-07};
inline constexpr double temme_4_f64[] = {-0.0008618009394028368, 0.0007844653883310025, -0.0003008000163641462,
                                         -3.974542096610484e-06, 7.199696539856748e-05, -3.66231502055933e-05,
                                         5.550838163492434e-06};

// The smaller one for x = a (1 + m), of floats, where e is e^(-a eta^2 / 2).
wide_floats::value large_gamma_tail(wide_floats::value a, wide_floats::value m, wide_floats::value half_square,
                                    wide_floats::value e) {
  using vec = wide_floats;
  using value = vec::value;
  constexpr double farthest = 1.3, by_root_2_pi = 0.3989422804014327;
  const value size = vec::sqrt(half_square + half_square), y = vec::sqrt(lanes::times(a, half_square));
  const value near = size > vec::all(farthest) ? vec::all(farthest) : size;
  const auto below = m < vec::all(0);
  const value eta = below ? -near : near, by = vec::all(1) / a;
  value sum = vec::polynomial(temme_4_f32, eta);
  sum = vec::multiply_add(sum, by, vec::polynomial(temme_3_f32, eta));
  sum = vec::multiply_add(sum, by, vec::polynomial(temme_2_f32, eta));
  sum = vec::multiply_add(sum, by, vec::polynomial(temme_1_f32, eta));
  sum = vec::multiply_add(sum, by, vec::polynomial(temme_0_f32, eta));
  const value part = lanes::times(sum, vec::all(by_root_2_pi) / vec::sqrt(a));
  const value inverse = vec::all(1) / (y + vec::all(3));
  const value half = lanes::times(vec::polynomial(scaled_erfc_fit, vec::multiply_add(y, inverse, vec::all(-0.5))),
                                  inverse * vec::all(0.5));
  return lanes::times(e, below ? half - part : half + part);
}
// m - log(1 + m) for |m| up to 1/4, with an error of 2^-40, as 2 atanh(t) = log(1 + m) for t = m / (2 + m).
wide_floats::value half_square_near(wide_floats::value m) {
  using vec = wide_floats;
  using value = vec::value;
  static constexpr double odd[] = {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15};
  const value t = m / (m + vec::all(2)), square = lanes::times(t, t);
  return lanes::times(t, m - lanes::times(square, vec::polynomial(odd, square)));
}

// Of doubles, in two parts.
struct large_gamma {
  using vec = wide_floats;
  using value = vec::value;
  two_parts tail;  // the smaller one
  value exponent;  // a eta^2 / 2

  // power(x): e^x in two parts, for sizes up to 690.
  template <class Power>
  large_gamma(value a, value x, const Power& power) {
    using lanes::times;
    constexpr double near = 0.25, largest = 690, farthest = 1.13, by_root_2_pi = 0.3989422804014327,
                     root_2_by_pi = 0.7978845608028654;
    const two_parts difference = two_parts::sum(x, -a), m = two_parts::quotient(difference, a);
    const value size = vec::absolute(m.high);
    two_parts half = near_half_square(m);
    const auto is_far = size > vec::all(near);
    if (vec::any_nan(reinterpret_cast<value>(is_far))) {
      const two_parts log = logarithm(two_parts::quotient({x, vec::all(0)}, a)), far = sum_of(m, {-log.high, -log.low});
      half = {is_far ? far.high : half.high, is_far ? far.low : half.low};
    }
    two_parts w = two_parts::product(half.high, a);
    w = two_parts::ordered_sum(w.high, w.low + times(half.low, a));
    exponent = w.high;
    const auto beyond = w.high > vec::all(largest);
    w = {beyond ? vec::all(largest) : w.high, beyond ? vec::all(0) : w.low};

    // sqrt(2 w), which is |eta| sqrt(a), and half of erfcx by the slope of the tail.
    const value root = vec::sqrt(w.high + w.high);
    const two_parts square = two_parts::product(root, root);
    const value lack = ((w.high + w.high) - square.high) - square.low + (w.low + w.low),
                off = root > vec::all(0) ? lack / (root + root) : vec::all(0);
    two_parts t = scaled_tail(root);
    t.low = t.low + times(off, times(root, t.high) - vec::all(root_2_by_pi));

    const value root_of_a = vec::sqrt(a), given = root / root_of_a, by = vec::all(1) / a;
    const value limited = given > vec::all(farthest) ? vec::all(farthest) : given;
    const auto below = m.high < vec::all(0);
    const value eta = below ? -limited : limited;
    value series = vec::polynomial(temme_4_f64, eta);
    series = vec::multiply_add(series, by, vec::polynomial(temme_3_f64, eta));
    series = vec::multiply_add(series, by, vec::polynomial(temme_2_f64, eta));
    series = vec::multiply_add(series, by, vec::polynomial(temme_1_f64, eta));
    series = vec::multiply_add(series, by, vec::polynomial(temme_0_f64, eta));
    const value part = times(series, vec::all(by_root_2_pi) / root_of_a);
    two_parts sum = two_parts::sum(times(t.high, vec::all(0.5)), below ? -part : part);
    sum = two_parts::ordered_sum(sum.high, sum.low + times(t.low, vec::all(0.5)));
    tail = product_of(power(two_parts{-w.high, -w.low}), sum);
  }

 private:
  static two_parts sum_of(two_parts a, two_parts b) {
    const two_parts s = two_parts::sum(a.high, b.high);
    return two_parts::ordered_sum(s.high, s.low + (a.low + b.low));
  }
  static two_parts product_of(two_parts a, two_parts b) {
    const two_parts p = two_parts::product(a.high, b.high);
    return two_parts::ordered_sum(p.high, p.low + (lanes::times(a.high, b.low) + lanes::times(a.low, b.high)));
  }
  // m - log(1 + m) for |m| up to 1/4: t m - 2 t^3 / 3 - 2 t^5 / 5 - ... for t = m / (2 + m).
  static two_parts near_half_square(two_parts m) {
    using lanes::times;
    const two_parts sum = two_parts::sum(vec::all(2), m.high);
    const value below_low = sum.low + m.low, t_high = m.high / sum.high;
    const two_parts back = two_parts::product(t_high, sum.high);
    const two_parts t{t_high, ((m.high - back.high) - back.low + (m.low - times(t_high, below_low))) / sum.high};
    const two_parts square = product_of(t, t), cube = product_of(square, t),
                    third = product_of(cube, {vec::all(0.66666666666666663), vec::all(3.7007434154171886e-17)});
    value series = vec::all(2.0 / 25);
    for (int k = 23; k >= 5; k -= 2) series = vec::multiply_add(series, square.high, vec::all(2.0 / k));
    series = times(times(cube.high, square.high), series);
    const two_parts r = sum_of(product_of(m, t), {-third.high, -third.low});
    return two_parts::ordered_sum(r.high, r.low - series);
  }
};

}  // namespace
}  // namespace broadloom::runtime
