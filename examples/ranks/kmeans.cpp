// Lloyd's algorithm over the ranks of an MPI program, mpirun -n 4 kmeans: points lie on the ranks, centres on each of
// them. A round sends the sums of the points of each cluster and nothing else, and its result has the same bits on any
// number of ranks.
#include <broadloom/broadloom.hpp>
#include <broadloom/distributed/distributed.hpp>

#include <cstdio>

namespace bl = broadloom;
namespace dist = broadloom::distributed;
using namespace bl::literals;

constexpr bl::index point = bl::size<"point">, cluster = bl::size<"cluster">, dim = bl::size<"dim">;

int main(int argc, char** argv) {
  return dist::run(argc, argv, [](const dist::communicator& world) {
    const bl::index points = 40000, clusters = 3;
    const dist::block_map rows(world, points);

    // Three clouds. Each rank makes the points that it has.
    dist::tensor<float, bl::shape<point, dim>> x(rows, 2);
    auto here = x.local();
    for (bl::index i = rows.first(); i < rows.last(); ++i)
      for (bl::index j = 0; j < 2; ++j) {
        const auto noise = static_cast<float>((i * 2654435761 + j * 40503) % 65536) / 65536.0f - 0.5f;
        here(i - rows.first(), j) = static_cast<float>((i % clusters) * 4 * (j == 0 ? 1 : -1)) + 3 * noise;
      }

    bl::tensor<float, bl::shape<cluster, dim>> centres{{1, 0}, {3, -6}, {9, -6}};
    const bl::tensor<bl::index, bl::shape<cluster>> number{0, 1, 2};
    for (int round = 0; round < 8; ++round) {
      const dist::tensor nearest = bl::argmin(
          bl::sum(bl::square(bl::unsqueeze(x, 1_c) - bl::unsqueeze(centres, 0_c)), "dim"_axis), "cluster"_axis);
      const dist::tensor member = bl::cast<float>(bl::unsqueeze(nearest, 1_c) == number);  // (point, cluster)
      const bl::tensor sums = bl::named<"cluster", "dim">(dist::matmul_transposed(member, x));
      const bl::tensor counts = dist::eval(bl::sum(member, "point"_axis));
      centres = sums / bl::unsqueeze(counts, 1_c);
    }
    if (world.rank() == 0)
      for (bl::index k = 0; k < clusters; ++k)
        std::printf("%.9g %.9g\n", static_cast<double>(centres(k, 0)), static_cast<double>(centres(k, 1)));
  });
}
