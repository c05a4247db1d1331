// How an assignment of few elements is run many times: decided once, and again when an array's memory has moved.
#pragma once

#include <broadloom/plan/unplanned.hpp>

namespace broadloom::runtime {

// assigned: as any other. kernel: one call of the library's loop. line: one loop in the caller. rows: two loops in the
// caller, where leaves broadcast.
enum class prepared_form : unsigned char { assigned, kernel, line, rows };

struct prepared_plan {
  prepared_form form;
  bool apart;  // no leaf coincides with the output
  kernel_fn run;
  index rows, columns, across;  // elements from row to row of the output
};

// Chooses the form for a program of one kernel and at most max_flat_inputs leaves in memory, for a caller whose own
// loops take `lanes` elements at a time. inputs[k].advance is -1 where leaf k moves along the columns; across[k] is its
// step from row to row in bytes.
BROADLOOM_API prepared_plan plan_prepared(const target_array& out, const leaf_array* leaves, int count,
                                          const program& code, int lanes, slot* inputs, index* across);

}  // namespace broadloom::runtime
