// Distances between the rows of two matrices: the kernels for each instruction-set level.
#pragma once

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

template <class T>
struct distance_kernels {
  int columns;  // how many rows of y are packed together: element k of row j is at packed[k * columns + j]
  // Euclidean distances of rows of x to `width` packed ones, terms in the order of the index. to: rows x width.
  void (*euclid)(T* to, index to_row, const T* x, index x_row, index x_col, const T* packed, index depth, index rows,
                 index width);
};
BROADLOOM_REAL_LEVELS(all, distance_kernels, distances)

}  // namespace broadloom::runtime
