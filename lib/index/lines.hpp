// Reads elements of a selection, in row-major order, into contiguous memory.
#pragma once

#include <broadloom/index/problem.hpp>

namespace broadloom::runtime {

// n elements from element `first` on.
void read_line(const selection& s, void* to, index first, index n);
// The same for axes that are read by segments.
void read_segments(const selection& s, void* to, index first, index n);

}  // namespace broadloom::runtime
