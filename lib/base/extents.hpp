// Numbers of elements, and strides of row-major arrays.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

inline index product(const index* extents, index rank) {
  index n = 1;
  for (index i = 0; i < rank; ++i) n *= extents[i];
  return n;
}

// The strides of a row-major array of these extents. Gives the number of its elements.
inline index write_row_major(const index* extents, index rank, index* strides) {
  index n = 1;
  for (index i = rank - 1; i >= 0; --i) {
    strides[i] = n;
    n *= extents[i];
  }
  return n;
}

}  // namespace broadloom::runtime
