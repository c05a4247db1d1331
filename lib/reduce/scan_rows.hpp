// The kernel that scans several rows at once in wide registers, for each type and instruction-set level that has one.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

struct scan_rows_kernel {
  // `count` rows of n elements, `from_pitch` elements apart; `to` may be `from`.
  void (*rows)(const void* from, index from_pitch, void* to, index to_pitch, index n, bool streaming);
  int count;
};

// Null if there is none.
const scan_rows_kernel* scan_rows_v3(reduction op, dtype t);
const scan_rows_kernel* scan_rows_v4(reduction op, dtype t);

}  // namespace broadloom::runtime
