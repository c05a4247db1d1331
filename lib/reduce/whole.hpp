// Reductions of all elements to one.
#pragma once

#include <broadloom/reduce/whole.hpp>

#include "../plan/reduction.hpp"
#include "kernels.hpp"

namespace broadloom::runtime {

// The kernels of few elements, of one stage over leaves in order that have n each; null where more is to be looked at.
// There are as few checks as may be: they take longer than few elements do.
inline const reduce_kernels* kernels_of_few(const whole_reduction& form, reduction how, index n, isa level) {
  const stage& only = *form.code->stages;
  if (n <= 0 || form.code->stage_count != 1 || only.kind != stage_kind::compute || only.input_count != form.count ||
      only.known == arithmetic::widened || only.known == arithmetic::widened_times || !is_detected(level))
    return nullptr;
  const reduce_kernels* const k = find_kernels(how, only.type, level);
  return k != nullptr && k->one != nullptr ? k : nullptr;
}
// Such elements, of which the program's kernel evaluates a strip at most on the stack first.
void reduce_computed_strip(const stage& only, const slot* leaves, index n, const reduce_kernels& k, isa level,
                           void* to);

// As reduce_whole, by a plan, which is given instead where `plan` is not null.
void reduce_planned(const slot* leaves, const index* extents, void* to, const whole_reduction& form, reduction how,
                    const options& o, reduction_plan* plan = nullptr);

// What such a reduction does, as a plan. Leaves that other reductions of one element give are numbers by then.
reduction_plan plan_whole(const source& s, const options& o);

}  // namespace broadloom::runtime
