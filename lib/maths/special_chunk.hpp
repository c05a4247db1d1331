// Functions of floats and doubles by chunks, between whose vectors of f64 stand strips of other functions.
#pragma once

#include <broadloom/core/maths.hpp>

#include "wide_floats.hpp"

namespace broadloom::runtime {
namespace {

using vec = wide_floats;
using value = vec::value;

template <class Mask>
bool any(Mask mask) {
  return vec::any_nan(reinterpret_cast<value>(mask));
}

const auto is_number = [](value x) { return x == x; };

// A chunk of arguments as f64, the last one repeated to whole vectors, and what strips make of them.
template <class T>
struct chunk_of {
  static constexpr index most = 256;
  alignas(64) double x[most], a[most], b[most], c[most];
  T whole[most];
  index n = 0, count = 0;  // with the repeated ones

  void read(const T* from, index elements) {
    n = elements;
    count = (n + vec::width - 1) / vec::width * vec::width;
    for (index i = 0; i < n; ++i) whole[i] = from[i];
    for (index i = n; i < count; ++i) whole[i] = from[n - 1];
    for (index i = 0; i < count; i += vec::width) put(x + i, vec::load(whole + i));
  }
  void strip(maths1 f, const double* from, double* to) const { map1(f, accuracy::accurate, from, to, count); }
  // f(i), the value of the vector at i, NaN where x is.
  template <class F>
  void write(T* to, const F& f) {
    for (index i = 0; i < count; i += vec::width) {
      const value given = at(x + i), r = f(i);
      vec::store(whole + i, given != given ? given : r);
    }
    for (index i = 0; i < n; ++i) to[i] = whole[i];
  }
  // The same, and `single` of lanes that are NaN where left(x).
  template <class F, class L>
  void write(T* to, const F& f, double (*single)(double), const L& left) {
    for (index i = 0; i < count; i += vec::width) {
      const value given = at(x + i);
      value r = f(i);
      if (vec::any_nan(r)) [[unlikely]] {
        const auto alone = (r != r) & left(given);
        r = r != r ? (given != given ? given : vec::all(__builtin_nan(""))) : r;
        if (any(alone))
          for (index k = 0; k < vec::width && i + k < n; ++k)
            if (alone[k] != 0) r[k] = single(given[k]);
      }
      vec::store(whole + i, r);
    }
    for (index i = 0; i < n; ++i) to[i] = whole[i];
  }
  // The same, wherever x is no NaN.
  template <class F>
  void write(T* to, const F& f, double (*single)(double)) {
    write(to, f, single, is_number);
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
using chunk = chunk_of<float>;

constexpr double infinity = __builtin_inf(), nan = __builtin_nan("");

template <void (*F)(chunk&, float*)>
bool run(const float* x, float* out, index n) {
  chunk c;
  for (index i = 0; i < n; i += chunk::most) {
    c.read(x + i, n - i < chunk::most ? n - i : chunk::most);
    F(c, out + i);
  }
  return true;
}
// F leaves some arguments to `single`.
template <class T, void (*F)(chunk_of<T>&, T*, double (*)(double))>
bool run(const T* x, T* out, index n, double (*single)(double)) {
  chunk_of<T> c;
  for (index i = 0; i < n; i += c.most) {
    c.read(x + i, n - i < c.most ? n - i : c.most);
    F(c, out + i, single);
  }
  return true;
}

}  // namespace
}  // namespace broadloom::runtime
