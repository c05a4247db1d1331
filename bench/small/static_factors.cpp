// Determinants, inverses, systems and factors of static matrices.
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
  bl::tensor<T, bl::shape<N, N>> a, c, q;
  bl::tensor<T, bl::shape<N>> p, o;
  square<T, N> x, z;
  column<T, N> u, w;
  T s{}, r{};
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) x(i, j) = a(i, j) = at<T>(i, j);
    u(i) = p(i) = T(i + 1);
  }
  q = bl::matmul(a, a.T());
  const square<T, N> g = x * x.transpose();
  if constexpr (N <= 4) {
    row(of_static, name("det"), [&] { s = bl::det(a), touch(s, a); }, [&] { r = x.determinant(), touch(r, x); });
    row(of_static, name("inv"), [&] { c = bl::inv(a), touch(c, a); }, [&] { z = x.inverse(), touch(z, x); });
  }
  if constexpr (N <= 3) {
    row(
        of_static, name("eigh"),
        [&] {
          const auto e = bl::eigh(q);
          touch(e, q);
        },
        [&] {
          const Eigen::SelfAdjointEigenSolver<square<T, N>> e(g);
          touch(e, g);
        });
    row(
        of_static, name("svd"),
        [&] {
          const auto e = bl::svd(a);
          touch(e, a);
        },
        [&] {
          const Eigen::JacobiSVD<square<T, N>> e(x, Eigen::ComputeFullU | Eigen::ComputeFullV);
          touch(e, x);
        });
  }
  row(
      of_static, name("solve"), [&] { o = bl::solve(a, p), touch(o, a, p); },
      [&] { w = x.partialPivLu().solve(u), touch(w, x, u); });
  row(
      of_static, name("cholesky"), [&] { c = bl::cholesky(q), touch(c, q); },
      [&] { z = g.llt().matrixL(), touch(z, g); });
}

}  // namespace

void static_factors() {
  rows<float, 2>();
  rows<float, 3>();
  rows<float, 4>();
  rows<double, 2>();
  rows<double, 3>();
  rows<double, 4>();
  rows<double, 8>();
}

}  // namespace bench_small
