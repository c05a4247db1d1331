// The kernels of an instruction-set level that scan several rows at once in registers, and columns, for each type.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

struct scan_rows_kernel {
  // `count` rows of n elements, `from_pitch` elements apart; `to` may be `from`.
  void (*rows)(const void* from, index from_pitch, void* to, index to_pitch, index n, bool streaming);
  int count;
};

// Each of `rows` rows of n elements, `from_pitch` elements apart, combined with the results of all before it. `to` may
// be `from`, with the same pitch.
using scan_columns_kernel = void(const void* from, index from_pitch, void* to, index to_pitch, index rows, index n);

struct scan_kernels {
  const scan_rows_kernel* (*find)(reduction op, dtype t);  // null if there is none
  scan_columns_kernel* (*find_columns)(reduction op, dtype t);
};
BROADLOOM_LEVELS(all, scan_kernels, scans_of)

}  // namespace broadloom::runtime
