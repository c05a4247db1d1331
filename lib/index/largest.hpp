// The largest of many positions.
#pragma once

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// The largest of n >= 1 positions, and all of them together: negative if one is.
struct position_range {
  index largest, together;
};
struct position_kernels {
  position_range (*range)(const index* x, index n);
};
BROADLOOM_LEVELS(all, position_kernels, position_code)

}  // namespace broadloom::runtime
