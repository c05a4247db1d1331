// Reductions of all elements to one.
#pragma once

#include <broadloom/reduce/whole.hpp>

namespace broadloom::runtime {

// As reduce_whole, by a plan.
void reduce_planned(const slot* leaves, const index* extents, void* to, const whole_reduction& form, reduction how,
                    const options& o);

}  // namespace broadloom::runtime
