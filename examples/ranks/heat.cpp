// The heat equation over the ranks of an MPI program, mpirun -n 4 heat: rows of a plate lie on the ranks, each with a
// halo of one row of its neighbours. A step exchanges the halo and is one expression; its result has the same bits on
// any number of ranks.
#include <broadloom/broadloom.hpp>
#include <broadloom/distributed/distributed.hpp>

#include <cstdio>

namespace bl = broadloom;
namespace dist = broadloom::distributed;

int main(int argc, char** argv) {
  return dist::run(argc, argv, [](const dist::communicator& world) {
    const bl::index n = 65;
    const dist::block_map rows(world, n);
    dist::dtensor<double, 2> t(rows, dist::halo{1}, n);
    for (bl::index i = rows.first(); i < rows.last(); ++i) {
      auto row = t.local()(i - rows.first());
      row(0) = 100;                                                     // one edge is hot
      if (i >= 20 && i < 30) bl::assign(row(bl::range(40, 50)), 50.0);  // and a square inside is warm
    }
    const auto middle = bl::range(1, -1), before = bl::range(0, -2);
    const auto after = bl::range(2, bl::end);
    for (int step = 0; step < 300; ++step) {
      dist::exchange(t, dist::edge::nearest);  // no heat leaves by the first and the last row
      const auto above = t.shift(-1), below = t.shift(1);
      const dist::tensor next =
          t(bl::all, middle) + 0.2 * (above(bl::all, middle) + below(bl::all, middle) + t(bl::all, before) +
                                      t(bl::all, after) - 4 * t(bl::all, middle));
      bl::assign(t.local()(bl::all, middle), next.local());
    }
    const bl::tensor heat = dist::eval(bl::sum(t));
    const auto all = dist::gather(t);
    if (world.rank() == 0) std::printf("heat %.17g\nin the middle %.17g\n", heat(), all(n / 2, n / 2));
  });
}
