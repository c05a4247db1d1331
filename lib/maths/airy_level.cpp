// The Airy function in vectors of f64: of floats within 0.51 units of the last place, of f64 within 2 up to 8 in size.
#include "airy_fits.hpp"
#include "airy_pieces.hpp"
#include "special_chunk.hpp"
#include "special_vectors.hpp"

namespace broadloom::runtime {
namespace {

constexpr double near = 2, far = -1e6;  // below `far`, the phase wants more digits

value of_small(value x) {
  const value cube = x * x * x;
  return vec::polynomial(airy_even, cube) + x * vec::polynomial(airy_odd, cube);
}
// 2/3 x^(3/2), and what it lacks.
value phase(value x, value& rest) {
  const value root = vec::sqrt(x), of_root = vec::fused(-root, root, x) / (root + root), product = x * root;
  const value of_product = vec::fused(x, root, -product) + x * of_root, twice = product + product;
  const value third = twice / vec::all(3);
  rest = (vec::fused(vec::all(-3), third, twice) + of_product + of_product) / vec::all(3);
  return third;
}

void airy(chunk& c, float* out, double (*single)(double)) {
  bool any_above = false, any_below = false, any_far = false;
  for (index i = 0; i < c.count; ++i) {
    any_above |= c.x[i] > near;
    any_below |= c.x[i] < -near;
    any_far |= c.x[i] < far;
  }
  if (any_above || any_below) {
    // Of what is near or far, something harmless.
    for (index i = 0; i < c.count; i += vec::width) {
      const value s = vec::absolute(c.at(c.x + i)), above = s > vec::all(near) ? s : vec::all(near);
      value rest;
      c.put(c.a + i, phase(above > vec::all(-far) ? vec::all(-far) : above, rest));
    }
    if (any_below) {
      c.strip(maths1::sin, c.a, c.b);
      c.strip(maths1::cos, c.a, c.c);
    }
    if (any_above) {
      for (index i = 0; i < c.count; i += vec::width) c.put(c.a + i, -c.at(c.a + i));
      c.strip(maths1::exp, c.a, c.a);
    }
  }
  c.write(out, [&](index i) {
    constexpr double one_by_root_pi = 0.56418958354775628695, half_root = 0.70710678118654752440;
    const value x = c.at(c.x + i), size = vec::absolute(x);
    value r = of_small(x);
    if (!(any_above || any_below)) return r;
    value s = size > vec::all(near) ? size : vec::all(near), rest;
    s = s > vec::all(-far) ? vec::all(-far) : s;
    const value t = vec::all(1) / phase(s, rest), fourth = vec::sqrt(vec::sqrt(s));
    if (any_above) {
      const value above =
          c.at(c.a + i) * vec::all(one_by_root_pi / 2) *
          vec::polynomial(airy_above, vec::multiply_add(t, vec::all(3.7712361663282534635), vec::all(-1)));
      r = x > vec::all(near) ? above / fourth : r;
    }
    if (any_below) {
      const value w = vec::multiply_add(t * t, vec::all(7.1111111111111111111), vec::all(-1));
      const value p = vec::polynomial(airy_below_p, w), q = t * vec::polynomial(airy_below_q, w);
      const value sine = c.at(c.b + i), cosine = c.at(c.c + i);
      const value sin = sine + cosine * rest, cos = cosine - sine * rest;
      const value below = (p * (sin + cos) - q * (cos - sin)) * vec::all(half_root * one_by_root_pi) / fourth;
      r = x < vec::all(-near) ? below : r;
    }
    if (any_far)
      for (int k = 0; k < vec::width; ++k)
        if (x[k] < far) r[k] = single(x[k]);
    return r;
  });
}

void precise_airy(chunk_of<double>& c, double* out, double (*single)(double)) {
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i), size = vec::absolute(x);
        const of_pieces of = of_pieces::equal(size);
        const value r = x < vec::all(0) ? of(airy_below_pieces, size) : of(airy_above_pieces, size);
        return size < vec::all(8) ? r : vec::all(nan);
      },
      single);
}

}  // namespace

bool BROADLOOM_OF_LEVEL(airy_vectors)(const float* x, float* out, index n, double (*single)(double)) {
  chunk c;
  for (index i = 0; i < n; i += chunk::most) {
    c.read(x + i, n - i < chunk::most ? n - i : chunk::most);
    airy(c, out + i, single);
  }
  return true;
}

bool BROADLOOM_OF_LEVEL(airy_vectors)(const double* x, double* out, index n, double (*single)(double)) {
  return run<double, precise_airy>(x, out, n, single);
}

}  // namespace broadloom::runtime
