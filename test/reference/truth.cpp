// The functions that are not exact, in long double.
#include "truth.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace reference {
namespace {

using real = long double;
constexpr real pi = 3.14159265358979323846264338327950288L, infinity = HUGE_VALL;

real larger_of(real a, real b) { return std::abs(a) > std::abs(b) ? std::abs(a) : std::abs(b); }
real softplus_of(real x) { return std::fmax(x, real(0)) + std::log1p(std::exp(-std::abs(x))); }

struct entry {
  bounds allowed;
  truth (*value)(const real* x, int count);
};

#define OF1(NAME, OURS, THEIRS, VALUE)                     \
  {                                                        \
    #NAME, {                                               \
      {OURS, THEIRS, 0}, [](const real* v, int) -> truth { \
        const real x = v[0];                               \
        return {VALUE, 0};                                 \
      }                                                    \
    }                                                      \
  }
#define OF2(NAME, OURS, THEIRS, VALUE)                     \
  {                                                        \
    #NAME, {                                               \
      {OURS, THEIRS, 0}, [](const real* v, int) -> truth { \
        const real x = v[0], y = v[1];                     \
        return {VALUE, 0};                                 \
      }                                                    \
    }                                                      \
  }
// A number that need not be given.
#define GIVEN(I, OTHERWISE) (count > (I) ? v[I] : real(OTHERWISE))
#define STEPS(NAME, COUNT, VALUE, SCALE)                                                       \
  {                                                                                            \
    #NAME, {                                                                                   \
      {0, 0, COUNT}, []([[maybe_unused]] const real* v, [[maybe_unused]] int count) -> truth { \
        const real x = v[0];                                                                   \
        return {VALUE, SCALE};                                                                 \
      }                                                                                        \
    }                                                                                          \
  }

const std::map<std::string, entry>& table() {
  static const std::map<std::string, entry> all{
      // One call: this library's bound is the one of docs/reference/accuracy.md, PyTorch's is that of the vector maths
      // it calls.
      OF1(exp, 1.0, 1.0, std::exp(x)),
      OF1(exp2, 1.0, 1.0, std::exp2(x)),
      OF1(expm1, 1.0, 1.0, std::expm1(x)),
      OF1(log, 1.0, 1.0, std::log(x)),
      OF1(log2, 1.0, 1.0, std::log2(x)),
      OF1(log10, 1.0, 1.0, std::log10(x)),
      OF1(log1p, 1.0, 1.0, std::log1p(x)),
      OF1(sin, 1.0, 1.0, std::sin(x)),
      OF1(cos, 1.0, 1.0, std::cos(x)),
      OF1(tan, 1.0, 1.0, std::tan(x)),
      OF1(asin, 1.0, 1.0, std::asin(x)),
      OF1(acos, 1.0, 1.0, std::acos(x)),
      OF1(atan, 1.0, 1.0, std::atan(x)),
      OF1(sinh, 1.0, 1.0, std::sinh(x)),
      OF1(cosh, 1.0, 1.0, std::cosh(x)),
      OF1(tanh, 1.0, 1.0, std::tanh(x)),
      OF1(asinh, 1.0, 2.0, std::asinh(x)),
      OF1(acosh, 1.0, 2.0, std::acosh(x)),
      OF1(atanh, 1.0, 2.0, std::atanh(x)),
      OF1(erf, 1.0, 1.0, std::erf(x)),
      OF1(erfc, 1.5, 1.5, std::erfc(x)),
      OF1(lgamma, 1.0, 1.0, std::lgamma(x)),
      OF2(pow, 1.0, 1.0, std::pow(x, y)),
      OF2(atan2, 1.0, 1.0, std::atan2(x, y)),
      OF2(hypot, 1.0, 1.0, std::hypot(x, y)),
      // Two or three roundings.
      OF1(rsqrt, 1.0, 1.5, 1 / std::sqrt(x)),
      OF1(softsign, 1.0, 1.0, std::isinf(x) ? x / x : x / (1 + std::abs(x))),
      OF1(hardsigmoid, 1.5, 1.5, std::isnan(x) ? x : std::fmin(std::fmax(x + 3, 0), 6) / 6),
      OF1(sigmoid, 2.5, 2.5, 1 / (1 + std::exp(-x))),
      OF2(xlogy, 2.0, 2.0,
          std::isnan(y) ? y
          : x == 0      ? 0
                        : x * std::log(y)),
      OF2(xlog1py, 2.0, 2.0,
          std::isnan(y) ? y
          : x == 0      ? 0
                        : x * std::log1p(y)),
      OF1(entr, 2.0, 2.0,
          std::isnan(x) ? x
          : x > 0       ? -x * std::log(x)
          : x == 0      ? 0
                        : -infinity),
      OF2(ldexp, 1.5, 1.5, x * std::exp2(y)),
      // Several steps.
      STEPS(hardswish, 2, std::isnan(x) ? x : x * std::fmin(std::fmax(x + 3, 0), 6) / 6, x),
      STEPS(sinc, 3, x == 0 ? 1 : std::sin(x * pi) / (x * pi), 1),
      STEPS(silu, 2, x / (1 + std::exp(-x)), 0),
      STEPS(gelu, 3, x / 2 * std::erfc(-x / std::sqrt(real(2))), std::abs(x) * (std::abs(x) < 1 ? 1 : std::abs(x))),
      STEPS(tanhshrink, 2, x - std::tanh(x), larger_of(x, 1)),
      // One unit of exp and five roundings: 3.5 units of a result that begins a binade, twice that at its end.
      STEPS(mish, 7, x * std::tanh(softplus_of(x)), 0),
      STEPS(logsigmoid, 2, -softplus_of(-x), 0),
      STEPS(selu, 2,
            (x > 0 ? x : 1.6732632423543772848170429916717L * std::expm1(x)) * 1.0507009873554804934193349852946L, 0),
      STEPS(elu, 3, x > 0 ? x * GIVEN(2, 1) : std::expm1(x * GIVEN(3, 1)) * GIVEN(1, 1) * GIVEN(2, 1), 0),
      STEPS(celu, 3, x > 0 ? x : std::expm1(x / GIVEN(1, 1)) * GIVEN(1, 1), 0),
      STEPS(softplus, 3, x * GIVEN(1, 1) > GIVEN(2, 20) ? x : softplus_of(x * GIVEN(1, 1)) / GIVEN(1, 1), 0),
      {"logit",
       {{0, 0, 3},
        [](const real* v, int count) -> truth {
          real x = v[0];
          if (count > 1) x = x < v[1] ? v[1] : x > 1 - v[1] ? 1 - v[1] : x;
          // What is lost in x / (1 - x) is a rounding of the quotient, seen through the logarithm.
          return {std::log(x) - std::log1p(-x), 1};
        }}},
      STEPS(logaddexp, 2,
            x == v[1] ? x + std::log(real(2)) : std::fmax(x, v[1]) + std::log1p(std::exp(-std::abs(x - v[1]))),
            larger_of(x, v[1])),
      STEPS(logaddexp2, 3,
            x == v[1] ? x + 1 : std::fmax(x, v[1]) + std::log1p(std::exp2(-std::abs(x - v[1]))) / std::log(real(2)),
            larger_of(x, v[1])),
      STEPS(lerp, 3, x + v[2] * (v[1] - x), larger_of(larger_of(x, v[1]), v[2] * (v[1] - x))),
      STEPS(addcmul, 2, x + GIVEN(3, 1) * v[1] * v[2], larger_of(x, GIVEN(3, 1) * v[1] * v[2])),
      STEPS(addcdiv, 2, x + GIVEN(3, 1) * (v[1] / v[2]), larger_of(x, GIVEN(3, 1) * (v[1] / v[2]))),
      STEPS(add, 2, x + GIVEN(2, 1) * v[1], larger_of(x, GIVEN(2, 1) * v[1])),
      STEPS(sub, 2, x - GIVEN(2, 1) * v[1], larger_of(x, GIVEN(2, 1) * v[1])),
  };
  return all;
}

#undef OF1
#undef OF2
#undef GIVEN
#undef STEPS

}  // namespace

const bounds* bounds_of(const std::string& function) {
  const auto found = table().find(function);
  return found == table().end() ? nullptr : &found->second.allowed;
}

truth true_value(const std::string& function, const long double* x, int count) {
  return table().at(function).value(x, count);
}

using broadloom::dtype;

long double rounded_to(dtype t, long double x) {
  return t == dtype::f32   ? static_cast<long double>(static_cast<float>(static_cast<double>(x)))
         : t == dtype::f64 ? static_cast<long double>(static_cast<double>(x))
                           : x;
}
long double place_of(long double x, dtype t) {
  const int digits = t == dtype::f32 ? 24 : 53, least = t == dtype::f32 ? -149 : -1074;
  if (x == 0 || !std::isfinite(x)) return std::ldexp(1.0L, least);
  return std::ldexp(1.0L, std::max(std::ilogb(x) - digits + 1, least));
}
long double error_of(long double x, long double t, dtype type) {
  const long double past = std::ldexp(1.0L, type == dtype::f32 ? 128 : 1024);
  if (x != x || t != t) return x != x && t != t ? 0 : infinity;
  const auto finite = [&](long double v) { return v > past ? past : v < -past ? -past : v; };
  return std::abs(finite(x) - finite(t));
}

bool complex_truth(const std::string& function, const std::complex<long double>* x, int count,
                   std::complex<long double>& to) {
  using number = std::complex<real>;
  using one = number (*)(const number&);
  using two = number (*)(const number&, const number&);
#define ONE(NAME, VALUE) {#NAME, [](const number& z) -> number { return VALUE; }}
#define TWO(NAME, VALUE) {#NAME, [](const number& z, [[maybe_unused]] const number& w) -> number { return VALUE; }}
  static const std::map<std::string, one> of_one{
      ONE(abs, std::abs(z)),
      ONE(angle, std::arg(z)),
      ONE(sgn, z == real(0) ? z : z / std::abs(z)),
      ONE(square, z * z),
      ONE(sqrt, std::sqrt(z)),
      ONE(rsqrt, real(1) / std::sqrt(z)),
      ONE(reciprocal, real(1) / z),
      ONE(exp, std::exp(z)),
      ONE(log, std::log(z)),
      ONE(log2, std::log(z) / std::log(real(2))),
      ONE(log10, std::log(z) / std::log(real(10))),
      ONE(sin, std::sin(z)),
      ONE(cos, std::cos(z)),
      ONE(tan, std::tan(z)),
      ONE(asin, std::asin(z)),
      ONE(acos, std::acos(z)),
      ONE(atan, std::atan(z)),
      ONE(sinh, std::sinh(z)),
      ONE(cosh, std::cosh(z)),
      ONE(tanh, std::tanh(z)),
      ONE(asinh, std::asinh(z)),
      ONE(acosh, std::acosh(z)),
      ONE(atanh, std::atanh(z)),
      ONE(sigmoid, real(1) / (real(1) + std::exp(-z))),
  };
  static const std::map<std::string, two> of_two{
      TWO(polar, number(z.real() * std::cos(w.real()), z.real() * std::sin(w.real()))),
      TWO(add, z + w),
      TWO(sub, z - w),
      TWO(mul, z * w),
      TWO(div, z / w),
      TWO(pow, w == real(0)   ? number(1)
               : z == real(0) ? number(0)
                              : std::exp(w * std::log(z))),
  };
#undef ONE
#undef TWO
  if (const auto found = of_one.find(function); found != of_one.end()) {
    to = found->second(x[0]);
    return true;
  }
  if (const auto found = of_two.find(function); found != of_two.end() && count > 1) {
    to = found->second(x[0], x[1]);
    return true;
  }
  if (function == "lerp") to = x[0] + x[2] * (x[1] - x[0]);
  if (function == "addcmul" || function == "add_mul") to = x[0] + x[1] * x[2];
  if (function == "addcdiv" || function == "add_div") to = x[0] + x[1] / x[2];
  return function == "lerp" || function.rfind("add", 0) == 0;
}

}  // namespace reference
