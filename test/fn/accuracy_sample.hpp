// The arguments at which functions made of several calls, and functions of complex numbers, are measured: by
// tools/accuracy.cpp against MPFR and MPC, and by the test that nothing gets worse than docs/reference/accuracy.md.
// True values are formulas over a wider number W: long double in the test.
#pragma once

#include <complex>

#include "core/accuracy_sample.hpp"

#include <broadloom/broadloom.hpp>
#include <broadloom/core/complex_maths.hpp>

#include <algorithm>
#include <vector>

namespace accuracy_sample {

using std::acos;
using std::exp;
using std::exp2;
using std::expm1;
using std::log;
using std::log1p;
using std::sin;
using std::sqrt;
using std::tanh;

enum class domain { any, positive, above_minus_one, unit };

inline constexpr int staged_size = 2000;

// Half up to 8 and half up to 80 in size, within the domain; for `unit` in (0, 1).
template <class T>
std::vector<T> staged_arguments(std::uint64_t seed, domain d) {
  std::vector<T> r;
  for (std::uint64_t i = 0; r.size() < staged_size; ++i) {
    std::uint64_t bits = (seed * staged_size + i + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 31)) * 0xff51afd7ed558ccdu;
    const double unit = static_cast<double>((bits ^ (bits >> 33)) >> 11) / 9007199254740992.0;
    const double wide = (2 * unit - 1) * (i % 2 == 0 ? 8 : 80);
    const T x = static_cast<T>(d == domain::any               ? wide
                               : d == domain::positive        ? std::abs(wide)
                               : d == domain::above_minus_one ? std::abs(wide) - 1
                                                              : unit);
    if ((d == domain::positive && x <= 0) || (d == domain::above_minus_one && x <= -1) ||
        (d == domain::unit && (x <= 0 || x >= 1)))
      continue;
    r.push_back(x);
  }
  return r;
}

template <class W>
W softplus_of(const W& x) {
  return x < W(0) ? log1p(exp(x)) : x + log1p(exp(-x));
}
template <class W>
W larger_of(const W& x, const W& y) {
  return x < y ? y : x;
}
template <class W>
W size_of(const W& x) {
  return x < W(0) ? -x : x;
}

// STAGED(name, operands, domain of the last one, true value, scale): errors are measured in units of the last place of
// the result or, where that is larger, of the scale: what was rounded on the way and partly cancelled.
#define BROADLOOM_STAGED_SAMPLES(STAGED)                                                                            \
  STAGED(xlogy, 2, positive, x* log(y), W(0))                                                                       \
  STAGED(xlog1py, 2, above_minus_one, x* log1p(y), W(0))                                                            \
  STAGED(ldexp, 2, any, x* exp2(y), W(0))                                                                           \
  STAGED(logaddexp, 2, any, larger_of(x, y) + log1p(exp(-size_of(x - y))), larger_of(size_of(x), size_of(y)))       \
  STAGED(logaddexp2, 2, any, larger_of(x, y) + log1p(exp2(-size_of(x - y))) / log(W(2)),                            \
         larger_of(size_of(x), size_of(y)))                                                                         \
  STAGED(sinc, 1, any, sin(acos(W(-1)) * x) / (acos(W(-1)) * x),                                                    \
         larger_of(W(1), size_of(x)) / larger_of(W(1), size_of(x)))                                                 \
  STAGED(entr, 1, positive, -(x * log(x)), W(0))                                                                    \
  STAGED(silu, 1, any, x / (W(1) + exp(-x)), W(0))                                                                  \
  STAGED(sigmoid, 1, any, W(1) / (W(1) + exp(-x)), W(0))                                                            \
  STAGED(logit, 1, unit, log(x) - log1p(-x), W(1))                                                                  \
  STAGED(tanhshrink, 1, any, x - tanh(x), size_of(x))                                                               \
  STAGED(mish, 1, any, x* tanh(softplus_of(x)), W(0))                                                               \
  STAGED(logsigmoid, 1, any, -softplus_of(-x), W(0))                                                                \
  STAGED(selu, 1, any,                                                                                              \
         (x < W(0) ? W(1.6732632423543772848170429916717L) * expm1(x) : x) * W(1.0507009873554804934193349852946L), \
         W(0))                                                                                                      \
  STAGED(elu, 1, any, x < W(0) ? expm1(x) : x, W(0))                                                                \
  STAGED(celu, 1, any, x < W(0) ? expm1(x) : x, W(0))                                                               \
  STAGED(softplus, 1, any, W(20) < x ? x : softplus_of(x), W(0))

// Calls visit(name, worst error) for each, of T, with this policy, at the level in force.
template <class T, class W, class Visit>
void measure_staged(const bl::policy& how, const Visit& visit) {
  std::uint64_t seed = 1000;
  const auto run = [&](const char* name, int operands, domain d, const auto& call, const auto& truth,
                       const auto& scale) {
    const bl::dshape<1> n(staged_size);
    const auto last = staged_arguments<T>(++seed, d);
    const auto first = operands == 2 ? staged_arguments<T>(seed + 500, domain::any) : last;
    bl::dtensor<T, 1> out(n);
    call(out, bl::from(first, n), bl::from(last, n));
    double worst = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const W x(first[i]), y(last[i]);
      const long double t = static_cast<long double>(truth(x, y)), s = static_cast<long double>(scale(x, y));
      const long double unit = std::max(std::abs(t), s);
      if (!(unit >= static_cast<long double>(std::numeric_limits<T>::min()) &&
            unit <= static_cast<long double>(std::numeric_limits<T>::max())))
        continue;
      // an error relative to the scale is an error of a number of that size
      const auto error = static_cast<long double>(out.data()[i]) - t;
      const T place = std::nextafter(static_cast<T>(unit), std::numeric_limits<T>::infinity()) - static_cast<T>(unit);
      const auto off = static_cast<double>(std::abs(error) / place);
      worst = std::max(worst, off >= 0 ? off : std::numeric_limits<double>::infinity());  // NaN is no result
    }
    visit(name, worst);
  };
#define BROADLOOM_ARGUMENTS_1(NAME) bl::NAME(x)
#define BROADLOOM_ARGUMENTS_2(NAME) bl::NAME(x, y)
#define BROADLOOM_STAGED(NAME, OPERANDS, DOMAIN, TRUTH, SCALE)                             \
  run(                                                                                     \
      #NAME, OPERANDS, domain::DOMAIN,                                                     \
      [&]([[maybe_unused]] auto& o, const auto& x, [[maybe_unused]] const auto& y) {       \
        bl::assign(o, BROADLOOM_ARGUMENTS_##OPERANDS(NAME), how);                          \
      },                                                                                   \
      []([[maybe_unused]] const W& x, [[maybe_unused]] const W& y) -> W { return TRUTH; }, \
      []([[maybe_unused]] const W& x, [[maybe_unused]] const W& y) -> W { return SCALE; });
  BROADLOOM_STAGED_SAMPLES(BROADLOOM_STAGED)
#undef BROADLOOM_STAGED
#undef BROADLOOM_ARGUMENTS_1
#undef BROADLOOM_ARGUMENTS_2
}

// --- complex numbers ------------------------------------------------------------------------------------------------

inline constexpr const char* complex_names[] = {
    "sqrt", "rsqrt", "exp",   "log",   "log2",  "log10", "sin",     "cos", "tan", "asin",  "acos",  "atan", "sinh",
    "cosh", "tanh",  "asinh", "acosh", "atanh", "sgn",   "sigmoid", "pow", "abs", "angle", "expm1", "log1p"};

// A third each: parts up to 2, up to 12, and of any size from e^-8 to e^8; `small`: parts up to 2 only.
template <class R>
std::vector<std::complex<R>> complex_arguments(std::uint64_t seed, bool small = false) {
  std::vector<std::complex<R>> r;
  auto unit = [state = seed * 2654435761u + 99]() mutable {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(((state ^ (state >> 33)) * 0xff51afd7ed558ccdu) >> 11) / 9007199254740992.0 * 2 - 1;
  };
  while (r.size() < staged_size) {
    const auto part = [&unit, kind = small ? 0 : r.size() % 3] {
      const double u = unit();
      return static_cast<R>(kind == 0 ? 2 * u : kind == 1 ? 12 * u : std::exp(8 * u) * (unit() < 0 ? -1 : 1));
    };
    const R re = part(), im = part();
    r.emplace_back(re, im);
  }
  return r;
}

// Calls visit("complex exp", worst error) for each: the distance from the truth in units of the last place of its
// length. truth(name, x, y) gives a std::complex<long double>.
template <class R, class Truth, class Visit>
void measure_complex(const Truth& truth, const Visit& visit) {
  using C = std::complex<R>;
  using wide = std::complex<long double>;
  std::uint64_t seed = 3000;
  const auto run = [&](const char* name, const auto& call) {
    // The error of a power grows with its logarithm: exponents are small.
    const auto x = complex_arguments<R>(++seed), y = complex_arguments<R>(seed + 500, std::string(name) == "pow");
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const wide t = truth(name, x[i], y[i]);
      const long double length = std::abs(t);
      if (!(length < static_cast<long double>(std::numeric_limits<R>::max()) / 4) ||
          length < 4 * static_cast<long double>(std::numeric_limits<R>::min()))
        continue;
      const R near = static_cast<R>(length);
      const R place = std::nextafter(near, std::numeric_limits<R>::infinity()) - near;
      const C z = call(x[i], y[i]);
      const auto off = static_cast<double>(std::abs(wide(z.real(), z.imag()) - t) / place);
      worst = std::max(worst, off >= 0 ? off : std::numeric_limits<double>::infinity());
    }
    std::string title = "complex ";
    title += name;
    visit(title.c_str(), worst);
  };
  const auto compiled = [&](int f) {
    run(complex_names[f], [f](const C& x, const C& y) {
      R out[2] = {};
      bl::runtime::complex_element(static_cast<bl::runtime::complex_maths>(f), std::is_same_v<R, double>, &x, &y, out);
      return C(out[0], out[1]);
    });
  };
  constexpr int last = static_cast<int>(bl::runtime::complex_maths::angle);
  for (int f = 0; f <= last; ++f) compiled(f);
  run("mul", [](const C& x, const C& y) { return bl::lanes::times(x, y); });
  run("div", [](const C& x, const C& y) { return bl::lanes::over(x, y); });
  run("square", [](const C& x, const C&) { return bl::lanes::times(x, x); });
  run("reciprocal", [](const C& x, const C&) { return bl::lanes::over(C(1), x); });
  for (int f = last + 1; f < bl::runtime::complex_maths_count; ++f) compiled(f);
}

}  // namespace accuracy_sample
