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

// Each pair as two parts of it: 0 is the real one, 1 the imaginary one.
template <int Real, int Imaginary, class P, int... At>
BROADLOOM_LANES P parts(const P& x, detail::sequence<At...>) {
  return detail::shuffled<(At - At % 2 + (At % 2 == 0 ? Real : Imaginary))...>(x, x);
}
template <int Real, int Imaginary, class P>
BROADLOOM_LANES P parts(const P& x) {
  return parts<Real, Imaginary>(x, detail::make_sequence<lane_count<P>>{});
}
// With the sign of one part of each pair changed.
template <int Part, class P>
BROADLOOM_LANES P negated(const P& x) {
  constexpr lane<P> first = Part == 0 ? lane<P>(-0.0) : lane<P>(0), second = Part == 0 ? lane<P>(0) : lane<P>(-0.0);
  using one = decltype(detail::real_part(detail::complex_vec<P>{}));
  const P signs = detail::complex_of(each<one>(first), each<one>(second)).pairs;
  return as<P>(as<bits<P>>(x) ^ as<bits<P>>(signs));
}

template <complexes V>
BROADLOOM_LANES V plus(const V& x, const V& y) {
  if constexpr (vector<V>)
    return {plus(x.pairs, y.pairs)};
  else
    return complex_of(plus(real_part(x), real_part(y)), plus(imaginary_part(x), imaginary_part(y)));
}
template <complexes V>
BROADLOOM_LANES V minus(const V& x, const V& y) {
  if constexpr (vector<V>)
    return {minus(x.pairs, y.pairs)};
  else
    return complex_of(minus(real_part(x), real_part(y)), minus(imaginary_part(x), imaginary_part(y)));
}
// (a + bi)(c + di) = (ac - bd) + (ad + bc)i, also where a part is infinite (PyTorch's and NumPy's rule, not C's).
template <complexes V>
BROADLOOM_LANES V times(const V& x, const V& y) {
  if constexpr (vector<V>) {  // (ac, bc) + (-bd, ad)
    const auto crossed = times(parts<1, 0>(x.pairs), parts<1, 1>(y.pairs));
    return {plus(times(x.pairs, parts<0, 0>(y.pairs)), negated<0>(crossed))};
  } else {
    const auto a = real_part(x), b = imaginary_part(x), c = real_part(y), d = imaginary_part(y);
    return complex_of(minus(times(a, c), times(b, d)), plus(times(a, d), times(b, c)));
  }
}
template <class M, complexes V>
BROADLOOM_LANES V select(const mask<M>& m, const V& x, const V& y) {
  const auto one = detail::widen<sizeof(detail::real_of<lane<V>>)>(m);
  const auto both = detail::paired(one, one, detail::make_sequence<2 * lane_count<V>>{});
  return {select(mask<std::remove_cvref_t<decltype(both)>>{both}, x.pairs, y.pairs)};
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
  // a / 0 and b / 0 of a divisor that is 0.
  const auto zero = equal(large, P{});
  const P by = select(zero, each<P>(__builtin_huge_val()), scale);
  return complex_of(times(select(zero, a, re), by), times(select(zero, b, im), by));
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
  if constexpr (vector<V>)
    return {negative(x.pairs)};
  else
    return complex_of(negative(real_part(x)), negative(imaginary_part(x)));
}
template <complexes V>
BROADLOOM_LANES V conjugate(const V& x) {
  if constexpr (vector<V>)
    return {negated<1>(x.pairs)};
  else
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
