// Bessel functions and the normal distribution of floats, in vectors of f64: within 0.51 units of the last place.
#include <broadloom/core/maths.hpp>

#include "erfc_fit.hpp"
#include "special_fits.hpp"
#include "special_vectors.hpp"
#include "wide_floats.hpp"

namespace broadloom::runtime {
namespace {

using vec = wide_floats;
using value = vec::value;

// A chunk of arguments as f64, the last one repeated to whole vectors, and what strips make of them.
struct chunk {
  static constexpr index most = 256;
  alignas(64) double x[most], a[most], b[most];
  float whole[most];
  index n = 0, count = 0;  // with the repeated ones

  void read(const float* from, index elements) {
    n = elements;
    count = (n + vec::width - 1) / vec::width * vec::width;
    for (index i = 0; i < n; ++i) whole[i] = from[i];
    for (index i = n; i < count; ++i) whole[i] = from[n - 1];
    for (index i = 0; i < count; i += vec::width) put(x + i, vec::load(whole + i));
  }
  void strip(maths1 f, const double* from, double* to) const { map1(f, accuracy::accurate, from, to, count); }
  // f(i), the value of the vector at i, NaN where x is.
  template <class F>
  void write(float* to, const F& f) {
    for (index i = 0; i < count; i += vec::width) {
      const value given = at(x + i), r = f(i);
      vec::store(whole + i, given != given ? given : r);
    }
    for (index i = 0; i < n; ++i) to[i] = whole[i];
  }
  // The largest size.
  double largest() const {
    value m{};
    for (index i = 0; i < count; i += vec::width) {
      const value s = vec::absolute(at(x + i));
      m = s > m ? s : m;
    }
    double r = 0;
    for (int k = 0; k < vec::width; ++k) r = m[k] > r ? m[k] : r;
    return r;
  }
  static value at(const double* p) { return detail::load<double, vec::width>(p); }
  static void put(double* p, value v) { detail::store(p, v); }
};

constexpr double infinity = __builtin_inf(), nan = __builtin_nan("");

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

// x less a zero of the function, which is `high` + `low`, times x plus it.
value from_zero(value x, double zero, double high, double low) {
  return (x + vec::all(zero)) * ((x - vec::all(high)) - vec::all(low));
}

template <int Order>
void bessel(chunk& c, float* out) {
  constexpr double near = 4, middle = 8;
  const double largest = c.largest();
  if (largest > middle) {
    for (index i = 0; i < c.count; i += vec::width) c.put(c.a + i, vec::absolute(c.at(c.x + i)));
    c.strip(maths1::sin, c.a, c.b);
    c.strip(maths1::cos, c.a, c.a);
  }
  c.write(out, [&](index i) {
    const value x = c.at(c.x + i), a = vec::absolute(x), square = a * a;
    value r;
    if constexpr (Order == 0)
      r = from_zero(a, 2.4048255576957727686, 616.0 / 256, -1.42444230422723137837e-03) *
          vec::quotient(j0_p1, j0_q1, square);
    else
      r = a * from_zero(a, 3.8317059702075123156, 981.0 / 256, -3.2527979248768438556e-04) *
          vec::quotient(j1_p1, j1_q1, square);
    if (largest > near) {
      value m;
      if constexpr (Order == 0)
        m = from_zero(a, 5.5200781102863106496, 1413.0 / 256, 5.46860286310649596604e-04) *
            vec::quotient(j0_p2, j0_q2, vec::all(1) - square * vec::all(1.0 / 64));
      else
        m = a * from_zero(a, 7.0155866698156187535, 1796.0 / 256, -3.8330184381246462950e-05) *
            vec::quotient(j1_p2, j1_q2, square);
      r = a > vec::all(near) ? m : r;
    }
    if (largest > middle) {
      constexpr double one_by_root_pi = 0.56418958354775628695;
      const value y = vec::all(8) / a, y2 = y * y, sine = c.at(c.b + i), cosine = c.at(c.a + i);
      value f;
      if constexpr (Order == 0)
        f = vec::quotient(j0_pc, j0_qc, y2) * (cosine + sine) - y * vec::quotient(j0_ps, j0_qs, y2) * (sine - cosine);
      else
        f = vec::quotient(j1_pc, j1_qc, y2) * (sine - cosine) + y * vec::quotient(j1_ps, j1_qs, y2) * (sine + cosine);
      f = f * vec::all(one_by_root_pi) / vec::sqrt(a);
      r = a > vec::all(middle) ? f : r;
    }
    if constexpr (Order == 1) {
      using bits = detail::simd_vec<std::uint64_t, vec::width>;
      r = reinterpret_cast<value>(reinterpret_cast<bits>(r) ^
                                  (reinterpret_cast<bits>(x) & reinterpret_cast<bits>(vec::all(-0.0))));
    }
    return a == vec::all(infinity) ? vec::all(0) : r;
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

template <void (*F)(chunk&, float*)>
bool run(const float* x, float* out, index n) {
  chunk c;
  for (index i = 0; i < n; i += chunk::most) {
    c.read(x + i, n - i < chunk::most ? n - i : chunk::most);
    F(c, out + i);
  }
  return true;
}

bool one(special1 f, const float* x, float* out, index n) {
  switch (f) {
    case special1::ndtr: return run<ndtr>(x, out, n);
    case special1::i0: return run<modified<0, false>>(x, out, n);
    case special1::i0e: return run<modified<0, true>>(x, out, n);
    case special1::i1: return run<modified<1, false>>(x, out, n);
    case special1::i1e: return run<modified<1, true>>(x, out, n);
    case special1::bessel_j0: return run<bessel<0>>(x, out, n);
    case special1::bessel_j1: return run<bessel<1>>(x, out, n);
    case special1::spherical_bessel_j0: return run<spherical>(x, out, n);
    default: return false;
  }
}

}  // namespace

constinit const special_vectors BROADLOOM_OF_LEVEL(special_vectors_of) = {&one,
                                                                          &BROADLOOM_OF_LEVEL(polynomial_vectors)};

}  // namespace broadloom::runtime
