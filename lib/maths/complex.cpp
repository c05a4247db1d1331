// Functions of complex numbers: C99's, as the standard library computes them, with its special values; magnitudes and
// angles, and exp, by the vector maths of real numbers.
#include <algorithm>
#include <complex>
#include <limits>

#include <broadloom/plan/complex_kernels.hpp>

#include "sines_and_cosines.hpp"
#include "table.hpp"
#include "take_apart.hpp"

namespace broadloom::runtime {

namespace {

// exp(x) - 1, near 0 without the loss of what the two have in common.
template <class R>
std::complex<R> exp_less_1(const std::complex<R>& x) {
  const R a = x.real(), b = x.imag();
  if (!(a > -1 && a < R(0.5) && b - b == 0)) return std::exp(x) - R(1);
  const R half = std::sin(b / 2);
  return {std::expm1(a) * std::cos(b) - 2 * half * half, std::exp(a) * std::sin(b)};
}
// log(1 + x), likewise, where 1 + a would be rounded.
template <class R>
std::complex<R> log_of_1_more(const std::complex<R>& x) {
  const R a = x.real(), b = x.imag();
  if (!(a > R(-0.5) && a < R(0.5) && b > -2 && b < 2)) return std::log(std::complex<R>(1 + a, b));
  return {std::log1p(a * (2 + a) + b * b) / 2, std::atan2(b, 1 + a)};
}
// 1 / (1 + exp(-x)): by exp(x) where exp(-x) is about to be infinite; between the poles, at odd multiples of pi i, by
// sums that are right where 1 and exp(-x) cancel: 1 + cos(b) is 2 cos(b / 2)^2.
template <class R>
std::complex<R> logistic(const std::complex<R>& x) {
  using C = std::complex<R>;
  const R a = x.real(), b = x.imag();
  if (a > -1 && a < R(0.5) && b - b == 0) {
    const R less_1 = std::expm1(-a), s = std::sin(b / 2), c = std::cos(b / 2);
    return C(1) / C(2 * c * c + (c - s) * (c + s) * less_1, -(1 + less_1) * 2 * s * c);
  }
  const bool below = a < (sizeof(R) == 4 ? R(-80) : R(-700));
  const C e = std::exp(below ? x : -x);
  return (below ? e : C(1)) / (C(1) + e);
}

template <complex_maths F, class R>
std::complex<R> value(const std::complex<R>& x) {
  using C = std::complex<R>;
  switch (F) {
    case complex_maths::sqrt: return std::sqrt(x);
    case complex_maths::rsqrt: return C(1) / std::sqrt(x);
    case complex_maths::exp: return std::exp(x);
    case complex_maths::log: return std::log(x);
    case complex_maths::log2: return std::log(x) / static_cast<R>(0.69314718055994530942);
    case complex_maths::log10: return std::log10(x);
    case complex_maths::sin: return std::sin(x);
    case complex_maths::cos: return std::cos(x);
    case complex_maths::tan: return std::tan(x);
    case complex_maths::asin: return std::asin(x);
    case complex_maths::acos: return std::acos(x);
    case complex_maths::atan: return std::atan(x);
    case complex_maths::sinh: return std::sinh(x);
    case complex_maths::cosh: return std::cosh(x);
    case complex_maths::tanh: return std::tanh(x);
    case complex_maths::asinh: return std::asinh(x);
    case complex_maths::acosh: return std::acosh(x);
    case complex_maths::atanh: return std::atanh(x);
    case complex_maths::expm1: return exp_less_1(x);
    case complex_maths::log1p: return log_of_1_more(x);
    case complex_maths::sgn: {
      if (x == C(0)) return C(0);
      R re = x.real(), im = x.imag();
      R length = std::hypot(re, im);
      if (!(length <= std::numeric_limits<R>::max())) {  // of a number whose length is beyond the largest one
        re /= 2;
        im /= 2;
        length = std::hypot(re, im);
      } else if (length < std::numeric_limits<R>::min()) {  // or has few bits
        constexpr R up = R(2) / std::numeric_limits<R>::epsilon();
        re *= up;
        im *= up;
        length = std::hypot(re, im);
      }
      return C(re / length, im / length);
    }
    case complex_maths::sigmoid: return logistic(x);
    default: return x;
  }
}

// The most frequent exponents, as for real numbers. In a square, neither part loses bits to the other.
template <class R>
std::complex<R> power(const std::complex<R>& x, const std::complex<R>& y) {
  using C = std::complex<R>;
  const R a = x.real(), b = x.imag();
  if (y == C(0)) return C(1);
  if (a == 0 && b == 0 && y.imag() == 0 && y.real() > 0) return C(0);
  if (y.imag() == 0 && a - a == 0 && b - b == 0) {
    if (y.real() == 2) return C((a - b) * (a + b), 2 * a * b);
    if (y.real() == 1) return x;
  }
  return std::pow(x, y);
}

// abs and angle: real and imaginary parts are handed to the vector maths in strips.
template <complex_maths F, class R>
void parts(const slot* in, R* out, index n) {
  constexpr index most = 512;
  alignas(64) R re[most], im[most];
  const auto* x = static_cast<const std::complex<R>*>(in[0].data);
  const apart<R>& parts_of = apart_of<R>();
  for (index done = 0; done < n; done += most) {
    const index count = n - done < most ? n - done : most;
    if (in[0].advance != 0)
      parts_of.take(reinterpret_cast<const R*>(x + done), re, im, count);
    else
      for (index i = 0; i < count; ++i) {
        re[i] = x[0].real();
        im[i] = x[0].imag();
      }
    if (F == complex_maths::abs)
      map2(maths2::hypot, accuracy::accurate, re, im, out + done, count);
    else
      map2(maths2::atan2, accuracy::accurate, im, re, out + done, count);
  }
}

// exp(a) cos(b) and exp(a) sin(b), in doubles: of floats neither factor leaves their range before the product leaves
// that of floats, of doubles whose exp(a) is a normal number none does. Other numbers are left to the standard library.
template <class R>
void exponentials_by_strips(const slot* in, std::complex<R>* out, index n) {
  using C = std::complex<R>;
  constexpr index most = 128;
  constexpr R limit = sizeof(R) == 4 ? std::numeric_limits<R>::max() : R(700);
  double grown[most], angle[most], cosine[most];
  const auto* x = static_cast<const C*>(in[0].data);
  for (index done = 0; done < n; done += most) {
    const index count = n - done < most ? n - done : most;
    for (index i = 0; i < count; ++i) {
      const C& z = x[(done + i) & in[0].advance];
      grown[i] = static_cast<double>(z.real());
      angle[i] = static_cast<double>(z.imag());
    }
    map1(maths1::exp, accuracy::accurate, grown, grown, count);
    sines_and_cosines(angle, angle, cosine, count);
    for (index i = 0; i < count; ++i) {
      const C z = x[(done + i) & in[0].advance];
      const R a = z.real(), b = z.imag();
      if (a <= limit && -a <= limit && b - b == 0)
        out[done + i] = C(static_cast<R>(grown[i] * cosine[i]), b == 0 ? b : static_cast<R>(grown[i] * angle[i]));
      else
        out[done + i] = std::exp(z);
    }
  }
}

// The same by the level's vectors, where it has them.
template <class R>
void exponentials(const slot* in, std::complex<R>* out, index n) {
  const auto by_vectors = [] {
    if constexpr (sizeof(R) == 4)
      return maths().f32.complex_exponentials;
    else
      return maths().f64.complex_exponentials;
  }();
  if (by_vectors == nullptr) return exponentials_by_strips(in, out, n);
  constexpr auto of_one = [](const R* z, R* to) {
    const slot one[] = {{z, 0}};
    exponentials_by_strips(one, reinterpret_cast<std::complex<R>*>(to), 1);
  };
  const auto* x = static_cast<const R*>(in[0].data);
  if (in[0].advance != 0) return by_vectors(x, reinterpret_cast<R*>(out), n, of_one);
  if (n == 0) return;
  std::complex<R> value;
  by_vectors(x, reinterpret_cast<R*>(&value), 1, of_one);
  std::fill_n(out, n, value);
}

template <complex_maths F, class R>
void run(const slot* in, void* out, index n, kernel_mode) {
  using C = std::complex<R>;
  const auto* x = static_cast<const C*>(in[0].data);
  if constexpr (gives_real(F))
    parts<F>(in, static_cast<R*>(out), n);
  else if constexpr (F == complex_maths::exp)
    exponentials(in, static_cast<C*>(out), n);
  else if constexpr (F == complex_maths::pow) {
    const auto* y = static_cast<const C*>(in[1].data);
    for (index i = 0; i < n; ++i) static_cast<C*>(out)[i] = power(x[i & in[0].advance], y[i & in[1].advance]);
  } else
    for (index i = 0; i < n; ++i) static_cast<C*>(out)[i] = value<F>(x[i & in[0].advance]);
}

template <class R, int F>
constexpr kernel kernel_of() {
  return kernel_of_single(run<static_cast<complex_maths>(F), R>);
}

}  // namespace

#define BROADLOOM_ALL(R)                                                                                            \
  kernel_of<R, 0>(), kernel_of<R, 1>(), kernel_of<R, 2>(), kernel_of<R, 3>(), kernel_of<R, 4>(), kernel_of<R, 5>(), \
      kernel_of<R, 6>(), kernel_of<R, 7>(), kernel_of<R, 8>(), kernel_of<R, 9>(), kernel_of<R, 10>(),               \
      kernel_of<R, 11>(), kernel_of<R, 12>(), kernel_of<R, 13>(), kernel_of<R, 14>(), kernel_of<R, 15>(),           \
      kernel_of<R, 16>(), kernel_of<R, 17>(), kernel_of<R, 18>(), kernel_of<R, 19>(), kernel_of<R, 20>(),           \
      kernel_of<R, 21>(), kernel_of<R, 22>(), kernel_of<R, 23>(), kernel_of<R, 24>()
static_assert(complex_maths_count == 25);
constinit const kernel complex_kernels[2][complex_maths_count] = {{BROADLOOM_ALL(float)}, {BROADLOOM_ALL(double)}};
#undef BROADLOOM_ALL

void complex_element(complex_maths f, bool is_f64, const void* x, const void* y, void* out) noexcept {
  const slot in[] = {{x, 0}, {y, 0}};
  complex_kernels[is_f64][static_cast<int>(f)].run[0](in, out, 1, kernel_mode::any);
}

}  // namespace broadloom::runtime
