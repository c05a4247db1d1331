// digamma and trigamma of doubles in vectors: of positive numbers by a polynomial each for numbers from 1 to 2, 2 to 4
// and 4 to 8, and by the asymptotic series beyond (Abramowitz and Stegun 6.3.18, 6.4.12); of negative ones by
// reflection (6.3.7, 6.4.7).
#include "digamma_fits.hpp"
#include "logarithm_in_parts.hpp"
#include "special_chunk.hpp"
#include "special_vectors.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

using lanes::times;
using doubles = chunk_of<double>;

constexpr double far = 8;

template <class Mask>
two_parts either(Mask m, two_parts a, two_parts b) {
  return {m ? a.high : b.high, m ? a.low : b.low};
}

// Which kinds of elements a chunk has.
struct kinds {
  bool negative, beyond;
  explicit kinds(const doubles& c) {
    auto below = c.at(c.x) < vec::all(0), above = vec::absolute(c.at(c.x)) >= vec::all(far);
    for (index i = vec::width; i < c.count; i += vec::width) {
      below |= c.at(c.x + i) < vec::all(0);
      above |= vec::absolute(c.at(c.x + i)) >= vec::all(far);
    }
    negative = any(below);
    beyond = any(above);
  }
};

// What a size is more than the next whole number, from -1/2 to 1/2.
value beyond_whole(value size) {
  constexpr double rounder = 0x1p52;
  return size < vec::all(rounder) ? size - ((size + vec::all(rounder)) - vec::all(rounder)) : vec::all(0);
}
two_parts plus(two_parts a, two_parts b) {
  const two_parts s = two_parts::sum(a.high, b.high);
  return {s.high, s.low + (a.low + b.low)};
}
// 1 / x^2
two_parts inverse_square(value x) {
  const two_parts square = two_parts::product(x, x);
  const value by = vec::all(1) / square.high;
  const two_parts back = two_parts::product(by, square.high);
  return {by, times((vec::all(1) - back.high) - back.low - times(by, square.low), by)};
}

// Of x below 0, digamma(-x) - 1 / x + pi cot(-pi x).
void digamma(doubles& c, double* out, double (*single)(double)) {
  constexpr double least = 0x1p-1000;
  const kinds some(c);
  if (some.beyond) {
    for (index i = 0; i < c.count; i += vec::width) c.put(c.b + i, vec::absolute(c.at(c.x + i)));
    c.strip(maths1::log, c.b, c.a);
  }
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i), y = vec::absolute(x);
        const auto below_0 = x < vec::all(0), below_1 = y < vec::all(1), below_2 = y < vec::all(2),
                   below_4 = y < vec::all(4), below_8 = y < vec::all(far);
        two_parts r{vec::all(0), vec::all(0)};
        if (any(below_2)) {
          // Of x + 1 below 1, less 1 / x.
          const value t = below_1 ? y : y - vec::all(1);
          const two_parts distance = two_parts::sum(t, vec::all(-digamma_root)),
                          p = two_parts::polynomial(digamma_1, digamma_1_rests, t - vec::all(0.5));
          r = two_parts::product(distance.high, p.high);
          r.low = r.low +
                  vec::multiply_add(distance.high, p.low, times(distance.low - vec::all(digamma_root_rest), p.high));
          const two_parts by = two_parts::quotient({vec::all(-1), vec::all(0)}, y),
                          sum = two_parts::sum(by.high, r.high);
          r = either(below_1 & ~below_0, {sum.high, sum.low + (by.low + r.low)}, r);
        }
        if (any(below_4 & ~below_2))
          r = either(below_2, r, two_parts::polynomial(digamma_2, digamma_2_rests, y - vec::all(3)));
        if (any(below_8 & ~below_4))
          r = either(below_4, r, two_parts::polynomial(digamma_4, digamma_4_rests, y - vec::all(6)));
        if (any(~below_8)) {
          const value by = vec::all(1) / y, square = times(by, by);
          two_parts log{c.at(c.a + i), vec::all(0)};
          if (some.negative) log = either(below_0, logarithm({y, vec::all(0)}), log);
          const two_parts sum = two_parts::ordered_sum(log.high, by * vec::all(-0.5));
          r = either(below_8, r,
                     {sum.high, sum.low + log.low - times(square, vec::polynomial(digamma_series, square))});
        }
        const value of_number = x == vec::all(infinity) ? x : r.high + r.low;
        const value positive = x > vec::all(least) ? of_number : vec::all(nan);
        if (!some.negative) return positive;
        const value off = beyond_whole(y);
        const two_parts square = two_parts::product(off, off);
        const two_parts one{vec::all(1), vec::all(0)}, of_y = two_parts::quotient(one, y);
        two_parts p = two_parts::polynomial(cotangent_fit, cotangent_fit_rests, square.high);
        p.low = p.low + times(square.low, vec::polynomial(cotangent_slope, square.high));
        two_parts times_off = two_parts::product(p.high, off);
        times_off.low = vec::multiply_add(p.low, off, times_off.low);
        const two_parts cotangent = plus(two_parts::quotient(one, off), times_off),
                        sum = plus(cotangent, either(below_1, r, plus(r, of_y)));
        // Next to zeros, single numbers have more digits.
        const auto known = (off != vec::all(0)) & (vec::absolute(sum.high) > vec::all(0x1p-4));
        const value negative = known ? sum.high + sum.low : vec::all(nan);
        return below_0 ? (x < vec::all(-least) ? negative : vec::all(nan)) : positive;
      },
      single, [](value x) { return (x >= vec::all(-least)) | (beyond_whole(vec::absolute(x)) != vec::all(0)); });
}

// Of x below 0, 1 / x^2 - trigamma(-x) + (pi / sin(pi x))^2.
void trigamma(doubles& c, double* out, double (*single)(double)) {
  constexpr double least = 0x1p-400;
  const kinds some(c);
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i), y = vec::absolute(x);
        const auto below_0 = x < vec::all(0), below_1 = y < vec::all(1), below_2 = y < vec::all(2),
                   below_4 = y < vec::all(4), below_8 = y < vec::all(far);
        two_parts r{vec::all(0), vec::all(0)};
        if (any(below_2)) {
          // Of x + 1 below 1, and 1 / x^2.
          const value t = below_1 ? y : y - vec::all(1);
          r = two_parts::polynomial(trigamma_1, trigamma_1_rests, t - vec::all(0.5));
          const two_parts by = inverse_square(y), sum = two_parts::sum(by.high, r.high);
          r = either(below_1 & ~below_0, {sum.high, sum.low + (by.low + r.low)}, r);
        }
        if (any(below_4 & ~below_2))
          r = either(below_2, r, two_parts::polynomial(trigamma_2, trigamma_2_rests, y - vec::all(3)));
        if (any(below_8 & ~below_4))
          r = either(below_4, r, two_parts::polynomial(trigamma_4, trigamma_4_rests, y - vec::all(6)));
        if (any(~below_8)) {
          const two_parts by = two_parts::quotient({vec::all(1), vec::all(0)}, y);
          const value square = times(by.high, by.high);
          const value rest = times(times(by.high, square), vec::polynomial(trigamma_series, square));
          const two_parts sum = two_parts::ordered_sum(by.high, square * vec::all(0.5));
          r = either(below_8, r, {sum.high, sum.low + (by.low + rest)});
        }
        const value of_number = x > vec::all(1e300) ? vec::all(1) / x : r.high + r.low;
        const value positive = x > vec::all(least) ? of_number : vec::all(nan);
        if (!some.negative) return positive;
        const value off = beyond_whole(y);
        const two_parts of_y = inverse_square(y), of_off = inverse_square(off),
                        p = two_parts::polynomial(by_sine_fit, by_sine_fit_rests, times(off, off)),
                        less = either(below_1, r, plus(r, {-of_y.high, -of_y.low})),
                        sum = plus(plus(of_off, p), {-less.high, -less.low});
        const value of_pole = off == vec::all(0) ? vec::all(infinity) : sum.high + sum.low;
        const value negative = x == vec::all(-infinity) ? vec::all(nan) : of_pole;
        return below_0 ? (x < vec::all(-least) ? negative : vec::all(nan)) : positive;
      },
      single);
}

// Of floats, within 0.51 units of the last place: by the series at y + 6, less the sum of 1 / (y + k) up to there, of
// which two and two have the same sum of divisors, and so the products u, u + 4 and u + 6.
bool any_negative(const chunk& c) {
  auto below = c.at(c.x) < vec::all(0);
  for (index i = vec::width; i < c.count; i += vec::width) below |= c.at(c.x + i) < vec::all(0);
  return any(below);
}
void digamma(chunk& c, float* out, double (*single)(double)) {
  const bool negative = any_negative(c);
  for (index i = 0; i < c.count; i += vec::width) c.put(c.a + i, vec::absolute(c.at(c.x + i)) + vec::all(6));
  c.strip(maths1::log, c.a, c.b);
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i), y = vec::absolute(x), z = c.at(c.a + i);
        const value five = y + vec::all(5), u = y * five, others = (u + vec::all(4)) * (u + vec::all(6)),
                    q = u * others;
        const value by = vec::all(1) / (z * q), of_z = q * by, square = of_z * of_z;
        const value p =
            (y + five) * vec::multiply_add(u, vec::multiply_add(u, vec::all(3), vec::all(20)), vec::all(24));
        value r = c.at(c.b + i) -
                  vec::multiply_add(square, vec::polynomial(digamma_series_of_floats, square), of_z * vec::all(0.5)) -
                  p * z * by;
        if (negative) {
          const value off = beyond_whole(y), squared = off * off;
          const value of_y = five * others * z * by,
                      cotangent =
                          vec::multiply_add(off, vec::polynomial(cotangent_of_floats, squared), vec::all(1) / off);
          r = x < vec::all(0) ? (off == vec::all(0) ? vec::all(nan) : r + (of_y + cotangent)) : r;
        }
        // Next to zeros, single numbers have more digits.
        r = vec::absolute(r) < vec::all(0x1p-8) ? vec::all(nan) : r;
        r = x == vec::all(0) ? vec::all(-1) / x : r;
        return x == vec::all(infinity) ? x : r;
      },
      single, [](value x) { return (x >= vec::all(0)) | (beyond_whole(vec::absolute(x)) != vec::all(0)); });
}
// Likewise by the sum of 1 / (y + k)^2 for y up to 8.
void trigamma(chunk& c, float* out, double (*)(double)) {
  const bool negative = any_negative(c);
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i), y = vec::absolute(x);
    const auto is_far = y >= vec::all(far);
    const value near = is_far ? vec::all(far) : y, z = is_far ? y : y + vec::all(6);
    const value u = near * (near + vec::all(5)), u4 = u + vec::all(4), u6 = u + vec::all(6), q = u * (u4 * u6);
    const value squares = q * q, by = vec::all(1) / (z * squares), of_z = squares * by, square = of_z * of_z;
    const auto part = [&](double more, value v) { return (u + u + vec::all(more)) * (v * v); };
    const value sum = (part(25, u4 * u6) + (part(17, u * u6) + part(13, u * u4))) * (z * by);
    const value series =
        vec::multiply_add(square, vec::all(0.5), of_z * square * vec::polynomial(trigamma_series_of_floats, square));
    value r = of_z + series + (is_far ? vec::all(0) : sum);
    r = y == vec::all(0) ? vec::all(infinity) : r;
    if (negative) {
      const value off = beyond_whole(y), sine = off * vec::polynomial(sine_of_floats, off * off);
      const value both = vec::all(1) / (y * sine), of_y = sine * both, of_sine = y * both;
      const value below = of_sine * of_sine - (r - of_y * of_y);
      const value of_pole = off == vec::all(0) ? vec::all(infinity) : below;
      r = x < vec::all(0) ? (y == vec::all(infinity) ? vec::all(nan) : of_pole) : r;
    }
    return r;
  });
}

}  // namespace

bool BROADLOOM_OF_LEVEL(digamma_vectors)(special1 f, const float* x, float* out, index n, double (*single)(double)) {
  switch (f) {
    case special1::digamma: return run<float, digamma>(x, out, n, single);
    case special1::trigamma: return run<float, trigamma>(x, out, n, single);
    default: return false;
  }
}
bool BROADLOOM_OF_LEVEL(digamma_vectors)(special1 f, const double* x, double* out, index n, double (*single)(double)) {
  switch (f) {
    case special1::digamma: return run<double, digamma>(x, out, n, single);
    case special1::trigamma: return run<double, trigamma>(x, out, n, single);
    default: return false;
  }
}

}  // namespace broadloom::runtime
