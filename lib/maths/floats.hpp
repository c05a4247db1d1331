// Functions of floats computed in double, accurate to 0.51 ULP: those for which SLEEF, which computes in pairs of
// floats, takes 1.2 to 3 times as long. No special argument needs another function, and all levels give the same bits.
#pragma once

#include <broadloom/core/maths.hpp>

#include "../base/vectors.hpp"
#include "erfc_fit.hpp"

namespace broadloom::runtime {

// Floats and Doubles are packs of one level, as lane_checks.hpp describes them.
template <class Floats, class Doubles>
struct floats {
  using value = typename Floats::value;
  using wide = typename Doubles::value;

  static value expm1(value x) {
    return signed_like(x, of(between(-110, x, 90), [](wide v) { return power_less_1(v); }));
  }
  static value sinh(value x) {
    return signed_like(
        x, of(between(-100, x, 100), [](wide v) { return (power_less_1(v) - power_less_1(-v)) * all(0.5); }));
  }
  static value cosh(value x) {
    return of(between(-100, x, 100), [](wide v) { return (power(v) + power(-v)) * all(0.5); });
  }
  static value tanh(value x) {
    return signed_like(x, of(between(-10, x, 10), [](wide v) {
                         const wide e = power_less_1(v + v);
                         return Doubles::divide(e, e + all(2));
                       }));
  }

  static value asinh(value x) {
    const value a = Floats::abs(x), r = of(a, [](wide v) {
                                      const wide u = v + (Doubles::sqrt(Doubles::multiply_add(v, v, all(1))) - all(1));
                                      const wide of_small = Doubles::multiply_add(v * v, v * all(-1.0 / 6), v);
                                      return v < all(0x1p-12) ? of_small : ln_1_plus(u);
                                    });
    return signed_like(x, a < Floats::splat(infinity) ? r : a);
  }
  static value acosh(value x) {
    const value r = of(x, [](wide v) {
      const wide t = v - all(1);
      return ln_1_plus(t + Doubles::sqrt(t * (t + all(2))));
    });
    const value of_large = x < Floats::splat(infinity) ? r : x;
    return x >= Floats::splat(1) ? of_large : Floats::splat(__builtin_nanf(""));
  }

  static value hypot(value x, value y) {
    const value r = Doubles::rounded(length(Doubles::low_half(x), Doubles::low_half(y)),
                                     length(Doubles::high_half(x), Doubles::high_half(y)));
    const value limit = Floats::splat(infinity), a = Floats::abs(x), b = Floats::abs(y);
    const value of_infinite = a == limit ? a : r;
    return b == limit ? b : of_infinite;
  }

  static value pow(value x, value y) {
    const value a = Floats::abs(x);
    return power_by(x,
                    Doubles::rounded(power_of_size(Doubles::low_half(a), Doubles::low_half(y)),
                                     power_of_size(Doubles::high_half(a), Doubles::high_half(y))),
                    y);
  }
  // x^y, where size is |x|^y. Exponents that simple_powers.hpp has are not asked for: 0 among them.
  static value power_by(value x, value size, value y) {
    const value a = Floats::abs(x), zero = Floats::splat(0), sign = signed_like(x, Floats::splat(1));
    if (Floats::less(sign, zero) == 0) [[likely]]
      return size;
    // Of negative numbers: whole exponents only, of which odd ones keep the sign. From 2^24 on all floats are even.
    const value large = Floats::splat(0x1p24F), b = large < Floats::abs(y) ? large : Floats::abs(y),
                half = b * Floats::splat(0.5F);
    const value of_whole = whole_part(half) == half ? size : sign * size;
    const value of_finite = a < Floats::splat(infinity) ? Floats::splat(__builtin_nanf("")) : size;
    const value of_others = a == zero ? size : of_finite;
    const value of_negative = whole_part(b) == b ? of_whole : of_others;
    return sign < zero ? of_negative : size;
  }

  // For quotients below 2^28 of finite numbers: every step is exact except the quotient, which may be off by one.
  static value fmod(value x, value y) {
    const auto rest = [](wide a, wide b) {
      const wide whole = Doubles::divide(a, b) + all(0x1p52), r = a - (whole - all(0x1p52)) * b;
      return r < all(0) ? r + b : r;
    };
    const value a = Floats::abs(x), b = Floats::abs(y);
    return signed_like(x, Doubles::rounded(rest(Doubles::low_half(a), Doubles::low_half(b)),
                                           rest(Doubles::high_half(a), Doubles::high_half(b))));
  }

  // Beyond the limits erf rounds to 1, erfc to 2 and 0.
  static value erf(value x) {
    return of(between(-3.93F, x, 3.93F), [](wide v) {
      const wide u = v * v;
      return Doubles::divide(v * polynomial(erf_above, u), polynomial(erf_below, u));
    });
  }
  static value erfc(value x) {
    return of(between(-4, x, 10.2F), [](wide v) { return wide_erfc(v); });
  }
  // Right next to zeros the digits that cancel are missing.
  static value lgamma(value x) {
    const value infinite = Floats::splat(infinity), one = Floats::splat(1), two = Floats::splat(2);
    const value r = of(x, [](wide v) { return wide_lgamma(v); });
    const value of_finite = x == one ? Floats::splat(0) : x == two ? Floats::splat(0) : r;
    return Floats::abs(x) == infinite ? infinite : of_finite;
  }
  static value gelu(value x) {
    return of(x, [](wide v) {
      const wide z = v * all(-0.70710678118654752440), above = z > all(-4) ? z : all(-4);
      const wide twice = wide_erfc(above < all(10.2) ? above : all(10.2));
      const wide half = v * all(0.5) * (z < all(10.2) ? twice : all(0));  // NaN of -infinity
      const wide result = v == v ? half : v;
      return (z < all(0) ? -z : z) < all(0x1p-60) ? v * all(0.5) : result;
    });
  }

 private:
  using bits = vec<unsigned long long, sizeof(wide)>;
  using bits32 = vec<unsigned, sizeof(value)>;

  static constexpr float infinity = __builtin_inff();
  static constexpr double log2_e = 1.4426950408889634074, ln_2 = 0.69314718055994530942;
  // Added to a number of less than 51 bits, it leaves the nearest integer in the low bits.
  static constexpr double rounder = 6755399441055744.0;

  // Minimax polynomials; the relative error of each is
  // 2^-32: (2^r - 1) / r for r from -1/2 to 1/2,
  static constexpr double power_fit[] = {0.69314718058173577562,    0.24022650921356849062,   0.055504107268162618036,
                                         0.0096180567556067251299,  0.0013333669864017852405, 0.00015461442917335796602,
                                         0.000015252723735152441116};
  // 2^-33: ln(1 + f) / f for 1 + f from sqrt(1/2) to sqrt(2),
  static constexpr double logarithm_fit[] = {
      1.0000000000350213047,  -0.50000000333474008658, 0.33333331511695167557, -0.24999933004378773127,
      0.20000113077908742444, -0.16670499699740242625, 0.14285535056500784918, -0.12410266921311863748,
      0.11020419792751812358, -0.10882610833203258606, 0.10738733572724964006, -0.059879594731912699908};
  // 2^-32: erf(x) / x by x^2 for x up to 3.93,
  static constexpr double erf_above[] = {
      1.1283791671023022311,     0.37425216484899314008,     0.08440228950792930382,   0.012940719815044169482,
      0.00099916236767026746195, 0.000072315346936331080553, 9.0972129210427131904e-7, -2.882162707431457829e-9};
  static constexpr double erf_below[] = {1.0,
                                         0.66500567543198491655,
                                         0.19646818114153330875,
                                         0.034266601252024223084,
                                         0.0038650209551963468804,
                                         0.00028206889388463813385,
                                         0.000011846206975237598182};
  // 2^-42: log2((1 + s) / (1 - s)) / s by s^2 for s up to 1/5.
  static constexpr double log2_fit[] = {2.8853900817774347, 0.9617966948250731, 0.5770777559105847,
                                        0.4122261258417425, 0.3192870681643939, 0.29080506980486986};
  // 2^-59: log((1 + s) / (1 - s)) / s by s^2 for m = (1 + s) / (1 - s) from sqrt(1/2) to sqrt(2),
  static constexpr double precise_logarithm_fit[] = {2.0,
                                                     0.6666666666666765,
                                                     0.3999999999929846,
                                                     0.2857142876144323,
                                                     0.22222196977921002,
                                                     0.18183635656152555,
                                                     0.15312428706380796,
                                                     0.14810687222076288};
  // 2^-52: sin(pi r) / (pi r) by r^2 for r up to 1/2.
  static constexpr double sine_fit[] = {0.9999999999999999,    -1.6449340668481571,   0.8117424252777605,
                                        -0.1907518239485693,   0.026147845158246613,  -0.002346058793683733,
                                        0.0001483252821732253, -6.723645109284181e-06};
  // B(2j) / (2j (2j - 1)).
  static constexpr double stirling[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360};
  static wide all(double x) { return Doubles::splat(x); }

  // NaN stays.
  static value between(float low, value x, float high) {
    const value v = Floats::splat(high) < x ? Floats::splat(high) : x;
    return Floats::splat(low) > v ? Floats::splat(low) : v;
  }
  static value signed_like(value x, value r) {
    const bits32 sign = reinterpret_cast<bits32>(Floats::splat(-0.0F));
    return reinterpret_cast<value>((reinterpret_cast<bits32>(r) & ~sign) | (reinterpret_cast<bits32>(x) & sign));
  }
  template <class F>
  static value of(value x, F f) {
    return Doubles::rounded(f(Doubles::low_half(x)), f(Doubles::high_half(x)));
  }

  // c[0] + c[1] x + c[2] x^2 + ...
  template <int N>
  static wide polynomial(const double (&c)[N], wide x) {
    wide r = all(c[N - 1]);
#pragma GCC unroll 16
    for (int k = N - 2; k >= 0; --k) r = Doubles::multiply_add(r, x, all(c[k]));
    return r;
  }

  // For v from -4 to 10.2.
  static wide wide_erfc(wide v) {
    const wide a = v < all(0) ? -v : v;
    const wide r = power_of_2(a * a * all(-log2_e)) *
                   Doubles::divide(polynomial(erfc_fit::above, a), polynomial(erfc_fit::below, a));
    return v < all(0) ? all(2) - r : r;
  }
  // 2^z for |z| < 1000.
  static wide power_of_2(wide z) {
    const wide t = z + all(rounder), r = z - (t - all(rounder));
    const wide p = Doubles::multiply_add(r, polynomial(power_fit, r), all(1));
    return reinterpret_cast<wide>(reinterpret_cast<bits>(p) + (reinterpret_cast<bits>(t) << 52));
  }
  static wide power(wide x) { return power_of_2(x * all(log2_e)); }
  // e^x - 1, with a small error relative to that.
  static wide power_less_1(wide x) {
    const wide z = x * all(log2_e), t = z + all(rounder), r = z - (t - all(rounder));
    const wide scale = reinterpret_cast<wide>((reinterpret_cast<bits>(t) << 52) + reinterpret_cast<bits>(all(1)));
    return Doubles::multiply_add(scale, r * polynomial(power_fit, r), scale - all(1));
  }
  // For finite x >= 0; accurate relative to x, too.
  static wide ln_1_plus(wide x) {
    // (1 + x) scale lies between sqrt(1/2) and sqrt(2).
    const bits one = reinterpret_cast<bits>(all(1)),
               moved = reinterpret_cast<bits>(x + all(1)) + (one - reinterpret_cast<bits>(all(0.70710678118654752440)));
    const wide exponent =
        reinterpret_cast<wide>((moved >> 52) | reinterpret_cast<bits>(all(0x1p52))) - all(0x1p52 + 1023);
    const wide scale = reinterpret_cast<wide>((one << 1) - (moved & reinterpret_cast<bits>(all(__builtin_inf()))));
    const wide f = Doubles::multiply_add(x, scale, scale - all(1));
    return Doubles::multiply_add(exponent, all(ln_2), f * polynomial(logarithm_fit, f));
  }
  // log(x) of normal numbers, with an error of 2^-51 of it or of log(2).
  static wide precise_logarithm(wide x) {
    const bits one = reinterpret_cast<bits>(all(1)), of_x = reinterpret_cast<bits>(x),
               moved = of_x + (one - reinterpret_cast<bits>(all(0.70710678118654752440)));
    const wide exponent =
        reinterpret_cast<wide>((moved >> 52) | reinterpret_cast<bits>(all(0x1p52))) - all(0x1p52 + 1023);
    const wide m = reinterpret_cast<wide>(of_x + (one - (moved & reinterpret_cast<bits>(all(__builtin_inf())))));
    const wide s = Doubles::divide(m - all(1), m + all(1));
    return Doubles::multiply_add(exponent, all(ln_2), s * polynomial(precise_logarithm_fit, s * s));
  }
  // Stirling's series at z = y + 7, less the logarithm of the product of y to y + 6, of which two and two have the same
  // sum, and so the products u, u + 4 and u + 6. Of -y by reflection (Abramowitz and Stegun 6.1.17).
  static wide wide_lgamma(wide v) {
    constexpr double half_log_2_pi = 0.91893853320467274178;
    const wide y = v < all(0) ? -v : v, z = y + all(7), u = Doubles::multiply_add(y, z, all(6));
    const wide product = u * (u + all(4)) * (u + all(6));
    const wide off = y < all(0x1p52) ? y - ((y + all(0x1p52)) - all(0x1p52)) : all(0);
    const wide size = off < all(0) ? -off : off, sine = size * polynomial(sine_fit, size * size);
    const wide argument = v < all(0) ? Doubles::divide(product, sine) : y * product;
    const wide by = Doubles::divide(all(1), z);
    const wide series = Doubles::multiply_add(by, polynomial(stirling, by * by), all(half_log_2_pi) - z);
    const wide of_z = Doubles::multiply_add(z - all(0.5), precise_logarithm(z), series);
    const wide r = of_z - precise_logarithm(argument);
    const wide result = v < all(0) ? -r : r;
    return off == all(0) ? (v > all(0) ? result : v == v ? all(__builtin_inf()) : v) : result;
  }
  static value whole_part(value b) {
    const value large = Floats::splat(0x1p23F);
    return b < large ? (b + large) - large : b;
  }
  // log2(a) for a >= 0: with a = 2^n m for m from 3/4 to 3/2, of n and (m - 1) / (m + 1).
  static wide log2_of_size(wide a) {
    wide n, m;
    if constexpr (requires { Doubles::exponent(a), Doubles::fraction(a); }) {
      m = Doubles::fraction(a);
      n = Doubles::exponent(a) - Doubles::exponent(m);
    } else {
      const bits one = reinterpret_cast<bits>(all(1)), of_a = reinterpret_cast<bits>(a),
                 moved = of_a + (one - reinterpret_cast<bits>(all(0.75)));
      n = reinterpret_cast<wide>((moved >> 52) | reinterpret_cast<bits>(all(0x1p52))) - all(0x1p52 + 1023);
      m = reinterpret_cast<wide>(of_a + (one - (moved & reinterpret_cast<bits>(all(__builtin_inf())))));
    }
    const wide s = Doubles::divide(m - all(1), m + all(1));
    const wide r = Doubles::multiply_add(s, polynomial(log2_fit, s * s), n);
    if constexpr (requires { Doubles::exponent(a); }) return r;
    const wide of_positive = a > all(0) ? r : all(-__builtin_inf());
    return a < all(__builtin_inf()) ? of_positive : a;  // NaN stays
  }
  // a^y for a >= 0, between what is rounded to 0 and to infinity.
  static wide power_of_size(wide a, wide y) {
    const wide logarithm = log2_of_size(a), product = logarithm == all(0) ? logarithm : logarithm * y;
    if constexpr (requires { Doubles::scaled(a, a), Doubles::smaller_in_size(a, a); }) {
      const wide n = (product + all(rounder)) - all(rounder), r = Doubles::smaller_in_size(product - n, all(0.5));
      return Doubles::scaled(Doubles::multiply_add(r, polynomial(power_fit, r), all(1)), n);
    } else {
      const wide v = all(200) < product ? all(200) : product;
      return power_of_2(all(-200) > v ? all(-200) : v);
    }
  }
  // Squares of floats are exact here, and their sum does not overflow.
  static wide length(wide x, wide y) { return Doubles::sqrt(x * x + y * y); }
};

}  // namespace broadloom::runtime
