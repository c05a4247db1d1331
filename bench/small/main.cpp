// Small matrices and geometry beside Eigen in one run, on one thread: static and dynamic ones, and batches of them
// beside a loop over Eigen's static ones. The smallest of several interleaved times, in nanoseconds a call or a matrix,
// and ours over Eigen's; "over" where a row is over its bound: static 1.2 of Eigen's time or 1 ns more, dynamic 3
// times, stacks Eigen's, prepared assignments 1.3 times and broadcast ones 1.5.
//
//   build-bench/bench/broadloom_bench_small [PART_OF_A_NAME]
#include "rows.hpp"

#include <broadloom/broadloom.hpp>

int main(int count, char** list) {
  using namespace bench_small;
  if (count > 1) wanted = list[1];
  broadloom::set_max_threads(1);
  std::printf("%-36s %9s %9s  ratio\n", "ns", "broadloom", "Eigen");
  static_products();
  static_factors();
  dynamic_products();
  prepared();
  geometry();
  batch_products();
  batch_factors();
  std::printf("%d over\n", missed);
}
