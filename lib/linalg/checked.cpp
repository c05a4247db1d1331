// Factorisations that report what failed in one matrix of a stack and go on with the others.
#include <broadloom/linalg/checked.hpp>

#include <algorithm>

#include "stack.hpp"
#include "stack_functions.hpp"

namespace broadloom::runtime {

namespace {

// Runs a function of one result of `size` elements a matrix with its infos in output `at`; NaN where it failed.
void run_checked(const stack_call& c, stack_fn run, int at, index size) {
  stack_call own = c;
  own.info = static_cast<std::int32_t*>(c.outputs[at]);
  std::fill_n(own.info, c.count(), 0);
  run(own);
  by_type(c, [&]<class T>() {
    for (index number = 0; number < c.count(); ++number)
      if (own.info[number] != 0) std::fill_n(result_of<T>(c, 0, number, size), size, not_a_number<T>());
  });
}

}  // namespace

void inverse_checked(const stack_call& c) { run_checked(c, inverse, 1, c.sizes[0] * c.sizes[0]); }
void solve_checked(const stack_call& c) { run_checked(c, solve_matrix, 1, c.sizes[0] * c.sizes[1]); }
void cholesky_checked(const stack_call& c) { run_checked(c, cholesky, 1, c.sizes[0] * c.sizes[0]); }
void lu_factor_checked(const stack_call& c) { run_checked(c, lu_factor, 2, 0); }

}  // namespace broadloom::runtime
