// Small evaluations with broadcast or strided operands: planning would take longer than they do.
#pragma once

#include <cstddef>

#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"

namespace broadloom::runtime {

// Evaluates a program over few elements and up to four axes. Operands that do not lie as a row-major output does are
// first written out in full on the stack, and so is the result where it goes to strided places. False, and nothing
// done, where that does not serve.
bool assign_small(const target_array& out, const leaf_array* leaves, int count, const program& code,
                  const options& how);

// Writes an array of rows or one row, and of columns or one column, out in full: rows * columns elements of `size`
// bytes each, and up to `overwritten` bytes behind them.
inline constexpr index overwritten = 32;
void materialize_rows(std::byte* to, const void* from, int size, index rows, index columns, index own_rows,
                      index own_columns);
using limits::unplanned::max_materialized;

}  // namespace broadloom::runtime
