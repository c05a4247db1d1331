// Small evaluations of one loop, without a plan: as one run of elements, or row by row.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"

namespace broadloom::runtime {

using limits::unplanned::max_unplanned;

// n elements of inputs that lie apart from the output, or are numbers.
void run_disjoint(const stage& only, const slot* inputs, void* out, index n, int level);
// The same where they are known to be no whole number of this level's vectors.
void run_disjoint_with_tail(const stage& only, const slot* inputs, void* out, index n, int level);

// A tree of one loop, at most max_unplanned elements, whose leaves broadcast. Extents are two for the output and for
// each leaf. `disjoint`: no leaf overlaps the output; else each does not or coincides with it. False, and nothing done,
// where a leaf does not fit, and where it is faster to write leaves out first.
bool assign_rows(const slot* leaves, const index* extents, void* out, const unplanned_form& form, bool disjoint);

// The same at once where rows are one vector and no leaf overlaps the output, and assign_rows_or_planned() where not.
void assign_plain_rows(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
void assign_rows_or_planned(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                            options how);

// The same for leaves that lie anywhere: at once where few rows are one vector of the level or half of one, and
// assign_differing_extents() where not.
void assign_rows_v3(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
void assign_rows_v4(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
void assign_differing_extents(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                              options how);

}  // namespace broadloom::runtime
