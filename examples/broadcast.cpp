// Broadcasting: extents known to the compiler, at run time, or some of each; nothing is copied to make shapes fit.
#include <broadloom/broadloom.hpp>

#include <iostream>

namespace bl = broadloom;

int main() {
  // Static shapes live in the type. The result's shape is known to the compiler, and so are its elements.
  constexpr bl::tensor<int, bl::shape<3, 1>> tens{{10}, {20}, {30}};
  constexpr bl::tensor<int, bl::shape<4>> ones{1, 2, 3, 4};
  static_assert(std::is_same_v<decltype(tens + ones)::shape_type, bl::shape<3, 4>>);
  static_assert((tens + ones)(2, 3) == 34);
  const bl::tensor table = tens + ones;
  std::cout << bl::to_string(tens.shape()) << " + " << bl::to_string(ones.shape()) << " -> "
            << bl::to_string(table.shape()) << "\n"
            << table << "\n\n";

  // Dynamic shapes: the same rule, checked when the expression is built.
  bl::dtensor<float, 2> grid(2, 3);
  bl::dtensor<float, 1> offsets(3);
  for (bl::index i = 0; i < 2; ++i)
    for (bl::index j = 0; j < 3; ++j) grid(i, j) = static_cast<float>(3 * i + j);
  for (bl::index j = 0; j < 3; ++j) offsets(j) = 0.25F * static_cast<float>(j);
  const auto moved = grid + offsets;
  std::cout << bl::to_string(grid.shape()) << " + " << bl::to_string(offsets.shape()) << " -> "
            << bl::to_string(moved.shape()) << "\n"
            << bl::eval(moved) << "\n\n";

  // Mixed: what the compiler knows of one operand, it knows of the result.
  bl::tensor<float, bl::shape<bl::dyn, 3>> points(2);
  points = grid;
  const bl::tensor<float, bl::shape<7, 1, 3>> centres = bl::ones<float>(bl::shape<7, 1, 3>{});
  const auto differences = points - centres;
  static_assert(std::is_same_v<decltype(differences)::shape_type, bl::shape<7, bl::dyn, 3>>);
  std::cout << bl::to_string(centres.shape()) << " and " << bl::to_string(points.shape()) << " -> "
            << bl::to_string(differences.shape()) << "\n\n";

  // A number, and an array with one element, go with everything.
  const bl::tensor half = grid * 0.5;
  std::cout << half << "\n\n";

  // Three operands broadcast together: grid + offsets * column.
  bl::dtensor<float, 2> column(2, 1);
  column(0, 0) = 10;
  column(1, 0) = 100;
  std::cout << bl::eval(bl::addcmul(grid, offsets, column)) << "\n\n";

  // Shapes alone, of any rank.
  std::cout << "(5, 3, 4, 1) and (3, 1, 1) ->";
  for (const bl::index n : bl::broadcast_shapes({{5, 3, 4, 1}, {3, 1, 1}})) std::cout << ' ' << n;
  std::cout << "\n";
}
