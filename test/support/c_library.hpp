// The functions of vector maths by the C library, as references in a type wider than what is compared with them.
#pragma once

#include <broadloom/core/maths.hpp>

#include <cmath>

namespace c_library {

using broadloom::runtime::maths1;
using broadloom::runtime::maths2;

template <class W>
W call(maths1 f, W x) {
  switch (f) {
    case maths1::exp: return std::exp(x);
    case maths1::exp2: return std::exp2(x);
    case maths1::exp10: return std::pow(W(10), x);
    case maths1::expm1: return std::expm1(x);
    case maths1::log: return std::log(x);
    case maths1::log2: return std::log2(x);
    case maths1::log10: return std::log10(x);
    case maths1::log1p: return std::log1p(x);
    case maths1::cbrt: return std::cbrt(x);
    case maths1::sin: return std::sin(x);
    case maths1::cos: return std::cos(x);
    case maths1::tan: return std::tan(x);
    case maths1::asin: return std::asin(x);
    case maths1::acos: return std::acos(x);
    case maths1::atan: return std::atan(x);
    case maths1::sinh: return std::sinh(x);
    case maths1::cosh: return std::cosh(x);
    case maths1::tanh: return std::tanh(x);
    case maths1::asinh: return std::asinh(x);
    case maths1::acosh: return std::acosh(x);
    case maths1::atanh: return std::atanh(x);
    case maths1::erf: return std::erf(x);
    case maths1::erfc: return std::erfc(x);
    case maths1::lgamma: return std::lgamma(x);
    case maths1::tgamma: return std::tgamma(x);
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
