// Small evaluations of one loop, without a plan: as one run of elements, or row by row.
#pragma once

#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "../base/limits.hpp"
#include "../plan/route.hpp"

namespace broadloom::runtime {

using limits::unplanned::max_unplanned;

// A tree of one loop, at most max_unplanned elements, whose leaves broadcast. Extents are two for the output and for
// each leaf. `disjoint`: no leaf overlaps the output; else each does not or coincides with it. Runs the route that it
// returns; `planned`, and nothing done, where a leaf does not fit and where a plan is faster.
route run_broadcast(const slot* leaves, const index* extents, void* out, const unplanned_form& form, bool disjoint);
// The route of the same.
route choose_broadcast(const slot* leaves, const index* extents, const unplanned_form& form, bool disjoint);

// Leaves of other extents than an output of two axes: at once where rows are one vector of the level or half of one
// (short_rows.hpp), and assign_no_short_rows() where not. The check of each leaf is its preparation, too.
void assign_short_rows_v3(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
void assign_short_rows_v4(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
void assign_no_short_rows(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
// Whether they are run at once.
bool are_short_rows_v3(const slot* leaves, const index* extents, const void* out, const unplanned_form& form);
bool are_short_rows_v4(const slot* leaves, const index* extents, const void* out, const unplanned_form& form);

}  // namespace broadloom::runtime
