// The k nearest neighbours of each query among known points: no array of differences is made.
#include <broadloom/broadloom.hpp>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index point = bl::size<"point">, query = bl::size<"query">, dim = bl::size<"dim">;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  bl::generator g(5);
  const auto known = bl::randn<double>(g, bl::shape<point, dim>(keep.size(300, 4000), 6));
  const auto asked = bl::randn<double>(g, bl::shape<query, dim>(keep.size(40, 500), 6));
  const auto nearest = keep.run([&] {
    const bl::tensor distance =
        bl::sqrt(bl::sum(bl::square(bl::unsqueeze(asked, 1_c) - bl::unsqueeze(known, 0_c)), "dim"_axis));
    return bl::topk(distance, 5, "point"_axis, false);
  });
  keep("known", known);
  keep("asked", asked);
  keep("distances", nearest.values);
  keep("indices", nearest.indices);
}
