// digamma and trigamma of doubles in vectors, of positive numbers: by a polynomial each for numbers from 1 to 2, 2 to 4
// and 4 to 8, and by the asymptotic series beyond (Abramowitz and Stegun 6.3.18, 6.4.12).
#include "digamma_fits.hpp"
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

// Which intervals the elements of a chunk may be in.
struct intervals {
  bool below_2, below_4, below_8, beyond;
  explicit intervals(const doubles& c) {
    value low = vec::all(infinity), high = vec::all(0);
    for (index i = 0; i < c.count; i += vec::width) {
      const value x = c.at(c.x + i);
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    double least = infinity, largest = 0;
    for (int k = 0; k < vec::width; ++k) {
      least = low[k] < least ? low[k] : least;
      largest = high[k] > largest ? high[k] : largest;
    }
    below_2 = least < 2;
    below_4 = least < 4 && largest >= 2;
    below_8 = least < far && largest >= 4;
    beyond = largest >= far;
  }
};

void digamma(doubles& c, double* out, double (*single)(double)) {
  constexpr double least = 0x1p-1000;
  const intervals some(c);
  if (some.beyond) c.strip(maths1::log, c.x, c.a);
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i);
        const auto small = x < vec::all(1);
        two_parts r{vec::all(0), vec::all(0)};
        if (some.below_2) {
          // Of x + 1 below 1, less 1 / x.
          const value t = small ? x : x - vec::all(1);
          const two_parts distance = two_parts::sum(t, vec::all(-digamma_root)),
                          p = two_parts::polynomial(digamma_1, digamma_1_rests, t - vec::all(0.5));
          r = two_parts::product(distance.high, p.high);
          r.low = r.low +
                  vec::multiply_add(distance.high, p.low, times(distance.low - vec::all(digamma_root_rest), p.high));
          const two_parts by = two_parts::quotient({vec::all(-1), vec::all(0)}, x),
                          sum = two_parts::sum(by.high, r.high);
          r = either(small, {sum.high, sum.low + (by.low + r.low)}, r);
        }
        if (some.below_4)
          r = either(x < vec::all(2), r, two_parts::polynomial(digamma_2, digamma_2_rests, x - vec::all(3)));
        if (some.below_8)
          r = either(x < vec::all(4), r, two_parts::polynomial(digamma_4, digamma_4_rests, x - vec::all(6)));
        if (some.beyond) {
          const value by = vec::all(1) / x, square = times(by, by);
          const two_parts sum = two_parts::ordered_sum(c.at(c.a + i), by * vec::all(-0.5));
          r = either(x < vec::all(far), r,
                     {sum.high, sum.low - times(square, vec::polynomial(digamma_series, square))});
        }
        const value of_number = x == vec::all(infinity) ? x : r.high + r.low;
        return x > vec::all(least) ? of_number : vec::all(nan);
      },
      single);
}

void trigamma(doubles& c, double* out, double (*single)(double)) {
  constexpr double least = 0x1p-400;
  const intervals some(c);
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i);
        const auto small = x < vec::all(1);
        two_parts r{vec::all(0), vec::all(0)};
        if (some.below_2) {
          // Of x + 1 below 1, and 1 / x^2.
          const value t = small ? x : x - vec::all(1);
          r = two_parts::polynomial(trigamma_1, trigamma_1_rests, t - vec::all(0.5));
          const two_parts square = two_parts::product(x, x);
          const value by = vec::all(1) / square.high;
          const two_parts back = two_parts::product(by, square.high);
          const value rest = times((vec::all(1) - back.high) - back.low - times(by, square.low), by);
          const two_parts sum = two_parts::sum(by, r.high);
          r = either(small, {sum.high, sum.low + (rest + r.low)}, r);
        }
        if (some.below_4)
          r = either(x < vec::all(2), r, two_parts::polynomial(trigamma_2, trigamma_2_rests, x - vec::all(3)));
        if (some.below_8)
          r = either(x < vec::all(4), r, two_parts::polynomial(trigamma_4, trigamma_4_rests, x - vec::all(6)));
        if (some.beyond) {
          const two_parts by = two_parts::quotient({vec::all(1), vec::all(0)}, x);
          const value square = times(by.high, by.high);
          const value rest = times(times(by.high, square), vec::polynomial(trigamma_series, square));
          const two_parts sum = two_parts::ordered_sum(by.high, square * vec::all(0.5));
          r = either(x < vec::all(far), r, {sum.high, sum.low + (by.low + rest)});
        }
        const value of_number = x > vec::all(1e300) ? vec::all(1) / x : r.high + r.low;
        return x > vec::all(least) ? of_number : vec::all(nan);
      },
      single);
}

}  // namespace

bool BROADLOOM_OF_LEVEL(digamma_vectors)(special1 f, const double* x, double* out, index n, double (*single)(double)) {
  switch (f) {
    case special1::digamma: return run<double, digamma>(x, out, n, single);
    case special1::trigamma: return run<double, trigamma>(x, out, n, single);
    default: return false;
  }
}

}  // namespace broadloom::runtime
