// Reductions of all elements to one.
#pragma once

#include <broadloom/reduce/whole.hpp>

#include "../plan/reduction.hpp"

namespace broadloom::runtime {

// As reduce_whole, by a plan, which is given instead where `plan` is not null.
void reduce_planned(const slot* leaves, const index* extents, void* to, const whole_reduction& form, reduction how,
                    const options& o, reduction_plan* plan = nullptr);

// What such a reduction does, as a plan. Leaves that other reductions of one element give are numbers by then.
reduction_plan plan_whole(const source& s, const options& o);

}  // namespace broadloom::runtime
