// Orthogonal polynomials of floats by their recurrences, which several vectors take side by side. Bits are those of
// single numbers: each product, difference and quotient is rounded.
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

template <class Kind>
bool run(const float* x, index advance, int degree, float* out, index n) {
  constexpr index block = side_by_side * vec::width;
  index i = 0;
  if (advance != 0)
    for (; i + block <= n; i += block) run_block<Kind>(x + i, degree, out + i);
  if (i < n) {
    float rest[block];
    for (index k = 0; k < block; ++k) rest[k] = x[(k < n - i ? i + k : n - 1) & advance];
    run_block<Kind>(rest, degree, rest);
    for (index first = i; i < n; ++i) out[i] = rest[advance == 0 ? 0 : i - first];
  }
  return true;
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
bool BROADLOOM_OF_LEVEL(polynomial_vectors)(special2, const double*, index, int, double*, index,
                                            double (*)(double, double)) {
  return false;
}

}  // namespace broadloom::runtime
