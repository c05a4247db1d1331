// Small evaluations of one loop, without a plan: as one run of elements, or row by row.
#pragma once

#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "../base/limits.hpp"
#include "unplanned.hpp"

namespace broadloom::runtime {

using limits::unplanned::max_unplanned;

// A tree of one loop, at most max_unplanned elements, whose leaves broadcast. Extents are two for the output and for
// each leaf. `disjoint`: no leaf overlaps the output; else each does not or coincides with it. Runs the way that
// it returns; `planned`, and nothing done, where a leaf does not fit and where a plan is faster.
unplanned_way run_broadcast(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                            bool disjoint);
// The way of the same.
unplanned_way choose_broadcast(const slot* leaves, const index* extents, const unplanned_form& form, bool disjoint);

}  // namespace broadloom::runtime
