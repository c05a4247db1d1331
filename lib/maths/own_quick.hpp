// Functions of `fast`: of floats, within 4 units of the last place (docs/reference/accuracy.md has the figures), in
// half to three quarters of the time of `accurate`. A value depends on its argument alone.
#pragma once

#include "floats.hpp"
#include "own_errors.hpp"
#include "own_numbers.hpp"
#include "own_quick_exponential.hpp"
#include "own_quick_logarithms.hpp"
#include "own_tables.hpp"

namespace broadloom::runtime {

// Of sin and cos. Parts of pi that are all positive: then x - n pi is -0 for -0. The fit is (sin(r) / r - 1) / r^2 by
// r^2 for |r| up to pi / 2, to 2^-27, so that no float is beyond 1, or to 2^-61; the sine of pi / 2 is 1.
template <class T>
struct quick_turns;
template <>
struct quick_turns<float> {
  static constexpr float pi_first = 3.1415925F, pi_second = 1.50995788e-07F, pi_third = 1.07806051e-14F;
  static constexpr float half_turn_fit[] = {-0.166666597F, 0.00833306555F, -0.000198094975F, 2.60537649e-06F};
};
template <>
struct quick_turns<double> {
  static constexpr double pi_first = 3.1415926535897931, pi_second = 1.224646799147353e-16,
                          pi_third = 2.165713347843828e-32;
  static constexpr double half_turn_fit[] = {-0.16666666666666666,    0.0083333333333332066,   -0.00019841269841212541,
                                             2.7557319211592619e-06,  -2.5052106907618268e-08, 1.6058941211156268e-10,
                                             -7.6430259056569126e-13, 2.721498462746168e-15};
};

template <class Pack>
struct quick_polynomials : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::bits, typename numbers::fits;

  // For |x| up to fused_trigonometric's limit: x - n pi, then a polynomial.
  static value sin(value x) {
    const value t = multiply_add(x, all(1 / fits::pi), all(rounder)), n = t - all(rounder);
    return of_rest(rest(x, n), as_bits(t) << sign_bit);
  }
  // The same of x + pi / 2.
  static value cos(value x) {
    const value t = multiply_add(x, all(1 / fits::pi), all(-0.5)) + all(rounder), k = t - all(rounder);
    return of_rest(rest(x, k + all(0.5)), (as_bits(t) + 1u) << sign_bit);
  }

  // With tables by a polynomial for each of 26 intervals: of 1/8 up to 1, of 1/4 up to 3, of 1/2 up to 7, of 1 up to 9.
  static value tanh(value x) {
    if constexpr (tables && !numbers::f64) {
      const interval v(numbers::at_most(9, numbers::abs(x)));
      return signed_like(x, v.polynomial(quick_tables::tanh_parts));
    } else {
      return quick_exponential<Pack>::tanh_by_power(x);
    }
  }

  // With tables of 16 by a polynomial for each quarter, with tables of 8 for each 0.5234375.
  static value erf(value x) {
    if constexpr (tables)
      return by_intervals(x, erf_quarters, 0.25, 3.874);
    else if constexpr (requires { Pack::from_table(erf_eighths[0], x); })
      return by_intervals(x, erf_eighths, 0.5234375, 3.9);
    else
      return fused_errors<Pack>::erf(x);
  }

  // e^(-x^2) times erfc(x) e^(x^2), which is a polynomial for each interval.
  static value erfc(value x) {
    const value a = numbers::at_most(10.5, numbers::abs(x)), square = a * a, off = multiply_add(a, a, -square);
    const value t = multiply_add(square, all(-fits::log2_e), all(rounder)), n = t - all(rounder);
    const value r = multiply_add(n, all(-fits::ln_2_rest), multiply_add(n, all(-fits::ln_2), -square)) - off;
    const value p = multiply_add(r, multiply_add(r, numbers::polynomial(fits::power_fit, r), all(1)), all(1));
    const value of_size = numbers::scaled(p * interval(a).polynomial(quick_tables::erfc_parts), t, n);
    return x < all(0) ? all(2) - of_size : of_size;
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::signed_like,
      numbers::rounder;
  static constexpr bool tables = requires { Pack::has_tables; };
  using turns = quick_turns<typename numbers::element>;
  static constexpr int sign_bit = 8 * sizeof(typename numbers::element) - 1;

  // An odd function, by polynomials of the distance from the nearest multiple of `width`; constant from `last` on.
  template <int N, int K>
  static value by_intervals(value x, const float (&c)[N][K], double width, double last) {
    const value a = numbers::at_most(last, numbers::abs(x));
    const value t = multiply_add(a, all(1 / width), all(rounder)), n = t - all(rounder);
    const value r = multiply_add(n, all(-width), a);
    value p = Pack::from_table(c[N - 1], t);
#pragma GCC unroll 8
    for (int k = N - 2; k >= 0; --k) p = multiply_add(p, r, Pack::from_table(c[k], t));
    return signed_like(x, p);
  }

  static value rest(value x, value n) {
    const value high = multiply_add(n, all(-turns::pi_first), x);  // exact, but for arguments of cos below 1
    return multiply_add(n, all(-turns::pi_third), multiply_add(n, all(-turns::pi_second), high));
  }
  // sin(r), of the sign of r, or of the other if the sign bit is set.
  static value of_rest(value r, bits sign) {
    const value u = r * r, size = multiply_add(r * u, numbers::polynomial(turns::half_turn_fit, u), r);
    // Doubles near pi / 2 may be rounded to more than 1.
    const value of_size = numbers::f64 ? numbers::at_most(1, numbers::abs(size)) : size;
    return signed_like(as_value(as_bits(r) ^ sign), of_size);
  }

  // The interval of a >= 0: a + 1 from 1 to 16 in eighths of its power of 2. The polynomials are of the distance from
  // its beginning, and stay in registers.
  struct interval {
    value number, r;
    explicit interval(value a) {
      const bits moved = as_bits(a + all(1));
      number = as_value(moved >> 20);
      r = a - (as_value(moved & 0xfff00000u) - all(1));
    }
    value polynomial(const float (&c)[6][32]) const {
      value p = Pack::from_table(c[5], number);
#pragma GCC unroll 5
      for (int k = 4; k >= 0; --k) p = multiply_add(p, r, Pack::from_table(c[k], number));
      return p;
    }
  };

  // The coefficients, a brace each, of erf(k / 4 + r) by r for |r| up to 1/8 and k from 0 to 15, to 2^-24. The last one
  // is raised, so that erf is 1 from 3.874 on, where it is 0.74 of a unit less.
  alignas(64) static constexpr float erf_quarters[6][16] = {
      {0.0F, 0.276326388F, 0.520499885F, 0.711155653F, 0.842700779F, 0.92290014F, 0.966105163F, 0.986671686F,
       0.995322287F, 0.998537302F, 0.999593019F, 0.999899387F, 0.999977887F, 0.999995708F, 0.999999285F, 0.999999881F},
      {1.12837911F, 1.06001425F, 0.87878269F, 0.642931104F, 0.415107489F, 0.236521125F, 0.118930288F, 0.0527749956F,
       0.0206669848F, 0.00714231888F, 0.00217828434F, 0.000586277514F, 0.000139253214F, 2.91890974e-05F,
       5.39945177e-06F, 1.04143896e-06F},
      {2.59039922e-07F, -0.264998794F, -0.439387858F, -0.482200384F, -0.415104538F, -0.295656741F, -0.178401753F,
       -0.092361033F, -0.0413396731F, -0.0160746723F, -0.00543811731F, -0.0016144613F, -0.000411836489F,
       -9.77147065e-05F, -2.60173183e-05F, 3.22011624e-06F},
      {-0.376139879F, -0.309196889F, -0.146489233F, 0.0267706942F, 0.138369828F, 0.16753459F, 0.13875246F,
       0.0901582614F, 0.0482234508F, 0.0217246246F, 0.0083500063F, 0.00276024803F, 0.000789018755F, 0.000195773071F,
       4.22829107e-05F, 7.96611675e-06F},
      {0.000255005376F, 0.126077414F, 0.182085216F, 0.150353104F, 0.0691068992F, -0.00553801423F, -0.0439592339F,
       -0.0477099344F, -0.0341451801F, -0.0189027078F, -0.00905699935F, -0.003172745F, -0.00135978137F,
       -0.000144974518F, 0.000295507285F, -0.000348265225F},
      {0.111120686F, 0.0811241865F, 0.00871407334F, -0.052014932F, -0.0689700991F, -0.047059942F, -0.014967218F,
       0.00647506071F, 0.0130087808F, 0.0106429476F, 0.00613043457F, 0.00277359341F, 0.00102714868F, 0.000318468781F,
       8.37201078e-05F, 1.88187332e-05F},
  };
  // The same of erf(0.5234375 k + r) for k from 0 to 7, to 2^-24.2. The last one is raised, so that erf is 1 from 3.9
  // on.
  alignas(32) static constexpr float erf_eighths[7][8] = {
      {0.0F, 0.540853143F, 0.861261427F, 0.973632574F, 0.996933699F, 0.999785483F, 0.999991059F, 0.999999821F},
      {1.12837923F, 0.857954323F, 0.377130568F, 0.0958376974F, 0.0140799033F, 0.00119586207F, 5.87202121e-05F,
       1.66739846e-06F},
      {-1.10111796e-05F, -0.449084848F, -0.394809037F, -0.15049313F, -0.0294844229F, -0.00313270534F, -0.00018255887F,
       -1.5820483e-06F},
      {-0.375781238F, -0.129296362F, 0.149779454F, 0.125617832F, 0.036459744F, 0.00506074727F, 0.000365929416F,
       1.23042473e-05F},
      {-0.00393275265F, 0.183492124F, 0.0532282181F, -0.0485075004F, -0.0281812437F, -0.00547446683F, -0.000582390523F,
       -0.000201914168F},
      {0.132357478F, 0.00114804832F, -0.0656445548F, -0.00783501845F, 0.0125879273F, 0.00438984949F, 0.000561620283F,
       8.47972406e-05F},
      {-0.0410963558F, -0.0479400866F, 0.00831272174F, 0.0170628373F, -0.00267151999F, -0.00328119495F, 0.000210582715F,
       0.00178086013F},
  };
};

template <class Pack>
struct quick_functions : quick_exponential<Pack>, quick_logarithms<Pack>, quick_polynomials<Pack> {};

// Of powers: 1 / c for c in each of as many equal intervals from 1 to 2 as a table has numbers, but 1 in the first and
// 1/2 in the last one, where the logarithms of numbers near 1 have no error but that of the polynomial; and log2(c): in
// whole multiples of 2^-15, and what is left. Then (log2(1 + z) - z log2(e)) / z^2 for |z| in all intervals.
template <int Numbers>
struct quick_power_fits;
// The reciprocals have six bits; z from -3/128 to 1/32, to 2^-31.8 of the logarithm.
template <>
struct quick_power_fits<32> {
  alignas(64) static constexpr float reciprocals[] = {
      1.0F,      0.953125F, 0.921875F, 0.90625F,  0.875F,    0.859375F, 0.828125F, 0.8125F,
      0.796875F, 0.765625F, 0.75F,     0.734375F, 0.71875F,  0.703125F, 0.6875F,   0.671875F,
      0.65625F,  0.640625F, 0.640625F, 0.625F,    0.609375F, 0.59375F,  0.59375F,  0.578125F,
      0.5625F,   0.5625F,   0.546875F, 0.53125F,  0.53125F,  0.515625F, 0.515625F, 0.5F};
  alignas(64) static constexpr float logarithms[] = {
      0.0F,         0.0692749023F, 0.117370605F, 0.142028809F, 0.192657471F, 0.21862793F,  0.272094727F, 0.299560547F,
      0.327575684F, 0.385284424F,  0.415039062F, 0.445404053F, 0.47644043F,  0.508148193F, 0.540557861F, 0.573730469F,
      0.607696533F, 0.642456055F,  0.642456055F, 0.678070068F, 0.714599609F, 0.752075195F, 0.752075195F, 0.790557861F,
      0.830078125F, 0.830078125F,  0.870727539F, 0.912536621F, 0.912536621F, 0.955596924F, 0.955596924F, 1.0F};
  alignas(64) static constexpr float logarithms_rest[] = {0.0F,
                                                          -1.22399069e-05F,
                                                          -1.36548306e-05F,
                                                          -9.8037217e-06F,
                                                          -1.23927612e-05F,
                                                          1.23567879e-05F,
                                                          -1.51811255e-05F,
                                                          -2.65016098e-07F,
                                                          -1.02556521e-06F,
                                                          5.73205671e-06F,
                                                          -1.56322119e-06F,
                                                          7.09558799e-06F,
                                                          -2.38574444e-06F,
                                                          -1.28968907e-06F,
                                                          1.05200343e-05F,
                                                          4.77654794e-06F,
                                                          -1.39559816e-05F,
                                                          -8.0593054e-06F,
                                                          -8.0593054e-06F,
                                                          1.83675331e-06F,
                                                          -1.82823726e-06F,
                                                          -2.70875603e-06F,
                                                          -2.70875603e-06F,
                                                          -1.12269572e-05F,
                                                          -3.12644238e-06F,
                                                          -3.12644238e-06F,
                                                          -1.05560075e-05F,
                                                          5.37655922e-07F,
                                                          5.37655922e-07F,
                                                          8.95681387e-06F,
                                                          8.95681387e-06F,
                                                          0.0F};
  static constexpr float log2_fit[] = {-0.7213475108146667F, 0.4809000492095947F, -0.3608240783214569F,
                                       0.28436771035194397F};
};
// The reciprocals have four bits; z from -11/128 to 1/8, to 2^-32.9.
template <>
struct quick_power_fits<8> {
  alignas(32) static constexpr float reciprocals[] = {1.0F, 0.8125F, 0.75F, 0.6875F, 0.625F, 0.5625F, 0.5625F, 0.5F};
  alignas(32) static constexpr float logarithms[] = {0.0F,         0.299560547F, 0.415039062F, 0.540557861F,
                                                     0.678070068F, 0.830078125F, 0.830078125F, 1.0F};
  alignas(32) static constexpr float logarithms_rest[] = {
      0.0F, -2.65016098e-07F, -1.56322119e-06F, 1.05200343e-05F, 1.83675331e-06F, -3.12644238e-06F, -3.12644238e-06F,
      0.0F};
  static constexpr float log2_fit[] = {-0.72134751F,         0.48089835047721863F,  -0.3606782555580139F,
                                       0.28854256868362427F, -0.24004940688610077F, 0.2064458131790161F,
                                       -0.17693379521369934F};
};

// Powers of floats, with tables of 8 or 32 floats in registers. The logarithm is computed as a sum of two floats, as
// its error is multiplied by the size of the exponent of 2, up to 150. Packs that have exponents have mantissa(x), too:
// m of |x| = 2^n m with 1 <= m < 2, which is 1 for 0 and infinity. Doubles is what floats<> asks for.
template <class Floats, class Doubles>
struct quick_powers : private fused_numbers<Floats> {
  using numbers = fused_numbers<Floats>;
  using typename numbers::value, typename numbers::whole;
  using accurate = floats<Floats, Doubles>;

  static value pow(value x, value y) {
    const value size = of_size(x, y);
    if constexpr (!numbers::has_exponents) {
      // By lanes: no element depends on its neighbours.
      const value a = numbers::abs(x), others = all(0x1p-126), infinite = all(numbers::infinity);
      if ((Floats::less(a, infinite) & ~Floats::less(a, others)) != (1u << Floats::width) - 1) [[unlikely]] {
        const value of_others = accurate::pow(x, y), usual = accurate::power_by(x, size, y);
        return a < infinite && a >= others ? usual : of_others;
      }
    }
    return accurate::power_by(x, size, y);
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::rounder;
  using fits = quick_power_fits<numbers::has_exponents ? 32 : 8>;
  static constexpr int bits_of_number = numbers::has_exponents ? 5 : 3;

  // |x|^y; without exponents of usual x alone.
  static value of_size(value x, value y) {
    const value m = mantissa(x), number = as_value(as_bits(m) >> (23 - bits_of_number));
    // The reciprocals have so few bits that z is exact, and the high parts of the logarithms that `large` is.
    const value z = multiply_add(m, Floats::from_table(fits::reciprocals, number), all(-1));
    const value large = exponent(x) + Floats::from_table(fits::logarithms, number);
    // log2(1 + z) is z (slope + others), of which the product with `slope` is summed exactly.
    const auto& c = fits::log2_fit;
    const value slope = multiply_add(z, all(c[0]), all(log2_e));
    const value lack = multiply_add(z, all(c[0]), all(log2_e) - slope) + all(log2_e_rest);
    const value others = multiply_add(z * z, numbers::template part<1, 1>(c, z), lack);
    const value first = z * slope, high = large + first;
    const value rest = (first - (high - large)) + Floats::from_table(fits::logarithms_rest, number);
    const value low = multiply_add(z, others, multiply_add(z, slope, -first) + rest);
    const value by = numbers::abs(x) == all(1) ? all(0) : within(0x1p40, y);  // a power of 1 is 1, whatever y is
    const value product = high * by, sum = multiply_add(low, by, product);
    // The rests of what is infinite are NaN: then the product alone counts.
    const value t = within(200, numbers::has_exponents ? (sum == sum ? sum : product) : sum) + all(rounder);
    const value n = t - all(rounder), rest_of_product = multiply_add(high, by, -product);
    const value r = multiply_add(low, by, (product - n) + rest_of_product);
    const value within_1 = numbers::rest_within(within(1, r), 1);
    return numbers::scaled(multiply_add(within_1, numbers::in_turn(power_of_2_fit, within_1), all(1)), t, n);
  }

  static value mantissa(value x) {
    if constexpr (numbers::has_exponents)
      return Floats::mantissa(x);
    else
      return as_value((as_bits(x) & 0x7fffffu) | as_bits(all(1)));
  }
  static value exponent(value x) {
    if constexpr (numbers::has_exponents)
      return Floats::exponent(x);
    else
      return as_value((as_bits(numbers::abs(x)) >> 23) | as_bits(all(0x1p23))) - all(0x1p23 + 127);
  }
  // Where scaled() takes any number, nothing has limits but the last rest.
  static value within(double limit, value x) { return numbers::has_exponents ? x : numbers::between(-limit, x, limit); }

  static constexpr float log2_e = 1.44269502F, log2_e_rest = 1.92596303e-08F;
  // (2^r - 1) / r for |r| up to 1/2, to 2^-28.9 of 2^r.
  static constexpr float power_of_2_fit[] = {0.6931471824645996F,  0.24022647738456726F,   0.055503323674201965F,
                                             0.00961843691766262F, 0.0013398873852565885F, 0.00015353361959569156F};
};

}  // namespace broadloom::runtime
