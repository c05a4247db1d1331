// Single values, computed by the C library in the next wider type.
#include <cmath>

#include "table.hpp"

#if defined(__MINGW32__)
#include "by_mingw.hpp"
#endif

namespace broadloom::runtime {

namespace {

#if defined(__MINGW32__)
namespace best = by_mingw;
#else
namespace best = std;
#endif

// C's lgamma also writes the global signgam, which would be a data race.
#if defined(__MINGW32__)
long double lgamma_only(long double x) noexcept { return best::lgamma(x); }

long double exp10_of(long double x) noexcept { return std::pow(10.0L, x); }
#elif defined(_WIN32)
double lgamma_only(double x) noexcept { return std::lgamma(x); }
long double lgamma_only(long double x) noexcept { return std::lgamma(x); }

double exp10_of(double x) noexcept { return std::pow(10.0, x); }
long double exp10_of(long double x) noexcept { return std::pow(10.0L, x); }
#else
double lgamma_only(double x) noexcept {
  int sign;
  return ::lgamma_r(x, &sign);
}
long double lgamma_only(long double x) noexcept {
  int sign;
  return ::lgammal_r(x, &sign);
}

double exp10_of(double x) noexcept { return ::exp10(x); }
long double exp10_of(long double x) noexcept { return ::exp10l(x); }
#endif

template <class Wide>
Wide one(maths1 f, Wide x) noexcept {
  switch (f) {
    case maths1::exp: return std::exp(x);
    case maths1::exp2: return std::exp2(x);
    case maths1::exp10: return exp10_of(x);
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
    case maths1::lgamma: return lgamma_only(x);
    case maths1::tgamma: return best::tgamma(x);
    case maths1::gelu: return x / 2 * std::erfc(x * Wide(-0.70710678118654752440L));
  }
  return x;
}

template <class Wide>
Wide two(maths2 f, Wide x, Wide y) noexcept {
  switch (f) {
    case maths2::pow: return std::pow(x, y);
    case maths2::atan2: return std::atan2(x, y);
    case maths2::hypot: return std::hypot(x, y);
    case maths2::fmod: return std::fmod(x, y);
  }
  return x;
}

}  // namespace

#if defined(__MINGW32__)
float exact(maths1 f, float x) noexcept { return static_cast<float>(one<long double>(f, x)); }
#else
float exact(maths1 f, float x) noexcept { return static_cast<float>(one<double>(f, x)); }
#endif
double exact(maths1 f, double x) noexcept { return static_cast<double>(one<long double>(f, x)); }
float exact(maths2 f, float x, float y) noexcept { return static_cast<float>(two<double>(f, x, y)); }
double exact(maths2 f, double x, double y) noexcept { return static_cast<double>(two<long double>(f, x, y)); }

void fmod_one_by_one(const double* x, const double* y, double* out, index n) noexcept {
  for (index i = 0; i < n; ++i) out[i] = std::fmod(x[i], y[i]);
}

}  // namespace broadloom::runtime
