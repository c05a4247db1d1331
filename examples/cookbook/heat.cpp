// The heat equation on a plate: each step is one expression over five shifted views, written to the inside of the
// plate.
#include <broadloom/broadloom.hpp>

#include "keep.hpp"

namespace bl = broadloom;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  const bl::index n = keep.size(65, 513);
  bl::dtensor<double, 2> t(n, n);
  bl::select(t, 0, 0) = 100;                                // one edge is hot
  bl::slice(t, bl::range(20, 30), bl::range(40, 50)) = 50;  // and a square inside is warm
  const auto middle = bl::range(1, -1);
  const auto before = bl::range(0, -2);
  const auto after = bl::range(2, bl::end);
  keep.run([&] {
    for (int step = 0; step < 300; ++step)
      bl::slice(t, middle, middle) +=
          0.2 * (bl::slice(t, before, middle) + bl::slice(t, after, middle) + bl::slice(t, middle, before) +
                 bl::slice(t, middle, after) - 4 * bl::slice(t, middle, middle));
  });
  keep("t", t);
  keep.image("heat", bl::sqrt(t));
}
