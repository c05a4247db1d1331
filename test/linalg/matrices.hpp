// What the tests of linear algebra share: arrays of irregular numbers, plain loops to compare with, distances.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

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

// a[i, j] b[j, k] by three loops, in double. The loops go over copies of their own: elements by index are looked up one
// by one, which takes longer than the products.
template <class A, class B>
bl::dtensor<double, 2> product(const A& a, const B& b) {
  const bl::index rows = a.shape()[0], terms = a.shape()[1], columns = b.shape()[1];
  std::vector<double> x, y, z(static_cast<std::size_t>(rows * columns));
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < terms; ++j) x.push_back(static_cast<double>(a(i, j)));
  for (bl::index j = 0; j < terms; ++j)
    for (bl::index k = 0; k < columns; ++k) y.push_back(static_cast<double>(b(j, k)));
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < terms; ++j) {
      const double factor = x[static_cast<std::size_t>(i * terms + j)];
      const double* const from = y.data() + j * columns;
      double* const to = z.data() + i * columns;
      for (bl::index k = 0; k < columns; ++k) to[k] += factor * from[k];
    }
  bl::dtensor<double, 2> c(rows, columns);
  for (bl::index i = 0; i < c.size(); ++i) c.data()[i] = z[static_cast<std::size_t>(i)];
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
