// The ways from a bound tree to its loops, as values: assign() runs the one that is chosen, explain() prints it.
#pragma once

#include "blocks.hpp"

namespace broadloom::runtime {

enum class route : unsigned char {
  no_elements,
  // Without a plan: row-major leaves of rank 1 or 2, one kernel.
  at_once,            // one call for up to one vector, which is read whole before it is written
  one_call,           // one call of the kernel over all elements
  one_call_and_tail,  // the last vector overlaps the one before it
  in_place,           // a leaf coincides with the output: the tail is computed first
  one_function,       // a transcendental function over all elements
  row_vectors,        // rows of one vector, all in one call
  row_by_row,         // a call for each row
  materialized_rows,  // leaves that broadcast are materialized on the stack; one call
  // With bound leaves.
  on_stack,           // leaves that are not row-major are materialized on the stack; one call for each stage
  barriers_on_stack,  // barriers are computed on the stack, then the tree that reads them
  barrier_in_output,  // the tree is a barrier, which is computed in the output's memory
  gathered,           // selected rows are read where they are
  whole_barriers,     // barriers are computed whole, then the tree that reads them
  row_blocks,         // barriers and tree go together by blocks of rows
  row_executor,       // by rows that stay in the first-level cache, one step after the other
  row_pipeline,       // the same, the last step two rows behind the others
  // What a plan does before its loop nest.
  shared_stages,
  hoisted_part,
  copied_operands,
  copied_result,
  // The loop nest, by its blocks.
  flat,
  rows,
  tiles,
  merged_rows,
  // Several assignments at once.
  several_in_blocks,
  several_in_order,
  // Not a way by itself: the leaves have to be bound first.
  planned,
  with_ramps  // the same, but never on the stack: leaves are computed strip by strip
};

const char* to_string(route r);

inline route route_of(block_kind k) { return static_cast<route>(static_cast<int>(route::flat) + static_cast<int>(k)); }

// Routes are counted in a build for tests only, so that nothing is spent on it in the library.
#if defined(BROADLOOM_COUNT_ROUTES)
BROADLOOM_API extern void (*route_taken)(const char* name);
// What runs within another route is part of that one.
class part_of_route {
 public:
  part_of_route();
  ~part_of_route();
  part_of_route(const part_of_route&) = delete;
  part_of_route& operator=(const part_of_route&) = delete;
};
void took(route r);
#else
struct part_of_route {
  ~part_of_route() {}
};
inline void took(route) {}
#endif

}  // namespace broadloom::runtime
