// The exponential of matrices, Eigen's.
#define BROADLOOM_EIGEN broadloom_eigen_exponential
#include "eigen.hpp"

#include <unsupported/Eigen/MatrixFunctions>

#include <broadloom/linalg/factor.hpp>

#include "stack.hpp"

namespace broadloom::runtime {

namespace {

template <class T>
using dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using rows_of = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

template <class T>
void run_exponential(const stack_call& c) {
  const index n = c.sizes[0];
  in_blocks(c.count(), block_of(20 * cube(n)), c.how, [&](index first, index last) {
    dense<T> a(n, n);
    for (index number = first; number < last; ++number) {
      copy_in(a.data(), matrix_of<T>(c, 0, number, n, n));
      rows_of<T> to(result_of<T>(c, 0, number, n * n), n, n);
      if (all_finite(a.data(), n * n))
        to = a.exp();
      else
        to.setConstant(not_a_number<T>());
    }
  });
}

}  // namespace

void matrix_exponential(const stack_call& c) {
  by_type(c, [&]<class T>() { run_exponential<T>(c); });
}

}  // namespace broadloom::runtime
