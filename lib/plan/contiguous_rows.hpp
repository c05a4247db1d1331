// Reductions without loops of their own: rows of few elements that lie in row-major order, and columns. Planning a nest
// would be most of the time, so the plan is three bytes, made from the program, extents and kernels alone.
#pragma once

#include <broadloom/expr/ramp.hpp>

#include "reduction.hpp"

namespace broadloom::runtime {

// Elements of products that are added up interleaved without a plan; and with one, bytes of a row of one array or of
// two: they come from the second-level cache. Longer ones go one strip after the other.
inline constexpr index max_product_bytes = index{1} << 17;
inline constexpr index max_product_elements = limits::reducing::strips_together * strip_length;

inline bool is_one_stage(const program& code) {
  return code.stage_count == 1 && code.stages[0].input_count <= max_short_inputs;
}
// Elements of rows that are reduced without a nest. Of a stage as many as take some 3 us, which is not worth a thread:
// norms and variances of rows would be planned by blocks of rows, which takes 1 to 1.5 us more.
inline constexpr index max_computed_elements = 2 * limits::reducing::unplanned_rows_elements;
inline index most_in_rows(const stage& only) {
  return only.copies ? limits::reducing::unplanned_elements : max_computed_elements;
}

// Whether the reduced axes of few elements are the last ones: `rows` rows of n elements.
bool are_rows(const index* extents, index rank, unsigned reduced, index most, index& rows, index& n);

// Whether the leaf is a row-major array of the elements' extents; a number, or an array of one for each row, with 1 for
// the reduced axes.
inline bool has_all_elements(const leaf_array& x, const source& s) {
  if (x.is_scalar || x.strides != nullptr || x.rank != s.in_rank) return false;
  for (int i = 0; i < x.rank; ++i)
    if (x.extents[i] != s.in_extents[i]) return false;
  return true;
}
bool is_one_of_each_row(const leaf_array& x, const source& s);

// What `rows` contiguous rows of n elements read: inputs are scalars (advance 0) or contiguous, or of one number for
// each row (advance 0 and a bit of `by_row`), or one row for all (a bit of `shared`), or ramps that kernels count.
struct row_inputs {
  index rows, n;
  unsigned by_row = 0, shared = 0;
  unsigned numbers = 0;  // arrays of one element for each row or for all; kernels read vectors of them, not of scalars
  bool has_ramps = false;
};
// The inputs of a source whose first axes are reduced: `rows` rows of few elements. Inputs are as above, `shared` those
// of one row for all. The program is a stage, a function, or a function of a stage. False if the source is something
// else.
struct column_inputs {
  index rows = 0, columns = 0;
  const stage* function = nullptr;
  unsigned shared = 0;
  slot inputs[max_short_inputs];
};
bool bind_columns(const source& s, const leaf_array* leaves, column_inputs& to);
// Whether so many columns are few.
inline bool are_few_columns(index rows, index columns) {
  const index n = rows * columns;
  return n != 0 && n <= limits::reducing::unplanned_columns_elements &&
         columns * 64 <= limits::reducing::unplanned_lanes_bytes;
}
// The inputs of such columns of a stage; false if one is something else.
bool bind_columns(const source& s, const leaf_array* leaves, index rows, index columns, column_inputs& to);
// The inputs of a source's stage; false if one is something else.
bool bind_rows(const source& s, const leaf_array* leaves, slot* inputs, row_inputs& to);
// Those of a problem, all of which are contiguous or scalars.
bool bind_rows(const problem& p, slot* inputs, row_inputs& to);

// How many of one or two inputs are arrays, the first always.
inline int arrays_of(const stage& only, const slot* inputs) {
  return only.input_count > 1 && inputs[1].advance != 0 ? 2 : 1;
}

// `Kernels` says what there is: widens(), widens_rows(n), widens_squares(inputs, n), exists(), has_parts(), finishes(),
// finds_indices(), adds_products(inputs), reduces_rows(), level().
template <class Kernels>
[[gnu::always_inline]] inline reduction_way plan_rows(const stage& only, const slot* inputs, const row_inputs& x,
                                                      Kernels&& k) {
  constexpr auto rows = reduction_loops::rows;
  constexpr reduction_way none{rows, reduction_input::scratch, false};
  if (k.widens()) {
    bool contiguous = !x.has_ramps && x.shared == 0;
    for (int j = 0; j < only.input_count; ++j) contiguous = contiguous && inputs[j].advance != 0;
    if (!contiguous) return none;
    const bool are_few = x.n <= limits::reducing::widened_row * size_of(only.input_types[0]);
    if (x.rows > 1 && are_few && !k.widens_rows(x.n) && may_be_short_rows(only, x.n, 0, true, k.level()))
      return {reduction_loops::short_rows, reduction_input::scratch};
    return {rows, reduction_input::widened};
  }
  if (!k.exists()) return none;
  if (only.copies && !x.has_ramps) {
    if (inputs[0].advance == 0 || x.shared != 0) return none;
    if (k.finds_indices()) return {reduction_loops::indices, reduction_input::memory};
    return k.finishes() && x.rows != 1 ? none : reduction_way{rows, reduction_input::memory};
  }
  if (only.input_count > max_short_inputs || x.n > limits::reducing::unplanned_elements || k.has_parts() ||
      only.kind != stage_kind::compute)
    return none;
  if (x.rows > 1 && !x.has_ramps && k.widens_squares(inputs, x.n)) return {rows, reduction_input::widened};
  const index bytes = x.n * size_of(only.type);
  const bool adds_products =
      !x.has_ramps && bytes <= max_product_bytes / arrays_of(only, inputs) && k.adds_products(inputs);
  if (adds_products && bytes >= 64) return {rows, reduction_input::products};
  if (x.rows > 1 && may_be_short_rows(only, x.n, x.by_row | x.shared, !k.finds_indices(), k.level()))
    return {reduction_loops::short_rows, reduction_input::scratch};
  if (adds_products) return {rows, reduction_input::products};
  if (k.reduces_rows()) return {rows, reduction_input::kernel};
  return x.has_ramps || k.finds_indices() || k.finishes() ? none : reduction_way{rows, reduction_input::scratch};
}

}  // namespace broadloom::runtime
