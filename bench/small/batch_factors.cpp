// Determinants, systems and eigenvectors of stacks of matrices beside a loop over Eigen's static ones.
#include "rows.hpp"

#include <vector>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bench_small {
namespace {

namespace bl = broadloom;

template <class T, int N>
void rows() {
  constexpr int count = 10000;
  const auto name = [](const char* what) {
    return std::string("batch ") + name_of<T> + std::to_string(N) + " " + what;
  };
  bl::dtensor<T, 3> a(count, N, N);
  bl::dtensor<T, 2> p(count, N), o(count, N);
  bl::dtensor<T, 1> d(count);
  std::vector<square<T, N>, Eigen::aligned_allocator<square<T, N>>> x(count), y(count), z(count);
  std::vector<column<T, N>, Eigen::aligned_allocator<column<T, N>>> u(count), w(count);
  std::vector<T> r(count);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) x[static_cast<std::size_t>(k)](i, j) = a(k, i, j) = at<T>(i, j) + T(k % 7);
      u[static_cast<std::size_t>(k)](i) = p(k, i) = T(i + k % 5);
    }
  const auto each = [](const auto& f) {
    for (std::size_t k = 0; k < count; ++k) f(k);
  };
  const auto sequential = [](auto& to, const auto& e) { bl::assign(to, e, bl::seq), touch(to); };
  row(
      of_stacks, name("det"), [&] { sequential(d, bl::det(a)); },
      [&] { each([&](std::size_t k) { r[k] = x[k].determinant(); }), touch(r); }, count);
  row(
      of_stacks, name("solve"), [&] { sequential(o, bl::solve_vec(a, p)); },
      [&] { each([&](std::size_t k) { w[k] = x[k].partialPivLu().solve(u[k]); }), touch(w); }, count);
  if constexpr (N == 2 || N == 3 || N == 6) {
    bl::dtensor<T, 3> symmetric(count, N, N);
    bl::assign(symmetric, bl::matmul(a, bl::transpose(a, -1, -2)));
    for (std::size_t k = 0; k < count; ++k) y[k] = x[k] * x[k].transpose();
    row(
        of_stacks, name("eigh"),
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
}

}  // namespace

void batch_factors() {
  rows<float, 2>();
  rows<float, 3>();
  rows<float, 4>();
  rows<float, 6>();
  rows<float, 8>();
  rows<double, 2>();
  rows<double, 3>();
  rows<double, 4>();
  rows<double, 6>();
  rows<double, 8>();
}

}  // namespace bench_small
