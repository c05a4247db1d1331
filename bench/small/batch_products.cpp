// Products of stacks of matrices beside a loop over Eigen's static ones.
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
  bl::dtensor<T, 3> a(count, N, N), b(count, N, N), c(count, N, N);
  bl::dtensor<T, 2> p(count, N), o(count, N);
  std::vector<square<T, N>, Eigen::aligned_allocator<square<T, N>>> x(count), y(count), z(count);
  std::vector<column<T, N>, Eigen::aligned_allocator<column<T, N>>> u(count), w(count);
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
      of_stacks, name("A B"), [&] { sequential(c, bl::matmul(a, b)); },
      [&] { each([&](std::size_t k) { z[k].noalias() = x[k] * y[k]; }), touch(z); }, count);
  row(
      of_stacks, name("einsum nij,nj->ni"), [&] { sequential(o, bl::einsum<"nij,nj->ni">(a, p)); },
      [&] { each([&](std::size_t k) { w[k].noalias() = x[k] * u[k]; }), touch(w); }, count);
  if constexpr (N == 3)
    row(
        of_stacks, name("cross"), [&] { sequential(o, bl::cross(p, p + T(1))); },
        [&] { each([&](std::size_t k) { w[k] = u[k].cross(u[k] + column<T, N>::Constant(1)); }), touch(w); }, count);
}

}  // namespace

void batch_products() {
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
