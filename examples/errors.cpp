// What Broadloom says when something does not fit, and that nothing is broken afterwards.
#include <broadloom/broadloom.hpp>

#include <iostream>

namespace bl = broadloom;

int main() {
  bl::dtensor<float, 2> a = bl::ones<float>(3, 2);
  const bl::dtensor<float, 2> b = bl::ones<float>(3, 3);
  bl::dtensor<float, 2> column = bl::ones<float>(3, 1);

  // Shapes that do not broadcast: thrown while the expression is built, before anything is computed.
  try {
    const auto sum = a + b;
    std::cout << "never printed " << sum.size() << "\n";
  } catch (const bl::shape_error& e) {
    std::cout << "shape_error: " << e.what() << "\n\n";
  }

  // With shapes in the types the same mistake does not compile:
  //   bl::tensor<float, bl::shape<3, 2>>{} + bl::tensor<float, bl::shape<3, 3>>{}

  // An output never grows to take a result.
  try {
    column += a;
  } catch (const bl::shape_error& e) {
    std::cout << "shape_error: " << e.what() << "\n\n";
  }

  // A view that shows one element in several places cannot be written.
  try {
    bl::expand(bl::slice(a, bl::range(0, 1)), bl::dshape<2>(4, 2)) = 1;
  } catch (const bl::shape_error& e) {
    std::cout << "shape_error: " << e.what() << "\n\n";
  }

  // An index outside the array.
  try {
    std::cout << a(1, 7) << "\n";
  } catch (const bl::index_error& e) {
    std::cout << "index_error: " << e.what() << "\n\n";
  }

  // All of them are std::exception, and the arrays are as they were.
  std::cout << a << "\n";
}
