// The error function of floats, computed in float.
#pragma once

#include "own_numbers.hpp"

namespace broadloom::runtime {

template <class Pack>
struct fused_errors : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value;

  static value erf(value x) {
    const value a = numbers::abs(x), v = all(3.93F) < a ? all(3.93F) : a;  // NaN stays
    const value near_0 = multiply_add(v, polynomial(erf_fit_near_0, v * v), v);
    const value far = polynomial(erf_fit_far, v - all(erf_middle));
    return signed_like(x, v < all(erf_border) ? near_0 : far);
  }

  // Within 2.3 units of the last place, where erf is within 0.7. If Pack looks up tables of 16, by a polynomial for
  // each quarter; its coefficients stay in registers.
  static value quick_erf(value x) {
    if constexpr (requires { Pack::has_tables; }) {
      const value a = numbers::at_most(erf_last, numbers::abs(x));
      const value t = multiply_add(a, all(4), all(numbers::rounder)), n = t - all(numbers::rounder);
      const value r = multiply_add(n, all(-0.25), a);
      const auto quarter = t;
      value p = Pack::from_table(erf_quarters[5], quarter);
#pragma GCC unroll 5
      for (int k = 4; k >= 0; --k) p = multiply_add(p, r, Pack::from_table(erf_quarters[k], quarter));
      return signed_like(x, p);
    } else {
      return erf(x);
    }
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::signed_like;
  template <int N>
  static value polynomial(const typename numbers::element (&c)[N], value x) {
    return numbers::polynomial(c, x);
  }

  static constexpr float erf_middle = 2.4688720703125F, erf_border = 1.0F;

  // Minimax polynomials; the error relative to the function is
  // 2^-29: erf(x) / x - 1 by x^2 for x up to erf_border,
  static constexpr float erf_fit_near_0[] = {0.128379166F,  -0.37612626F,    0.112835787F,   -0.0268533472F,
                                             0.0051871622F, -0.00079978531F, 7.80690389e-05F};
  // 2^-27: erf(x) by x - erf_middle from there to 3.93.
  static constexpr float erf_fit_far[] = {0.999519706F,     0.00254258304F,   -0.0062774634F, 0.00948593765F,
                                          -0.00961594004F,  0.0066438918F,    -0.0029080906F, 0.000483930926F,
                                          0.000332568103F,  -0.000292970828F, 7.7895078e-05F, 2.29468933e-05F,
                                          -1.72146283e-05F, 2.16379206e-07F,  1.07949552e-06F};

  // The coefficients, a line each, of erf(k / 4 + r) by r for |r| up to 1/8 and k from 0 to 15, to 2^-24. The last one
  // is raised, so that erf is 1 from erf_last on, where it is 0.74 of a unit less.
  static constexpr float erf_last = 3.874F;
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
};

}  // namespace broadloom::runtime
