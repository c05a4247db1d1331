// The inner loops of products of integers, for each unsigned type and instruction-set level. Sums are taken modulo
// 2^bits, so their order and the sign of the elements do not matter.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// A part of a product: its rows are one, four, or a group; its columns a vector of 16 or 32 bytes or of the level, or a
// panel. Rows, and the terms of a, are so many elements apart.
template <class U>
struct integer_tile {
  U* to;
  index to_row;
  const U* a;
  index a_row, a_term;
  const U* b;
  index b_row, depth;
  bool adds;  // to what is there
};
template <class U>
struct integer_product_kernels {
  index group;   // the rows that are computed together
  index narrow;  // the columns of a vector of 16 bytes
  index half;    // those of a vector of 32 bytes, where the level's are longer
  index vector;  // those of a vector of the level; a panel has two of them
  void (*multiply)(const integer_tile<U>& tile, index rows, index columns);
  U (*dot)(const U* x, const U* y, index n);
  std::uint8_t (*dot_bytes)(const std::uint8_t* x, const std::uint8_t* y, index n);
};
template <class U>
const integer_product_kernels<U>& integer_products() noexcept;
BROADLOOM_LEVELS_OF(all, integer_product_kernels, integer_products, std::uint16_t, u16)
BROADLOOM_LEVELS_OF(all, integer_product_kernels, integer_products, std::uint32_t, u32)
BROADLOOM_LEVELS_OF(all, integer_product_kernels, integer_products, std::uint64_t, u64)

}  // namespace broadloom::runtime
