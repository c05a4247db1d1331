// Conway's Game of Life on a torus: the eight neighbours are shifted views of the field in a frame.
#include <broadloom/broadloom.hpp>

#include "keep.hpp"

namespace bl = broadloom;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  const bl::index n = keep.size(48, 1024);
  bl::generator g(3);
  bl::tensor alive = bl::rand<float>(g, bl::dshape<2>(n, n)) < 0.35f;
  keep("first", bl::cast<std::uint8_t>(alive));
  const auto middle = bl::range(1, -1);
  const auto before = bl::range(0, -2);
  const auto after = bl::range(2, bl::end);
  keep.run([&] {
    for (int step = 0; step < 50; ++step) {
      // The frame holds the cells of the opposite edge. The sum over nine cells counts the one in the middle, too.
      const auto x = bl::let(bl::pad(bl::cast<std::uint8_t>(alive), {1, 1, 1, 1}, bl::padding::circular));
      const auto rows = bl::slice(x, before) + bl::slice(x, middle) + bl::slice(x, after);
      const auto around = bl::let(bl::slice(rows, bl::all, before) + bl::slice(rows, bl::all, middle) +
                                  bl::slice(rows, bl::all, after));
      alive = around == 3 || (alive && around == 4);
    }
  });
  keep("last", bl::cast<std::uint8_t>(alive));
  keep.image("life", alive);
  std::cout << bl::count_nonzero(alive).item() << " cells are alive after 50 steps\n";
}
