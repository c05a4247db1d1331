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

// erfc(a) e^(a^2) for a >= 0.
value scaled_erfc(value a) {
  const value by = vec::all(1) / (a + vec::all(3));
  return vec::polynomial(scaled_erfc_fit, vec::multiply_add(a, by, vec::all(-0.5))) * by;
}
value at_most(value x, double limit) { return x > vec::all(limit) ? vec::all(limit) : x; }
template <class Test>
bool any_of(const chunk& c, const Test& test) {
  auto some = test(c.at(c.x));
  for (index i = vec::width; i < c.count; i += vec::width) some |= test(c.at(c.x + i));
  return any(some);
}

// Of x below 0, 2 e^(x^2) less that of its size.
void erfcx(chunk& c, float* out) {
  constexpr double largest = 1e100, overflows = 100;
  const bool negative = any_of(c, [](value x) { return x < vec::all(0); });
  if (negative) {
    for (index i = 0; i < c.count; i += vec::width) {
      const value x = c.at(c.x + i);
      c.put(c.a + i, x < vec::all(0) ? at_most(x * x, overflows) : vec::all(0));
    }
    c.strip(maths1::exp, c.a, c.a);
  }
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i), r = scaled_erfc(at_most(vec::absolute(x), largest));
    if (!negative) return r;
    const value e = c.at(c.a + i), below = (e + e) - r;
    return x < vec::all(0) ? below : r;
  });
}

// The logarithm of the tail, or that of 1 less it, with what 1 less it is rounded by.
void log_ndtr(chunk& c, float* out) {
  constexpr double half_root = 0.70710678118654752440, largest = 1e30, last = 110;  // the power beyond rounds to 0
  const bool positive = any_of(c, [](value x) { return x > vec::all(0); });
  if (positive) {
    for (index i = 0; i < c.count; i += vec::width) {
      const value x = c.at(c.x + i);
      c.put(c.a + i, x > vec::all(0) ? -at_most(x * x * vec::all(0.5), last) : vec::all(0));
    }
    c.strip(maths1::exp, c.a, c.a);
  }
  for (index i = 0; i < c.count; i += vec::width) {
    const value x = c.at(c.x + i), a = at_most(vec::absolute(x) * vec::all(half_root), largest);
    const value half = scaled_erfc(a) * vec::all(0.5), tail = positive ? half * c.at(c.a + i) : half;
    c.put(c.a + i, tail);
    c.put(c.b + i, x > vec::all(0) ? vec::all(1) - tail : tail);
  }
  c.strip(maths1::log, c.b, c.c);
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i), of = c.at(c.b + i), log = c.at(c.c + i);
    const value above = log - ((of - vec::all(1)) + c.at(c.a + i)) / of;
    return x > vec::all(0) ? above : log - x * x * vec::all(0.5);
  });
}

// The inverse of erf at p = 1 - q, which is that of erfc at q up to 1; of ndtr, sqrt(2) times it at q = 2 x. By
// w = -log(1 - p^2), as erfcinv_fits.hpp says.
enum class inverse_of { erf, erfc, ndtr };
template <inverse_of F>
void inverse(chunk& c, float* out) {
  constexpr double lower = F == inverse_of::erf ? -1 : 0, upper = F == inverse_of::erfc ? 2 : 1,
                   at_lower = F == inverse_of::erfc ? infinity : -infinity;
  const auto of_edge = [&](value x, value r) {
    r = x == vec::all(lower) ? vec::all(at_lower) : r;
    return x == vec::all(upper) ? vec::all(-at_lower) : r;
  };
  auto some = c.at(c.x) != c.at(c.x), some_side = some, some_far = some;
  for (index i = 0; i < c.count; i += vec::width) {
    const value x = c.at(c.x + i);
    value p, left;
    if constexpr (F == inverse_of::erf) {
      p = vec::absolute(x);
      left = (vec::all(1) - p) * (vec::all(1) + p);
    } else {
      const value y = F == inverse_of::ndtr ? x + x : x, q = y > vec::all(1) ? vec::all(2) - y : y;
      p = vec::all(1) - q;
      left = q * (vec::all(2) - q);
    }
    const auto inside = left > vec::all(0);
    left = inside ? left : vec::all(1);  // something harmless
    c.put(c.a + i, left);
    c.put(c.b + i, inside ? p : vec::all(nan));
    some |= inside;
    some_side |= left < vec::all(0x1p-7);
    some_far |= left < vec::all(0x1p-51);
  }
  if (!any(some)) return c.write(out, [&](index i) { return of_edge(c.at(c.x + i), vec::all(nan)); });
  const bool any_side = any(some_side), any_far = any(some_far);
  c.strip(maths1::log, c.a, c.a);
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i), w = -c.at(c.a + i), p = c.at(c.b + i);
    value r = p * vec::polynomial(inverse_middle_of_floats, w - vec::all(2.5));
    if (any_side) {
      const value s = vec::sqrt(w);
      value side = vec::polynomial(inverse_side_of_floats, s - vec::all(4.125));
      if (any_far) {
        const value beyond = vec::polynomial(inverse_far_of_floats, s - vec::all(8));
        side = s > vec::all(6) ? beyond : side;
      }
      r = w > vec::all(5) ? s * side : r;
    }
    if constexpr (F == inverse_of::ndtr) r = r * vec::all(1.41421356237309504880);
    constexpr double middle = F == inverse_of::erf ? 0 : F == inverse_of::erfc ? 1 : 0.5;
    const auto above = x > vec::all(middle);
    const value less = vec::all(0) - r;
    r = F == inverse_of::erfc ? (above ? less : r) : (above ? r : less);
    if constexpr (F == inverse_of::erf) r = x == vec::all(0) ? x : r;
    return of_edge(x, r);
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
    case special1::ndtri: return run<inverse<inverse_of::ndtr>>(x, out, n);
    case special1::erfinv: return run<inverse<inverse_of::erf>>(x, out, n);
    case special1::erfcinv: return run<inverse<inverse_of::erfc>>(x, out, n);
    case special1::erfcx: return run<erfcx>(x, out, n);
    case special1::log_ndtr: return run<log_ndtr>(x, out, n);
    case special1::digamma:
    case special1::trigamma: return BROADLOOM_OF_LEVEL(digamma_vectors)(f, x, out, n, single);
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
