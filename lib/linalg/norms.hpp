// Sums of squares of matrices.
#pragma once

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

template <class T>
struct norm_kernels {
  // In f64 and eight sums, whatever the level: element i is in sum i % 8, those behind the last whole eight in the
  // first.
  double (*sum_of_squares)(const T* x, index n);
};
BROADLOOM_REAL_LEVELS(all, norm_kernels, norms)

}  // namespace broadloom::runtime
