// Modified Bessel functions and the normal distribution of floats, in vectors of f64: within 0.51 units of the last
// place.
#include "erfc_fit.hpp"
#include "modified_bessel_fits.hpp"
#include "special_chunk.hpp"
#include "special_vectors.hpp"

namespace broadloom::runtime {
namespace {

void ndtr(chunk& c, float* out) {
  constexpr double half_root = 0.70710678118654752440, last = 10.25;  // beyond, erfc / 2 rounds to 0
  for (index i = 0; i < c.count; i += vec::width) {
    const value s = vec::absolute(c.at(c.x + i)) * vec::all(half_root), a = s > vec::all(last) ? vec::all(last) : s;
    c.put(c.a + i, a);
    c.put(c.b + i, -a * a);
  }
  c.strip(maths1::exp, c.b, c.b);
  c.write(out, [&](index i) {
    const value half = c.at(c.b + i) * vec::quotient(erfc_fit::above, erfc_fit::below, c.at(c.a + i)) * vec::all(0.5);
    return c.at(c.x + i) > vec::all(0) ? vec::all(1) - half : half;
  });
}

// e^-|x| I0(x) and e^-|x| I1(x), and without the factor.
template <int Order, bool Scaled>
void modified(chunk& c, float* out) {
  constexpr double near = 8, overflows = 1000;
  if constexpr (!Scaled) {
    for (index i = 0; i < c.count; i += vec::width) {
      const value a = vec::absolute(c.at(c.x + i));
      c.put(c.a + i, a > vec::all(overflows) ? vec::all(overflows) : a);
    }
    c.strip(maths1::exp, c.a, c.b);
  }
  const bool any_far = c.largest() > near;
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i);
    value a = vec::absolute(x);
    if constexpr (!Scaled) a = a > vec::all(overflows) ? vec::all(overflows) : a;
    value r;
    if constexpr (Order == 0)
      r = vec::polynomial(i0_near, vec::multiply_add(a, vec::all(0.25), vec::all(-1)));
    else
      r = vec::polynomial(i1_near, vec::multiply_add(a, vec::all(0.25), vec::all(-1))) * a;
    if (any_far) {
      const value t = vec::all(16) / a - vec::all(1);
      const value far = (Order == 0 ? vec::polynomial(i0_far, t) : vec::polynomial(i1_far, t)) / vec::sqrt(a);
      r = a > vec::all(near) ? far : r;
    }
    // Of infinities 0, and NaN as PyTorch has it without the factor.
    if constexpr (!Scaled) r = vec::absolute(x) == vec::all(infinity) ? vec::all(nan) : r * c.at(c.b + i);
    if constexpr (Order == 1) r = x < vec::all(0) ? -r : r;
    return r;
  });
}

void spherical(chunk& c, float* out) {
  c.strip(maths1::sin, c.x, c.b);
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i), r = c.at(c.b + i) / x;
    const value finite = vec::absolute(x) == vec::all(infinity) ? vec::all(0) : r;
    return x == vec::all(0) ? vec::all(1) : finite;
  });
}

bool one(special1 f, const float* x, float* out, index n) {
  switch (f) {
    case special1::ndtr: return run<ndtr>(x, out, n);
    case special1::i0: return run<modified<0, false>>(x, out, n);
    case special1::i0e: return run<modified<0, true>>(x, out, n);
    case special1::i1: return run<modified<1, false>>(x, out, n);
    case special1::i1e: return run<modified<1, true>>(x, out, n);
    case special1::spherical_bessel_j0: return run<spherical>(x, out, n);
    default: return BROADLOOM_OF_LEVEL(bessel_vectors)(f, x, out, n);
  }
}

}  // namespace

constinit const special_vectors BROADLOOM_OF_LEVEL(special_vectors_of) = {&one,
                                                                          &BROADLOOM_OF_LEVEL(polynomial_vectors)};

}  // namespace broadloom::runtime
