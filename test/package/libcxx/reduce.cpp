// Sums and what reads them, over sizes that threads share, against sums of integers that are exact.
#include <broadloom/broadloom.hpp>

#include <cstdio>
#include <stdexcept>

namespace bl = broadloom;

int main() {
  const bl::index rows = 1500, cols = 1000;
  bl::dtensor<double, 2> x(rows, cols);
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < cols; ++j) x(i, j) = static_cast<double>((7 * i + 3 * j) % 11);
  double total = 0;
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < cols; ++j) total += x(i, j);
  bl::tensor sums = bl::eval(bl::sum(x, bl::axes<1>));
  bool right = bl::eval(bl::sum(x)).item() == total && bl::eval(bl::sum(sums)).item() == total;
  bl::tensor shares = x / bl::sum(x, bl::axes<1>, bl::keepdim);
  for (bl::index i = 0; i < rows; i += 97) right = right && shares(i, 5) == x(i, 5) / sums(i);
  // An exception of the library is caught as what it is and as the standard's.
  int caught = 0;
  try {
    bl::eval(x + bl::dtensor<double, 1>(7));
  } catch (const bl::shape_error&) {
    ++caught;
  }
  try {
    bl::eval(x + bl::dtensor<double, 1>(7));
  } catch (const std::invalid_argument&) {
    ++caught;
  }
  std::puts(right && caught == 2 ? "right" : "wrong");
  return right && caught == 2 ? 0 : 1;
}
