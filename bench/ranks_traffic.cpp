// What operations over distributed arrays send, and how long they take: bench/ranks_model.py compares it with the least
// that must be sent, and with its model of many ranks.
//
// usage: mpirun -n RANKS ranks_traffic ROWS_OF_EACH_RANK COLUMNS
#include <broadloom/broadloom.hpp>
#include <broadloom/distributed/distributed.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bl = broadloom;
namespace dist = broadloom::distributed;
using namespace bl::literals;

int main(int argc, char** argv) {
  return dist::run(argc, argv, [&](const dist::communicator& c) {
    const bl::index rows = (argc > 1 ? std::atoll(argv[1]) : 1000) * c.size(),
                    columns = argc > 2 ? std::atoll(argv[2]) : 4;
    const dist::block_map m(c, rows);
    dist::dtensor<float, 2> x(m, dist::halo{1}, columns), y(m, columns);
    for (bl::index i = 0; i < m.count(); ++i)
      for (bl::index j = 0; j < columns; ++j)
        x.local()(i, j) = static_cast<float>(((m.first() + i) * 37 + j * 11) % 1000) / 500.0f;
    dist::exchange(x);
    bl::dtensor<float, 2> w(columns, columns);
    bl::assign(w, 0.5f);

    const auto measure = [&](const char* name, const auto& f) {
      f();
      c.reset_counts();
      f();
      const dist::traffic t = c.counts();
      double best = 1e9;
      for (int repeat = 0; repeat < 5; ++repeat) {
        MPI_Barrier(c.handle());
        const auto begin = std::chrono::steady_clock::now();
        f();
        const std::chrono::duration<double> d = std::chrono::steady_clock::now() - begin;
        if (d.count() < best) best = d.count();
      }
      std::printf("%s %d %lld %lld %lld %.9f\n", name, c.rank(), static_cast<long long>(t.messages),
                  static_cast<long long>(t.bytes), static_cast<long long>(t.agreements), best);
    };
    measure("pointwise", [&] { dist::assign(y, bl::sqrt(x) * 2 + 1); });
    measure("product", [&] { dist::assign(y, bl::matmul(x, w)); });
    measure("sum", [&] { dist::eval(bl::sum(x, 0_c)); });
    measure("argmax", [&] { dist::eval(bl::argmax(x, 0_c)); });
    measure("standardise", [&] { dist::assign(y, (x - bl::mean(x, 0_c)) / bl::std(x, 0_c)); });
    measure("softmax", [&] { dist::assign(y, bl::softmax(x, 0_c)); });
    measure("transposed", [&] { dist::matmul_transposed(x, y); });
    measure("halo", [&] {
      dist::exchange(x);
      dist::assign(y, x.shift(-1) + x.shift(1) - 2 * x);
    });
  });
}
