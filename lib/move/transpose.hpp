// Boxes transposed by square blocks. Each file for a level of the processor has squares of its own.
#pragma once

#include <cstddef>
#include <cstring>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// Rows that are neighbours in memory become rows of `columns` elements, one behind the other; neighbours along a row
// are `cs` bytes apart. Square::move(from, from_step, to, to_step) writes `side` vectors of `side` elements of `size`
// bytes, from + k * from_step, transposed to to + k * to_step.
template <class Square>
void transpose(std::byte* to, const std::byte* from, index rows, index columns, index cs) {
  constexpr index side = Square::side, size = Square::size;
  const index pitch = columns * size;
  const index square_rows = rows / side * side, square_columns = columns / side * side;
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
