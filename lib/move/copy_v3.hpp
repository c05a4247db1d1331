// Gathers in AVX2 registers: transposed squares; every second, third or fourth element taken from whole vectors.
#pragma once

#include <cstddef>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// gather() of copy.hpp for the layouts that are faster in registers. False, and nothing done, for all others.
bool gather_v3(void* to, const std::byte* from, int size, index rows, index columns, index row_stride,
               index column_stride, index pitch);

// Copies as many groups of four lines as there are in `bytes`, to an aligned address: the lines of a group are loaded
// before the first is stored. Returns the bytes that were copied.
std::size_t copy_lines_v3(std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace broadloom::runtime
