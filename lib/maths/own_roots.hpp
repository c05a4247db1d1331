// Cube roots, hypot and remainders, computed in the argument's own precision.
#pragma once

#include "own_numbers.hpp"

namespace broadloom::runtime {

template <class Pack>
struct fused_roots : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::whole, typename numbers::bits;

  static value cbrt(value x) {
    const value a = numbers::abs(x);
    const auto is_small = a < all(either(0x1p-90, 0x1p-700));
    const value v = is_small ? a * all(either(0x1p48, 0x1p360)) : a;
    // The root, and v minus its cube.
    const value second = one_over_root(v), better = root_by(v, second);
    const value power = better * better, power_rest = multiply_add(better, better, -power);
    const value lack = multiply_add(power_rest, better, multiply_add(power, better, -v));
    const value root = multiply_add(lack * (second * second), all(-1.0 / 3), better);
    const value of_finite = root * (is_small ? all(either(0x1p-16, 0x1p-120)) : all(1));
    const value of_numbers = a < all(numbers::infinity) ? of_finite : a;
    return signed_like(x, a == all(0) ? a : of_numbers);
  }
  // Without what the cube lacks. Of 0 it is 0 times a large number.
  static value quick_cbrt(value x) {
    const value a = numbers::abs(x);
    const auto is_small = a < all(either(0x1p-120, 0x1p-1000));
    const value v = is_small ? a * all(either(0x1p48, 0x1p360)) : a;
    const value better = root_by(v, one_over_root(v));
    const value of_finite = is_small ? better * all(either(0x1p-16, 0x1p-120)) : better;
    return signed_like(x, a < all(numbers::infinity) ? of_finite : a);
  }

  // For quotients below 2^51 of finite numbers: every step is exact except the quotient, which may be off by one.
  static value fmod(value x, value y) {
    const value a = numbers::abs(x), b = numbers::abs(y);
    const value whole = a / b + all(0x1p52), r = multiply_add(all(0x1p52) - whole, b, a);
    return signed_like(x, r < all(0) ? r + b : r);
  }

  static value hypot(value x, value y) { return length<false>(x, y); }
  // To 1.2 ULP; hypot is accurate to 0.53 ULP. Usually no lane has to be rescaled.
  static value quick_hypot(value x, value y) {
    const value squares = multiply_add(x, x, y * y), root = numbers::quick_sqrt(squares);
    const value low = all(either(0x1p-80, 0x1p-800)), high = all(either(0x1p120, 0x1p1000));
    constexpr unsigned lanes = (1u << Pack::width) - 1;
    if ((Pack::less(low, squares) & Pack::less(squares, high)) == lanes) [[likely]]
      return root;
    const value of_any = length<true>(x, y), of_small = low < squares ? root : of_any;
    return squares < high ? of_small : of_any;
  }

 private:
  using numbers::as_bits, numbers::as_value, numbers::either, numbers::all, numbers::multiply_add, numbers::signed_like;
  template <int N>
  static value polynomial(const typename numbers::element (&c)[N], value x) {
    return numbers::polynomial(c, x);
  }

  // 1 / cbrt(v): from the exponent, with an error of 0.04, then refined to 2^-14; of floats again, to 2^-24, with
  // root_by().
  static value one_over_root(value v) {
    value first;
    if constexpr (numbers::f64) {
      // Of the upper half of the bits, by a number of which they are the last ones.
      const value upper = as_value(as_bits(v) >> 32 | as_bits(all(0x1p52))) - all(0x1p52);
      first = as_value(as_bits(multiply_add(upper, all(-1.0 / 3), all(0x1p52 + 0x553ef0ff))) << 32);
    } else {
      const value third = __builtin_convertvector(reinterpret_cast<whole>(v), value) * all(-1.0 / 3);
      first = reinterpret_cast<value>(__builtin_convertvector(third, whole) + 0x54a21d2a);
    }
    const value e = multiply_add(first * first, -(first * v), all(1));
    return multiply_add(first * e, polynomial(root_fit, e), first);
  }
  // cbrt(v) by one over it, `second`, which is refined by a term of its series, of doubles by three.
  static value root_by(value v, value second) {
    const value r = second * second * v, d = multiply_add(second, -r, all(1));
    if constexpr (numbers::f64)
      return multiply_add(r * d, polynomial(square_fit, d), r);
    else
      return multiply_add(r * d, all(2.0 / 3), r);
  }

  template <bool Quick>
  static value length(value x, value y) {
    const value a = numbers::abs(x), b = numbers::abs(y), limit = all(numbers::infinity);
    const auto is_steep = b > a;
    const value most = is_steep ? b : a, least = is_steep ? a : b;
    const value low = all(either(0x1p-40, 0x1p-400)), high = all(either(0x1p60, 0x1p500));
    if constexpr (!Quick) {
      constexpr unsigned lanes = (1u << Pack::width) - 1;
      if ((Pack::less(low, most) & Pack::less(most, high)) == lanes) [[likely]]
        return root_of_squares(most, least, multiply_add(most, most, least * least));
    }
    // Scales the arguments so that squares and their rounding errors are normal.
    const auto is_large = most > high, is_small = most < low;
    const value scale = is_large ? all(either(0x1p-70, 0x1p-600)) : is_small ? all(either(0x1p90, 0x1p700)) : all(1);
    const value back = is_large ? all(either(0x1p70, 0x1p600)) : is_small ? all(either(0x1p-90, 0x1p-700)) : all(1);
    const value u = most * scale, v = least * scale;
    const value squares = multiply_add(u, u, v * v);
    value root;
    if constexpr (Quick)
      root = numbers::quick_sqrt(squares);
    else
      root = root_of_squares(u, v, squares);
    const value r = root * back;
    const value of_numbers = squares == all(0) ? most : r;
    const value of_infinite = a == limit ? a : of_numbers;
    return b == limit ? b : of_infinite;
  }
  // sqrt(u^2 + v^2), where u >= v >= 0 and `squares` is the rounded sum.
  static value root_of_squares(value u, value v, value squares) {
    const value large = u * u, rest = multiply_add(u, u, -large), small = v * v,
                small_rest = multiply_add(v, v, -small);
    const value off = ((large - squares) + small) + (rest + small_rest);
    const value root = numbers::sqrt(squares), lack = multiply_add(-root, root, squares) + off;
    return multiply_add(lack, all(0.5) * numbers::rough_reciprocal(root), root);
  }

  // ((1 - e)^(-1/3) - 1) / e for |e| up to 0.11, to 2^-14.
  static constexpr typename numbers::element one = 1, root_fit[] = {one / 3, one * 2 / 9, one * 14 / 81};
  // ((1 - d)^(-2/3) - 1) / d for |d| up to 2^-13.
  static constexpr typename numbers::element square_fit[] = {one * 2 / 3, one * 5 / 9, one * 40 / 81};
};

}  // namespace broadloom::runtime
