// Transposes boxes by square blocks.
#pragma once

#include <cstddef>
#include <cstring>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// The source's columns are contiguous, upwards or (rs < 0) downwards, and `cs` bytes apart; the result has rows
// of `columns` elements, `pitch` bytes apart. Square::move(from, from_step, to, to_step) reads `side` vectors of `side`
// elements of `size` bytes at from + k * from_step and writes their transpose to to + k * to_step.
template <class Square>
void transpose(std::byte* to, const std::byte* from, index rows, index columns, index rs, index cs, index pitch) {
  constexpr index side = Square::side, size = Square::size;
  if (rs < 0) {  // the last row first
    from += (rows - 1) * rs;
    to += (rows - 1) * pitch;
    pitch = -pitch;
  }
  const index square_rows = rows / side * side, square_columns = columns / side * side;
  if (square_rows == side) {  // as planes of pixels: nothing but pointers moves
    const std::byte* x = from;
    std::byte* y = to;
    for (index c = 0; c < square_columns; c += side, x += side * cs, y += side * size) Square::move(x, cs, y, pitch);
  } else
    for (index c = 0; c < square_columns; c += side)
      for (index r = 0; r < square_rows; r += side)
        Square::move(from + c * cs + r * size, cs, to + r * pitch + c * size, pitch);
  const auto single = [=](index r, index c) __attribute__((always_inline)) {
    std::memcpy(to + r * pitch + c * size, from + c * cs + r * size, static_cast<std::size_t>(size));
  };
  for (index c = 0; c < square_columns; ++c)
    for (index r = square_rows; r < rows; ++r) single(r, c);
  for (index c = square_columns; c < columns; ++c)
    for (index r = 0; r < rows; ++r) single(r, c);
}

}  // namespace broadloom::runtime
