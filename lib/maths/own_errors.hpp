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
    const value square = v * v, distance = v - all(erf_middle);
    if constexpr (selects_freely) {
      // Both in one: the last steps of one polynomial with the coefficients of either.
      const auto is_near = v < all(erf_border);
      const value r = is_near ? square : distance;
      value p = is_near ? all(erf_fit_near_0[near_last]) : part(erf_fit_far, far_last, near_last, distance);
#pragma GCC unroll 16
      for (int k = near_last - 1; k >= 0; --k)
        p = multiply_add(p, r, is_near ? all(erf_fit_near_0[k]) : all(erf_fit_far[k]));
      return signed_like(x, is_near ? multiply_add(v, p, v) : p);
    } else {
      const value near_0 = multiply_add(v, polynomial(erf_fit_near_0, square), v);
      return signed_like(x, v < all(erf_border) ? near_0 : polynomial(erf_fit_far, distance));
    }
  }

 private:
  using numbers::all, numbers::multiply_add, numbers::signed_like;
  // With masks, as with AVX-512, a selection takes half the time of a multiply_add.
  static constexpr bool selects_freely = sizeof(value) == 64;
  // c[high] x^(high - low) + ... + c[low]
  template <int N>
  static value part(const typename numbers::element (&c)[N], int high, int low, value x) {
    value p = all(c[high]);
#pragma GCC unroll 16
    for (int k = high - 1; k >= low; --k) p = multiply_add(p, x, all(c[k]));
    return p;
  }
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
  static constexpr int near_last = sizeof erf_fit_near_0 / sizeof *erf_fit_near_0 - 1,
                       far_last = sizeof erf_fit_far / sizeof *erf_fit_far - 1;
};

}  // namespace broadloom::runtime
