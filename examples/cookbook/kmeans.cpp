// Lloyd's algorithm: every point to its nearest centre, every centre to the mean of its points.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include "keep.hpp"

namespace bl = broadloom;
using namespace bl::literals;

constexpr bl::index point = bl::size<"point">, cluster = bl::size<"cluster">, dim = bl::size<"dim">;

int main(int argc, char** argv) {
  const keep keep(argc, argv);
  bl::generator g(6);
  bl::tensor<double, bl::shape<point, dim>> x = bl::randn<double>(g, bl::shape<point, dim>(keep.size(600, 150000), 2));
  // Three clouds: points 0, 3, 6 ... move one way, 1, 4, 7 ... another.
  bl::slice(x, bl::range(0, bl::end, 3), bl::all) += 5.0;
  bl::slice(x, bl::range(1, bl::end, 3), bl::all) -= 5.0;
  bl::tensor<double, bl::shape<cluster, dim>> centres =
      bl::named<"cluster", "dim">(bl::slice(x, bl::range(0, 3), bl::all));
  const bl::tensor<bl::index, bl::shape<cluster>> number = bl::named<"cluster">(bl::arange<bl::index>(3));

  keep.run([&] {
    for (int round = 0; round < 10; ++round) {
      const bl::tensor nearest = bl::argmin(
          bl::sum(bl::square(bl::unsqueeze(x, 1_c) - bl::unsqueeze(centres, 0_c)), "dim"_axis), "cluster"_axis);
      const bl::tensor member = bl::cast<double>(bl::unsqueeze(nearest, 1_c) == number);  // (point, cluster)
      centres = bl::matmul(bl::transpose(member), x) / bl::unsqueeze(bl::sum(member, "point"_axis), 1_c);
    }
  });
  keep("x", x);
  keep("centres", centres);
}
