// Sorting what threads share, and what an order of elements says.
#include <broadloom/broadloom.hpp>

#include <cstdio>

namespace bl = broadloom;

int main() {
  const bl::index n = 400000;
  bl::dtensor<float, 1> x(n);
  for (bl::index i = 0; i < n; ++i) x(i) = static_cast<float>(i * 48271 % 2147483647 % 1000003);
  auto sorted = bl::sort(x, 0);
  bl::tensor values = bl::eval(sorted.values);
  bl::tensor order = bl::eval(sorted.indices);
  bool right = true;
  for (bl::index i = 0; i + 1 < n; ++i)
    right = right && values(i) <= values(i + 1) && x(static_cast<bl::index>(order(i))) == values(i);
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
