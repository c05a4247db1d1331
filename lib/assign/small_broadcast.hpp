// Small evaluations of one loop, without a plan: as one run of elements, or row by row.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"

namespace broadloom::runtime {

using limits::unplanned::most_unplanned;

// n elements of inputs that lie apart from the output, or are numbers.
void run_apart(const stage& only, const slot* inputs, void* out, index n, int level);
// The same where they are known to be no whole number of this level's vectors.
void run_odd_apart(const stage& only, const slot* inputs, void* out, index n, int level);

// A tree of one loop, at most most_unplanned elements, whose leaves broadcast. Extents are two for the output and for
// each leaf. `apart`: no leaf overlaps the output; else each does not or coincides with it. False, and nothing done,
// where a leaf does not fit, and where it is faster to write leaves out first.
bool assign_rows(const slot* leaves, const index* extents, void* out, const alike_form& form, bool apart);

// The same at once where rows are one vector and no leaf overlaps the output, and assign_otherwise() where not.
void assign_plain_rows(const slot* leaves, const index* extents, void* out, const alike_form& form, options how);
void assign_otherwise(const slot* leaves, const index* extents, void* out, const alike_form& form, options how);

// The same for leaves that lie anywhere: at once where few rows are one vector of the level or half of one, and
// assign_unlike() where not.
void assign_rows_v3(const slot* leaves, const index* extents, void* out, const alike_form& form, options how);
void assign_rows_v4(const slot* leaves, const index* extents, void* out, const alike_form& form, options how);
void assign_unlike(const slot* leaves, const index* extents, void* out, const alike_form& form, options how);

}  // namespace broadloom::runtime
