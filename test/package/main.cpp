// A foreign program: what a user writes who only has the installed library.
#include <broadloom/broadloom.hpp>
#include <iostream>

namespace bl = broadloom;

int main() {
  bl::dtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};
  bl::dtensor<float, 1> b{10, 20, 30};
  bl::tensor sum = a + bl::sqrt(b * b);
  std::cout << sum(0, 0) << ' ' << sum(1, 2) << '\n';
}
