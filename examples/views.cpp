// Views: slices, transposes and expansions of arrays and of whole expressions. They see elements, and never copy them.
#include <broadloom/broadloom.hpp>

#include <iostream>

namespace bl = broadloom;
using namespace bl::literals;

int main() {
  bl::dtensor<int, 2> table(4, 5);
  for (bl::index i = 0; i < 4; ++i)
    for (bl::index j = 0; j < 5; ++j) table(i, j) = static_cast<int>(10 * i + j);

  // Python's slices: table[1:3, ::2], then table[::-1, -1].
  std::cout << bl::eval(bl::slice(table, bl::range(1, 3), bl::range(bl::none, bl::end, 2))) << "\n\n";
  std::cout << bl::eval(bl::slice(table, bl::range(bl::none, bl::none, -1), -1)) << "\n\n";

  // A view of an expression is an expression: only the twelve elements asked for are ever computed.
  const auto squares = bl::square(table);
  const auto corner = bl::slice(squares.T(), bl::range(0, 3));
  std::cout << bl::to_string(squares.shape()) << " transposed and cut: " << bl::to_string(corner.shape()) << "\n"
            << bl::eval(corner) << "\n\n";

  // Differences of neighbours: an array against itself, shifted by one.
  std::cout << bl::eval(bl::slice(table, bl::range(1, bl::end)) - bl::slice(table, bl::range(0, -1))) << "\n\n";

  // Writing through a view. Both sides overlap, and the result is as if the right side had been copied first.
  auto lower = bl::slice(table, bl::range(1, bl::end));
  lower += bl::slice(table, bl::range(0, -1));
  std::cout << table << "\n\n";

  // Axes: new ones, moved ones, and one seen again and again. The last view has stride 0 and no memory of its own.
  const auto row = bl::slice(table, 0);
  const auto repeated = bl::expand(row, bl::shape<2, bl::dyn>(5));
  std::cout << bl::to_string(bl::unsqueeze(row, 0_c).shape()) << " " << bl::to_string(bl::unsqueeze(row, 1_c).shape())
            << " " << bl::to_string(repeated.shape()) << "\n"
            << bl::eval(repeated) << "\n";
}
