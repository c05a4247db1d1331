// Strip loops over a vector function, and the repairs of what a function gets wrong. Everything is a template on a pack
// of one level, so that no two levels share a function; nothing of the standard library is used for the same reason.
#pragma once

#include "table.hpp"

namespace broadloom::runtime {

// A pack type has: element, value (the vector), has_fma, width, splat, load and store (any alignment), abs, and
// less(a, b): bit k is set if lane k of a is less than that of b (not if one of them is NaN).

// The lanes of r = f(x) that SLEEF 3.5.1 gets wrong, found by one or two comparisons.
template <maths1 F, class Pack>
inline unsigned wrong_lanes([[maybe_unused]] typename Pack::value x, [[maybe_unused]] typename Pack::value r) {
  constexpr bool f32 = sizeof(typename Pack::element) == 4;
  [[maybe_unused]] const auto c = [](double for_f32, double for_f64) {
    return Pack::splat(static_cast<typename Pack::element>(f32 ? for_f32 : for_f64));
  };
  if constexpr (F == maths1::log1p) {
    // Infinite for large arguments.
    return Pack::less(c(1e37, 1e306), x);
  } else if constexpr (F == maths1::sinh || F == maths1::cosh) {
    // Infinite as soon as exp(x) is, while half of it is not.
    return Pack::less(c(88.0, 709.0), Pack::abs(x)) & Pack::less(Pack::abs(x), c(90.0, 711.0));
  } else if constexpr (F == maths1::asinh || F == maths1::acosh) {
    // Infinite when the square is.
    return Pack::less(c(1e18, 1e153), Pack::abs(x));
  } else if constexpr (F == maths1::erf) {
    // Without FMA, tiny results are rounded twice. Zero is right.
    return f32 && !Pack::has_fma ? Pack::less(Pack::abs(x), c(1e-36, 0)) & Pack::less(c(0, 0), Pack::abs(x)) : 0u;
  } else if constexpr (F == maths1::erfc) {
    // Results near the subnormals are rounded twice.
    return Pack::less(c(9.0, 26.0), x) & Pack::less(x, c(10.1, 27.3));
  } else if constexpr (F == maths1::lgamma) {
    // Left of zero the error is absolute, not relative to the result; infinite for large arguments.
    return Pack::less(x, c(0, 0)) | Pack::less(c(4e36, 2e305), x);
  } else if constexpr (F == maths1::tgamma) {
    // Inaccurate where the result nears the subnormals, and +0 for -0 below.
    return Pack::less(x, c(-30.0, -165.0));
  } else {
    return 0;
  }
}

template <maths2 F, class Pack>
inline unsigned wrong_lanes([[maybe_unused]] typename Pack::value x, [[maybe_unused]] typename Pack::value y,
                            [[maybe_unused]] typename Pack::value r) {
  constexpr bool f32 = sizeof(typename Pack::element) == 4;
  [[maybe_unused]] const auto c = [](double for_f32, double for_f64) {
    return Pack::splat(static_cast<typename Pack::element>(f32 ? for_f32 : for_f64));
  };
  if constexpr (F == maths2::pow) {
    // Infinite just below the largest number; so an infinite power of finite numbers is looked at again.
    const auto largest = c(3.4028234663852886e38, 1.7976931348623157e308);
    const unsigned infinite = Pack::less(largest, Pack::abs(r));
    if (infinite == 0) return 0;
    return infinite & ~(Pack::less(largest, Pack::abs(x)) | Pack::less(largest, Pack::abs(y)));
  } else if constexpr (F == maths2::atan2) {
    // Without FMA, results near the subnormals are rounded twice.
    return !Pack::has_fma ? Pack::less(Pack::abs(r), c(1e-36, 1e-306)) & Pack::less(c(0, 0), Pack::abs(r)) : 0u;
  } else {
    return 0;
  }
}

template <maths1 F, class Pack>
[[gnu::noinline]] typename Pack::value repaired(typename Pack::value x, typename Pack::value r, unsigned lanes) {
  typename Pack::element in[Pack::width];
  typename Pack::element out[Pack::width];
  Pack::store(in, x);
  Pack::store(out, r);
  for (index k = 0; k < Pack::width; ++k)
    if (lanes >> k & 1u) out[k] = exact(F, in[k]);
  return Pack::load(out);
}

template <maths2 F, class Pack>
[[gnu::noinline]] typename Pack::value repaired(typename Pack::value x, typename Pack::value y,
                                                typename Pack::value r, unsigned lanes) {
  typename Pack::element in_x[Pack::width];
  typename Pack::element in_y[Pack::width];
  typename Pack::element out[Pack::width];
  Pack::store(in_x, x);
  Pack::store(in_y, y);
  Pack::store(out, r);
  for (index k = 0; k < Pack::width; ++k)
    if (lanes >> k & 1u) out[k] = exact(F, in_x[k], in_y[k]);
  return Pack::load(out);
}

template <maths1 F, maths_source Source, class Pack, auto Function>
inline typename Pack::value call(typename Pack::value x) {
  const typename Pack::value r = Function(x);
  if constexpr (Source == maths_source::sleef)
    if (const unsigned lanes = wrong_lanes<F, Pack>(x, r); lanes != 0) [[unlikely]]
      return repaired<F, Pack>(x, r, lanes);
  return r;
}

template <maths2 F, maths_source Source, class Pack, auto Function>
inline typename Pack::value call(typename Pack::value x, typename Pack::value y) {
  const typename Pack::value r = Function(x, y);
  if constexpr (Source == maths_source::sleef)
    if (const unsigned lanes = wrong_lanes<F, Pack>(x, y, r); lanes != 0) [[unlikely]]
      return repaired<F, Pack>(x, y, r, lanes);
  return r;
}

// Body and tail run the same vector code, so an element's value does not depend on its position. The tail is filled up
// with its own last element, which takes no slower path and raises no flag that the strip does not raise anyway.
template <maths1 F, maths_source Source, class Pack, auto Function>
void run_strip1(const typename Pack::element* x, typename Pack::element* out, index n) {
  constexpr index width = Pack::width;
  index i = 0;
  for (; i + width <= n; i += width) Pack::store(out + i, call<F, Source, Pack, Function>(Pack::load(x + i)));
  if (i == n) return;
  typename Pack::element tail[width];
  for (index k = 0; k < width; ++k) tail[k] = x[i + k < n ? i + k : n - 1];
  Pack::store(tail, call<F, Source, Pack, Function>(Pack::load(tail)));
  for (index k = 0; i + k < n; ++k) out[i + k] = tail[k];
}

template <maths2 F, maths_source Source, class Pack, auto Function>
void run_strip2(const typename Pack::element* x, const typename Pack::element* y, typename Pack::element* out,
                index n) {
  constexpr index width = Pack::width;
  index i = 0;
  for (; i + width <= n; i += width) Pack::store(out + i, call<F, Source, Pack, Function>(Pack::load(x + i), Pack::load(y + i)));
  if (i == n) return;
  typename Pack::element tail_x[width];
  typename Pack::element tail_y[width];
  for (index k = 0; k < width; ++k) {
    tail_x[k] = x[i + k < n ? i + k : n - 1];
    tail_y[k] = y[i + k < n ? i + k : n - 1];
  }
  Pack::store(tail_x, call<F, Source, Pack, Function>(Pack::load(tail_x), Pack::load(tail_y)));
  for (index k = 0; i + k < n; ++k) out[i + k] = tail_x[k];
}

template <maths1 F, maths_source Source, class Pack, auto Function>
consteval maths_entry<strip1<typename Pack::element>> entry1() {
  return {&run_strip1<F, Source, Pack, Function>, Source == maths_source::sleef ? "sleef" : "libmvec"};
}

template <maths2 F, maths_source Source, class Pack, auto Function>
consteval maths_entry<strip2<typename Pack::element>> entry2() {
  return {&run_strip2<F, Source, Pack, Function>, Source == maths_source::sleef ? "sleef" : "libmvec"};
}

}  // namespace broadloom::runtime
