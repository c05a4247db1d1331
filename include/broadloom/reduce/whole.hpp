// Reductions of all elements to one, which need no plan where their leaves lie in row-major order.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// What compilers know of such a reduction.
struct whole_reduction {
  const program* code;
  const row_reduce_kernel* rows;  // null: none
  dtype result;
  unsigned char rank;   // of the elements
  unsigned char count;  // of leaves
};

// Reduces all elements of the program to *to. Leaves are scalars (advance 0) or row-major; `extents` are those of the
// elements, then those of each leaf with ones in front; a scalar has those of the elements. Elements that one kernel
// reads where they are, of equal extents, are reduced at once: `explain` is to name this "whole reduction". Others are
// planned as everywhere. The result has the bits of docs/reductions.md either way. Throws what reduce() throws.
BROADLOOM_API void reduce_whole(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                reduction how, const options& o);

}  // namespace broadloom::runtime
