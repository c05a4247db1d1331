// Gathers in AVX-512 registers: transposed squares larger than those of AVX2.
#pragma once

#include <cstddef>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// gather() of copy.hpp for transposed boxes of 4-byte elements, where squares of AVX2 are not faster. False, and
// nothing done, for all others.
bool gather_v4(void* to, const std::byte* from, int size, index rows, index columns, index row_stride,
               index column_stride);

}  // namespace broadloom::runtime
