// Reductions of contiguous rows in one go, without a plan.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// Reduces the last axes of few elements that lie in row-major order, by one kernel; false, and nothing is done, where p
// is not that. The bits are those of a planned reduction.
bool reduce_contiguous(const problem& p, unsigned reduced, reduction op, const row_reduce_kernel* rows_kernel);

// The same of a source whose leaves, in memory now, are scalars or row-major arrays of its extents; and of the first
// axes of an array.
bool reduce_leaves(const source& s, const leaf_array* leaves, void* to);

// Whether a source of few elements reduces its last axes; and that, of its program's elements in row-major memory.
bool reduces_rows(const source& s);
void reduce_rows(const source& s, const void* elements, void* to);

}  // namespace broadloom::runtime
