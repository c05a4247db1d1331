// What the tests of linear algebra share: arrays of irregular numbers, plain loops to compare with, distances.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;

namespace matrices {

// Numbers in (-1, 1) without a pattern.
inline double noise(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15u;
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBu;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) / 4503599627370496.0 - 1;
}

template <class T, class... N>
auto random(int seed, N... n) {
  bl::dtensor<T, sizeof...(N)> t(static_cast<bl::index>(n)...);
  for (bl::index i = 0; i < t.size(); ++i)
    t.data()[i] = static_cast<T>((std::is_integral_v<T> ? 50 : 1) * noise(static_cast<std::uint64_t>(i + 7919 * seed)));
  return t;
}

// a[i, j] b[j, k] by three loops, in double.
template <class A, class B>
bl::dtensor<double, 2> product(const A& a, const B& b) {
  bl::dtensor<double, 2> c(a.shape()[0], b.shape()[1]);
  for (bl::index i = 0; i < a.shape()[0]; ++i)
    for (bl::index k = 0; k < b.shape()[1]; ++k) {
      double s = 0;
      for (bl::index j = 0; j < a.shape()[1]; ++j) s += static_cast<double>(a(i, j)) * static_cast<double>(b(j, k));
      c(i, k) = s;
    }
  return c;
}

// The largest distance of two arrays that broadcast; NaN when there is one.
template <class A, class B>
double distance(const A& a, const B& b) {
  const auto d = bl::eval(bl::abs(bl::cast<double>(a) - bl::cast<double>(b)));
  double most = 0;
  for (bl::index i = 0; i < d.size(); ++i)
    if (!(d.data()[i] <= most)) most = d.data()[i];
  return most;
}

// How far a large product in one order of terms may be from one in another: not at all, but where it is a BLAS's
// (./dev test openblas says so).
inline double other_order() {
  static const bool by_blas = std::getenv("BROADLOOM_BLAS") != nullptr;
  return by_blas ? 1e-4 : 0;
}

// A symmetric positive definite matrix for each leading index.
template <class T>
bl::dtensor<T, 3> positive(int seed, bl::index count, bl::index n) {
  const auto a = random<T>(seed, count, n, n);
  bl::dtensor<T, 3> r = bl::matmul(a, bl::transpose(a, 1, 2));
  for (bl::index k = 0; k < count; ++k)
    for (bl::index i = 0; i < n; ++i) r(k, i, i) += T(1);
  return r;
}

}  // namespace matrices
