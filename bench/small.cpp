// Small matrices and geometry beside Eigen in one run, on one thread: static and dynamic ones, and batches of them
// beside a loop over Eigen's static ones. The smallest of several interleaved times, in nanoseconds a call or a matrix,
// and ours over Eigen's.
//
//   build-bench/bench/broadloom_bench_small [PART_OF_A_NAME]
#include <Eigen/Dense>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>
#include <broadloom/geometry.hpp>
#include <broadloom/linalg.hpp>

namespace {

namespace bl = broadloom;
using clock_type = std::chrono::steady_clock;

std::string wanted;

// What is computed before is not known behind this.
template <class... X>
[[gnu::always_inline]] inline void touch(X&... x) {
  const auto one = [](void* p) { __asm__ volatile("" : : "r"(p) : "memory"); };
  (one(const_cast<void*>(static_cast<const void*>(&x))), ...);
}

template <class F>
double time_of(const F& f, int calls) {
  const auto begin = clock_type::now();
  for (int i = 0; i < calls; ++i) f();
  return std::chrono::duration<double, std::nano>(clock_type::now() - begin).count() / calls;
}
// `each`: how many matrices a call goes through.
template <class F, class G>
void row(const std::string& name, const F& ours, const G& theirs, int each = 1) {
  if (name.find(wanted) == std::string::npos) return;
  const double once = std::max(1.0, std::min(time_of(ours, 1), time_of(ours, 1)));
  const int calls = static_cast<int>(std::clamp(2e5 / once, 1.0, 1e4));
  double best[2] = {1e30, 1e30};
  for (int r = 0; r < 60; ++r) {
    best[0] = std::min(best[0], time_of(ours, calls));
    best[1] = std::min(best[1], time_of(theirs, calls));
  }
  std::printf("%-36s %9.2f %9.2f  %.2f\n", name.c_str(), best[0] / each, best[1] / each, best[0] / best[1]);
}

template <class T, int N>
using square = Eigen::Matrix<T, N, N>;
template <class T, int N>
using column = Eigen::Matrix<T, N, 1>;

// Elements whose matrix has an inverse.
template <class T>
T at(int i, int j) {
  return T(i == j ? 5 : 0) + T((i * 7 + j * 3) % 5) / 4;
}

template <class T, int N>
void static_rows(const char* type) {
  const auto name = [&](const char* what) {
    return std::string("static ") + type + " " + std::to_string(N) + " " + what;
  };
  bl::tensor<T, bl::shape<N, N>> a, b, c, q;
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
  q = bl::matmul(a, a.T());
  const square<T, N> symmetric = x * x.transpose();
  auto g = symmetric;
  row(name("R p"), [&] { o = bl::matmul(a, p), touch(o, a, p); }, [&] { w.noalias() = x * u, touch(w, x, u); });
  row(name("R p + t"), [&] { o = bl::matmul(a, p) + t, touch(o, a, p, t); }, [&] { w = x * u + v, touch(w, x, u, v); });
  row(name("A B"), [&] { c = bl::matmul(a, b), touch(c, a, b); }, [&] { z.noalias() = x * y, touch(z, x, y); });
  row(name("A B + A"), [&] { c = bl::matmul(a, b) + a, touch(c, a, b); }, [&] { z = x * y + x, touch(z, x, y); });
  row(name("dot"), [&] { s = bl::dot(p, t), touch(s, p, t); }, [&] { r = u.dot(v), touch(r, u, v); });
  row(name("sum(p t)"), [&] { s = bl::sum(p * t), touch(s, p, t); }, [&] { r = u.dot(v), touch(r, u, v); });
  row(name("norm"), [&] { s = bl::norm(p), touch(s, p); }, [&] { r = u.norm(), touch(r, u); });
  row(name("trace"), [&] { s = bl::trace(a), touch(s, a); }, [&] { r = x.trace(), touch(r, x); });
  if constexpr (N == 3)
    row(name("cross"), [&] { o = bl::cross(p, t), touch(o, p, t); }, [&] { w = u.cross(v), touch(w, u, v); });
  if constexpr (N <= 4) {
    row(name("det"), [&] { s = bl::det(a), touch(s, a); }, [&] { r = x.determinant(), touch(r, x); });
    row(name("inv"), [&] { c = bl::inv(a), touch(c, a); }, [&] { z = x.inverse(), touch(z, x); });
  }
  if constexpr (N <= 3) {
    row(
        name("eigh"),
        [&] {
          const auto e = bl::eigh(q);
          touch(e, q);
        },
        [&] {
          const Eigen::SelfAdjointEigenSolver<square<T, N>> e(symmetric);
          touch(e, symmetric);
        });
    row(
        name("svd"),
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
      name("solve"), [&] { o = bl::solve(a, p), touch(o, a, p); },
      [&] { w = x.partialPivLu().solve(u), touch(w, x, u); });
  row(name("cholesky"), [&] { c = bl::cholesky(q), touch(c, q); }, [&] { z = g.llt().matrixL(), touch(z, g); });
}

template <class T>
void dynamic_rows(const char* type, int n) {
  const auto name = [&](const char* what) {
    return std::string("dynamic ") + type + " " + std::to_string(n) + " " + what;
  };
  bl::dtensor<T, 2> a(n, n), b(n, n), c(n, n);
  bl::dtensor<T, 1> p(n), t(n), o(n);
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> x(n, n), y(n, n), z(n, n);
  Eigen::Matrix<T, Eigen::Dynamic, 1> u(n), v(n), w(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      x(i, j) = a(i, j) = at<T>(i, j);
      y(i, j) = b(i, j) = at<T>(j, 2 * i);
    }
    u(i) = p(i) = T(i + 1);
    v(i) = t(i) = T(i) / 2;
  }
  row(name("R p"), [&] { o = bl::matmul(a, p), touch(o, a, p); }, [&] { w.noalias() = x * u, touch(w, x, u); });
  row(name("R p + t"), [&] { o = bl::matmul(a, p) + t, touch(o, a, p, t); }, [&] { w = x * u + v, touch(w, x, u, v); });
  row(name("A B"), [&] { c = bl::matmul(a, b), touch(c, a, b); }, [&] { z.noalias() = x * y, touch(z, x, y); });
  row(name("A B + A"), [&] { c = bl::matmul(a, b) + a, touch(c, a, b); }, [&] { z = x * y + x, touch(z, x, y); });
}

template <int N>
void batch_rows() {
  constexpr int count = 10000;
  using T = float;
  const auto name = [&](const char* what) { return std::string("batch f32 ") + std::to_string(N) + " " + what; };
  bl::dtensor<T, 3> a(count, N, N), b(count, N, N), c(count, N, N);
  bl::dtensor<T, 2> p(count, N), o(count, N);
  bl::dtensor<T, 1> d(count);
  std::vector<square<T, N>, Eigen::aligned_allocator<square<T, N>>> x(count), y(count), z(count);
  std::vector<column<T, N>, Eigen::aligned_allocator<column<T, N>>> u(count), w(count);
  std::vector<T> r(count);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) {
        x[static_cast<std::size_t>(k)](i, j) = a(k, i, j) = at<T>(i, j) + T(k % 7);
        y[static_cast<std::size_t>(k)](i, j) = b(k, i, j) = at<T>(j, i);
      }
      u[static_cast<std::size_t>(k)](i) = p(k, i) = T(i + k % 5);
    }
  const auto each = [](const auto& f) {
    for (std::size_t k = 0; k < count; ++k) f(k);
  };
  const auto sequential = [](auto& to, const auto& e) { bl::assign(to, e, bl::seq), touch(to); };
  row(
      name("A B"), [&] { sequential(c, bl::matmul(a, b)); },
      [&] { each([&](std::size_t k) { z[k].noalias() = x[k] * y[k]; }), touch(z); }, count);
  row(
      name("einsum nij,nj->ni"), [&] { sequential(o, bl::einsum<"nij,nj->ni">(a, p)); },
      [&] { each([&](std::size_t k) { w[k].noalias() = x[k] * u[k]; }), touch(w); }, count);
  row(
      name("det"), [&] { sequential(d, bl::det(a)); },
      [&] { each([&](std::size_t k) { r[k] = x[k].determinant(); }), touch(r); }, count);
  row(
      name("solve"), [&] { sequential(o, bl::solve_vec(a, p)); },
      [&] { each([&](std::size_t k) { w[k] = x[k].partialPivLu().solve(u[k]); }), touch(w); }, count);
  if constexpr (N == 2 || N == 3 || N == 6) {
    bl::dtensor<T, 3> symmetric(count, N, N);
    bl::assign(symmetric, bl::matmul(a, bl::transpose(a, -1, -2)));
    for (std::size_t k = 0; k < count; ++k) y[k] = x[k] * x[k].transpose();
    row(
        name("eigh"),
        [&] {
          const auto e = bl::eigh(symmetric);
          touch(e, symmetric);
        },
        [&] {
          each([&](std::size_t k) {
            const Eigen::SelfAdjointEigenSolver<square<T, N>> e(y[k]);
            w[k] = e.eigenvalues();
            z[k] = e.eigenvectors();
          });
          touch(w, z);
        },
        count);
  }
  if constexpr (N == 3)
    row(
        name("cross"), [&] { sequential(o, bl::cross(p, p + 1.0f)); },
        [&] { each([&](std::size_t k) { w[k] = u[k].cross(u[k] + column<T, N>::Constant(1)); }), touch(w); }, count);
}

template <class T>
void geometry_rows(const char* type) {
  const auto name = [&](const char* what) { return std::string("geometry ") + type + " " + what; };
  bl::tensor<T, bl::shape<4>> q{1, 2, 3, 4}, p{4, -1, 2, 1}, o;
  bl::tensor<T, bl::shape<3>> a{1, 2, 3}, b{-2, 1, 0.5f}, t;
  bl::tensor<T, bl::shape<3, 3>> m;
  q = bl::normalized(q);
  p = bl::normalized(p);
  Eigen::Quaternion<T> x(q(3), q(0), q(1), q(2)), y(p(3), p(0), p(1), p(2)), z;
  column<T, 3> u(1, 2, 3), v(-2, 1, 0.5f), w;
  square<T, 3> r;
  T angle = 0.5f;
  row(
      name("quaternion_product"), [&] { o = bl::quaternion_product(q, p), touch(o, q, p); },
      [&] { z = x * y, touch(z, x, y); });
  row(name("rotate"), [&] { t = bl::rotate(q, a), touch(t, q, a); }, [&] { w = x * u, touch(w, x, u); });
  row(
      name("quaternion_to_matrix"), [&] { m = bl::quaternion_to_matrix(q), touch(m, q); },
      [&] { r = x.toRotationMatrix(), touch(r, x); });
  row(
      name("rotation_about"), [&] { m = bl::rotation_about(a, angle), touch(m, a, angle); },
      [&] { r = Eigen::AngleAxis<T>(angle, u.normalized()).toRotationMatrix(), touch(r, u, angle); });
  row(
      name("quaternion_between"), [&] { o = bl::quaternion_between(a, b), touch(o, a, b); },
      [&] { z.setFromTwoVectors(u, v), touch(z, u, v); });
  row(name("normalized"), [&] { t = bl::normalized(a), touch(t, a); }, [&] { w = u.normalized(), touch(w, u); });
  constexpr int count = 10000;
  bl::dtensor<T, 2> many(count, 3), turned(count, 3);
  std::vector<column<T, 3>> points(count), to(count);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < 3; ++i) points[static_cast<std::size_t>(k)](i) = many(k, i) = T(k % 7 + i);
  row(
      name("rotate of 10000"), [&] { bl::assign(turned, bl::rotate(q, many), bl::seq), touch(turned); },
      [&] {
        for (std::size_t k = 0; k < count; ++k) to[k] = x * points[k];
        touch(to);
      },
      count);
}

}  // namespace

int main(int count, char** list) {
  if (count > 1) wanted = list[1];
  bl::set_max_threads(1);
  std::printf("%-36s %9s %9s  ratio\n", "ns", "broadloom", "Eigen");
  static_rows<float, 3>("f32");
  static_rows<float, 4>("f32");
  static_rows<double, 3>("f64");
  static_rows<double, 8>("f64");
  for (const int n : {3, 4, 6, 8, 16}) dynamic_rows<float>("f32", n);
  geometry_rows<float>("f32");
  geometry_rows<double>("f64");
  batch_rows<2>();
  batch_rows<3>();
  batch_rows<4>();
  batch_rows<6>();
  batch_rows<8>();
}
