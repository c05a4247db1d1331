// The arithmetic of formulas for complex numbers, on their parts: every part is rounded at every step, as written here.
#pragma once

#include <broadloom/fn/fma.hpp>
#include <broadloom/fn/real.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::lanes {

using detail::complex_of;
using detail::imaginary_part;
using detail::real_part;

#define BROADLOOM_LANES [[gnu::always_inline]] constexpr

template <complexes V>
BROADLOOM_LANES V plus(const V& x, const V& y) {
  return complex_of(plus(real_part(x), real_part(y)), plus(imaginary_part(x), imaginary_part(y)));
}
template <complexes V>
BROADLOOM_LANES V minus(const V& x, const V& y) {
  return complex_of(minus(real_part(x), real_part(y)), minus(imaginary_part(x), imaginary_part(y)));
}
// (a + bi)(c + di) = (ac - bd) + (ad + bc)i, also where a part is infinite (PyTorch's and NumPy's rule, not C's).
template <complexes V>
BROADLOOM_LANES V times(const V& x, const V& y) {
  const auto a = real_part(x), b = imaginary_part(x), c = real_part(y), d = imaginary_part(y);
  return complex_of(minus(times(a, c), times(b, d)), plus(times(a, d), times(b, c)));
}
template <class M, complexes V>
BROADLOOM_LANES V select(const mask<M>& m, const V& x, const V& y) {
  return complex_of(select(m, real_part(x), real_part(y)), select(m, imaginary_part(x), imaginary_part(y)));
}
// Smith's quotient, as in NumPy: divided by the larger part of the divisor first,
// so that nothing overflows early.
template <complexes V>
BROADLOOM_LANES V over(const V& x, const V& y) {
  const auto a = real_part(x), b = imaginary_part(x), c = real_part(y), d = imaginary_part(y);
  using P = std::remove_cvref_t<decltype(a)>;
  const auto first = greater_equal(magnitude(c), magnitude(d));
  const P large = select(first, c, d), little = select(first, d, c);
  const P ratio = over(little, large), scale = over(each<P>(1), plus(large, times(little, ratio)));
  const P re = plus(select(first, a, b), times(select(first, b, a), ratio));
  const P im = select(first, minus(b, times(a, ratio)), minus(times(b, ratio), a));
  const auto zero = equal(magnitude(large), P{});
  return select(zero, complex_of(over(a, magnitude(c)), over(b, magnitude(c))),
                complex_of(times(re, scale), times(im, scale)));
}
template <complexes V>
BROADLOOM_LANES auto equal(const V& x, const V& y) {
  return both(equal(real_part(x), real_part(y)), equal(imaginary_part(x), imaginary_part(y)));
}
template <complexes V>
BROADLOOM_LANES auto unequal(const V& x, const V& y) {
  return either(unequal(real_part(x), real_part(y)), unequal(imaginary_part(x), imaginary_part(y)));
}
template <complexes V>
BROADLOOM_LANES V negative(const V& x) {
  return complex_of(negative(real_part(x)), negative(imaginary_part(x)));
}
template <complexes V>
BROADLOOM_LANES V conjugate(const V& x) {
  return complex_of(real_part(x), negative(imaginary_part(x)));
}
template <complexes V>
BROADLOOM_LANES auto is_infinite(const V& x) {
  return either(is_infinite(real_part(x)), is_infinite(imaginary_part(x)));
}
template <complexes V>
BROADLOOM_LANES auto is_finite(const V& x) {
  return both(is_finite(real_part(x)), is_finite(imaginary_part(x)));
}
// x + z (y - x), from y where |z| >= 0.5.
template <complexes V>
BROADLOOM_LANES V between(const V& x, const V& y, const V& z) {
  const auto re = real_part(z), im = imaginary_part(z);
  using P = std::remove_cvref_t<decltype(re)>;
  const auto near_zero = less(plus(times(re, re), times(im, im)), each<P>(0.25));
  const V way = minus(y, x);
  return select(near_zero, plus(x, times(z, way)), minus(y, times(way, minus(each<V>(1), z))));
}

#undef BROADLOOM_LANES

}  // namespace broadloom::lanes

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
