// Orthogonal polynomials by their recurrences, which several vectors take side by side. Of floats in f64, and bits are
// those of single numbers: each product, difference and quotient is rounded. Of f64 with the rounding errors of all
// steps, which follow the same recurrence: within 0.51 units of the last place, near zeros too.
#include <broadloom/fn/lanes.hpp>

#include "special_vectors.hpp"
#include "wide_floats.hpp"

namespace broadloom::runtime {
namespace {

using vec = wide_floats;
using value = vec::value;
using lanes::times;

value twice(value x) { return x + x; }

// The second polynomial of each kind, of x; and that of degree k + 1 from those of k and k - 1.
struct chebyshev {
  static value argument(value x) { return x; }
  static value next(value x, double, value p, value before) { return times(twice(x), p) - before; }
};
template <int Slope, int Shift>
struct chebyshev_kind : chebyshev {
  static value second(value x) {
    const value r = Slope == 1 ? x : twice(x);
    return Shift == 0 ? r : r + vec::all(Shift);
  }
};
template <int Slope, int Shift>
struct shifted_chebyshev : chebyshev_kind<Slope, Shift> {
  static value argument(value x) { return twice(x) - vec::all(1); }
};
struct hermite_h {
  static value argument(value x) { return x; }
  static value second(value x) { return twice(x); }
  static value next(value x, double k, value p, value before) {
    return times(twice(x), p) - times(vec::all(2 * k), before);
  }
};
struct hermite_he {
  static value argument(value x) { return x; }
  static value second(value x) { return x; }
  static value next(value x, double k, value p, value before) { return times(x, p) - times(vec::all(k), before); }
};
struct laguerre {
  static value argument(value x) { return x; }
  static value second(value x) { return vec::all(1) - x; }
  static value next(value x, double k, value p, value before) {
    return (times(vec::all(2 * k + 1) - x, p) - times(vec::all(k), before)) / vec::all(k + 1);
  }
};
struct legendre {
  static value argument(value x) { return x; }
  static value second(value x) { return x; }
  static value next(value x, double k, value p, value before) {
    return (times(times(vec::all(2 * k + 1), x), p) - times(vec::all(k), before)) / vec::all(k + 1);
  }
};

// A number in two parts, of which the second is small.
struct parts {
  value high, low;
};
parts sum(value a, value b) {
  const value s = a + b, of_b = s - a;
  return {s, (a - (s - of_b)) + (b - of_b)};
}
parts product(value a, value b) {
  const value p = times(a, b);
  return {p, vec::fused(a, b, -p)};
}

// The same of f64, whose polynomials are in two parts: the recurrence, rounded, and the one of its errors.
template <int Slope, int Shift, bool Shifted = false>
struct precise_chebyshev {
  static parts argument(value x) { return Shifted ? sum(twice(x), vec::all(-1)) : parts{x, value{}}; }
  static parts second(parts x) {
    const value high = Slope == 1 ? x.high : twice(x.high), low = Slope == 1 ? x.low : twice(x.low);
    if constexpr (Shift == 0) return {high, low};
    const parts r = sum(high, vec::all(Shift));
    return {r.high, r.low + low};
  }
  static parts next(parts x, double, parts p, parts before) {
    const parts leading = product(twice(x.high), p.high), r = sum(leading.high, -before.high);
    const value rest = vec::fused(twice(x.high), p.low, (leading.low + r.low) - before.low);
    return {r.high, Shifted ? vec::fused(twice(x.low), p.high, rest) : rest};
  }
};
// `Factor` is 2 for H, 1 for He.
template <int Factor>
struct precise_hermite {
  static parts argument(value x) { return {x, value{}}; }
  static parts second(parts x) { return {Factor == 2 ? twice(x.high) : x.high, value{}}; }
  static parts next(parts x, double k, parts p, parts before) {
    const value slope = Factor == 2 ? twice(x.high) : x.high, of_before = vec::all(Factor * k);
    const parts leading = product(slope, p.high), last = product(of_before, before.high),
                r = sum(leading.high, -last.high);
    const value rest = vec::fused(slope, p.low, (leading.low - last.low) + r.low);
    return {r.high, vec::fused(-of_before, before.low, rest)};
  }
};
// (slope p - k before) / (k + 1)
parts of_quotient(parts slope, double k, parts p, parts before) {
  const value of_before = vec::all(k), below = vec::all(k + 1), inverse = vec::all(1 / (k + 1));
  const parts leading = product(slope.high, p.high), last = product(of_before, before.high),
              above = sum(leading.high, -last.high);
  const value r = times(above.high, inverse);
  value rest = (vec::fused(-r, below, above.high) + above.low) + (leading.low - last.low);
  rest = vec::fused(slope.high, p.low, rest);
  rest = vec::fused(slope.low, p.high, rest);
  rest = vec::fused(-of_before, before.low, rest);
  return {r, times(rest, inverse)};
}
struct precise_laguerre {
  static parts argument(value x) { return {x, value{}}; }
  static parts second(parts x) { return sum(vec::all(1), -x.high); }
  static parts next(parts x, double k, parts p, parts before) {
    return of_quotient(sum(vec::all(2 * k + 1), -x.high), k, p, before);
  }
};
struct precise_legendre {
  static parts argument(value x) { return {x, value{}}; }
  static parts second(parts x) { return x; }
  static parts next(parts x, double k, parts p, parts before) {
    return of_quotient(product(vec::all(2 * k + 1), x.high), k, p, before);
  }
};

constexpr int side_by_side = 4;

template <class Kind>
void run_block(const float* x, int degree, float* out) {
  value arg[side_by_side], before[side_by_side], p[side_by_side];
#pragma GCC unroll 4
  for (int j = 0; j < side_by_side; ++j) {
    arg[j] = Kind::argument(vec::load(x + j * vec::width));
    before[j] = vec::all(1);
    p[j] = Kind::second(arg[j]);
  }
  for (int k = 1; k < degree; ++k)
#pragma GCC unroll 4
    for (int j = 0; j < side_by_side; ++j) {
      const value next = Kind::next(arg[j], k, p[j], before[j]);
      before[j] = p[j];
      p[j] = next;
    }
#pragma GCC unroll 4
  for (int j = 0; j < side_by_side; ++j) vec::store(out + j * vec::width, p[j]);
}

using of_single = double (*)(double, double);

// What overflows on the way, or has errors too small to be kept, becomes NaN and is left to `single`.
template <class Kind>
void run_precise_block(const double* x, int degree, double* out, of_single single) {
  constexpr int at_once = 2;
  constexpr double least = 0x1p-900;
  parts arg[at_once], before[at_once], p[at_once];
#pragma GCC unroll 2
  for (int j = 0; j < at_once; ++j) {
    const value given = vec::load(x + j * vec::width);
    const value small = given == value{} ? given : vec::all(__builtin_nan(""));
    arg[j] = Kind::argument(vec::absolute(given) < vec::all(least) ? small : given);
    before[j] = {vec::all(1), value{}};
    p[j] = Kind::second(arg[j]);
  }
  for (int k = 1; k < degree; ++k)
#pragma GCC unroll 2
    for (int j = 0; j < at_once; ++j) {
      const parts next = Kind::next(arg[j], k, p[j], before[j]);
      before[j] = p[j];
      p[j] = next;
    }
#pragma GCC unroll 2
  for (int j = 0; j < at_once; ++j) {
    value r = p[j].low == value{} ? p[j].high : p[j].high + p[j].low;  // -0 stays
    if (vec::any_nan(r)) [[unlikely]]
      for (int k = 0; k < vec::width; ++k)
        if (r[k] != r[k]) r[k] = single(x[j * vec::width + k], degree);
    vec::store(out + j * vec::width, r);
  }
}

template <int Block, class T, class F>
bool run_blocks(const T* x, index advance, T* out, index n, const F& of_block) {
  index i = 0;
  if (advance != 0)
    for (; i + Block <= n; i += Block) of_block(x + i, out + i);
  if (i < n) {
    T rest[Block];
    for (index k = 0; k < Block; ++k) rest[k] = x[(k < n - i ? i + k : n - 1) & advance];
    of_block(rest, rest);
    for (index first = i; i < n; ++i) out[i] = rest[advance == 0 ? 0 : i - first];
  }
  return true;
}
template <class Kind>
bool run(const float* x, index advance, int degree, float* out, index n) {
  return run_blocks<side_by_side * vec::width>(
      x, advance, out, n, [=](const float* from, float* to) { run_block<Kind>(from, degree, to); });
}
template <class Kind>
bool run_precise(const double* x, index advance, int degree, double* out, index n, of_single single) {
  return run_blocks<2 * vec::width>(
      x, advance, out, n, [=](const double* from, double* to) { run_precise_block<Kind>(from, degree, to, single); });
}

}  // namespace

bool BROADLOOM_OF_LEVEL(polynomial_vectors)(special2 f, const float* x, index advance, int degree, float* out, index n,
                                            double (*)(double, double)) {
  switch (f) {
    case special2::chebyshev_polynomial_t: return run<chebyshev_kind<1, 0>>(x, advance, degree, out, n);
    case special2::chebyshev_polynomial_u: return run<chebyshev_kind<2, 0>>(x, advance, degree, out, n);
    case special2::chebyshev_polynomial_v: return run<chebyshev_kind<2, -1>>(x, advance, degree, out, n);
    case special2::chebyshev_polynomial_w: return run<chebyshev_kind<2, 1>>(x, advance, degree, out, n);
    case special2::shifted_chebyshev_polynomial_t: return run<shifted_chebyshev<1, 0>>(x, advance, degree, out, n);
    case special2::shifted_chebyshev_polynomial_u: return run<shifted_chebyshev<2, 0>>(x, advance, degree, out, n);
    case special2::shifted_chebyshev_polynomial_v: return run<shifted_chebyshev<2, -1>>(x, advance, degree, out, n);
    case special2::shifted_chebyshev_polynomial_w: return run<shifted_chebyshev<2, 1>>(x, advance, degree, out, n);
    case special2::hermite_polynomial_h: return run<hermite_h>(x, advance, degree, out, n);
    case special2::hermite_polynomial_he: return run<hermite_he>(x, advance, degree, out, n);
    case special2::laguerre_polynomial_l: return run<laguerre>(x, advance, degree, out, n);
    case special2::legendre_polynomial_p: return run<legendre>(x, advance, degree, out, n);
    default: return false;
  }
}
bool BROADLOOM_OF_LEVEL(polynomial_vectors)([[maybe_unused]] special2 f, [[maybe_unused]] const double* x,
                                            [[maybe_unused]] index advance, [[maybe_unused]] int degree,
                                            [[maybe_unused]] double* out, [[maybe_unused]] index n,
                                            [[maybe_unused]] double (*single)(double, double)) {
  if constexpr (vec::has_fused) switch (f) {
      case special2::chebyshev_polynomial_t:
        return run_precise<precise_chebyshev<1, 0>>(x, advance, degree, out, n, single);
      case special2::chebyshev_polynomial_u:
        return run_precise<precise_chebyshev<2, 0>>(x, advance, degree, out, n, single);
      case special2::chebyshev_polynomial_v:
        return run_precise<precise_chebyshev<2, -1>>(x, advance, degree, out, n, single);
      case special2::chebyshev_polynomial_w:
        return run_precise<precise_chebyshev<2, 1>>(x, advance, degree, out, n, single);
      case special2::shifted_chebyshev_polynomial_t:
        return run_precise<precise_chebyshev<1, 0, true>>(x, advance, degree, out, n, single);
      case special2::shifted_chebyshev_polynomial_u:
        return run_precise<precise_chebyshev<2, 0, true>>(x, advance, degree, out, n, single);
      case special2::shifted_chebyshev_polynomial_v:
        return run_precise<precise_chebyshev<2, -1, true>>(x, advance, degree, out, n, single);
      case special2::shifted_chebyshev_polynomial_w:
        return run_precise<precise_chebyshev<2, 1, true>>(x, advance, degree, out, n, single);
      case special2::hermite_polynomial_h: return run_precise<precise_hermite<2>>(x, advance, degree, out, n, single);
      case special2::hermite_polynomial_he: return run_precise<precise_hermite<1>>(x, advance, degree, out, n, single);
      case special2::laguerre_polynomial_l: return run_precise<precise_laguerre>(x, advance, degree, out, n, single);
      case special2::legendre_polynomial_p: return run_precise<precise_legendre>(x, advance, degree, out, n, single);
      default: break;
    }
  return false;
}

}  // namespace broadloom::runtime
