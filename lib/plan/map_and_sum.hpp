// Programs whose rows a function's loop computes and adds up: a function, or a difference or product of two operands
// and a function of that.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../maths/find.hpp"

namespace broadloom::runtime {

struct map_and_sum_form {
  bool works = false;
  before how = before::nothing;
  int x = 0, by = 0;  // operands: of rows, and of one number for each, where there is one; else x
};

// `is_row(k)`: whether operand k has all elements of its rows.
template <class IsRow>
map_and_sum_form find_map_and_sum(const program& code, const IsRow& is_row) {
  const stage &first = code.stages[0], &last = code.stages[code.stage_count - 1];
  map_and_sum_form f;
  if (code.stage_count > 2 || last.kind != stage_kind::strip1) return f;
  f.x = f.by = first.inputs[0];
  if (code.stage_count == 2) {
    if ((first.known != arithmetic::minus && first.known != arithmetic::times) || last.inputs[0] != first_stage)
      return f;
    if (first.type != last.type || first.input_types[0] != last.type || first.input_types[1] != last.type) return f;
    f.how = first.known == arithmetic::minus ? before::minus : before::times;
    f.by = first.inputs[1];
    if (f.how == before::times && !is_row(f.x)) {
      f.by = f.x;
      f.x = first.inputs[1];
    }
  }
  f.works = is_row(f.x);
  return f;
}

}  // namespace broadloom::runtime
