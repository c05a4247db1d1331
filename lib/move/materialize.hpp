// Copies of few elements of arrays that broadcast or have strides: fast for rows of a few bytes.
#pragma once

#include <cstddef>

#include <broadloom/core/index.hpp>

#include "../base/limits.hpp"

namespace broadloom::runtime {

// The axes of an array, innermost first, steps in bytes; those that lie behind each other are one.
struct walk {
  static constexpr int max_axes = limits::small_strided::max_axes;
  index extents[max_axes], steps[max_axes];
  int rank;
};

// Its elements of `size` bytes in row-major order, and up to `overwritten` bytes behind them.
inline constexpr index overwritten = 32;
void materialize(std::byte* to, const void* from, int size, const walk& w);
// The other way: the elements of a row-major array to where the walk over a strided one has them.
void put_back(void* to, const void* from, int size, const walk& w);

// Materializes an array of rows or one row, and of columns or one column: rows * columns elements.
void materialize_rows(std::byte* to, const void* from, int size, index rows, index columns, index own_rows,
                      index own_columns);

}  // namespace broadloom::runtime
