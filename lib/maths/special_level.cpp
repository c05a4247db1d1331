// Modified Bessel functions and the normal distribution of floats, in vectors of f64: within 0.51 units of the last
// place.
#include "erfc_fit.hpp"
#include "erfcinv_fits.hpp"
#include "modified_bessel_fits.hpp"
#include "modified_bessel_pieces.hpp"
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

// -sqrt(2) times the inverse of erfc at 2 x.
void ndtri(chunk& c, float* out) {
  double least = 1;  // of q
  for (index i = 0; i < c.count; i += vec::width) {
    const value twice = c.at(c.x + i) + c.at(c.x + i), q = twice > vec::all(1) ? vec::all(2) - twice : twice;
    c.put(c.a + i, q);
    for (int k = 0; k < vec::width; ++k) least = q[k] < least ? q[k] : least;
  }
  c.strip(maths1::log, c.a, c.b);
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i), q = c.at(c.a + i), log = c.at(c.b + i), p = vec::all(1) - q;
    const value g = p * (p + vec::all(10));
    value r = g * (vec::all(0.0891314744949340820313f) + vec::quotient(erfcinv_middle_above, erfcinv_middle_below, p));
    if (least < 0.5) {
      const value root = vec::sqrt(vec::all(-2) * log);
      const value side = root / (vec::all(2.249481201171875f) +
                                 vec::quotient(erfcinv_side_above, erfcinv_side_below, q - vec::all(0.25)));
      r = p > vec::all(0.5) ? side : r;
    }
    if (least < 0.25) {
      const value root = vec::sqrt(-log);
      const auto tail = [&](double begin, double base, const auto& above, const auto& below) {
        return root * (vec::all(base) + vec::quotient(above, below, root - vec::all(begin)));
      };
      value t = tail(1.125, 0.807220458984375f, erfcinv_tail_1125_above, erfcinv_tail_1125_below);
      t = root < vec::all(3) ? t : tail(3, 0.93995571136474609375f, erfcinv_tail_3_above, erfcinv_tail_3_below);
      t = root < vec::all(6) ? t : tail(6, 0.98362827301025390625f, erfcinv_tail_6_above, erfcinv_tail_6_below);
      r = q < vec::all(0.25) ? t : r;
    }
    r = r * vec::all(1.41421356237309504880);
    r = x > vec::all(0.5) ? r : vec::all(0) - r;
    r = x == vec::all(0) ? vec::all(-infinity) : r;
    r = x == vec::all(1) ? vec::all(infinity) : r;
    return x < vec::all(0) ? vec::all(nan) : x > vec::all(1) ? vec::all(nan) : r;
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

// The same of f64, and K: pieces up to 8, beyond by the exponential, which may not be a normal number beyond `most`.
constexpr double last_piece = 8, most = 700, infinite_from = 714, zero_from = 746;
// c(16 / x - 1) factor / sqrt(x), with what the root, the quotient and the product by c[0] lack.
template <int N>
value precise_far(const double (&c)[N], value x, value factor) {
  const value t = vec::all(16) / x - vec::all(1);
  value r = vec::all(c[N - 1]);
#pragma GCC unroll 32
  for (int k = N - 2; k >= 1; --k) r = vec::multiply_add(r, t, vec::all(c[k]));
  const value root = vec::sqrt(x), g = factor / root, first = vec::all(c[0]);
  const value of_g = vec::fused(-g, root, factor) / root + g * vec::fused(root, root, -x) * vec::all(0.5) / x;
  return vec::fused(g, first, vec::multiply_add(g, r, of_g * first));
}
void exponentials_of_sizes(chunk_of<double>& c, double factor) {
  for (index i = 0; i < c.count; i += vec::width) c.put(c.a + i, vec::absolute(c.at(c.x + i)) * vec::all(factor));
  c.strip(maths1::exp, c.a, c.a);
}

template <int Order, bool Scaled>
value near_i(value x) {
  const of_pieces of = of_pieces::equal(x);
  if constexpr (Order == 0)
    return Scaled ? of(i0e_pieces, x) : of(i0_pieces, x);
  else
    return Scaled ? of(i1e_pieces, x) : of(i1_pieces, x);
}
template <int Order, bool Scaled>
value near_k(value x) {
  const of_pieces of = of_pieces::by_octave(x);
  if constexpr (Order == 0)
    return Scaled ? of(k0e_pieces, x) : of(k0_pieces, x);
  else
    return Scaled ? of(k1e_pieces, x) : of(k1_pieces, x);
}

template <int Order, bool Scaled>
void precise_i(chunk_of<double>& c, double* out, double (*single)(double)) {
  const bool any_far = c.largest() >= last_piece;
  if (!Scaled && any_far) exponentials_of_sizes(c, 1);
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i), a = vec::absolute(x);
        value r = near_i<Order, Scaled>(a);
        if (any_far) {
          const value factor = Scaled ? vec::all(1) : c.at(c.a + i);
          r = a < vec::all(last_piece) ? r : precise_far(Order == 0 ? i0_far_f64 : i1_far_f64, a, factor);
        }
        if constexpr (Scaled) {
          r = a < vec::all(infinity) ? r : vec::all(nan);
        } else {
          const auto overflows = (a >= vec::all(infinite_from)) & (a < vec::all(infinity));
          const value beyond = overflows ? vec::all(infinity) : vec::all(nan);
          r = a < vec::all(most) ? r : beyond;
        }
        return Order == 1 ? (x < vec::all(0) ? -r : r) : r;
      },
      single);
}

template <int Order, bool Scaled>
void precise_k(chunk_of<double>& c, double* out, double (*single)(double)) {
  const bool any_far = c.largest() >= last_piece;
  if (Scaled || any_far) exponentials_of_sizes(c, Scaled ? 1 : -1);
  c.strip(maths1::log, c.x, c.b);
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i), square = x * x;
        value r = near_k<Order, Scaled>(x);
        if (any_far) {
          const value factor = Scaled ? vec::all(1) : c.at(c.a + i);
          r = x < vec::all(last_piece) ? r : precise_far(Order == 0 ? k0_far_f64 : k1_far_f64, x, factor);
        }
        // The series, of which the sum of logarithm and constant is in two parts.
        constexpr double constant = -0.11593151565841244881;
        const auto is_small = x < vec::all(0.5);
        const value log = c.at(c.b + i), sum = log + vec::all(constant);
        const value rest = is_small ? (log - sum) + vec::all(constant) : vec::all(0);
        value first, other;
        if constexpr (Order == 0) {
          first = -sum;
          other = vec::multiply_add(first, square * vec::polynomial(k0_log, square), vec::polynomial(k0_rest, square)) -
                  rest;
        } else {
          first = vec::all(1) / x;
          const value terms =
              vec::multiply_add(sum + rest, vec::polynomial(k1_log, square), vec::polynomial(k1_rest, square));
          other = vec::multiply_add(terms, x, vec::fused(-first, x, vec::all(1)) * first);
        }
        value s = first + other;
        if constexpr (Scaled) s = vec::fused(first, c.at(c.a + i), other * c.at(c.a + i));
        r = is_small ? s : r;
        const value beyond = x >= vec::all(Scaled ? infinity : zero_from) ? vec::all(0) : vec::all(nan);
        return x > vec::all(0) ? (x < vec::all(Scaled ? infinity : most) ? r : beyond) : vec::all(nan);
      },
      single, [](value x) { return x >= vec::all(0); });
}

template <class T>
void spherical(chunk_of<T>& c, T* out, double (*single)(double)) {
  c.strip(maths1::sin, c.x, c.b);
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i), r = c.at(c.b + i) / x;
        const value finite = vec::absolute(x) == vec::all(infinity) ? vec::all(0) : r;
        return x == vec::all(0) ? vec::all(1) : finite;
      },
      single);
}

bool one(special1 f, const float* x, float* out, index n, double (*single)(double)) {
  switch (f) {
    case special1::airy_ai: return BROADLOOM_OF_LEVEL(airy_vectors)(x, out, n, single);
    case special1::ndtr: return run<ndtr>(x, out, n);
    case special1::ndtri: return run<ndtri>(x, out, n);
    case special1::i0: return run<modified<0, false>>(x, out, n);
    case special1::i0e: return run<modified<0, true>>(x, out, n);
    case special1::i1: return run<modified<1, false>>(x, out, n);
    case special1::i1e: return run<modified<1, true>>(x, out, n);
    case special1::spherical_bessel_j0: return run<float, spherical>(x, out, n, single);
    default: return BROADLOOM_OF_LEVEL(bessel_vectors)(f, x, out, n);
  }
}

bool one(special1 f, const double* x, double* out, index n, double (*single)(double)) {
  switch (f) {
    case special1::airy_ai: return BROADLOOM_OF_LEVEL(airy_vectors)(x, out, n, single);
    case special1::i0: return run<double, precise_i<0, false>>(x, out, n, single);
    case special1::i0e: return run<double, precise_i<0, true>>(x, out, n, single);
    case special1::i1: return run<double, precise_i<1, false>>(x, out, n, single);
    case special1::i1e: return run<double, precise_i<1, true>>(x, out, n, single);
    case special1::modified_bessel_k0: return run<double, precise_k<0, false>>(x, out, n, single);
    case special1::modified_bessel_k1: return run<double, precise_k<1, false>>(x, out, n, single);
    case special1::scaled_modified_bessel_k0: return run<double, precise_k<0, true>>(x, out, n, single);
    case special1::scaled_modified_bessel_k1: return run<double, precise_k<1, true>>(x, out, n, single);
    case special1::spherical_bessel_j0: return run<double, spherical>(x, out, n, single);
    case special1::bessel_j0:
    case special1::bessel_j1:
    case special1::bessel_y0:
    case special1::bessel_y1: return BROADLOOM_OF_LEVEL(bessel_vectors)(f, x, out, n, single);
    default:
      return BROADLOOM_OF_LEVEL(normal_vectors)(f, x, out, n, single) ||
             BROADLOOM_OF_LEVEL(digamma_vectors)(f, x, out, n, single);
  }
}

}  // namespace

constinit const special_vectors<float> BROADLOOM_OF_LEVEL(special_vectors_of_f32) = {
    &one, &BROADLOOM_OF_LEVEL(polynomial_vectors), &BROADLOOM_OF_LEVEL(pair_vectors)};
constinit const special_vectors<double> BROADLOOM_OF_LEVEL(special_vectors_of_f64) = {
    &one, &BROADLOOM_OF_LEVEL(polynomial_vectors), &BROADLOOM_OF_LEVEL(pair_vectors)};

}  // namespace broadloom::runtime
