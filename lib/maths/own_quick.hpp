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

// Powers of floats, computed in doubles. Doubles has exponent(x), n of x = 2^n m with 1 <= m < 2, -inf for 0 and inf
// for infinity, mantissa(x), m, 1 for 0 and infinity, and tables of 16 doubles by the low four bits of a lane.
template <class Floats, class Doubles>
struct quick_powers : private fused_numbers<Doubles> {
  using numbers = fused_numbers<Doubles>;
  using value = typename Floats::value;
  using wide = typename Doubles::value;

  static value pow(value x, value y) {
    return floats<Floats, Doubles>::power_by(x, y, [](wide a, wide b) { return of_size(a, b); });
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::rounder;

  // a^y for a >= 0.
  static wide of_size(wide a, wide y) {
    const wide m = Doubles::mantissa(a), number = as_value(as_bits(m) >> 48);
    const wide z = multiply_add(m, Doubles::from_table(reciprocals, number), all(-1));
    const wide whole = Doubles::exponent(a) + Doubles::from_table(logarithms, number);
    const wide logarithm = multiply_add(z, numbers::in_turn(log2_fit, z), whole);
    const wide product = logarithm == all(0) ? logarithm : logarithm * y;  // of 1 it is 0, whatever y is
    const wide t = product + all(rounder), n = t - all(rounder);
    const wide r = numbers::rest_within(product - n, 0.5);
    return numbers::scaled(multiply_add(r, numbers::in_turn(power_of_2_fit, r), all(1)), t, n);
  }

  // 1 / c and log2(c) for c in the middle of each sixteenth from 1 to 2, but 1 in the first and 2 in the last one:
  // there the logarithms of numbers near 1 have no error but that of the polynomial.
  alignas(64) static constexpr double reciprocals[] = {1.0,
                                                       0.91428571428571426,
                                                       0.86486486486486491,
                                                       0.82051282051282048,
                                                       0.78048780487804881,
                                                       0.7441860465116279,
                                                       0.71111111111111114,
                                                       0.68085106382978722,
                                                       0.65306122448979587,
                                                       0.62745098039215685,
                                                       0.60377358490566035,
                                                       0.58181818181818179,
                                                       0.56140350877192979,
                                                       0.5423728813559322,
                                                       0.52459016393442626,
                                                       0.5};
  alignas(64) static constexpr double logarithms[] = {0.0,
                                                      0.12928301694496649,
                                                      0.2094533656289497,
                                                      0.28540221886224837,
                                                      0.35755200461808362,
                                                      0.42626475470209796,
                                                      0.49185309632967467,
                                                      0.55458885167763738,
                                                      0.61470984411520835,
                                                      0.67242534197149562,
                                                      0.7279204545631992,
                                                      0.78135971352465972,
                                                      0.83289001416474173,
                                                      0.88264304936184124,
                                                      0.93073733756288624,
                                                      1.0};
  // log2(1 + z) / z for z from -1/31 to 1/16, to 2^-34.
  static constexpr double log2_fit[] = {1.4426950408652126, -0.72134751203080794, 0.48089852345038464,
                                        -0.360699570282422, 0.28855559766495609,  -0.22321110445561534};
  // (2^r - 1) / r for |r| up to 1/2, to 2^-23.3 of 2^r.
  static constexpr double power_of_2_fit[] = {0.69314697759743771, 0.24022242092012772, 0.055507337843514207,
                                              0.0096715124472852281, 0.0013264711521381296};
};

// Powers of doubles, with tables of 16 doubles in registers. The logarithm is computed as a sum of two doubles, as its
// error is multiplied by the size of the exponent of e, up to 745. Rest computes powers of 0, of what is
// not finite, and to what is not.
template <class Pack>
struct quick_double_powers : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value;

  template <auto Rest>
  static value pow(value x, value y) {
    const value infinity = all(numbers::infinity), a = Pack::abs(x), b = Pack::abs(y);
    const unsigned usual = Pack::less(all(0), a) & Pack::less(a, infinity) & Pack::less(b, infinity);
    const unsigned negative = Pack::less(x, all(0));
    const value size = of_positive(a, y);
    if (usual == (1u << Pack::width) - 1 && negative == 0) [[likely]]
      return size;
    // Of negative numbers: whole exponents only, of which odd ones keep the sign. From 2^53 on all numbers are even.
    const value most = numbers::at_most(0x1p53, b), half = most * all(0.5);
    const value of_whole = whole_part(half) == half ? size : -size;
    const value of_negative = whole_part(most) == most ? of_whole : numbers::not_a_number();
    const value of_usual = x < all(0) ? of_negative : size;
    if (usual == (1u << Pack::width) - 1) return of_usual;
    // By lanes: no element depends on its neighbours.
    const value others = Rest(x, y);
    const value of_finite = a < infinity && b < infinity ? of_usual : others;
    return all(0) < a ? of_finite : others;
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value, numbers::rounder;

  static value whole_part(value b) {
    const value large = all(0x1p52);
    return b < large ? (b + large) - large : b;
  }

  struct sum {
    value high, low;
  };
  // a + b for |a| >= |b| or a = 0, exactly.
  static sum add(value a, value b) {
    const value high = a + b;
    return {high, b - (high - a)};
  }

  // log(x) for 0 < x < inf, to 2^-61 of it.
  static sum logarithm(value x) {
    const value m = Pack::fraction(x), n = Pack::exponent(x) - Pack::exponent(m);
    const value number = as_value(as_bits(m) >> 48);
    // The reciprocals have so few bits that r is exact, and the high parts of the logarithms that their sum is.
    const value r = multiply_add(m, Pack::from_table(reciprocals, number), all(-1));
    const value whole = multiply_add(n, all(ln_2), Pack::from_table(logarithms, number));
    const value rest = multiply_add(n, all(ln_2_rest), Pack::from_table(logarithms_rest, number));
    const value square = r * r, square_rest = multiply_add(r, r, -square);
    const sum first = add(whole, r), second = add(first.high, all(-0.5) * square);
    const value small = (rest + first.low) + (second.low + all(-0.5) * square_rest);
    return add(second.high, multiply_add(square * r, numbers::polynomial(log_fit, r), small));
  }

  static value of_positive(value x, value y) {
    const sum l = logarithm(x);
    // Beyond the limit the result is 0 or infinity.
    const value limit = all(1100), product = l.high * y;
    const value v = Pack::smaller_in_size(product, limit);
    const value exact_rest = multiply_add(l.high, y, -product) + l.low * y;
    const value v_rest = Pack::abs(product) < limit ? exact_rest : all(0);
    using powers = quick_exponential_fits<double>;
    constexpr double start = rounder / 16;
    const value t = multiply_add(v, all(numbers::fits::log2_e), all(start)), n = t - all(start);
    const value part = Pack::from_table(powers::powers_of_2, t);
    const value r =
        multiply_add(n, all(-numbers::fits::ln_2), v) + multiply_add(n, all(-numbers::fits::ln_2_rest), v_rest);
    return Pack::scaled(multiply_add(part * r, numbers::in_turn(powers::between_powers, r), part), n);
  }

  static constexpr double ln_2 = 0.6931471805598903, ln_2_rest = 5.497923018708371e-14;
  // 1 / c in at most six bits for c in each of sixteen intervals from 3/4 to 3/2, as in quick_logarithms, and log(c):
  // in whole multiples of 2^-42, and what is left.
  alignas(64) static constexpr double reciprocals[] = {1.0,     0.90625, 0.875,  0.8125, 0.78125, 0.75,
                                                       0.71875, 0.6875,  1.3125, 1.25,   1.1875,  1.1875,
                                                       1.125,   1.0625,  1.0625, 1.0};
  alignas(64) static constexpr double logarithms[] = {0.0,
                                                      0.09844007281321865,
                                                      0.13353139262449076,
                                                      0.20763936477828793,
                                                      0.2468600779316148,
                                                      0.28768207245184385,
                                                      0.33024168687052224,
                                                      0.3746934494413381,
                                                      -0.2719337154835557,
                                                      -0.22314355131425145,
                                                      -0.17185025692674571,
                                                      -0.17185025692674571,
                                                      -0.11778303565643,
                                                      -0.06062462181648698,
                                                      -0.06062462181648698,
                                                      0.0};
  alignas(64) static constexpr double logarithms_rest[] = {0.0,
                                                           3.3871241029241416e-14,
                                                           3.1859736349078334e-14,
                                                           -4.3425422595242564e-14,
                                                           -8.899851356560444e-14,
                                                           -6.292357389008195e-14,
                                                           5.4612144489920215e-14,
                                                           7.260466149925637e-14,
                                                           -8.604306772808733e-14,
                                                           4.169796584527195e-14,
                                                           8.649239607212071e-14,
                                                           8.649239607212071e-14,
                                                           4.654729747598445e-14,
                                                           5.213620639136504e-14,
                                                           5.213620639136504e-14,
                                                           0.0};
  // (log(1 + r) - r + r^2 / 2) / r^3 for r from -1/20 to 1/16, to 2^-54.
  static constexpr double log_fit[] = {0.3333333333333333,  -0.25,
                                       0.20000000000000018, -0.16666666666661828,
                                       0.14285714285633802, -0.12500000010198312,
                                       0.11111111255188257, -0.09999991242970281,
                                       0.09090788966953672, -0.08336602101921459,
                                       0.07738701827950961, -0.06716324710490273};
};

}  // namespace broadloom::runtime
