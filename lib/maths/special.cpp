// Special functions of single numbers, through Boost.Math where it has them; PyTorch's values at poles and outside of
// the domain.
#include <broadloom/core/maths.hpp>
#include <broadloom/special/evaluate.hpp>

#if defined(BROADLOOM_BOOST_MATH)
#include "special_vectors.hpp"

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <limits>
#endif

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace broadloom::runtime {

#if defined(BROADLOOM_BOOST_MATH)

namespace {

namespace bm = boost::math;
using policy = bm::policies::policy<
    bm::policies::domain_error<bm::policies::ignore_error>, bm::policies::pole_error<bm::policies::ignore_error>,
    bm::policies::overflow_error<bm::policies::ignore_error>, bm::policies::underflow_error<bm::policies::ignore_error>,
    bm::policies::denorm_error<bm::policies::ignore_error>, bm::policies::evaluation_error<bm::policies::ignore_error>,
    bm::policies::rounding_error<bm::policies::ignore_error>,
    bm::policies::indeterminate_result_error<bm::policies::ignore_error>, bm::policies::promote_float<false>,
    bm::policies::promote_double<false>>;

// R is the type that is computed in: double for f32, long double for f64.
template <class R>
struct functions {
  static constexpr R infinity = std::numeric_limits<R>::infinity(), nan = std::numeric_limits<R>::quiet_NaN();
  static constexpr R pi = std::numbers::pi_v<R>;

  static bool whole(R x) { return x == std::floor(x); }

  static R digamma(R x) {
    if (x == 0) return std::signbit(x) ? infinity : -infinity;
    if (x < 0 && (whole(x) || std::isinf(x))) return nan;
    if (std::isinf(x)) return x;
    return bm::digamma(x, policy());
  }
  static R trigamma(R x) {
    if (x <= 0 && whole(x)) return std::isinf(x) ? nan : infinity;
    if (std::isinf(x)) return 0;
    return bm::trigamma(x, policy());
  }
  // zeta(n + 1, x) n! (-1)^(n + 1)
  static R polygamma(R n, R x) {
    if (n == 0) return digamma(x);
    if (n == 1) return trigamma(x);
    if (!(n >= 0) || !whole(n)) return nan;
    const bool even = std::fmod(n, R(2)) == 0;
    const R sign = even ? R(-1) : R(1), s = n + 1;
    if (even && x < 0 && 2 * x == std::floor(2 * x) && !whole(x)) x = 1 - x;  // the terms around 0 cancel
    // Up to here n! is finite, and the result 0 where the sum is no normal number.
    constexpr R most = std::numeric_limits<R>::max_exponent10 / 3;
    if (n < most || !(x > 0) || std::isinf(x) || std::isinf(n)) {
      const R z = zeta(s, x);
      return sign * (z == 0 ? z : n < most ? std::tgamma(s) * z : z * infinity);
    }
    return sign * std::exp(std::lgamma(s) - s * std::log(x)) * zeta(s, x, x);
  }
  // Sum of ((q + k) / unit)^-s over k >= 0 (Hurwitz): terms up to q + k = 20 + s, and Euler and Maclaurin's formula for
  // the rest (Johansson, Rigorous high-precision computation of the Hurwitz zeta function, 2014, section 2).
  static R zeta(R s, R q) { return zeta(s, q, 1); }
  static R zeta(R s, R q, R unit) {
    if (s != s || q != q) return nan;
    if (s == 1) return infinity;
    if (s < 1) return nan;
    if (std::isinf(q)) return q > 0 ? R(0) : nan;
    if (q <= 0) {
      if (whole(q)) return infinity;
      if (!whole(s)) return nan;
      if (std::isfinite(s)) return zeta_below(s, q);
    }
    if (std::isinf(s)) return q > 1 ? R(0) : q == 1 ? R(1) : q > 0 ? infinity : nan;
    R sum = 0, a = q;
    while (a < 20 + s) {
      const R term = std::pow(a / unit, -s);
      sum += term;
      a += 1;
      // What follows is less than term (a + s) / (s - 1).
      if (a > 1 && term * (a + s) <= sum * (s - 1) * std::numeric_limits<R>::epsilon() / 64) return sum;
    }
    return sum + zeta_rest(s, a, std::pow(a / unit, -s));
  }
  // The sum from a on, far enough; power is its first term.
  static R zeta_rest(R s, R a, R power) {
    // B(2j) / (2j)!
    static constexpr R bernoulli[] = {R(8.333333333333333333333333333e-2L),  R(-1.388888888888888888888888889e-3L),
                                      R(3.306878306878306878306878307e-5L),  R(-8.267195767195767195767195767e-7L),
                                      R(2.087675698786809897921009032e-8L),  R(-5.284190138687493184847682202e-10L),
                                      R(1.338253653068467883282698097e-11L), R(-3.389680296322582866830195391e-13L),
                                      R(8.586062056277844564135905450e-15L), R(-2.174868698558061873041516423e-16L),
                                      R(5.509002828360229515202652608e-18L), R(-1.395446468581252334070768626e-19L)};
    R rest = power * a / (s - 1) + power / 2, factor = s * power / a;
    for (int j = 0; j < 12; ++j) {
      rest += bernoulli[j] * factor;
      const R k = s + 2 * j;
      factor *= (k + 1) * (k + 2) / (a * a);
    }
    return rest;
  }
  // Of q < 0, both no whole number, and whole s. With f = q less its floor, the sum from 1 - q on is what the terms
  // f, f + 1, ... and those of 1 - f, 2 - f, ... have beyond the ones of q: zeta(q) is zeta(f) + zeta(1 - f) -
  // zeta(1 - q) for even s, and zeta(f) - zeta(1 - f) + zeta(1 - q) for odd s. There the first two are subtracted term
  // by term, as terms near 0 are large and may be nearly equal.
  static R zeta_below(R s, R q) {
    const R f = q - std::floor(q), g = q > -1 ? -q : 1 - f, beyond = zeta(s, 1 - q);
    if (std::fmod(s, R(2)) == 0) return zeta(s, f) + zeta(s, g) - beyond;
    const R gap = std::fabs(f - g);
    R sum = 0, a = f < g ? f : g;
    if (gap == 0) return beyond;
    while (a < 20 + s) {
      const R term = -std::pow(a, -s) * std::expm1(-s * std::log1p(gap / a));
      sum += term;
      a += 1;
      if (term <= sum * std::numeric_limits<R>::epsilon() / 64) break;
    }
    if (a >= 20 + s) {  // the rest by Taylor's series around the middle of each two
      const R middle = a + gap / 2;
      R factor = gap * s, power = std::pow(middle, -s);
      for (int k = 1; k < 16; k += 2) {
        power /= middle;
        sum += factor * zeta_rest(s + k, middle, power);
        power /= middle;
        factor *= gap * gap / 4 * (s + k) * (s + k + 1) / ((k + 1) * (k + 2));
      }
    }
    return f < g ? sum + beyond : beyond - sum;
  }

  static R erfinv(R x) {
    if (x == 1 || x == -1) return x * infinity;
    if (!(std::fabs(x) < 1)) return nan;
    return x == 0 ? x : bm::erf_inv(x, policy());
  }
  static R erfcinv(R x) {
    if (x == 0) return infinity;
    if (x == 2) return -infinity;
    if (!(x > 0 && x < 2)) return nan;
    return bm::erfc_inv(x, policy());
  }
  // exp(x^2) erfc(x): the asymptotic series (Abramowitz and Stegun 7.1.23) from 25 on.
  static R erfcx(R x) {
    if (!(x > 25)) return std::exp(x * x) * std::erfc(x);
    const R t = 1 / (2 * x * x);
    R term = 1, sum = 1;
    for (int k = 1; k < 12; ++k) sum += term *= -t * (2 * k - 1);
    return sum / (x * std::sqrt(pi));
  }
  static constexpr R half_root = std::numbers::sqrt2_v<R> / 2;
  static R ndtr(R x) { return std::erfc(-x * half_root) / 2; }
  static R ndtri(R x) {
    if (x == 0) return -infinity;
    if (x == 1) return infinity;
    if (!(x > 0 && x < 1)) return nan;
    return 0 - std::numbers::sqrt2_v<R> * bm::erfc_inv(2 * x, policy());
  }
  static R log_ndtr(R x) {
    const R t = x * half_root;
    return x < -1 ? std::log(erfcx(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
  }

  // The series of the scaled modified Bessel functions for large x (Abramowitz and Stegun 9.7.1, 9.7.2); sign is -1 for
  // I and 1 for K.
  static R large(int order, R x, R sign) {
    R term = 1, sum = 1;
    for (int k = 1; k < 14; ++k) {
      const R odd = R(2 * k - 1);
      sum += term *= sign * (4 * order * order - odd * odd) / (8 * k * x);
    }
    return sum;
  }
  static constexpr R far = 300;
  static R i_scaled(int order, R x) {
    const R a = std::fabs(x);
    const R r =
        a > far ? large(order, a, -1) / std::sqrt(2 * pi * a) : bm::cyl_bessel_i(order, a, policy()) * std::exp(-a);
    return order == 1 && x < 0 ? -r : r;
  }
  static R i_plain(int order, R x) {
    const R a = std::fabs(x);
    // halves of the exponential: their product may be finite where exp(a) is not
    const R half = std::exp(a / 2);
    const R r = a > far ? i_scaled(order, a) * half * half : bm::cyl_bessel_i(order, a, policy());
    return order == 1 && x < 0 ? -r : r;
  }
  static R k_scaled(int order, R x) {
    if (x == 0) return infinity;
    if (!(x > 0)) return nan;
    return x > far ? large(order, x, 1) * std::sqrt(pi / (2 * x)) : bm::cyl_bessel_k(order, x, policy()) * std::exp(x);
  }
  static R k_plain(int order, R x) {
    if (x == 0) return infinity;
    if (!(x > 0)) return nan;
    return x > far ? k_scaled(order, x) * std::exp(-x) : bm::cyl_bessel_k(order, x, policy());
  }
  static R i0(R x) { return i_plain(0, x); }
  static R i0e(R x) { return i_scaled(0, x); }
  static R i1(R x) { return i_plain(1, x); }
  static R i1e(R x) { return i_scaled(1, x); }
  static R modified_bessel_k0(R x) { return k_plain(0, x); }
  static R scaled_modified_bessel_k0(R x) { return k_scaled(0, x); }
  static R modified_bessel_k1(R x) { return k_plain(1, x); }
  static R scaled_modified_bessel_k1(R x) { return k_scaled(1, x); }
  static R bessel_j0(R x) { return std::isinf(x) ? R(0) : bm::cyl_bessel_j(0, std::fabs(x), policy()); }
  static R bessel_j1(R x) {
    if (std::isinf(x)) return 0;
    const R r = bm::cyl_bessel_j(1, std::fabs(x), policy());
    return std::signbit(x) ? -r : r;
  }
  static R bessel_y0(R x) { return y(0, x); }
  static R bessel_y1(R x) { return y(1, x); }
  static R y(int order, R x) {
    if (x == 0) return -infinity;
    if (!(x > 0)) return nan;
    return std::isinf(x) ? R(0) : bm::cyl_neumann(order, x, policy());
  }
  static R spherical_bessel_j0(R x) { return x == 0 ? R(1) : std::isinf(x) ? R(0) : std::sin(x) / x; }
  // Of what vectors leave out, which is below -10^6.
  static R airy_ai(R x) { return std::isinf(x) ? nan : static_cast<R>(airy_below(-static_cast<long double>(x))); }
  // Ai(-x) of large x (Abramowitz and Stegun 10.4.60), its phase of 2/3 x^(3/2) in two parts.
  static long double airy_below(long double x) {
    const long double root = std::sqrt(x), rest_of_root = std::fma(-root, root, x) / (2 * root);
    const long double twice = 2 * x * root, rest = 2 * (std::fma(x, root, -x * root) + x * rest_of_root);
    const long double phase = twice / 3, low = (std::fma(-3.0L, phase, twice) + rest) / 3;
    const long double s = std::sin(phase) * std::cos(low) + std::cos(phase) * std::sin(low),
                      c = std::cos(phase) * std::cos(low) - std::sin(phase) * std::sin(low);
    long double even = 0, odd = 0, term = 1;
    for (int k = 0; k < 12; ++k) {
      (k % 2 == 0 ? even : odd) += k % 4 < 2 ? term : -term;
      term *= static_cast<long double>((6 * k + 5) * (6 * k + 3) * (6 * k + 1)) / (216 * (k + 1) * (2 * k + 1)) / phase;
    }
    return ((s + c) * even - (c - s) * odd) / std::sqrt(2 * std::numbers::pi_v<long double> * root);
  }

  // The regularised incomplete gamma functions P and Q.
  static R gammainc(R a, R x) { return gamma_part(a, x, false); }
  static R gammaincc(R a, R x) { return gamma_part(a, x, true); }
  static R gamma_part(R a, R x, bool upper) {
    if (!(a >= 0) || !(x >= 0)) return nan;
    if (a == 0) return x > 0 ? R(!upper) : nan;
    if (x == 0) return R(upper);
    if (std::isinf(a)) return std::isinf(x) ? nan : R(upper);
    if (std::isinf(x)) return R(!upper);
    return upper ? bm::gamma_q(a, x, policy()) : bm::gamma_p(a, x, policy());
  }

  // Orthogonal polynomials of degree n, rounded towards zero, by their recurrences p(k + 1) = (a x + b) p(k) - c p(k -
  // 1); 0 for a negative n.
  template <class Step>
  static R recurrence(R degree, R first, R second, const Step& step) {
    if (degree != degree) return nan;
    const R n = std::trunc(degree);
    if (n < 0) return 0;
    if (n == 0) return first;
    R before = first, p = second;
    for (R k = 1; k < n; ++k) {
      if (p != p) return p;
      const R next = step(k, p, before);
      before = p;
      p = next;
    }
    return p;
  }
  static R chebyshev(R x, R n, R second) {
    return recurrence(n, 1, second, [x](R, R p, R before) { return 2 * x * p - before; });
  }
  static R chebyshev_polynomial_t(R x, R n) { return chebyshev(x, n, x); }
  static R chebyshev_polynomial_u(R x, R n) { return chebyshev(x, n, 2 * x); }
  static R chebyshev_polynomial_v(R x, R n) { return chebyshev(x, n, 2 * x - 1); }
  static R chebyshev_polynomial_w(R x, R n) { return chebyshev(x, n, 2 * x + 1); }
  static R shifted_chebyshev_polynomial_t(R x, R n) { return chebyshev_polynomial_t(2 * x - 1, n); }
  static R shifted_chebyshev_polynomial_u(R x, R n) { return chebyshev_polynomial_u(2 * x - 1, n); }
  static R shifted_chebyshev_polynomial_v(R x, R n) { return chebyshev_polynomial_v(2 * x - 1, n); }
  static R shifted_chebyshev_polynomial_w(R x, R n) { return chebyshev_polynomial_w(2 * x - 1, n); }
  static R hermite_polynomial_h(R x, R n) {
    return recurrence(n, 1, 2 * x, [x](R k, R p, R before) { return 2 * x * p - 2 * k * before; });
  }
  static R hermite_polynomial_he(R x, R n) {
    return recurrence(n, 1, x, [x](R k, R p, R before) { return x * p - k * before; });
  }
  static R laguerre_polynomial_l(R x, R n) {
    return recurrence(n, 1, 1 - x, [x](R k, R p, R before) { return ((2 * k + 1 - x) * p - k * before) / (k + 1); });
  }
  static R legendre_polynomial_p(R x, R n) {
    return recurrence(n, 1, x, [x](R k, R p, R before) { return ((2 * k + 1) * x * p - k * before) / (k + 1); });
  }
};

// The functions of single numbers, computed in R: what vectors leave out.
template <class R>
auto single_of(special1 f) -> double (*)(double) {
  switch (f) {
#define BROADLOOM_SPECIAL1(NAME) \
  case special1::NAME: return [](double x) { return static_cast<double>(functions<R>::NAME(static_cast<R>(x))); };
#define BROADLOOM_SPECIAL2(NAME)
#include <broadloom/special/functions.def>
#undef BROADLOOM_SPECIAL1
#undef BROADLOOM_SPECIAL2
  }
  __builtin_unreachable();
}
template <class R>
auto single_of(special2 f) -> double (*)(double, double) {
  switch (f) {
#define BROADLOOM_SPECIAL1(NAME)
#define BROADLOOM_SPECIAL2(NAME)                                                            \
  case special2::NAME:                                                                      \
    return [](double x, double y) {                                                         \
      return static_cast<double>(functions<R>::NAME(static_cast<R>(x), static_cast<R>(y))); \
    };
#include <broadloom/special/functions.def>
#undef BROADLOOM_SPECIAL1
#undef BROADLOOM_SPECIAL2
  }
  __builtin_unreachable();
}

// The type that is computed in.
template <class T>
using computed = std::conditional_t<sizeof(T) == 4, double, long double>;

template <class T>
void each_of_one(special1 f, const T* x, T* out, index n) {
  const auto single = single_of<computed<T>>(f);
  for (index i = 0; i < n; ++i) {
    const double given = static_cast<double>(x[i]);
    out[i] = static_cast<T>(given != given ? given : single(given));
  }
}
template <class T>
void each_of_two(special2 f, const T* x, const T* y, index x_advance, index y_advance, T* out, index n) {
  const auto single = single_of<computed<T>>(f);
  // A single operand may lie where the first result is written.
  const T first = *x, second = *y;
  for (index i = 0; i < n; ++i)
    out[i] = static_cast<T>(single(static_cast<double>(x_advance == 0 ? first : x[i]),
                                   static_cast<double>(y_advance == 0 ? second : y[i])));
}

// The degree of a polynomial that vectors compute; 0 for others, which are few steps or many.
int degree_of(double y) {
  constexpr double most = 100000;
  return y >= 2 && y < most ? static_cast<int>(y) : 0;
}

// Of one order n: (-1)^(n + 1) n! zeta(n + 1, q) in vectors, where the factorial is finite.
template <class T>
void polygamma_of_order(T order, const T* q, index advance, T* out, index n) {
  using R = computed<T>;
  using single = functions<R>;
  constexpr int most = sizeof(T) == 4 ? 63 : 169;  // of f64, a larger order's factorial overflows
  if (!(order >= 2 && order <= most) || !single::whole(static_cast<R>(order)))
    return each_of_two(special2::polygamma, &order, q, 0, advance, out, n);
  const T s = order + 1;
  special_vectors_of<T>().pairs(
      special2::zeta, &s, q, 0, advance, out, n,
      std::tgamma(static_cast<R>(s)) * (std::fmod(order, T(2)) != 0 ? 1 : -1), [](double above, double at) {
        return static_cast<double>(single::polygamma(static_cast<R>(above) - 1, static_cast<R>(at)));
      });
}

// Functions of two numbers that vectors compute, of whatever they are given.
template <class T>
bool of_pairs(special2 f, const T* x, const T* y, index x_advance, index y_advance, T* out, index n) {
  switch (f) {
    case special2::gammainc:
    case special2::gammaincc:
    case special2::zeta:
      return special_vectors_of<T>().pairs(f, x, y, x_advance, y_advance, out, n, 1, single_of<computed<T>>(f));
    case special2::polygamma: {
      // Elements of one order together: which of them lie beside each other shows in no bit.
      const T order = *x, only = *y;
      for (index i = 0, end = 0; i < n; i = end) {
        const T own = x_advance == 0 ? order : x[i];
        for (end = x_advance == 0 ? n : i + 1; end < n && x[end] == own;) ++end;
        polygamma_of_order(own, y_advance == 0 ? &only : y + i, y_advance, out + i, end - i);
      }
      return true;
    }
    default: return false;
  }
}

constexpr bool is_polynomial(special2 f) {
  return !(f == special2::polygamma || f == special2::zeta || f == special2::gammainc || f == special2::gammaincc);
}

// Polynomials of elements whose degrees change, up to `group` of them: those of equal degrees together.
constexpr index group = 1024;
template <class T>
void polynomials_of_degrees(special2 f, const T* x, const T* y, index x_advance, T* out, index n) {
  constexpr int most = 64;  // degrees that are gathered
  T from[group], to[group];
  short place[group];
  index end[most + 1] = {};
  const auto at = [&](index i) {
    const int degree = degree_of(static_cast<double>(y[i]));
    return degree < most ? degree : 0;
  };
  for (index i = 0; i < n; ++i) ++end[at(i) + 1];
  for (int k = 0; k < most; ++k) end[k + 1] += end[k];
  for (index i = 0; i < n; ++i) {
    index& k = end[at(i)];
    from[k] = x[x_advance == 0 ? 0 : i];
    place[k++] = static_cast<short>(i);
  }
  // From here on end[k] is the end of degree k. The first ones are larger degrees, and such that vectors leave out.
  const auto single = single_of<computed<T>>(f);
  for (index k = 0; k < end[0]; ++k) {
    const auto given = static_cast<double>(y[place[k]]);
    const int degree = degree_of(given);
    if (degree == 0 || !special_vectors_of<T>().polynomial(f, from + k, -1, degree, to + k, 1, single))
      to[k] = static_cast<T>(single(static_cast<double>(from[k]), given));
  }
  for (int degree = 2; degree < most; ++degree) {
    const index begin = end[degree - 1], count = end[degree] - begin;
    if (count == 0) continue;
    if (special_vectors_of<T>().polynomial(f, from + begin, -1, degree, to + begin, count, single)) continue;
    for (index k = begin; k < end[degree]; ++k)
      to[k] = static_cast<T>(single(static_cast<double>(from[k]), static_cast<double>(degree)));
  }
  for (index k = 0; k < n; ++k) out[place[k]] = to[k];
}

template <class T>
void evaluate(special1 f, const void* x, void* out, index n) {
  const T* const from = static_cast<const T*>(x);
  if (!special_vectors_of<T>().one(f, from, static_cast<T*>(out), n, single_of<computed<T>>(f)))
    each_of_one(f, from, static_cast<T*>(out), n);
}
template <class T>
void evaluate(special2 f, const void* first, const void* second, index x_advance, index y_advance, void* to, index n) {
  const T* const x = static_cast<const T*>(first);
  const T* const y = static_cast<const T*>(second);
  T* const out = static_cast<T*>(to);
  if (of_pairs(f, x, y, x_advance, y_advance, out, n)) return;
  // A single operand may lie where the first result is written.
  const T only = *x;
  for (index i = 0, end = 0; i < n; i = end) {
    for (end = y_advance == 0 ? n : i + 1; end < n && y[end] == y[i];) ++end;
    const T* const from = x_advance == 0 ? &only : x + i;
    const T* const orders = y_advance == 0 ? y : y + i;
    constexpr index short_run = 32;
    if (is_polynomial(f) && end - i < short_run && n - i > short_run) {
      end = n - i < group ? n : i + group;
      polynomials_of_degrees(f, from, orders, x_advance, out + i, end - i);
      continue;
    }
    const int degree = degree_of(static_cast<double>(*orders));
    if (degree != 0 &&
        special_vectors_of<T>().polynomial(f, from, x_advance, degree, out + i, end - i, single_of<computed<T>>(f)))
      continue;
    each_of_two(f, from, orders, x_advance, y_advance, out + i, end - i);
  }
}

}  // namespace

void special(special1 f, const void* x, void* out, index n, bool is_f32) {
  if (is_f32) return evaluate<float>(f, x, out, n);
  evaluate<double>(f, x, out, n);
}
void special(special2 f, const void* x, const void* y, index x_advance, index y_advance, void* out, index n,
             bool is_f32) {
  if (n == 0) return;
  if (is_f32) return evaluate<float>(f, x, y, x_advance, y_advance, out, n);
  evaluate<double>(f, x, y, x_advance, y_advance, out, n);
}

#else

namespace {

[[noreturn]] void refuse() {
  throw std::runtime_error("special functions: this library was built without Boost.Math (headers of Boost)");
}

}  // namespace

void special(special1, const void*, void*, index, bool) { refuse(); }
void special(special2, const void*, const void*, index, index, void*, index, bool) { refuse(); }

#endif

namespace {

template <class R>
R multigammaln_of(R x, int p) {
  R sum = R(p) * R(p - 1) / 4 * std::log(std::numbers::pi_v<R>);
  for (int i = 0; i < p; ++i) sum += std::lgamma(x - R(i) / 2);
  return sum;
}

// Logarithms of gamma functions in strips, added up with what the sum is rounded by; one at a time where an argument is
// no positive number.
void multigammaln_of(const double* x, int p, double* out, index n) {
  using R = long double;
  constexpr index most = 256;
  const R constant = R(p) * R(p - 1) / 4 * std::log(std::numbers::pi_v<R>);
  const double first = static_cast<double>(constant), first_rest = static_cast<double>(constant - first),
               least = static_cast<double>(p - 1) / 2;
  double from[most], to[most], high[most], low[most];
  for (index begin = 0; begin < n; begin += most) {
    const index count = n - begin < most ? n - begin : most;
    for (index i = 0; i < count; ++i) high[i] = first, low[i] = first_rest;
    for (int k = 0; k < p; ++k) {
      for (index i = 0; i < count; ++i) {
        const double given = x[begin + i];
        from[i] = given > least ? given - static_cast<double>(k) / 2 : 1;
      }
      map1(maths1::lgamma, accuracy::accurate, from, to, count);
      for (index i = 0; i < count; ++i) {
        const double sum = high[i] + to[i], added = sum - high[i];
        low[i] += (high[i] - (sum - added)) + (to[i] - added);
        high[i] = sum;
      }
    }
    for (index i = 0; i < count; ++i) {
      const bool is_finite = high[i] - high[i] == 0;
      out[begin + i] = x[begin + i] > least ? (is_finite ? high[i] + low[i] : high[i])
                                            : static_cast<double>(multigammaln_of<R>(x[begin + i], p));
    }
  }
}

}  // namespace

// Of floats the C library's logarithms of doubles take 18 ns an element (p = 2), strips 29.
void multigammaln(const void* x, int p, void* out, index n, bool is_f32) noexcept {
  if (!is_f32) return multigammaln_of(static_cast<const double*>(x), p, static_cast<double*>(out), n);
  for (index i = 0; i < n; ++i)
    static_cast<float*>(out)[i] = static_cast<float>(multigammaln_of<double>(static_cast<const float*>(x)[i], p));
}
void check_dimension(const char* function, int p) {
  if (p < 1)
    throw std::invalid_argument(std::string(function) + ": p is " + std::to_string(p) + ", and must be 1 or more");
}

}  // namespace broadloom::runtime
