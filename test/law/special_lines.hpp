// What C99, IEEE 754, NumPy and PyTorch say of special numbers, function by function, in the C library's functions.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

namespace law {

enum class special_kind {
  ordinary,
  either_zero,  // C99 leaves open whether 0 or -0 is the larger
  cancels       // what is left of two numbers: a place is one of the largest argument
};

// A function of special numbers, in the C library's functions. Zeros with their signs, infinities and NaN must come out
// as they are; other results may be off by so many units of the last place, 0 where the function is exact.
template <class T>
struct special_line {
  const char* name;
  int arity;
  double places;
  T (*of)(T x, T y, T z);
  special_kind kind = special_kind::ordinary;
};

// Functions of C's name are called with more digits and rounded once. Formulas take their steps in T.
template <class T>
const std::vector<special_line<T>>& special_lines() {
  using real = long double;
  static const auto floor_quotient = [](T x, T y) {
    if (y == 0) return x / y;
    const T rest = std::fmod(x, y), q = (x - rest) / y, lower = rest != 0 && (rest < 0) != (y < 0) ? q - 1 : q;
    if (lower == 0) return std::copysign(T(0), x / y);
    const T whole = std::floor(lower);
    return lower - whole > T(0.5) ? whole + 1 : whole;
  };
  static const auto clamped = [](T x, T low, T high) {
    if (x != x || low != low || high != high) return std::numeric_limits<T>::quiet_NaN();
    const T larger = x > low ? x : low;
    return larger < high ? larger : high;
  };
  // Never fused with a sum, as compilers do where the processor can.
  static const auto product = [](T x, T y) {
    volatile T p = x * y;
    return p;
  };
  static const auto between = [](T x, T y, T z) {
    const T part = z < T(0.5) ? z : 1 - z;
    const bool apart = std::isfinite(x) && std::isfinite(y) && !std::isfinite(y - x);
    const T step = apart ? product(y, part) - product(x, part) : product(y - x, part);
    return z < T(0.5) ? x + step : y - step;
  };
  static const auto rounded = [](real x) { return static_cast<T>(x); };
  static const auto sinc_of = [](real x) -> real {
    if (x == 0 || x == std::rint(x)) return x == 0 ? 1 : std::isinf(x) ? x - x : 0;
    const real whole = std::rint(x), pi = 3.14159265358979323846264338327950288L;
    return (std::fmod(whole, 2) == 0 ? 1 : -1) * std::sin(pi * (x - whole)) / (pi * x);
  };
  static constexpr T infinity = std::numeric_limits<T>::infinity(), most = std::numeric_limits<T>::max();
#define VALUE(V) [](T x, [[maybe_unused]] T y, [[maybe_unused]] T z) -> T { return static_cast<T>(V); }
#define C1(NAME) {#NAME, 1, 1, VALUE(std::NAME(real(x)))}
#define ONE(NAME, PLACES, V) {#NAME, 1, PLACES, VALUE(V)}
#define TWO(NAME, PLACES, V) {#NAME, 2, PLACES, VALUE(V)}
#define THREE(NAME, PLACES, V) {#NAME, 3, PLACES, VALUE(V)}
#define ZERO(NAME, ARITY, V) {#NAME, ARITY, 0, VALUE(V), special_kind::either_zero}
#define LEFT(NAME, ARITY, PLACES, V) {#NAME, ARITY, PLACES, VALUE(V), special_kind::cancels}
  static const std::vector<special_line<T>> lines{
      // C99's own, of one number
      C1(exp), C1(exp2), C1(expm1), C1(log), C1(log2), C1(log10), C1(log1p), C1(cbrt), C1(sin), C1(cos), C1(tan),
      C1(asin), C1(acos), C1(atan), C1(sinh), C1(cosh), C1(tanh), C1(asinh), C1(acosh), C1(atanh), C1(erf), C1(erfc),
      C1(lgamma), C1(tgamma), ONE(exp10, 1, std::pow(real(10), real(x))), ONE(abs, 0, std::fabs(x)),
      ONE(sqrt, 0, std::sqrt(x)), ONE(floor, 0, std::floor(x)), ONE(ceil, 0, std::ceil(x)),
      ONE(trunc, 0, std::trunc(x)), ONE(round, 0, std::rint(x)), ONE(isnan, 0, std::isnan(x)),
      ONE(isinf, 0, std::isinf(x)), ONE(isfinite, 0, std::isfinite(x)), ONE(signbit, 0, std::signbit(x)),
      // of two
      TWO(add, 0, x + y), TWO(sub, 0, x - y), TWO(mul, 0, x * y), TWO(div, 0, x / y), TWO(eq, 0, x == y),
      TWO(ne, 0, !(x == y)), TWO(lt, 0, std::isless(x, y)), TWO(le, 0, std::islessequal(x, y)),
      TWO(gt, 0, std::isgreater(x, y)), TWO(ge, 0, std::isgreaterequal(x, y)), ZERO(fmax, 2, std::fmax(x, y)),
      ZERO(fmin, 2, std::fmin(x, y)), ZERO(maximum, 2, x != x || y != y ? x + y : std::fmax(x, y)),
      ZERO(minimum, 2, x != x || y != y ? x + y : std::fmin(x, y)),
      ZERO(clamp_min, 2, x != x || y != y ? x + y : std::fmax(x, y)),
      ZERO(clamp_max, 2, x != x || y != y ? x + y : std::fmin(x, y)), TWO(copysign, 0, std::copysign(x, y)),
      TWO(nextafter, 0, std::nextafter(x, y)), TWO(fmod, 0, std::fmod(x, y)), TWO(pow, 1, std::pow(real(x), real(y))),
      TWO(atan2, 1, std::atan2(real(x), real(y))), TWO(hypot, 1, std::hypot(real(x), real(y))),
      TWO(trunc_divide, 0, std::trunc(x / y)), TWO(floor_divide, 0, floor_quotient(x, y)),
      TWO(remainder, 0, ([](T r, T d) {
            if (r == 0) return std::copysign(r, d);  // Python's
            return (r < 0) != (d < 0) ? r + d : r;
          }(std::fmod(x, y), y))),
      // NumPy's and PyTorch's, of exact steps
      ONE(neg, 0, -x), ONE(positive, 0, x), ONE(sign, 0, x != x ? x : static_cast<T>((x > 0) - (x < 0))),
      ONE(sgn, 0, x != x ? x : static_cast<T>((x > 0) - (x < 0))), ONE(square, 0, x * x),
      ONE(rsqrt, 0, 1 / std::sqrt(x)), ONE(reciprocal, 0, 1 / x), ONE(frac, 0, x - std::trunc(x)),
      ONE(logical_not, 0, x == 0), ONE(isposinf, 0, x == infinity), ONE(isneginf, 0, x == -infinity),
      ONE(deg2rad, 0, x * T(0.017453292519943295769L)), ONE(rad2deg, 0, x * T(57.295779513082320877L)),
      ONE(angle, 0,
          x != x  ? x
          : x < 0 ? T(3.14159265358979323846L)
                  : 0),
      ONE(relu, 0, x < 0 ? T(0) : x),
      ONE(relu6, 0,
          x < 0   ? T(0)
          : x > 6 ? T(6)
                  : x),
      ONE(softsign, 0, x / (1 + std::fabs(x))), ONE(hardsigmoid, 0, clamped(x + 3, 0, 6) / 6),
      ONE(hardswish, 0, x > T(1e30) ? x : x * clamped(x + 3, 0, 6) / 6), ONE(hardtanh, 0, clamped(x, -1, 1)),
      ONE(leaky_relu, 0, x > 0 ? x : x * T(0.01)), ONE(hardshrink, 0, std::fabs(x) <= T(0.5) ? T(0) : x),
      ONE(softshrink, 0,
          x != x        ? x
          : x > T(0.5)  ? x - T(0.5)
          : x < T(-0.5) ? x + T(0.5)
                        : T(0)),
      ONE(nan_to_num, 0,
          x != x          ? T(0)
          : std::isinf(x) ? std::copysign(most, x)
                          : x),
      TWO(logical_and, 0, x != 0 && y != 0), TWO(logical_or, 0, x != 0 || y != 0),
      TWO(logical_xor, 0, (x != 0) != (y != 0)),
      TWO(heaviside, 0,
          x == 0   ? y
          : x != x ? x
                   : x > 0),
      TWO(prelu, 0, x > 0 ? x : x * y), THREE(where, 0, x != 0 ? y : z), THREE(threshold, 0, x <= y ? z : x),
      ZERO(clamp, 3, clamped(x, y, z)), THREE(fma, 0, std::fma(x, y, z)), THREE(lerp, 0, between(x, y, z)),
      THREE(addcmul, 0, x + product(y, z)), THREE(addcdiv, 0, x + y / z),
      TWO(isclose, 0, x == y || (std::isfinite(y) && std::fabs(x - y) <= T(1e-8) + std::fabs(product(T(1e-5), y)))),
      // and of transcendental ones
      ONE(sigmoid, 3, rounded(1 / (1 + std::exp(-real(x))))), ONE(silu, 3, rounded(real(x) / (1 + std::exp(-real(x))))),
      ONE(entr, 2,
          x != x   ? x
          : x > 0  ? -x * rounded(std::log(real(x)))
          : x == 0 ? T(0)
                   : -infinity),
      ONE(sinc, 3, rounded(sinc_of(x))),
      ONE(gelu, 4, rounded(real(x) / 2 * std::erfc(real(x) * real(-0.70710678118654752440L)))),
      LEFT(tanhshrink, 1, 2, x - rounded(std::tanh(real(x)))),
      ONE(logsigmoid, 3,
          (x < 0    ? x
           : x != x ? x
                    : 0) -
              rounded(std::log1p(std::exp(-std::fabs(real(x)))))),
      ONE(mish, 7, x > 20 ? x : rounded(real(x) * std::tanh(std::log1p(std::exp(real(x)))))),
      ONE(selu, 3, (x > 0 ? x * T(1.0507009873554804934L) : rounded(std::expm1(real(x))) * T(1.7580993408473768599L))),
      ONE(elu, 2, x > 0 ? x : rounded(std::expm1(real(x)))), ONE(celu, 2, x > 0 ? x : rounded(std::expm1(real(x)))),
      ONE(softplus, 3, x > 20 ? x : rounded(std::log1p(std::exp(real(x))))),
      ONE(logit, 3, rounded(std::log(real(x / (1 - x))))),
      TWO(xlogy, 2,
          y != y   ? y
          : x == 0 ? T(0)
                   : x * rounded(std::log(real(y)))),
      TWO(xlog1py, 2,
          y != y   ? y
          : x == 0 ? T(0)
                   : x * rounded(std::log1p(real(y)))),
      TWO(ldexp, 2, (x == 0 || std::isinf(x)) && std::isfinite(y) ? x : rounded(real(x) * std::exp2(real(y)))),
      LEFT(logaddexp, 2, 3,
           x == y             ? x + rounded(std::log(2.0L))
           : x != x || y != y ? x + y
                              : std::fmax(x, y) + rounded(std::log1p(std::exp(-std::fabs(real(x - y)))))),
      LEFT(logaddexp2, 2, 3,
           x == y             ? x + 1
           : x != x || y != y ? x + y
                              : std::fmax(x, y) + rounded(std::log2(1 + std::exp2(-std::fabs(real(x - y))))))};
#undef VALUE
#undef C1
#undef ONE
#undef TWO
#undef THREE
#undef ZERO
#undef LEFT
  return lines;
}

}  // namespace law
