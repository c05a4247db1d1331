// Copies of elements by their size alone: strided boxes to contiguous scratch and back, single values to splats.
#pragma once

#include <cstddef>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// Fills `count` elements with one.
void splat(void* to, const void* from, int size, index count);

// Element c of row r of the result, whose rows lie `pitch` bytes apart, is the one at from + r * row_stride +
// c * column_stride. Strides are in bytes.
void gather(void* to, const std::byte* from, int size, index rows, index columns, index row_stride, index column_stride,
            index pitch);
// The same to rows that follow one another.
inline void gather(void* to, const std::byte* from, int size, index rows, index columns, index row_stride,
                   index column_stride) {
  gather(to, from, size, rows, columns, row_stride, column_stride, columns * size);
}

// to[r * columns + c] = from[c][r], of elements of `size` bytes. False for other sizes than 1, 2, 4, 8, and for other
// numbers of columns than 2 and 4: nothing is written.
bool interleave(void* to, const std::byte* const* from, int size, index rows, index columns);

// The reverse of gather.
void scatter(std::byte* to, const void* from, int size, index rows, index columns, index row_stride,
             index column_stride);

// A copy with streaming stores, for outputs too large to be read again soon. To be followed by fence().
void stream(void* to, const void* from, std::size_t bytes);
void fence();

}  // namespace broadloom::runtime
