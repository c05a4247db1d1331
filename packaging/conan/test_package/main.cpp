// What README.md has first.
#include <broadloom/broadloom.hpp>
#include <iostream>

namespace bl = broadloom;
using namespace bl::literals;
constexpr bl::index batch = bl::size<"batch">, feature = bl::size<"feature">;

int main() {
  bl::tensor<float, bl::shape<batch, feature>> x{{1, 2, 3}, {4, 5, 60}};
  bl::tensor<float, bl::shape<feature>> bias{30, 20, 10};
  auto p = bl::softmax(x + bias, "feature"_axis);   // nothing is computed yet
  bl::tensor best = bl::argmax(p, "feature"_axis);  // sum, exponentials and maxima, a few rows at a time
  std::cout << best << '\n';
}
