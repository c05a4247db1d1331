// Trigonometric functions and their inverses, computed in the argument's own precision.
#pragma once

#include "own_numbers.hpp"

namespace broadloom::runtime {

// tan(k pi / 32) for k from 0 to 7 and -8 to -1, as high + low.
alignas(64) inline constexpr table_of_sums thirty_seconds{
    {0.0, 0.09849140335716425, 0.198912367379658, 0.3033466836073424, 0.41421356237309503, 0.5345111359507917,
     0.6681786379192989, 0.8206787908286604, -1.0, -0.8206787908286604, -0.6681786379192989, -0.5345111359507917,
     -0.41421356237309503, -0.3033466836073424, -0.198912367379658, -0.09849140335716425},
    {0.0, 5.3100671162822435e-18, 8.391794477636538e-19, -1.2766990847826405e-17, 1.4349369327986523e-17,
     -5.2626469389262167e-17, 4.1042270233610004e-17, -2.2923147594675738e-17, 0.0, 2.2923147594675738e-17,
     -4.1042270233610004e-17, 5.2626469389262167e-17, -1.4349369327986523e-17, 1.2766990847826405e-17,
     -8.391794477636538e-19, -5.3100671162822435e-18}};

template <class Pack>
struct fused_trigonometric : private fused_numbers<Pack> {
  using numbers = fused_numbers<Pack>;
  using typename numbers::value, typename numbers::bits, typename numbers::fits;

  // sin, cos and tan for |x| up to the limit; SLEEF computes the others.
  static constexpr typename numbers::element limit = numbers::f64 ? 1e7 : 3e4;

  static value sin(value x) {
    const remainder<> v(x);
    const value r = as_value(as_bits(v.one(v.is_odd())) ^ v.sign(0));
    return x == all(0) ? x : r;
  }
  static value cos(value x) {
    const remainder<> v(x);
    return as_value(as_bits(v.one(!v.is_odd())) ^ v.sign(1));
  }
  // The same, both.
  static void sine_and_cosine(value x, value& sine, value& cosine) {
    const remainder<> v(x);
    const value s = v.sine(), c = v.cosine();
    const auto is_odd = v.is_odd();
    const value r = as_value(as_bits(is_odd ? c : s) ^ v.sign(0));
    sine = x == all(0) ? x : r;
    cosine = as_value(as_bits(is_odd ? s : c) ^ v.sign(1));
  }
  static value tan(value x) {
    if constexpr (f64) return tan_of_double(x);
    const remainder<> v(x);
    // As high + low, with the changes due to the low parts of r, its square and the polynomial.
    const value u = v.r * v.r, cube = u * v.r;
    const value square_rest = multiply_add(v.r, v.r, -u);
    const value p = numbers::in_turn(fits::tangent_fit, u), third = all(1.0 / 3);
    const value high = multiply_add(u, p, third), low = multiply_add(u, p, third - high);
    // The low part of r changes the tangent by low (1 + tan(r)^2). For floats 1 + r^2 is enough; a double near pi / 4
    // would be off by up to 0.2 ULP.
    const value slope = f64 ? multiply_add(cube, high, v.r) : v.r, change = multiply_add(v.rest, slope * slope, v.rest);
    const value small = multiply_add(cube, low, multiply_add(square_rest, v.r * all(0.5), change));
    const value tail = multiply_add(cube, high, small);
    const value tangent = v.r + tail, rest = (v.r - tangent) + tail;
    // An odd number of quarter turns: -1 / (tangent + low).
    const value q = all(-1) / tangent;
    const value of_odd = multiply_add(multiply_add(q, rest, multiply_add(q, tangent, all(1))), q, q);
    const value r = v.is_odd() ? of_odd : tangent;
    return x == all(0) ? x : r;
  }

  static value asin(value x) {
    const chord v(numbers::abs(x));
    const value of_small = v.root + v.tail;
    const value high = all(fits::pi / 2) - (v.root + v.root), off = (all(fits::pi / 2) - high) - (v.root + v.root);
    const value of_large = high + ((off + all(fits::pi_rest / 2)) - (v.tail + v.tail));
    return signed_like(x, v.is_large ? of_large : of_small);
  }
  // For floats, to 3 ULP; asin is accurate to 1 ULP.
  static value quick_asin(value x) {
    const value a = numbers::abs(x);
    const auto is_small = a <= all(0.5);
    const value square = is_small ? a * a : multiply_add(all(-0.5), a, all(0.5));
    // The addend keeps the square root of 0 from being NaN, and is negligible beside the square of any other chord.
    const value root = is_small ? a : numbers::quick_sqrt(square + all(0x1p-60));
    const value angle = multiply_add(root * square, polynomial(fits::arc_sine_fit, square), root);
    const value r = is_small ? angle : multiply_add(all(-2), angle, all(fits::pi / 2));
    return as_value(as_bits(r) ^ (as_bits(x) & as_bits(all(-0.0))));
  }
  static value acos(value x) {
    // Twice the angle of the chord, to be subtracted from pi if x < 0; the angle itself, to be subtracted from pi / 2.
    const chord v(numbers::abs(x));
    const bits sign = as_bits(x) & as_bits(all(-0.0));
    const value of_positive = v.is_large ? all(0) : all(fits::pi / 2),
                of_negative = v.is_large ? all(fits::pi) : all(fits::pi / 2);
    const value start = x < all(0) ? of_negative : of_positive;
    const value factor = v.is_large ? all(2) : all(-1);
    const value part = as_value(as_bits(factor * v.root) ^ sign), sum = start + part, off = (start - sum) + part;
    return sum + ((off + start * all(fits::pi_rest / fits::pi)) + as_value(as_bits(factor * v.tail) ^ sign));
  }

  static value atan(value x) {
    if constexpr (f64) {
      return atan_of_double(x);
    } else {
      const value a = numbers::at_most(0x1p60, numbers::abs(x)), one = all(1);
      const auto is_large = a > one;
      const value r = is_large ? one / a : a;
      const value rest = is_large ? multiply_add(-r, a, one) * r : all(0);
      const value tail = arc_tail(r, rest);
      const value high = all(fits::pi / 2) - r, off = (all(fits::pi / 2) - high) - r;
      return signed_like(x, is_large ? high + ((off + all(fits::pi_rest / 2)) - tail) : r + tail);
    }
  }
  static value atan2(value y, value x) {
    if constexpr (f64) {
      return atan2_of_doubles(y, x);
    } else {
      const value a = numbers::abs(x), b = numbers::abs(y);
      const auto is_steep = b > a;
      const value most = is_steep ? b : a, least = is_steep ? a : b;
      // Two infinities have the quotient 1, two zeros 0.
      const value above = least == all(infinity) ? all(1) : least;
      const value below = least == all(infinity) ? all(1) : most == all(0) ? all(1) : most;
      const value r = above / below;
      // The remainder of the quotient, with both arguments scaled to moderate size; a small quotient needs none.
      constexpr double far = either(0x1p60, 0x1p500);
      const value scale = most > all(far) ? all(1 / far) : most < all(1 / far) ? all(far) : all(1);
      const value divisor = below * scale;
      const value rest = r > all(either(0x1p-30, 0x1p-60))
                             ? multiply_add(-r, divisor, above * scale) * numbers::rough_reciprocal(divisor)
                             : all(0);
      const value tail = arc_tail(r, rest);
      const bits negative = as_bits(x) & as_bits(all(-0.0));
      const auto is_negative = negative != 0u;
      // The angle is start + r or start - r.
      const value flat = is_negative ? all(fits::pi) : all(0), start = is_steep ? all(fits::pi / 2) : flat;
      const bits sign = is_steep ? negative ^ as_bits(all(-0.0)) : negative;
      const value part = as_value(as_bits(r) ^ sign), sum = start + part, off = (start - sum) + part;
      const value result = sum + ((off + start * all(fits::pi_rest / fits::pi)) + as_value(as_bits(tail) ^ sign));
      const value of_numbers = signed_like(y, result);
      return x == x ? of_numbers : x;
    }
  }

 private:
  using numbers::f64, numbers::either, numbers::all, numbers::multiply_add, numbers::as_bits, numbers::as_value,
      numbers::signed_like, numbers::infinity, numbers::rounder;
  template <int N>
  static value polynomial(const typename numbers::element (&c)[N], value x) {
    return numbers::polynomial(c, x);
  }

  // x - n pi / Parts as high + low.
  template <int Parts = 2>
  struct remainder {
    value t, r, rest;
    explicit remainder(value x) {
      t = multiply_add(x, all(Parts / fits::pi), all(rounder));
      const value n = t - all(rounder);
      const value high = multiply_add(n, all(-fits::pi / Parts), x);  // exact
      const value product = n * all(fits::pi_rest / Parts),
                  product_rest = multiply_add(n, all(fits::pi_rest / Parts), -product);
      r = high - product;
      rest = multiply_add(n, all(-fits::pi_last / Parts), ((high - r) - product) - product_rest);
    }
    auto is_odd() const { return (as_bits(t) & 1u) != 0u; }
    // The value after n + more quarter turns.
    bits sign(unsigned more) const { return ((as_bits(t) + more) & 2u) << (f64 ? 62 : 30); }
    value sine() const {
      const value u = r * r;
      return r + multiply_add(u * r, polynomial(fits::sine_fit, u), rest);
    }
    // The cosine where asked for, else the sine: of doubles with AVX-512, where choices take no time of
    // multiplications, by one polynomial of chosen coefficients, with the same bits.
    template <class Mask>
    value one(Mask is_cosine) const {
      if constexpr (f64 && numbers::has_exponents) {
        const value u = r * r, half = u * all(0.5), high = all(1) - half;
        value p = is_cosine ? all(0) : all(fits::sine_fit[6]);
#pragma GCC unroll 6
        for (int k = 5; k >= 0; --k)
          p = multiply_add(p, u, is_cosine ? all(fits::cosine_fit[k]) : all(fits::sine_fit[k]));
        const value small = multiply_add(-r, rest, (all(1) - high) - half);
        return (is_cosine ? high : r) + multiply_add(u * (is_cosine ? u : r), p, is_cosine ? small : rest);
      } else {
        return is_cosine ? cosine() : sine();
      }
    }
    value cosine() const {
      const value u = r * r, half = u * all(0.5), high = all(1) - half;
      const value small = multiply_add(-r, rest, (all(1) - high) - half);
      return high + multiply_add(u * u, polynomial(fits::cosine_fit, u), small);
    }
  };
  // The tangent of c + r with c out of a table and |r| up to pi / 64: (tan(c) + tan(r)) / (1 - tan(c) tan(r)), or after
  // an odd number of quarter turns the other way round, with the low parts of both.
  static value tan_of_double(value x) {
    const remainder<32> v(x);
    value c, c_rest;
    if constexpr (requires { Pack::from_table(thirty_seconds.high, v.t); }) {
      c = Pack::from_table(thirty_seconds.high, v.t);
      c_rest = Pack::from_table(thirty_seconds.low, v.t);
    } else {
      numbers::pairs_from_table(thirty_seconds.pairs, v.t, c, c_rest);
    }
    const value u = v.r * v.r;
    const value tail = multiply_add(u * v.r, numbers::in_turn(fits::tangent_fit, u), v.rest);
    const value small = v.r + tail, small_rest = (v.r - small) + tail;
    const value sum = c + small, sum_rest = (small - (sum - c)) + (small_rest + c_rest);
    const value product = c * small, product_rest = multiply_add(c, small, -product);
    const value less = all(1) - product, off = (all(1) - less) - product;
    const value less_rest = off - multiply_add(c, small_rest, multiply_add(c_rest, small, product_rest));
    const auto is_odd = ((as_bits(v.t) + 8u) & 16u) != 0u;
    const value above = is_odd ? -less : sum, above_rest = is_odd ? -less_rest : sum_rest;
    const value below = is_odd ? sum : less, below_rest = is_odd ? sum_rest : less_rest;
    const value q = above / below;
    const value lack = multiply_add(-q, below_rest, multiply_add(-q, below, above) + above_rest);
    const value rough = numbers::rough_reciprocal(below);
    const value one_over = multiply_add(rough, multiply_add(-rough, below, all(1)), rough);
    const value r = multiply_add(lack, one_over, q);
    return x == all(0) ? x : r;
  }

  // atan(r) - r for 0 <= r <= 1 with a low part; the polynomial is summed as high + low.
  static value arc_tail(value r, value rest) {
    const value u = r * r, cube = u * r, p = polynomial(fits::arc_fit, u);
    const value high = multiply_add(u, p, all(-1.0 / 3)), low = multiply_add(u, p, all(-1.0 / 3) - high);
    const value change = multiply_add(rest * u, all(-0.5), rest);
    return multiply_add(cube, high, multiply_add(cube, low, change));
  }

  // Of doubles, whose angle is a multiple of pi / 4 and one up to pi / 8, that of the quotient t, with its low part.
  static constexpr double eighth = 0.41421356237309503,
                          three_eighths = 2.414213562373095;  // tan(pi / 8), tan(3 pi / 8)
  static value small_arc_tail(value t, value rest) {
    const value u = t * t;
    return multiply_add(u * t, polynomial(fits::small_arc_fit, u), rest);
  }
  static value atan_of_double(value x) {
    const value a = numbers::at_most(0x1p60, numbers::abs(x));
    const auto is_middle = a > all(eighth), is_large = a > all(three_eighths);
    const value less = a - all(1), more = a + all(1);
    const value above = is_large ? all(-1) : is_middle ? less : a, below = is_large ? a : is_middle ? more : all(1);
    const value less_rest = a - (less + all(1)), more_rest = a - (more - all(1));
    const value t = above / below;
    const value off_middle = is_large ? all(0) : is_middle ? multiply_add(-t, more_rest, less_rest) : all(0);
    const value rest = (multiply_add(-t, below, above) + off_middle) * numbers::rough_reciprocal(below);
    const value start = is_large ? all(fits::pi / 2) : is_middle ? all(fits::pi / 4) : all(0);
    const value sum = start + t, off = (start - sum) + t;
    const value r = sum + (multiply_add(start, all(fits::pi_rest / fits::pi), off) + small_arc_tail(t, rest));
    return signed_like(x, r);
  }
  static value atan2_of_doubles(value y, value x) {
    const value a = numbers::abs(x), b = numbers::abs(y);
    const auto is_steep = b > a;
    const value most = is_steep ? b : a, least = is_steep ? a : b;
    // Two infinities have the quotient 1, two zeros 0.
    const value above = least == all(infinity) ? all(1) : least;
    const value below = least == all(infinity) ? all(1) : most == all(0) ? all(1) : most;
    // Both of moderate size; a small quotient needs no low part.
    const value scale = most > all(0x1p500) ? all(0x1p-500) : most < all(0x1p-500) ? all(0x1p500) : all(1);
    const value scaled_above = above * scale, scaled_below = below * scale;
    const auto is_middle = scaled_above > all(eighth) * scaled_below;
    const value less = scaled_above - scaled_below, more = scaled_below + scaled_above;
    const value less_rest = scaled_above - (less + scaled_below), more_rest = scaled_above - (more - scaled_below);
    const value t = (is_middle ? less : above) / (is_middle ? more : below);
    const value divisor = is_middle ? more : scaled_below;
    const value off_middle = is_middle ? multiply_add(-t, more_rest, less_rest) : all(0);
    const value lack = multiply_add(-t, divisor, is_middle ? less : scaled_above) + off_middle;
    const value rest = numbers::abs(t) > all(0x1p-60) ? lack * numbers::rough_reciprocal(divisor) : all(0);
    const value tail = small_arc_tail(t, rest);
    // The angle is start + quarter + t or start - (quarter + t), where start and quarter are multiples of pi / 4.
    const bits negative = as_bits(x) & as_bits(all(-0.0));
    const bits sign = is_steep ? negative ^ as_bits(all(-0.0)) : negative;
    const value from = is_steep ? all(2) : negative != 0u ? all(4) : all(0);
    const value step = as_value(as_bits(is_middle ? all(1) : all(0)) ^ sign), quarters = from + step;
    const value start = quarters * all(fits::pi / 4);
    const value start_rest =
        multiply_add(quarters, all(fits::pi_rest / 4), multiply_add(quarters, all(fits::pi / 4), -start));
    const value part = as_value(as_bits(t) ^ sign), sum = start + part, off = (start - sum) + part;
    const value result = sum + ((off + start_rest) + as_value(as_bits(tail) ^ sign));
    const value of_numbers = signed_like(y, result);
    return x == x ? of_numbers : x;
  }

  // The arc sine of a up to 1/2, of sqrt((1 - a) / 2) beyond: root + tail.
  struct chord {
    value root, tail;
    decltype(value{} < value{}) is_large;
    explicit chord(value a) {
      is_large = a > all(0.5);
      const value square = is_large ? multiply_add(all(-0.5), a, all(0.5)) : a * a;
      const value of_large = numbers::sqrt(square);
      root = is_large ? of_large : a;
      const value rest = multiply_add(-of_large, of_large, square) * (all(0.5) * numbers::rough_reciprocal(of_large));
      tail = multiply_add(root * square, polynomial(fits::arc_sine_fit, square), is_large ? rest : all(0));
    }
  };
};

}  // namespace broadloom::runtime
