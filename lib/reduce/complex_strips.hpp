// Sums of complex numbers strip by strip: the loops of an instruction-set level, for f32 and f64.
#pragma once

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

struct complex_strips {
  void (*sum[2])(const void* x, index strips, void* to);
};
BROADLOOM_LEVELS(all, complex_strips, complex_strips_of)

}  // namespace broadloom::runtime
