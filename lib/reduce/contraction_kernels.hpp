// Tiles of contractions: rows x columns sums of terms of two operands, added in the order of a sum (reduce.hpp).
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/plan/problem.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// Sums of n terms, 1 <= n <= strip_length, for tile_height rows and some columns. Element k of row i is at rows[i * row
// + k]; element k of all columns is at columns[k * width], contiguous. To rows of `to`, `to_row` elements apart. `room`
// is for five such tiles.
using contraction_tile = void (*)(const void* rows, index row, const void* columns, index n, void* to, index to_row,
                                  void* room);

// In each array the first tile is as wide as registers allow, the second one vector wide.
struct contraction_kernels {
  int lanes, width;  // columns of a vector, and of the wide tile
  contraction_tile product[2], squared_difference[2], absolute_difference[2];
  // Multiplication and addition round once. Strips of 64 terms one after the other, then strips in pairs.
  contraction_tile fused_product[2], fused_squared_difference[2];

  const contraction_tile* tiles(pair_term term, accuracy maths) const {
    if (term == pair_term::absolute_difference) return absolute_difference;
    if (term == pair_term::product) return maths == accuracy::fast ? fused_product : product;
    return maths == accuracy::fast ? fused_squared_difference : squared_difference;
  }
};

inline constexpr int tiles_of_room = 5;

BROADLOOM_LEVELS(all, contraction_kernels, contraction_f32)
BROADLOOM_LEVELS(all, contraction_kernels, contraction_f64)

}  // namespace broadloom::runtime
