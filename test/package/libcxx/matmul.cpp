// Products of matrices of small integers, which are exact, and a solution.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <cmath>
#include <cstdio>

namespace bl = broadloom;

int main() {
  const bl::index n = 150;
  bl::dtensor<float, 2> a(n, n), b(n, n);
  for (bl::index i = 0; i < n; ++i)
    for (bl::index j = 0; j < n; ++j) {
      a(i, j) = static_cast<float>((i * 5 + j) % 7 - 3) + (i == j ? 40.F : 0.F);
      b(i, j) = static_cast<float>((i + 2 * j) % 5 - 2);
    }
  bl::tensor c = bl::eval(bl::matmul(a, b));
  bool right = true;
  for (bl::index i = 0; i < n; ++i)
    for (bl::index j = 0; j < n; ++j) {
      float s = 0;
      for (bl::index k = 0; k < n; ++k) s += a(i, k) * b(k, j);
      right = right && c(i, j) == s;
    }
  bl::tensor x = bl::eval(bl::solve(a, c));
  for (bl::index i = 0; i < n; ++i)
    for (bl::index j = 0; j < n; ++j) right = right && std::abs(x(i, j) - b(i, j)) < 1e-3F;
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
