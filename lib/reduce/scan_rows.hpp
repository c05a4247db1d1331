// The kernel that scans several rows at once in wide registers, for each type and instruction-set level that has one.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

struct scan_rows_kernel {
  // `count` rows of n elements, `from_pitch` elements apart; `to` may be `from`.
  void (*rows)(const void* from, index from_pitch, void* to, index to_pitch, index n, bool streaming);
  int count;
};

struct scan_rows_kernels {
  const scan_rows_kernel* (*find)(reduction op, dtype t);  // null if there is none
};
BROADLOOM_LEVELS(all, scan_rows_kernels, wide_scans)

}  // namespace broadloom::runtime
