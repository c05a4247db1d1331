// Copies of elements by size alone: strided boxes into contiguous scratch and back, single values into splats.
#pragma once

#include <cstddef>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// Fills a whole number of elements from one.
void splat(void* to, const void* from, int size, index count);

// to[r * columns + c] = from[r * row_stride + c * column_stride], strides in bytes.
void gather(void* to, const std::byte* from, int size, index rows, index columns, index row_stride,
            index column_stride);

// The reverse of gather.
void scatter(std::byte* to, const void* from, int size, index rows, index columns, index row_stride,
             index column_stride);

// A plain copy with streaming stores: for outputs too large to be read again soon. End with fence().
void stream(void* to, const void* from, std::size_t bytes);
void fence();

}  // namespace broadloom::runtime
