// What a tree's deferred leaves are computed from, put in order: what depends on the rows of the output alone is
// computed a block of rows at a time, so that it is still in cache when the consumer reads it; the rest is computed
// first.
#pragma once

#include <broadloom/plan/explain.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// Where the tree is a barrier's result, as it is, and the output has no gaps: computed where it belongs. False, and
// nothing done, where it is not that.
bool compute_in_place(const target_array& out, const leaf_array* leaves, int count, const program& code,
                      const options& how);

// An assignment some of whose leaves are deferred.
void assign_with_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                          const options& how);

// Tells which passes that assignment makes before the last one.
void describe_barriers(const target_array& out, const leaf_array* leaves, int count, const options& how,
                       explanation& x);

}  // namespace broadloom::runtime
