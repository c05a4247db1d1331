// The Airy function in vectors of f64: of floats within 0.51 units of the last place, of f64 within 2, but for what is
// next to zeros below -8.
#include "airy_fits.hpp"
#include "airy_pieces.hpp"
#include "modulus_and_phase.hpp"
#include "power_of_e.hpp"
#include "special_chunk.hpp"
#include "special_vectors.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

constexpr double near = 2, far = -1e6;  // below `far`, the phase wants more digits

value of_small(value x) {
  const value cube = x * x * x;
  return vec::polynomial(airy_even, cube) + x * vec::polynomial(airy_odd, cube);
}
// 2/3 x^(3/2), and what it lacks.
value phase(value x, value& rest) {
  const value root = vec::sqrt(x), of_root = less_product(x, root, root) / (root + root), product = x * root;
  const value of_product = x * of_root - less_product(product, x, root), twice = product + product;
  const value third = twice / vec::all(3);
  rest = (less_product(twice, vec::all(3), third) + of_product + of_product) / vec::all(3);
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

// Of x from 8 on, the phase z, its inverse, and 1 / (sqrt(pi) x^(1/4)) with what that is more in proportion.
struct far_from_0 {
  value z, rest, by, by_rest, modulus, more;

  explicit far_from_0(value x) : z(phase(x, rest)) {
    constexpr double by_root_pi = 0.56418958354775628, rest_of_that = 7.6677298065829406e-18,
                     root_pi = 1.7724538509055159;
    by = vec::all(1) / z;
    by_rest = (less_product(vec::all(1), by, z) - by * rest) * by;
    const value root = vec::sqrt(x), fourth = vec::sqrt(root), by_root = vec::all(0.5) / root;
    const value of_root = less_product(x, root, root) * by_root;
    modulus = vec::all(by_root_pi) / fourth;
    more = (less_product(vec::all(by_root_pi), modulus, fourth) + vec::all(rest_of_that)) * vec::all(root_pi) -
           (less_product(root, fourth, fourth) + of_root) * by_root;
  }
};
// Ai(-x) and Ai(x).
value precise_below(value x) {
  constexpr double k = -5.0 / 72, k_rest = 3.0839528461809902e-18;
  const far_from_0 f(x);
  const value square = f.by * f.by, first = vec::all(k) * f.by;
  const value first_rest =
      vec::multiply_add(vec::all(k), f.by_rest, f.by * vec::all(k_rest)) - less_product(first, vec::all(k), f.by);
  const two_parts off = two_parts::ordered_sum(first, square * f.by * vec::polynomial(airy_far_phase, square)),
                  sum = two_parts::sum(off.high, f.rest);
  const value v = f.modulus * sine_of_turned<1>(f.z, {sum.high, sum.low + (off.low + first_rest)});
  const value more = vec::multiply_add(square, vec::polynomial(airy_far_modulus, square), f.more);
  return x < vec::all(-far) ? vec::multiply_add(v, more, v) : vec::all(nan);
}
value precise_above(value x) {
  constexpr double last = 110;  // beyond, it is 0
  const far_from_0 f(x > vec::all(last) ? vec::all(last) : x);
  const power_of_e e({-f.z, -f.rest});
  const value more = vec::multiply_add(f.by, vec::polynomial(airy_far_above, f.by), f.more);
  const value less = e.less + vec::multiply_add(e.less, more, more);
  return e.scale(vec::multiply_add(f.modulus, less, f.modulus), -1);
}

void precise_airy(chunk_of<double>& c, double* out, double (*single)(double)) {
  by_size(
      c, out, single,
      [](index, value x) {
        const value size = vec::absolute(x);
        const of_pieces of = of_pieces::equal(size);
        return x < vec::all(0) ? of(airy_below_pieces, size) : of(airy_above_pieces, size);
      },
      [](value x) {
        const auto below = x<vec::all(0), above = x> vec::all(0);
        value r = x;
        if (any(below)) r = precise_below(vec::absolute(x));
        if (any(above)) r = below ? r : precise_above(vec::absolute(x));
        return r;
      },
      is_number);
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
