// Running maxima and minima of contiguous elements, for each instruction-set level.
#pragma once

#include <broadloom/plan/stage.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// Of elements [first, last) along `from`, as if nothing came before them: the largest (smallest) so far to the same
// indices of `to`, and the index of its last occurrence to `at`. Ends before the first NaN, and returns its index, or
// `last`.
using running_kernel = index(const void* from, index first, index last, void* to, index* at);
struct running_kernels {
  running_kernel* largest[dtype_count];
  running_kernel* smallest[dtype_count];
};
BROADLOOM_LEVELS(all, running_kernels, running_of_level)

}  // namespace broadloom::runtime
