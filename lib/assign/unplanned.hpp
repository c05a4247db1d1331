// Evaluations in one piece, without a plan, as explain() asks for them.
#pragma once

#include <broadloom/plan/explain.hpp>
#include <broadloom/plan/unplanned.hpp>

namespace broadloom::runtime {

// How a tree is evaluated in one piece. explain() prints it in these words.
enum class unplanned_way : unsigned char {
  planned,  // not at all: by a plan
  // Row-major leaves of rank 1 or 2, one kernel.
  one_vector,         // one call for up to one vector, which is read whole before it is written
  one_call,           // one call of the kernel over all elements
  one_call_and_tail,  // the last vector overlaps the one before it
  in_place,           // a leaf coincides with the output: the tail is computed first
  one_function,       // a transcendental function over all elements
  row_vectors,        // rows of one vector, all in one call
  row_by_row,         // a call for each row
  materialized_rows,  // leaves that broadcast are materialized on the stack; one call
  // Bound leaves.
  on_stack  // leaves that are not row-major are materialized on the stack; one call for each stage
};
const char* to_string(unplanned_way w);

// Describes an evaluation that runs in one piece this way.
explanation describe_at_once(const target_array& out, const leaf_array* leaves, int count, const program& code,
                             const options& how, unplanned_way way);

}  // namespace broadloom::runtime
