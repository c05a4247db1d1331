// The loop that scans several rows side by side in wide registers, for each type and instruction-set level that has
// one.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

struct scan_rows_kernel {
  // `count` rows of n elements, each `from_pitch` elements behind the last one's; to may be from.
  void (*rows)(const void* from, index from_pitch, void* to, index to_pitch, index n, bool streaming);
  int count;
};

// Null where there is none.
const scan_rows_kernel* v3_scan_rows(reduction op, dtype t);
const scan_rows_kernel* v4_scan_rows(reduction op, dtype t);

}  // namespace broadloom::runtime
