// Gathers in AVX2 registers: transposed squares; every second, third or fourth element taken from whole vectors.
#pragma once

#include <cstddef>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// gather() of copy.hpp for the layouts that are faster in registers. False, and nothing done, for all others.
bool gather_v3(void* to, const std::byte* from, int size, index rows, index columns, index row_stride,
               index column_stride);

}  // namespace broadloom::runtime
