// The incomplete gamma functions of floats and Hurwitz's zeta function in vectors of f64. Of floats within 0.51 units
// of the last place: each product is rounded, and how many terms an element takes is its own affair, so that bits are
// the same at every level and place.
#include <broadloom/core/maths.hpp>
#include <broadloom/fn/lanes.hpp>

#include <type_traits>

#include "large_gamma.hpp"
#include "logarithm_in_parts.hpp"
#include "own_fits.hpp"
#include "special_vectors.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

using vec = wide_floats;
using value = vec::value;
using lanes::times;

constexpr index most = 256;  // elements of a chunk
constexpr double infinity = __builtin_inf();

value at(const double* p) { return detail::load<double, vec::width>(p); }
void put(double* p, value v) { detail::store(p, v); }

struct pair_chunk {
  alignas(64) double x[most], y[most], a[most], b[most], c[most], d[most], e[most], off[most];
  bool alone[most];  // elements that are computed by themselves
  bool done[most];
  index n = 0, count = 0;  // with the last one repeated to whole vectors

  template <class T>
  void read(const T* from_x, const T* from_y, index x_advance, index y_advance, index elements) {
    n = elements;
    count = (n + vec::width - 1) / vec::width * vec::width;
    for (index i = 0; i < count; ++i) {
      const index k = i < n ? i : n - 1;
      x[i] = static_cast<double>(from_x[x_advance == 0 ? 0 : k]);
      y[i] = static_cast<double>(from_y[y_advance == 0 ? 0 : k]);
    }
  }
  void strip(maths1 f, const double* from, double* to) const { map1(f, accuracy::accurate, from, to, count); }
  // F of each vector's place.
  template <class F>
  void each(const F& f) {
    for (index i = 0; i < count; i += vec::width) f(i);
  }
};

double largest(value v) {
  double r = v[0];
  for (int k = 1; k < vec::width; ++k) r = v[k] > r ? v[k] : r;
  return r;
}
value rounded_up(value v) {
  value r = v;
  for (int k = 0; k < vec::width; ++k) r[k] = __builtin_ceil(v[k]);
  return r;
}

// P(a, x) by its series up to x = a + 1, Q(a, x) by its continued fraction beyond (Abramowitz and Stegun 6.5.29,
// 6.5.31), and the other as 1 less it. Both are evaluated from their last term on as a quotient of two numbers, so that
// they divide once. Up to a = 128, where numbers of terms for 1e-12 are at most those below.
constexpr double most_a = 128, most_x = 2000;  // beyond, Q is 0

value series(value a, value x) {
  const value terms = rounded_up(vec::all(14) + times(vec::all(7), vec::sqrt(a)));
  value p = vec::all(1), q = vec::all(1);
  for (double k = largest(terms); k >= 1; --k) {
    const auto has = vec::all(k) <= terms;
    const value below = times(a + vec::all(k), q);
    p = has ? below + times(x, p) : p;
    q = has ? below : q;
  }
  return p / q;
}
value fraction(value a, value x) {
  const value terms = rounded_up(vec::all(4) + vec::all(56) / x + times(vec::all(3), vec::sqrt(a)));
  const value first = x - a + vec::all(1);
  value p = first + terms + terms, q = vec::all(1);
  for (double k = largest(terms); k >= 1; --k) {
    const auto has = vec::all(k) <= terms;
    const value next = times(first + vec::all(2 * (k - 1)), p) - times(times(vec::all(k), vec::all(k) - a), q);
    q = has ? p : q;
    p = has ? next : p;
  }
  return q / p;
}

// Elements of larger a, which are done then: false if those are all.
constexpr double largest_a = 1e30;
template <bool Upper>
bool take_large(pair_chunk& c, float* out) {
  constexpr double near = 0.25, zero_from = 120;
  short place[most];
  index n = 0;
  for (index i = 0; i < c.count; ++i) c.done[i] = false;
  for (index i = 0; i < c.n; ++i) {
    place[n] = static_cast<short>(i);
    c.c[n] = c.x[i];
    c.d[n] = c.y[i];
    n += c.x[i] > most_a && c.x[i] < largest_a && c.y[i] > 0 && c.y[i] < infinity;
  }
  if (n == 0) return true;
  index count = n;
  for (; count % vec::width != 0; ++count) c.c[count] = c.c[n - 1], c.d[count] = c.d[n - 1];
  for (index i = 0; i < count; i += vec::width) put(c.a + i, at(c.d + i) / at(c.c + i));
  map1(maths1::log, accuracy::accurate, c.a, c.a, count);
  for (index i = 0; i < count; i += vec::width) {
    const value a = at(c.c + i), m = (at(c.d + i) - a) / a;
    const value far = m - at(c.a + i), half = vec::absolute(m) < vec::all(near) ? half_square_near(m) : far,
                exponent = times(a, half);
    put(c.a + i, half);
    put(c.b + i, -(exponent < vec::all(zero_from) ? exponent : vec::all(zero_from)));
  }
  map1(maths1::exp, accuracy::accurate, c.b, c.b, count);
  for (index i = 0; i < count; i += vec::width) {
    const value a = at(c.c + i), m = (at(c.d + i) - a) / a;
    const value given = large_gamma_tail(a, m, at(c.a + i), at(c.b + i)),
                tail = at(c.b + i) > vec::all(-zero_from) ? given : vec::all(0), other = vec::all(1) - tail;
    const auto below = m < vec::all(0);
    put(c.b + i, Upper ? (below ? other : tail) : (below ? tail : other));
  }
  for (index i = 0; i < n; ++i) {
    out[place[i]] = static_cast<float>(c.b[i]);
    c.done[place[i]] = true;
  }
  return n < c.n;
}

template <bool Upper>
void gamma_part(pair_chunk& c, float* out, double (*single)(double, double)) {
  if (!take_large<Upper>(c, out)) return;
  for (index i = 0; i < c.count; ++i) {
    c.alone[i] = c.done[i] || !(c.x[i] > 0 && c.x[i] <= most_a && c.y[i] > 0 && c.y[i] < infinity);
    c.c[i] = c.alone[i] ? 1 : c.x[i];
    c.d[i] = c.alone[i] ? 1 : c.y[i] < most_x ? c.y[i] : most_x;
    c.a[i] = c.c[i] + 9;
  }
  // x^a e^-x / gamma(a + 1), by Stirling's series at a + 9.
  c.strip(maths1::log, c.a, c.a);
  c.strip(maths1::log, c.d, c.b);
  c.each([&](index i) {
    const value a = at(c.c + i), x = at(c.d + i), z = a + vec::all(9), by = vec::all(1) / z, square = times(by, by);
    value rest = vec::all(-1.0 / 360360 * 691);
    for (const double b : {1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12})
      rest = times(rest, square) + vec::all(b);
    constexpr double half_log_2_pi = 0.91893853320467274178;
    const value of_gamma = times(z - vec::all(0.5), at(c.a + i)) - z + vec::all(half_log_2_pi) + times(rest, by);
    put(c.a + i, times(a, at(c.b + i)) - x - of_gamma);
  });
  c.strip(maths1::exp, c.a, c.a);
  c.each([&](index i) {
    const value a = at(c.c + i), x = at(c.d + i);
    value factor = at(c.a + i);
    for (int k = 1; k <= 8; ++k) factor = times(factor, a + vec::all(k));
    const auto is_near = x <= a + vec::all(1);
    bool any_near = false, any_far = false;
    for (int k = 0; k < vec::width; ++k) (is_near[k] != 0 ? any_near : any_far) = true;
    const value safe = is_near ? a + vec::all(1) : x;
    const value p = any_near ? times(factor, series(a, is_near ? x : a)) : vec::all(0);
    const value q = any_far ? times(times(factor, a), fraction(a, safe)) : vec::all(0);
    const value below = is_near ? p : vec::all(1) - q, above = is_near ? vec::all(1) - p : q;
    put(c.b + i, Upper ? above : below);
    if constexpr (Upper) {  // 1 - p has lost digits
      const auto lost = is_near & (above < vec::all(1e-5));
      for (int k = 0; k < vec::width; ++k) c.alone[i + k] |= lost[k] != 0;
    }
  });
  for (index i = 0; i < c.n; ++i)
    if (!c.done[i]) out[i] = static_cast<float>(c.alone[i] ? single(c.x[i], c.y[i]) : c.b[i]);
}

// Of doubles: P(a, x) up to x = a + 1, Q(a, x) beyond, and 1 less it, in two parts with an error of 2^-60: the deepest
// terms of the series and the fraction in one part. Others, and what is left of 1 where it is small, are computed one
// at a time.
constexpr double most_a_of_doubles = 1000, least_q = 0x1p-6;
// Q is 0 from here on, and P and Q are where x^a e^-x / gamma(a + 9) is less than e to the power of that.
double zero_from(double a) { return 1200 + 2 * a; }
constexpr double zero_below = -815;

two_parts plus(two_parts a, two_parts b) {
  const two_parts s = two_parts::sum(a.high, b.high);
  return two_parts::ordered_sum(s.high, s.low + (a.low + b.low));
}
two_parts by(two_parts a, two_parts b) {
  const two_parts p = two_parts::product(a.high, b.high);
  return two_parts::ordered_sum(p.high, p.low + (times(a.high, b.low) + times(a.low, b.high)));
}

// e^x of sizes up to 700, to 2^-60.
two_parts exponential(two_parts x) {
  using bits = detail::simd_vec<std::uint64_t, vec::width>;
  using fits = fused_fits<double>;
  constexpr double rounder = 0x1.8p52;
  const value t = times(x.high, vec::all(fits::log2_e)) + vec::all(rounder), n = t - vec::all(rounder);
  const two_parts r =
      two_parts::sum(x.high - times(n, vec::all(fits::ln_2)), x.low - times(n, vec::all(fits::ln_2_rest)));
  const two_parts square = two_parts::product(r.high, r.high);
  // e^r = 1 + r + r^2 / 2 + r^3 / 6 + ...
  value series = vec::all(1.0 / 87178291200);
  for (const double f : {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                         1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6})
    series = vec::multiply_add(series, r.high, vec::all(f));
  const two_parts first = two_parts::sum(vec::all(1), r.high),
                  second = two_parts::sum(first.high, times(square.high, vec::all(0.5)));
  const value low =
      times(times(square.high, r.high), series) + (times(square.low, vec::all(0.5)) + times(r.high, r.low));
  const two_parts e = two_parts::ordered_sum(second.high, second.low + (first.low + (r.low + low)));
  const value scale = reinterpret_cast<value>((reinterpret_cast<bits>(t) + (bits{} + 1023)) << 52);
  return {times(e.high, scale), times(e.low, scale)};
}

// x^a e^-x / gamma(a + 1), by Stirling's series at a + 9.
two_parts gamma_factor(value a, value x, value& exponent) {
  constexpr double half_log_2_pi = 0.91893853320467278, half_log_2_pi_rest = -3.8782941580672414e-17;
  const two_parts z = two_parts::sum(a, vec::all(9));
  const two_parts of_z = logarithm(z), of_x = logarithm({x, vec::all(0)});
  const value inverse = vec::all(1) / z.high, square = times(inverse, inverse);
  value rest = vec::all(-236364091.0 / 2730 / 552);
  for (const double b :
       {854513.0 / 138 / 462, -174611.0 / 330 / 380, 43867.0 / 798 / 306, -3617.0 / 510 / 240, 7.0 / 6 / 182,
        -691.0 / 2730 / 132, 5.0 / 66 / 90, -1.0 / 30 / 56, 1.0 / 42 / 30, -1.0 / 30 / 12, 1.0 / 12})
    rest = vec::multiply_add(rest, square, vec::all(b));
  rest = times(rest, inverse);
  const two_parts power = by({a, vec::all(0)}, of_x), of_gamma = by({z.high - vec::all(0.5), z.low}, of_z);
  two_parts sum = plus(power, {-of_gamma.high, -of_gamma.low});
  sum = plus(sum, two_parts::sum(z.high, -x));
  sum = plus(sum, {vec::all(-half_log_2_pi), z.low - vec::all(half_log_2_pi_rest) - rest});
  exponent = sum.high;
  // Less is left to single numbers, or 0, or changes nothing.
  sum.high = sum.high > vec::all(-690) ? sum.high : vec::all(-690);
  two_parts r = exponential(sum);
  for (int k = 1; k <= 8; ++k) r = by(r, two_parts::sum(a, vec::all(k)));
  return r;
}
// Both are evaluated from their last term on as a quotient of two numbers: the first terms, whose roundings reach the
// result, with what they were rounded by. How many terms an element takes is its own affair.
two_parts quotient(value p, value p_low, value q, value q_low) {
  const two_parts r = two_parts::quotient({p, p_low}, q);
  return {r.high, r.low - times(r.high, q_low) / q};
}
// A power of 2 by which numbers that grow with each term become small again.
value inverse_power(value v) {
  using bits = detail::simd_vec<std::uint64_t, vec::width>;
  const bits exponent = reinterpret_cast<bits>(v) & reinterpret_cast<bits>(vec::all(infinity));
  return reinterpret_cast<value>((bits{} + (2046ull << 52)) - exponent);
}
// step() of k from the last term down to the one above `end`. Each term multiplies numbers by less than 2^12 for a up
// to 1000, and all of them stay finite for a up to 100: beyond, scale() makes them small again.
template <class Step, class Scale>
void each_term(double& k, double end, bool scaled, const Step& step, const Scale& scale) {
  constexpr double unscaled = 16;
  while (k > end) {
    const double stop = scaled && k - unscaled > end ? k - unscaled : end;
    for (; k > stop; --k) step();
    if (scaled) scale();
  }
}

two_parts gamma_series(value a, value x) {
  const value root = vec::sqrt(a), terms = rounded_up(vec::all(20) + times(vec::all(9.4), root)),
              kept = rounded_up(vec::all(8) + times(vec::all(4), root));
  value p = vec::all(1), q = vec::all(1), p_low = vec::all(0), q_low = vec::all(0);
  const double with_rests = largest(kept);
  const bool scaled = largest(a) > 100;
  const auto scale = [&] {
    const value by = inverse_power(q);
    p = times(p, by);
    q = times(q, by);
    p_low = times(p_low, by);
    q_low = times(q_low, by);
  };
  double k = largest(terms);
  each_term(
      k, with_rests, scaled,
      [&] {
        const auto has = vec::all(k) <= terms;
        const value below = times(a + vec::all(k), q);
        p = has ? below + times(x, p) : p;
        q = has ? below : q;
      },
      scale);
  each_term(
      k, 0, scaled,
      [&] {
        const auto has = vec::all(k) <= terms, has_rest = vec::all(k) <= kept;
        const two_parts factor = two_parts::sum(vec::all(k), a), below = two_parts::product(factor.high, q),
                        of_p = two_parts::product(x, p), next = two_parts::sum(below.high, of_p.high);
        const value rest = below.low + (times(factor.high, q_low) + times(factor.low, q));
        p_low = has_rest ? next.low + (rest + (of_p.low + times(x, p_low))) : p_low;
        q_low = has_rest ? rest : q_low;
        p = has ? next.high : p;
        q = has ? below.high : q;
      },
      scale);
  return quotient(p, p_low, q, q_low);
}
// The continued fraction of Q for x > a + 1. What follows the last term is taken to be the limit of equal terms.
two_parts gamma_fraction(value a, value x) {
  const value root = vec::sqrt(a), ratio = a / x;
  const value terms = rounded_up(vec::all(7) + vec::all(110) / x +
                                 times(times(times(vec::all(3.1), root), ratio), times(ratio, ratio))),
              kept = rounded_up(vec::all(4) + times(vec::all(1.2), root));
  const two_parts difference = two_parts::sum(x, -a), first = two_parts::sum(difference.high, vec::all(1));
  const value first_low = difference.low + first.low, f = first.high;
  const value square = times(f, f) + times(times(vec::all(4), terms + vec::all(1)), x + vec::all(1));
  value p = times(vec::all(0.5), f + vec::sqrt(square)) + terms - vec::all(1), q = vec::all(1);
  value p_low = vec::all(0), q_low = vec::all(0);
  const double with_rests = largest(kept);
  const bool scaled = largest(a) > 100;
  const auto scale = [&] {
    const value by = inverse_power(p);
    p = times(p, by);
    q = times(q, by);
    p_low = times(p_low, by);
    q_low = times(q_low, by);
  };
  double k = largest(terms);
  each_term(
      k, with_rests, scaled,
      [&] {
        const auto has = vec::all(k) <= terms;
        const value next = times(f + vec::all(2 * (k - 1)), p) - times(times(vec::all(k), vec::all(k) - a), q);
        q = has ? p : q;
        p = has ? next : p;
      },
      scale);
  each_term(
      k, 0, scaled,
      [&] {
        const auto has = vec::all(k) <= terms, has_rest = vec::all(k) <= kept;
        const two_parts b = two_parts::sum(f, vec::all(2 * (k - 1))), less = two_parts::sum(vec::all(k), -a),
                        c = two_parts::product(vec::all(k), less.high), of_p = two_parts::product(b.high, p),
                        of_q = two_parts::product(c.high, q), next = two_parts::sum(of_p.high, -of_q.high);
        const value b_low = b.low + first_low, c_low = c.low + times(vec::all(k), less.low);
        const value low = next.low + ((of_p.low - of_q.low) + (times(b.high, p_low) + times(b_low, p)) -
                                      (times(c.high, q_low) + times(c_low, q)));
        q_low = has ? p_low : q_low;
        p_low = has & has_rest ? low : p_low;
        q = has ? p : q;
        p = has ? next.high : p;
      },
      scale);
  return quotient(q, q_low, p, p_low);
}

// Elements whose x is up to a + 1, or beyond, gathered.
template <bool Upper, bool Far>
void gamma_group(pair_chunk& c, double* out, double (*single)(double, double)) {
  short place[most];
  index n = 0;
  for (index i = 0; i < c.n; ++i) {
    place[n] = static_cast<short>(i);
    c.c[n] = c.x[i];
    c.d[n] = c.y[i] < zero_from(c.x[i]) ? c.y[i] : zero_from(c.x[i]);
    n += !c.alone[i] && (c.y[i] > c.x[i] + 1) == Far;
  }
  if (n == 0) return;
  const index last = n - 1, count = last / vec::width * vec::width + vec::width;
  for (index i = n; i < count; ++i) c.c[i] = c.c[last], c.d[i] = c.d[last];
  for (index i = 0; i < count; i += vec::width) {
    const value a = at(c.c + i), x = at(c.d + i);
    value exponent;
    const two_parts factor = gamma_factor(a, x, exponent);
    put(c.e + i, exponent);
    const two_parts part =
        Far ? by(by(factor, {a, vec::all(0)}), gamma_fraction(a, x)) : by(factor, gamma_series(a, x));
    const two_parts rest = two_parts::sum(vec::all(1), -part.high);
    put(c.b + i, Upper == Far ? part.high + part.low : rest.high + (rest.low - part.low));
  }
  for (index i = 0; i < n; ++i) {
    const index k = place[i];
    const bool is_zero = c.e[i] < zero_below;
    if constexpr (Upper == Far) c.b[i] = is_zero ? 0 : c.b[i];
    const bool is_right = Upper == Far ? c.b[i] > 0x1p-900 || is_zero : Far || c.b[i] > least_q;
    out[k] = is_right ? c.b[i] : single(c.x[k], c.y[k]);
  }
}
// Elements of larger a; results below e^-620 are left to single numbers, those below e^-800 are 0.
constexpr double largest_a_of_doubles = 0x1p50, most_x_of_doubles = 0x1p60;
template <bool Upper>
void gamma_of_large(pair_chunk& c, double* out, double (*single)(double, double)) {
  constexpr double left_from = 620, zero_from = 800;
  short place[most];
  index n = 0;
  for (index i = 0; i < c.n; ++i) {
    place[n] = static_cast<short>(i);
    c.c[n] = c.x[i];
    c.d[n] = c.y[i];
    n += c.done[i];
  }
  if (n == 0) return;
  for (index i = n; i % vec::width != 0; ++i) c.c[i] = c.c[n - 1], c.d[i] = c.d[n - 1];
  for (index i = 0; i < n; i += vec::width) {
    const value a = at(c.c + i), x = at(c.d + i);
    const large_gamma g(a, x, [](two_parts v) { return exponential(v); });
    const auto below = x<a, is_zero = g.exponent> vec::all(zero_from), is_left = g.exponent > vec::all(left_from);
    const two_parts rest = two_parts::sum(vec::all(1), -g.tail.high);
    const value alone = is_zero ? vec::all(0) : vec::all(__builtin_nan(""));
    const value tail = is_left ? alone : g.tail.high + g.tail.low, other = rest.high + (rest.low - g.tail.low);
    put(c.b + i, Upper ? (below ? other : tail) : (below ? tail : other));
  }
  for (index i = 0; i < n; ++i) {
    const index k = place[i];
    out[k] = c.b[i] == c.b[i] ? c.b[i] : single(c.x[k], c.y[k]);
  }
}
template <bool Upper>
void gamma_part_of_doubles(pair_chunk& c, double* out, double (*single)(double, double)) {
  for (index i = 0; i < c.n; ++i) {
    const bool is_usual = c.x[i] > 0x1p-60 && c.y[i] > 0x1p-900;
    c.done[i] = is_usual && c.x[i] > most_a_of_doubles && c.x[i] < largest_a_of_doubles && c.y[i] < most_x_of_doubles;
    c.alone[i] = !(c.x[i] > 0x1p-60 && c.x[i] <= most_a_of_doubles && c.y[i] > 0x1p-900);
    if (c.alone[i] && !c.done[i]) out[i] = single(c.x[i], c.y[i]);
  }
  gamma_of_large<Upper>(c, out, single);
  gamma_group<Upper, false>(c, out, single);
  gamma_group<Upper, true>(c, out, single);
}

// B(2j) / (2j)!
constexpr double bernoulli[] = {
    8.333333333333333333333e-2,   -1.388888888888888888889e-3,  3.306878306878306878307e-5,
    -8.267195767195767195767e-7,  2.087675698786809897921e-8,   -5.284190138687493184848e-10,
    1.338253653068467883283e-11,  -3.389680296322582866830e-13, 8.586062056277844564136e-15,
    -2.174868698558061873042e-16, 5.509002828360229515203e-18,  -1.395446468581252334071e-19};

// The sum of those times s (s + 1) ... (s + 2j - 2) / a^(2j - 1), times power.
value bernoulli_terms(value s, value a, value power, value rest) {
  const value by = vec::all(1) / a, square = times(by, by);
  value term = times(times(s, power), by);
  for (int j = 0; j < 12; ++j) {
    rest = rest + times(vec::all(bernoulli[j]), term);
    const value k = s + vec::all(2 * j);
    term = times(times(term, square), times(k + vec::all(1), k + vec::all(2)));
  }
  return rest;
}

// Zeta of whole s and negative q, of floats of positive q too: powers by products, of doubles in two parts, as terms of
// both signs may cancel. The numbers of terms are those of the sums below.
value times_each(value a, value b) { return times(a, b); }
two_parts times_each(two_parts a, two_parts b) { return by(a, b); }
value added(value a, value b) { return a + b; }
two_parts added(two_parts a, two_parts b) { return plus(a, b); }
value inverse(value p) { return vec::all(1) / p; }
two_parts inverse(two_parts p) {
  const value q = vec::all(1) / p.high;
  const two_parts back = two_parts::product(q, p.high);
  return {q, times((vec::all(1) - back.high) - back.low - times(q, p.low), q)};
}
value shifted(value q, value k, value) { return q + k; }
two_parts shifted(value q, value k, two_parts) { return two_parts::sum(q, k); }
value high_of(value a) { return a; }
value high_of(two_parts a) { return a.high; }
template <class Mask>
value either(Mask m, value a, value b) {
  return m ? a : b;
}
template <class Mask>
two_parts either(Mask m, two_parts a, two_parts b) {
  return {m ? a.high : b.high, m ? a.low : b.low};
}
template <class Mask>
bool any(Mask mask) {
  return vec::any_nan(reinterpret_cast<value>(mask));
}

value not_a_number(value) { return vec::all(__builtin_nan("")); }
two_parts not_a_number(two_parts) { return {vec::all(__builtin_nan("")), vec::all(0)}; }

// a^-s for whole s.
template <class Number>
Number inverse_whole_power(Number a, value s) {
  constexpr double rounder = 0x1p52;
  Number r = a;
  auto none = s > vec::all(0);
  for (value left = s;;) {
    const value half = (left * vec::all(0.5) - vec::all(0.25) + vec::all(rounder)) - vec::all(rounder);
    const auto odd = left > half + half;
    if (any(odd)) {
      const Number product = either(none, a, times_each(r, a));
      r = either(odd, product, r);
      none = none & ~odd;
    }
    left = half;
    if (!any(left > vec::all(0))) return inverse(r);
    a = times_each(a, a);
  }
}
// Elements right next to zeros are NaN.
template <class Number>
Number zeta_of_whole(value s, value q) {
  constexpr bool precise = sizeof(Number) > sizeof(value);
  constexpr double negligible = precise ? 0x1p-60 : 0x1p-40, cancelled = precise ? 0x1p-36 : 0x1p-18;
  const value limit = precise ? s + vec::all(9) : times(s, vec::all(0.5)) + vec::all(4);
  Number a = shifted(q, vec::all(0), Number{}), sum{};
  value k = vec::all(0), largest = vec::all(0);
  auto goes_on = high_of(a)<limit, ended = k> k;
  while (any(goes_on)) {
    const Number term = inverse_whole_power(a, s);
    sum = either(goes_on, added(sum, term), sum);
    const value base = high_of(a), size = vec::absolute(high_of(term));
    largest = (goes_on & (size > largest)) ? size : largest;
    ended =
        ended |
        (goes_on & (base > vec::all(0)) &
         (times(size, base + s) <= times(times(vec::absolute(high_of(sum)), s - vec::all(1)), vec::all(negligible))));
    k = goes_on ? k + vec::all(1) : k;
    a = shifted(q, k, Number{});
    goes_on = (high_of(a) < limit) & ~ended;
  }
  const Number power = inverse_whole_power(a, s), product = times_each(power, a);
  Number main, half, rest;
  const value above = s - vec::all(1), base = high_of(a);
  const value terms = bernoulli_terms(s, base, high_of(power), vec::all(0));
  if constexpr (precise) {
    main = two_parts::quotient(product, above);
    half = {times(power.high, vec::all(0.5)), times(power.low, vec::all(0.5))};
    rest = {terms, vec::all(0)};
  } else {
    main = product / above;
    half = times(power, vec::all(0.5));
    rest = terms;
  }
  const Number all = either(ended, sum, added(added(sum, main), added(half, rest)));
  const auto lost = vec::absolute(high_of(all)) < times(largest, vec::all(cancelled));
  return either(lost & (q < vec::all(0)), not_a_number(all), all);
}

// Computes elements of whole s, which are done then: false if those are all.
constexpr double most_whole = 63, farthest_below = -64, smallest_base = 0x1p-14, largest_base = 0x1p14;
template <class T>
bool take_whole(pair_chunk& c, double factor, double factor_rest, T* out, double (*single)(double, double)) {
  using number = std::conditional_t<sizeof(T) == 8, two_parts, value>;
  short place[most];
  index n = 0;
  for (index i = 0; i < c.count; ++i) c.done[i] = false;
  for (index i = 0; i < c.n; ++i) {
    const double s = c.x[i], q = c.y[i], down = __builtin_floor(q), off = q - down;
    const bool is_near = sizeof(T) == 4 && q > smallest_base && q < largest_base,
               is_below = q < 0 && q > farthest_below && off > smallest_base && off < 1 - smallest_base;
    place[n] = static_cast<short>(i);
    c.c[n] = s;
    c.d[n] = q;
    n += s >= 2 && s <= most_whole && s == __builtin_floor(s) && (is_near || is_below);
  }
  if (n == 0) return true;
  for (index i = n; i % vec::width != 0; ++i) c.c[i] = c.c[n - 1], c.d[i] = c.d[n - 1];
  for (index i = 0; i < n; i += vec::width) {
    const number z = zeta_of_whole<number>(at(c.c + i), at(c.d + i));
    value r;
    if constexpr (sizeof(T) == 8) {
      const two_parts all = by(z, {vec::all(factor), vec::all(factor_rest)});
      r = vec::absolute(all.high) < vec::all(infinity) ? all.high + all.low : times(z.high, vec::all(factor));
    } else {
      r = times(z, vec::all(factor));
    }
    put(c.b + i, r);
  }
  for (index i = 0; i < n; ++i) {
    const index k = place[i];
    const double r = c.b[i];
    out[k] = static_cast<T>(r == r ? r : single(c.x[k], c.y[k]));
    c.done[k] = true;
  }
  return n < c.n;
}

// Sum of (q + k)^-s over k >= 0: terms up to q + k = 4 + s / 2, and Euler and Maclaurin's formula for the rest, of
// which 12 terms are exact to 1e-12 from there on. Times a factor.
constexpr double most_s = 64, most_q = 1e30;

void zeta(pair_chunk& c, double factor, float* out, double (*single)(double, double)) {
  if (!take_whole(c, factor, 0, out, single)) return;
  // a: q + k; b: powers; c: sums; d: the limit of a, -1 where no further term changes the sum.
  for (index i = 0; i < c.count; ++i) {
    c.alone[i] = c.done[i] || !(c.x[i] > 1 && c.x[i] <= most_s && c.y[i] > 0 && c.y[i] < most_q);
    if (c.alone[i] && !c.done[i] && i < c.n) out[i] = static_cast<float>(single(c.x[i], c.y[i]));
    if (c.alone[i]) c.x[i] = 2, c.y[i] = 100;
    c.a[i] = c.y[i];
    c.c[i] = 0;
    c.d[i] = 4 + c.x[i] / 2;
  }
  const auto powers = [&] {
    c.strip(maths1::log, c.a, c.b);
    c.each([&](index i) { put(c.b + i, -times(at(c.x + i), at(c.b + i))); });
    c.strip(maths1::exp, c.b, c.b);
  };
  for (;;) {
    bool any = false;
    for (index i = 0; i < c.count; ++i) any |= c.a[i] < c.d[i];
    powers();
    if (!any) break;
    c.each([&](index i) {
      const value a = at(c.a + i), limit = at(c.d + i), term = at(c.b + i);
      const auto has = a < limit;
      const value sum = has ? at(c.c + i) + term : at(c.c + i), next = has ? a + vec::all(1) : a;
      put(c.a + i, next);
      put(c.c + i, sum);
      const auto ends = has & (next > vec::all(1)) & (term <= times(sum, vec::all(0x1p-58)));
      put(c.d + i, ends ? vec::all(-1) : limit);
    });
  }
  c.each([&](index i) {
    const value s = at(c.x + i), a = at(c.a + i), power = at(c.b + i);
    const value rest = bernoulli_terms(s, a, power, times(power, a) / (s - vec::all(1)) + times(power, vec::all(0.5)));
    const auto ended = at(c.d + i) < vec::all(0);
    const value sum = at(c.c + i);
    put(c.b + i, times(vec::all(factor), ended ? sum : sum + rest));
  });
  for (index i = 0; i < c.n; ++i)
    if (!c.alone[i]) out[i] = static_cast<float>(c.b[i]);
}

// The same of doubles: terms up to q + k = 9 + s, from where the rest is exact to 2^-62, and sums in two parts. A power
// whose base was rounded is corrected by its derivative. What is left is the error of powers, at most 0.6 of a unit of
// theirs, and a rounding.
constexpr double most_s_of_doubles = 1024, most_s_of_units = 900, least_power = 0x1p-900, most_power = 0x1p1000;
// Beyond, q / (s - 1) and the parts of products may be infinite.
constexpr double most_q_of_units = 0x1p900;

void zeta_of_doubles(pair_chunk& c, double factor, double factor_rest, double* out, double (*single)(double, double)) {
  // a: q + k; off: what it lacks; b: powers; c and e: sums; d: the limit of a, -1 where no further term changes the
  // sum. Where q^-s is no number of usual size, powers are of a / unit, where unit is that of q.
  if (!take_whole(c, factor, factor_rest, out, single)) return;
  alignas(64) double minus_s[most], by_unit[most], base[most], goes_on[most];
  short place[most];
  index live = c.count;
  for (index i = 0; i < c.count; ++i) {
    c.alone[i] = c.done[i] || !(c.x[i] > 1 && c.x[i] <= most_s_of_doubles && c.y[i] > 0);
    if (c.alone[i] && !c.done[i] && i < c.n) out[i] = single(c.x[i], c.y[i]);
    if (c.alone[i]) c.x[i] = 2, c.y[i] = 100;
    c.a[i] = c.y[i];
    c.c[i] = c.e[i] = c.off[i] = 0;
    c.d[i] = 9 + c.x[i];
    minus_s[i] = -c.x[i];
    by_unit[i] = 1;
    place[i] = static_cast<short>(i);
  }
  const auto powers = [&] {
    for (index i = 0; i < live; i += vec::width) put(base + i, times(at(c.a + i), at(by_unit + i)));
    map2(maths2::pow, accuracy::accurate, base, minus_s, c.b, live);
  };
  for (double k = 0;; ++k) {
    powers();
    if (k == 0) {
      bool any_unit = false;
      for (index i = 0; i < c.count; ++i)
        if (!(c.b[i] > least_power && c.b[i] < most_power) && !c.alone[i]) {
          if (c.x[i] < most_s_of_units && c.y[i] >= 0x1p-1022 && c.y[i] < most_q_of_units) {
            by_unit[i] = __builtin_ldexp(1, -__builtin_ilogb(c.y[i]));
            any_unit = true;
          } else {
            c.alone[i] = true, c.d[i] = -1;
            if (i < c.n) out[i] = single(c.x[i], c.y[i]);
          }
        }
      if (any_unit) powers();
    }
    value count = vec::all(0);
    for (index i = 0; i < live; i += vec::width) {
      const value s = at(c.x + i), a = at(c.a + i), limit = at(c.d + i), term = at(c.b + i), low = at(c.off + i);
      const auto has = a < limit;
      const two_parts sum = two_parts::sum(at(c.c + i), term);
      const value rest = at(c.e + i) + (sum.low - times(times(s, low) / a, term));
      put(c.c + i, has ? sum.high : at(c.c + i));
      put(c.e + i, has ? rest : at(c.e + i));
      const two_parts next = two_parts::sum(at(c.y + i), vec::all(k + 1));
      put(c.a + i, has ? next.high : a);
      put(c.off + i, has ? next.low : low);
      const value above = s - vec::all(1);
      const auto ends =
          has & (next.high > vec::all(1)) & (times(term, a + s) <= times(times(sum.high, above), vec::all(0x1p-60)));
      const value to = ends ? vec::all(-1) : limit, more = has & (to > vec::all(0)) ? vec::all(1) : vec::all(0);
      put(c.d + i, to);
      put(goes_on + i, more);
      count = count + more;
    }
    double left = 0;
    for (int j = 0; j < vec::width; ++j) left += count[j];
    if (left == 0) break;
    // Elements that have ended to the end.
    if (2 * left > static_cast<double>(live) || live == vec::width) continue;
    index to = 0;
    for (index i = 0; i < live; ++i)
      if (goes_on[i] != 0) {
        if (i != to) {
          const auto exchange = [&](auto* of) {
            const auto held = of[i];
            of[i] = of[to];
            of[to] = held;
          };
          for (double* const of : {c.x, c.y, c.a, c.b, c.c, c.d, c.e, c.off, minus_s, by_unit, goes_on}) exchange(of);
          exchange(place);
        }
        ++to;
      }
    live = (to + vec::width - 1) / vec::width * vec::width;
  }
  c.each([&](index i) {
    const value s = at(c.x + i), a = at(c.a + i), power = at(c.b + i);
    const two_parts main = two_parts::quotient(two_parts::product(power, a), s - vec::all(1));
    const two_parts first = two_parts::sum(at(c.c + i), main.high),
                    second = two_parts::sum(first.high, times(power, vec::all(0.5)));
    const value slope = times(power, vec::all(1) + times(s, vec::all(0.5)) / a),
                low = (first.low + second.low) + (at(c.e + i) + (main.low - times(slope, at(c.off + i)))),
                rest = bernoulli_terms(s, a, power, low);
    const auto ended = at(c.d + i) < vec::all(0);
    const two_parts all = two_parts::ordered_sum(ended ? at(c.c + i) : second.high, ended ? at(c.e + i) : rest),
                    result = two_parts::product(all.high, vec::all(factor));
    const value corrected =
        result.high + (result.low + (times(all.low, vec::all(factor)) + times(all.high, vec::all(factor_rest))));
    put(c.b + i, vec::absolute(result.high) < vec::all(infinity) ? corrected : result.high);
    put(c.c + i, all.high);
    put(c.e + i, all.low);
  });
  for (index i = 0; i < c.count; ++i) {
    const index to = place[i];
    if (to >= c.n || c.alone[to]) continue;
    if (by_unit[i] == 1) {
      out[to] = c.b[i];
    } else {
      using R = long double;
      const R unit = __builtin_exp2l(static_cast<R>(__builtin_ilogb(by_unit[i])) * static_cast<R>(c.x[i]));
      out[to] = static_cast<double>((static_cast<R>(c.c[i]) + static_cast<R>(c.e[i])) *
                                    (static_cast<R>(factor) + static_cast<R>(factor_rest)) * unit);
    }
  }
}

template <class T>
bool run(special2 f, const T* x, const T* y, index x_advance, index y_advance, T* out, index n, long double factor,
         double (*single)(double, double)) {
  pair_chunk c;
  // A single operand may lie where the first result is written.
  const T first = *x, second = *y;
  const double high = static_cast<double>(factor);
  for (index i = 0; i < n; i += most) {
    c.read(x_advance == 0 ? &first : x + i, y_advance == 0 ? &second : y + i, x_advance, y_advance,
           n - i < most ? n - i : most);
    if constexpr (sizeof(T) == 8) {
      switch (f) {
        case special2::gammainc: gamma_part_of_doubles<false>(c, out + i, single); break;
        case special2::gammaincc: gamma_part_of_doubles<true>(c, out + i, single); break;
        case special2::zeta: zeta_of_doubles(c, high, static_cast<double>(factor - high), out + i, single); break;
        default: return false;
      }
    } else {
      switch (f) {
        case special2::gammainc: gamma_part<false>(c, out + i, single); break;
        case special2::gammaincc: gamma_part<true>(c, out + i, single); break;
        case special2::zeta: zeta(c, high, out + i, single); break;
        default: return false;
      }
    }
  }
  return true;
}

}  // namespace

bool BROADLOOM_OF_LEVEL(pair_vectors)(special2 f, const float* x, const float* y, index x_advance, index y_advance,
                                      float* out, index n, long double factor, double (*single)(double, double)) {
  return run(f, x, y, x_advance, y_advance, out, n, factor, single);
}
bool BROADLOOM_OF_LEVEL(pair_vectors)(special2 f, const double* x, const double* y, index x_advance, index y_advance,
                                      double* out, index n, long double factor, double (*single)(double, double)) {
  return run(f, x, y, x_advance, y_advance, out, n, factor, single);
}

}  // namespace broadloom::runtime
