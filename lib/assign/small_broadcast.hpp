// Small evaluations of one loop, without a plan: as one run of elements, or row by row.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"
#include "../plan/route.hpp"

namespace broadloom::runtime {

using limits::unplanned::max_unplanned;

// n elements of inputs that lie apart from the output, or are numbers.
void run_disjoint(const stage& only, const slot* inputs, void* out, index n, int level);
// The same where they are known to be no whole number of this level's vectors.
void run_disjoint_with_tail(const stage& only, const slot* inputs, void* out, index n, int level);

// A tree of one loop, at most max_unplanned elements, whose leaves broadcast. Extents are two for the output and for
// each leaf. `disjoint`: no leaf overlaps the output; else each does not or coincides with it. Runs the route that it
// returns; `planned`, and nothing done, where a leaf does not fit and where a plan is faster.
route run_broadcast(const slot* leaves, const index* extents, void* out, const unplanned_form& form, bool disjoint);
// The route of the same.
route choose_broadcast(const slot* leaves, const index* extents, const unplanned_form& form, bool disjoint);

// Two leaves, of which number `broadcast` is a row or a column, and rows of one vector of the level or half of one.
void run_short_rows_v3(const slot* leaves, const index* extents, void* out, const unplanned_form& form, int broadcast);
void run_short_rows_v4(const slot* leaves, const index* extents, void* out, const unplanned_form& form, int broadcast);

}  // namespace broadloom::runtime
