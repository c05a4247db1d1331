// Conway's Game of Life on a torus: the eight neighbours are the sum of rolled views.
#include <broadloom/broadloom.hpp>

#include "keep.hpp"

namespace bl = broadloom;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  const bl::index n = 48;
  bl::generator g(3);
  bl::tensor alive = bl::rand<float>(g, bl::dshape<2>(n, n)) < 0.35f;
  keep("first", bl::cast<std::uint8_t>(alive));
  for (int step = 0; step < 50; ++step) {
    // The sum over three rows, then over three columns, counts the cell itself, too.
    const auto x = bl::let(bl::cast<std::uint8_t>(alive));
    const auto rows = bl::let(bl::roll(x, 1, 0) + x + bl::roll(x, -1, 0));
    const auto around = bl::let(bl::roll(rows, 1, 1) + rows + bl::roll(rows, -1, 1));
    alive = around == 3 || (alive && around == 4);
  }
  keep("last", bl::cast<std::uint8_t>(alive));
  std::cout << bl::count_nonzero(alive).item() << " cells are alive after 50 steps\n";
}
