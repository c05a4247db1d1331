// What README.md has first.
#include <broadloom/broadloom.hpp>
#include <iostream>

namespace bl = broadloom;

int main() {
  bl::dtensor<float, 2> m{{1, 2, 3}, {4, 5, 6}};
  bl::dtensor<float, 1> row{10, 20, 30};
  bl::tensor sum = m + bl::sqrt(row * row);  // one loop, row is used for both rows of m
  std::cout << sum(0, 0) << ' ' << sum(1, 2) << '\n';
}
