// Tiles of contractions: rows x columns sums of terms of two operands, added in the order of a sum (reduce.hpp).
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/isa.hpp>
#include <broadloom/plan/problem.hpp>

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

#define BROADLOOM_CONTRACTIONS(LEVEL) extern const contraction_kernels contraction_f32_##LEVEL, contraction_f64_##LEVEL;
BROADLOOM_CONTRACTIONS(base)
BROADLOOM_CONTRACTIONS(v3)
BROADLOOM_CONTRACTIONS(v4)
#undef BROADLOOM_CONTRACTIONS

// Of f32 or f64.
inline const contraction_kernels& kernels_of_contraction(dtype t, isa level) {
#if defined(__x86_64__)
  if (level == isa::v4) return t == dtype::f32 ? contraction_f32_v4 : contraction_f64_v4;
  if (level == isa::v3) return t == dtype::f32 ? contraction_f32_v3 : contraction_f64_v3;
#else
  static_cast<void>(level);
#endif
  return t == dtype::f32 ? contraction_f32_base : contraction_f64_base;
}

}  // namespace broadloom::runtime
