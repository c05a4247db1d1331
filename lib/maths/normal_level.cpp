// The normal distribution and scaled error functions of doubles, in vectors: main terms with corrections for what they
// were rounded by.
#include "normal_fits.hpp"
#include "power_of_e.hpp"
#include "scaled_tail.hpp"
#include "special_chunk.hpp"
#include "special_vectors.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

using lanes::times;
using doubles = chunk_of<double>;

constexpr double root_2 = 1.4142135623730951, root_2_rest = -9.667293313452913e-17;

// e^(-a^2 / 2), and half of erfc(a / sqrt(2)) without its power of 2.
struct density {
  power_of_e e;
  two_parts half;

  explicit density(value a) : e(exponent(a)) {
    const two_parts t = scaled_tail(a);
    half = two_parts::ordered_sum(t.high, vec::multiply_add(t.high, e.less, t.low + times(t.low, e.less)));
  }
  static two_parts exponent(value a) {
    const two_parts p = two_parts::product(a, a * vec::all(-0.5));
    return p;
  }
};

value at_most(value x, double limit) { return x > vec::all(limit) ? vec::all(limit) : x; }

void ndtr(doubles& c, double* out, double (*)(double)) {
  constexpr double last = 39;  // beyond, it is 0
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i);
    const density d(at_most(vec::absolute(x), last));
    const value r = d.e.scale(d.half.high, -1);
    return x > vec::all(0) ? vec::all(1) - r : r;
  });
}

// The logarithm of the tail, or that of 1 less it.
void log_ndtr(doubles& c, double* out, double (*single)(double)) {
  constexpr double last = 39;
  auto some_below = c.at(c.x) < vec::all(0), some_above = ~some_below;
  for (index i = 0; i < c.count; i += vec::width) {
    const value x = c.at(c.x + i), a = vec::absolute(x);
    const auto below = x < vec::all(0);
    some_below |= below;
    some_above |= ~below;
    const value of_tail = below ? a : at_most(a, last);
    const two_parts t = scaled_tail(of_tail);
    const power_of_e e(density::exponent(at_most(of_tail, last)));
    const two_parts half =
        two_parts::ordered_sum(t.high, vec::multiply_add(t.high, e.less, t.low + times(t.low, e.less)));
    const value p = e.scale(half.high, -1);
    c.put(c.a + i, below ? t.high * vec::all(0.5) : vec::all(1));
    c.put(c.b + i, below ? vec::all(0) : -p);
    c.put(c.c + i, below ? t.low / t.high : e.scale(half.low, -1) / (p - vec::all(1)));
  }
  if (any(some_below)) c.strip(maths1::log, c.a, c.a);
  if (any(some_above)) c.strip(maths1::log1p, c.b, c.b);
  c.write(
      out,
      [&](index i) {
        constexpr double largest = 1e150;
        const value x = c.at(c.x + i), low = c.at(c.c + i);
        const two_parts square = density::exponent(x), sum = two_parts::sum(square.high, c.at(c.a + i));
        const value below = sum.high + (sum.low + (square.low + low));
        return x < vec::all(0) ? (x < vec::all(-largest) ? vec::all(nan) : below)
                               : (low == vec::all(0) ? c.at(c.b + i) : c.at(c.b + i) + low);
      },
      single);
}

void erfcx(doubles& c, double* out, double (*single)(double)) {
  constexpr double root_2_by_pi = 0.7978845608028654;
  constexpr double largest = 1e300, lowest = 30, far = 1e4;
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i), s = vec::absolute(x);
        const two_parts a = two_parts::product(at_most(s, largest), vec::all(root_2));
        two_parts t = scaled_tail(a.high);
        // By the slope of the tail; where its terms cancel, by that of 1 / a.
        const value off = a.low + times(at_most(s, largest), vec::all(root_2_rest));
        const value near = times(off, times(a.high, t.high) - vec::all(root_2_by_pi));
        t.low = t.low + (a.high > vec::all(far) ? -times(off / a.high, t.high) : near);
        const value above = t.high + t.low;
        value r = s > vec::all(largest) ? vec::all(nan) : above;
        if (any(x < vec::all(0))) {
          // 2 e^(x^2) less it: without its power of 2, which is at most that of 100 where the rest counts.
          const value b = at_most(s, lowest);
          const power_of_e e(two_parts::product(b, b));
          power_of_e back = e;
          back.t = vec::all(2 * power_of_e::rounder) -
                   (e.t > vec::all(power_of_e::rounder + 100) ? vec::all(power_of_e::rounder + 100) : e.t);
          const two_parts sum = two_parts::ordered_sum(vec::all(2), -back.scale(t.high, 0));
          const value below = sum.high + (vec::all(2) * e.less + (sum.low - back.scale(t.low, 0)));
          r = x < vec::all(0) ? e.scale(below, 0) : r;
        }
        return r;
      },
      single);
}

enum class inverse_of { erf, erfc, ndtr };
// The domain is between two points, where the inverse is infinite.
template <inverse_of F>
constexpr double lower = F == inverse_of::erf ? -1 : 0;
template <inverse_of F>
constexpr double upper = F == inverse_of::erfc ? 2 : 1;
template <inverse_of F>
auto is_inside(value x) {
  return (x > vec::all(lower<F>)) & (x < vec::all(upper<F>));
}

// The size of the inverse of erf at z, and the logarithm of 1 - z^2 that it takes.
template <inverse_of F>
void inverse(doubles& c, double* out, double (*single)(double)) {
  constexpr double near = 5, far = 20, last = 81;
  const auto of_edge = [&](index i) {
    constexpr double at_lower = F == inverse_of::erfc ? infinity : -infinity;
    const value x = c.at(c.x + i), r = x == vec::all(lower<F>) ? vec::all(at_lower) : vec::all(nan);
    return x == vec::all(upper<F>) ? vec::all(-at_lower) : r;
  };
  auto inside = is_inside<F>(vec::all(nan)), is_near = inside, is_far = inside;
  for (index i = 0; i < c.count; i += vec::width) {
    const value x = c.at(c.x + i);
    value z, rest = vec::all(0), left;
    if constexpr (F == inverse_of::erf) {
      z = vec::absolute(x);
      left = (vec::all(1) - z) * (vec::all(1) + z);
    } else {
      // The smaller one of erfc and what it lacks of 2: exact, as is 1 - z.
      const value twice = F == inverse_of::ndtr ? x + x : x, q = twice > vec::all(1) ? vec::all(2) - twice : twice;
      z = vec::all(1) - q;
      rest = (vec::all(1) - z) - q;
      left = q * (vec::all(2) - q);
    }
    left = is_inside<F>(x) ? left : vec::all(0.5);  // something harmless
    c.put(c.a + i, left);
    c.put(c.b + i, z);
    c.put(c.c + i, rest);
    inside |= is_inside<F>(x);
    is_near |= left < vec::all(0x1p-7);
    is_far |= left < vec::all(0x1p-28);
  }
  if (!any(inside)) return c.write(out, of_edge);
  const bool any_near = any(is_near), any_far = any(is_far);
  c.strip(maths1::log, c.a, c.a);
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i), w = -c.at(c.a + i), z = c.at(c.b + i);
        const two_parts p = two_parts::polynomial(inverse_middle, inverse_middle_rests, w);
        two_parts r = two_parts::product(z, p.high);
        r.low = r.low + vec::multiply_add(z, p.low, times(c.at(c.c + i), p.high));
        if (any_near) {
          const value s = vec::sqrt(w);
          const two_parts square = two_parts::product(s, s);
          const value rest = ((w - square.high) - square.low) / (s + s);
          two_parts q = two_parts::polynomial(inverse_near, inverse_near_rests, s - vec::all(inverse_near_middle));
          if (any_far) {
            const two_parts t = two_parts::polynomial(inverse_far, inverse_far_rests, s - vec::all(inverse_far_middle));
            const auto beyond = w > vec::all(far);
            q = {beyond ? t.high : q.high, beyond ? t.low : q.low};
          }
          two_parts t = two_parts::product(s, q.high);
          t.low = t.low + vec::multiply_add(s, q.low, times(rest, q.high));
          const auto side = w > vec::all(near);
          r = {side ? t.high : r.high, side ? t.low : r.low};
        }
        value size;
        if constexpr (F == inverse_of::ndtr) {
          const two_parts t = two_parts::product(r.high, vec::all(root_2));
          size = t.high + (t.low + vec::multiply_add(r.high, vec::all(root_2_rest), times(r.low, vec::all(root_2))));
        } else {
          size = r.high + r.low;
        }
        size = w > vec::all(last) ? vec::all(nan) : size;
        // Of numbers near the subnormals, products have no rest.
        if constexpr (F == inverse_of::erf) size = z < vec::all(0x1p-900) ? vec::all(nan) : size;
        constexpr double from = F == inverse_of::erf ? 0 : F == inverse_of::erfc ? 1 : 0.5;
        r.high = (F == inverse_of::erfc ? x > vec::all(from) : x < vec::all(from)) ? -size : size;
        if constexpr (F == inverse_of::erf) r.high = x == vec::all(0) ? x : r.high;
        return is_inside<F>(x) ? r.high : of_edge(i);
      },
      single, is_inside<F>);
}

}  // namespace

bool BROADLOOM_OF_LEVEL(normal_vectors)(special1 f, const double* x, double* out, index n, double (*single)(double)) {
  switch (f) {
    case special1::ndtr: return run<double, ndtr>(x, out, n, single);
    case special1::log_ndtr: return run<double, log_ndtr>(x, out, n, single);
    case special1::erfcx: return run<double, erfcx>(x, out, n, single);
    case special1::erfinv: return run<double, inverse<inverse_of::erf>>(x, out, n, single);
    case special1::erfcinv: return run<double, inverse<inverse_of::erfc>>(x, out, n, single);
    case special1::ndtri: return run<double, inverse<inverse_of::ndtr>>(x, out, n, single);
    default: return false;
  }
}

}  // namespace broadloom::runtime
