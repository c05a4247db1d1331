// The functions of vector maths by the C library, as references in a type wider than what is compared with them.
#pragma once

#include <broadloom/core/maths.hpp>

#include <cmath>

#if defined(__MINGW32__)
#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#endif

namespace c_library {

#if defined(__MINGW32__)
// MinGW-w64's C library is no reference for these: its sines take the processor's angle, its inverse functions and
// powers cancel.
namespace best {

using quad = boost::multiprecision::cpp_bin_float_quad;

// Less whole quarters of a turn, by numbers that have the digits of the largest double and of pi beside them.
struct angle {
  int quarters;
  long double rest;
};
inline angle reduced(long double x) {
  using all_digits = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<400>>;
  static const all_digits half = boost::math::constants::half_pi<all_digits>();
  const all_digits turns = round(all_digits(x) / half);
  return {static_cast<int>(fmod(turns, all_digits(4))), static_cast<long double>(all_digits(x) - turns * half)};
}
inline long double turned_sine(int quarters, long double rest) {
  const long double r = quarters % 2 == 0 ? std::sin(rest) : std::cos(rest);
  return (quarters & 3) > 1 ? -r : r;
}

template <class W>
W sin(W x) {
  if (!std::isfinite(x) || std::abs(x) < 0.7) return std::sin(x);
  const angle a = reduced(x);
  return static_cast<W>(turned_sine(a.quarters, a.rest));
}
template <class W>
W cos(W x) {
  if (!std::isfinite(x) || std::abs(x) < 0.7) return std::cos(x);
  const angle a = reduced(x);
  return static_cast<W>(turned_sine(a.quarters + 1, a.rest));
}
template <class W>
W tan(W x) {
  if (!std::isfinite(x) || std::abs(x) < 0.7) return std::tan(x);
  const angle a = reduced(x);
  return static_cast<W>(a.quarters % 2 == 0 ? std::tan(a.rest) : -1 / std::tan(a.rest));
}
template <class W>
W acos(W x) {
  return !(std::abs(x) <= 1) ? std::acos(x) : static_cast<W>(boost::multiprecision::acos(quad(x)));
}
template <class W>
W acosh(W x) {
  return !(x >= 1 && x < 1e9) ? std::acosh(x) : static_cast<W>(boost::multiprecision::acosh(quad(x)));
}
template <class W>
W exp10(W x) {
  return !(std::abs(x) < 400) ? std::pow(W(10), x) : static_cast<W>(boost::multiprecision::pow(quad(10), quad(x)));
}
template <class W>
W lgamma(W x) {
  if (!(std::abs(x) < 1e6) || (x <= 0 && x == std::floor(x))) return std::lgamma(x);
  return static_cast<W>(boost::math::lgamma(static_cast<long double>(x)));
}
template <class W>
W tgamma(W x) {
  return static_cast<W>(std::tgamma(static_cast<long double>(x)));
}

}  // namespace best
#else
namespace best {

using std::acos, std::acosh, std::cos, std::lgamma, std::sin, std::tan, std::tgamma;

template <class W>
W exp10(W x) {
  return std::pow(W(10), x);
}

}  // namespace best
#endif

using broadloom::runtime::maths1;
using broadloom::runtime::maths2;

template <class W>
W call(maths1 f, W x) {
  switch (f) {
    case maths1::exp: return std::exp(x);
    case maths1::exp2: return std::exp2(x);
    case maths1::exp10: return best::exp10(x);
    case maths1::expm1: return std::expm1(x);
    case maths1::log: return std::log(x);
    case maths1::log2: return std::log2(x);
    case maths1::log10: return std::log10(x);
    case maths1::log1p: return std::log1p(x);
    case maths1::cbrt: return std::cbrt(x);
    case maths1::sin: return best::sin(x);
    case maths1::cos: return best::cos(x);
    case maths1::tan: return best::tan(x);
    case maths1::asin: return std::asin(x);
    case maths1::acos: return best::acos(x);
    case maths1::atan: return std::atan(x);
    case maths1::sinh: return std::sinh(x);
    case maths1::cosh: return std::cosh(x);
    case maths1::tanh: return std::tanh(x);
    case maths1::asinh: return std::asinh(x);
    case maths1::acosh: return best::acosh(x);
    case maths1::atanh: return std::atanh(x);
    case maths1::erf: return std::erf(x);
    case maths1::erfc: return std::erfc(x);
    case maths1::lgamma: return best::lgamma(x);
    case maths1::tgamma: return best::tgamma(x);
    case maths1::gelu: return x / 2 * std::erfc(x * W(-0.70710678118654752440L));
  }
  return x;
}

template <class W>
W call(maths2 f, W x, W y) {
  switch (f) {
    case maths2::pow: return std::pow(x, y);
    case maths2::atan2: return std::atan2(x, y);
    case maths2::hypot: return std::hypot(x, y);
    case maths2::fmod: return std::fmod(x, y);
  }
  return x;
}

}  // namespace c_library
