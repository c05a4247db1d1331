// Rows and columns of tiles, packed with the reduced axis in the order in which the tiles' loops read it.
#pragma once

#include <cstring>

#include "../base/smaller.hpp"
#include "../move/copy.hpp"

namespace broadloom::runtime {

// The columns of a tile, `width` for each of n terms, which lie `along` and `across` bytes apart. There are `left` of
// them: the last one is repeated to whole tiles.
inline void pack_tile_columns(std::byte* to, const std::byte* from, int size, index n, index left, index width,
                              index along, index across) {
  if (left >= width) return gather(to, from, size, n, width, along, across);
  for (index k = 0; k < n; ++k, to += width * size, from += along) {
    gather(to, from, size, 1, left, 0, across);
    splat(to + left * size, to + (left - 1) * size, size, width - left);
  }
}
// Rows of n terms. The last one is repeated to whole tiles.
inline void pack_tile_rows(std::byte* to, const std::byte* from, int size, index rows, index n, index across,
                           index along) {
  gather(to, from, size, rows, n, across, along);
  for (index i = rows; i % tile_height != 0; ++i)
    std::memcpy(to + i * n * size, to + (rows - 1) * n * size, static_cast<std::size_t>(n * size));
}

}  // namespace broadloom::runtime
