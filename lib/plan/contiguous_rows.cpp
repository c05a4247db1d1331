// Which reductions are of contiguous rows or columns of few elements, and what these read.
#include "contiguous_rows.hpp"

#include "../base/smaller.hpp"
#include "blocks.hpp"

namespace broadloom::runtime {

bool are_rows(const index* extents, index rank, unsigned reduced, index most, index& rows, index& n) {
  index i = rank;
  n = rows = 1;
  for (; i > 0 && ((reduced >> (i - 1) & 1) != 0 || extents[i - 1] == 1); --i) n *= extents[i - 1];
  for (; i > 0; --i) {
    if ((reduced >> (i - 1) & 1) != 0 && extents[i - 1] != 1) return false;
    rows *= extents[i - 1];
  }
  return rows * n <= most;
}

namespace {

// Whether it is a row-major array of the axes that are reduced, or of the others, with 1 for the rest.
struct axes_of_leaf {
  axes_of_leaf(const leaf_array& x, const source& s) {
    if (x.is_scalar || x.strides != nullptr || x.rank > s.in_rank) return;
    index not_reduced = 0, not_kept = 0;
    for (int i = s.in_rank, j = x.rank; i-- > 0;) {
      const index own = j > 0 ? x.extents[--j] : 1, other = own ^ s.in_extents[i];
      if ((s.reduced >> i & 1) != 0) {
        not_reduced |= other;
        not_kept |= own ^ 1;
      } else {
        not_reduced |= own ^ 1;
        not_kept |= other;
      }
    }
    reduced = not_reduced == 0;
    kept = not_kept == 0;
  }
  bool reduced = false, kept = false;
};

}  // namespace

bool is_one_of_each_row(const leaf_array& x, const source& s) { return x.is_scalar || axes_of_leaf(x, s).kept; }

bool bind_rows(const source& s, const leaf_array* leaves, slot* inputs, row_inputs& to) {
  const stage& only = s.code->stages[0];
  for (int j = 0; j < only.input_count; ++j) {
    const leaf_array& x = leaves[only.inputs[j]];
    inputs[j] = {x.data, x.is_scalar ? 0 : -1};
    if (x.from != nullptr) {
      const bool is_row = x.rank == 1 && axes_of_leaf(x, s).reduced;
      if (x.from != &any_ramp || !(is_row || has_all_elements(x, s)) || !takes_ramps(only, x.type) ||
          !counts_exactly(x.type, x.offset, x.extents[0]))
        return false;
      inputs[j] = {moved(nullptr, x.offset * size_of(x.type)), ramp_advance};
      to.has_ramps = true;
      if (is_row) to.shared |= 1U << j;
      continue;
    }
    if (x.is_scalar || has_all_elements(x, s)) continue;
    const axes_of_leaf axes(x, s);
    if (axes.reduced) {
      to.shared |= 1U << j;
      continue;
    }
    if (!axes.kept) return false;
    inputs[j].advance = 0;
    to.numbers |= 1U << j;
    if (to.rows > 1) to.by_row |= 1U << j;
  }
  return true;
}

bool bind_rows(const problem& p, slot* inputs, row_inputs& to) {
  const stage& only = p.code.stages[0];
  for (int j = 0; j < only.input_count; ++j) {
    const operand& x = p.operands[only.inputs[j]];
    inputs[j] = {x.data, x.is_scalar ? 0 : -1};
    if (x.at != nullptr) return false;
    if (x.is_ramp) {
      const index first = static_cast<index>(reinterpret_cast<std::uintptr_t>(x.data)) / size_of(x.type);
      if (!takes_ramps(only, x.type) || !counts_exactly(x.type, first, to.rows * to.n)) return false;
      inputs[j].advance = ramp_advance;
      to.has_ramps = true;
    }
    index step = 1;
    for (index a = p.rank; a-- > 0 && !x.is_scalar;) {
      if (p.extents[a] == 1) continue;
      if (x.strides[a] != step) return false;
      step *= p.extents[a];
    }
  }
  return true;
}

bool bind_columns(const source& s, const leaf_array* leaves, index rows, index columns, column_inputs& to) {
  const stage& only = s.code->stages[0];
  bool has_rows = false;
  for (int j = 0; j < only.input_count; ++j) {
    const leaf_array& x = leaves[only.inputs[j]];
    if (x.from != nullptr) return false;
    to.inputs[j] = {x.data, x.is_scalar ? 0 : -1};
    if (x.is_scalar) continue;
    if (has_all_elements(x, s))
      has_rows = true;
    else if (!only.copies && is_one_of_each_row(x, s))  // each result's
      to.shared |= 1U << j;
    else
      return false;
  }
  to.rows = rows;
  to.columns = columns;
  return has_rows;
}

bool bind_columns(const source& s, const leaf_array* leaves, column_inputs& to) {
  const stage &only = s.code->stages[0], &last = s.code->stages[s.code->stage_count - 1];
  if (last.kind == stage_kind::strip1 && s.code->stage_count <= 2) {
    if (s.code->stage_count == 2 && last.inputs[0] != first_stage) return false;
    to.function = &last;
  } else if (s.code->stage_count != 1)
    return false;
  if (only.input_count > max_short_inputs || (only.kind != stage_kind::compute && &only != to.function)) return false;
  index rows = 1, columns = 1;
  int i = 0;
  for (; i < s.in_rank && ((s.reduced >> i & 1) != 0 || s.in_extents[i] == 1); ++i) rows *= s.in_extents[i];
  for (; i < s.in_rank; ++i) {
    if ((s.reduced >> i & 1) != 0 && s.in_extents[i] != 1) return false;
    columns *= s.in_extents[i];
  }
  return are_few_columns(rows, columns) && bind_columns(s, leaves, rows, columns, to);
}

}  // namespace broadloom::runtime
