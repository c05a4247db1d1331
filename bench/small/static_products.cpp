// Products and sums of static operands.
#include "rows.hpp"

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bench_small {
namespace {

namespace bl = broadloom;

template <class T, int N>
void rows() {
  const auto name = [](const char* what) {
    return std::string("static ") + name_of<T> + std::to_string(N) + " " + what;
  };
  bl::tensor<T, bl::shape<N, N>> a, b, c;
  bl::tensor<T, bl::shape<N>> p, t, o;
  square<T, N> x, y, z;
  column<T, N> u, v, w;
  T s{}, r{};
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      x(i, j) = a(i, j) = at<T>(i, j);
      y(i, j) = b(i, j) = at<T>(j, 2 * i);
    }
    u(i) = p(i) = T(i + 1);
    v(i) = t(i) = T(i) / 2;
  }
  row(
      of_static, name("R p"), [&] { o = bl::matmul(a, p), touch(o, a, p); },
      [&] { w.noalias() = x * u, touch(w, x, u); });
  row(
      of_static, name("R p + t"), [&] { o = bl::matmul(a, p) + t, touch(o, a, p, t); },
      [&] { w = x * u + v, touch(w, x, u, v); });
  row(
      of_static, name("A B"), [&] { c = bl::matmul(a, b), touch(c, a, b); },
      [&] { z.noalias() = x * y, touch(z, x, y); });
  row(
      of_static, name("A B + A"), [&] { c = bl::matmul(a, b) + a, touch(c, a, b); },
      [&] { z = x * y + x, touch(z, x, y); });
  row(of_static, name("dot"), [&] { s = bl::dot(p, t), touch(s, p, t); }, [&] { r = u.dot(v), touch(r, u, v); });
  row(of_static, name("sum(p t)"), [&] { s = bl::sum(p * t), touch(s, p, t); }, [&] { r = u.dot(v), touch(r, u, v); });
  row(of_static, name("norm"), [&] { s = bl::norm(p), touch(s, p); }, [&] { r = u.norm(), touch(r, u); });
  row(of_static, name("trace"), [&] { s = bl::trace(a), touch(s, a); }, [&] { r = x.trace(), touch(r, x); });
  if constexpr (N == 3)
    row(
        of_static, name("cross"), [&] { o = bl::cross(p, t), touch(o, p, t); },
        [&] { w = u.cross(v), touch(w, u, v); });
}

}  // namespace

void static_products() {
  rows<float, 3>();
  rows<float, 4>();
  rows<double, 3>();
  rows<double, 4>();
  rows<double, 8>();
}

}  // namespace bench_small
