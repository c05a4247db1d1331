// The real and the imaginary parts of complex numbers, each by themselves.
#pragma once

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// `pairs`: n numbers, the parts of each side by side.
template <class R>
struct apart {
  void (*take)(const R* pairs, R* re, R* im, index n);
};
BROADLOOM_REAL_LEVELS(all, apart, apart_of)

}  // namespace broadloom::runtime
