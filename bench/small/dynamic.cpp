// Products of dynamic operands.
#include "rows.hpp"

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bench_small {
namespace {

namespace bl = broadloom;

template <class T>
void rows(int n) {
  const auto name = [&](const char* what) {
    return std::string("dynamic ") + name_of<T> + std::to_string(n) + " " + what;
  };
  bl::dtensor<T, 2> a(n, n), b(n, n), c(n, n);
  bl::dtensor<T, 1> p(n), t(n), o(n);
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> x(n, n), y(n, n), z(n, n);
  Eigen::Matrix<T, Eigen::Dynamic, 1> u(n), v(n), w(n);
  T s{}, r{};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      x(i, j) = a(i, j) = at<T>(i, j);
      y(i, j) = b(i, j) = at<T>(j, 2 * i);
    }
    u(i) = p(i) = T(i + 1);
    v(i) = t(i) = T(i) / 2;
  }
  row(
      of_dynamic, name("R p"), [&] { o = bl::matmul(a, p), touch(o, a, p); },
      [&] { w.noalias() = x * u, touch(w, x, u); });
  row(
      of_dynamic, name("R p + t"), [&] { o = bl::matmul(a, p) + t, touch(o, a, p, t); },
      [&] { w = x * u + v, touch(w, x, u, v); });
  row(
      of_dynamic, name("A B"), [&] { c = bl::matmul(a, b), touch(c, a, b); },
      [&] { z.noalias() = x * y, touch(z, x, y); });
  row(
      of_dynamic, name("A B + A"), [&] { c = bl::matmul(a, b) + a, touch(c, a, b); },
      [&] { z = x * y + x, touch(z, x, y); });
  row(of_dynamic, name("dot"), [&] { s = bl::dot(p, t), touch(s, p, t); }, [&] { r = u.dot(v), touch(r, u, v); });
}

}  // namespace

void dynamic_products() {
  for (const int n : {3, 4, 6, 8, 16}) rows<float>(n);
}

}  // namespace bench_small
