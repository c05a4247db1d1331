// How a reduction with a nest goes: which loops are tried, and the tasks of those over rows of tables and over pairs.
#include "reduction_planner.hpp"

namespace broadloom::runtime {

reduction_plan reduction_planner::plan(const contraction* pairs) {
  bool selects = false, has_ramps = false;
  for (int k = 0; k < p_.operand_count; ++k) {
    selects = selects || p_.operands[k].at != nullptr;
    has_ramps = has_ramps || p_.operands[k].is_ramp;
  }
  if (selects)
    selected_rows();
  else if (pairs != nullptr)
    contract(*pairs);
  else if (k_.op == reduction::arg_maximum || k_.op == reduction::arg_minimum)
    indices();
  else if (has_ramps)  // as other ways read operands in memory
    along_kept() ? columns() : counts_ramps() && are_kernel_rows() ? kernel_rows() : rows();
  else if (const reduction_loops t = find_tiles(); t != reduction_loops::rows)
    tiles(t);
  else if (along_kept())
    columns();
  else if (are_widened_rows())
    rows_of_arrays(reduction_input::widened);
  else if (are_widened())
    widened();
  else if (are_product_rows())
    rows_of_arrays(reduction_input::products);
  else if (rows_lie_in_line() && are_short_rows())
    short_rows();
  else if (are_kernel_rows())
    kernel_rows();
  else
    rows();
  return to_;
}

// Sequences whose rows are located and prefetched together: enough to hide the latency of memory, and no more than
// fits the first-level cache together with the rows that are read.
void reduction_planner::selected_rows() {
  to_.loops = reduction_loops::selected_rows;
  to_.input = reduction_input::kernel;
  to_.inside = n_.kept.back().extent;
  to_.side = n_.results / to_.inside;
  const index fit = 32768 / (to_.inside * size_);
  to_.block = divide_up(fit < 16 ? 16 : smaller(fit, 128), n_.length);
  to_.tasks = divide_up(to_.side, to_.block);
}

// Packed columns stay in the second-level cache, the rows that go over them in the first-level cache, sums of strips
// in the last one. Packing a column costs as much as some rows of it.
void reduction_planner::contract(const contraction& c) {
  using namespace limits::contracting;
  to_.loops = reduction_loops::contraction;
  to_.input = reduction_input::kernel;
  const index width = k_.contraction_columns, of_column = smaller(c.along.extent, strip_length) * size_;
  index columns = smaller(round_up(c.columns.extent, width), width * (1 + column_bytes / (width * of_column)));
  index rows = smaller(round_up(c.rows.extent, tile_height), c.along.extent > strip_length ? rows_of_sums : max_rows);
  const auto tasks = [&] { return c.results * divide_up(c.columns.extent, columns) * divide_up(c.rows.extent, rows); };
  const index wanted = to_.threads == 1 ? 1 : 4 * to_.threads;
  while (tasks() < wanted && columns >= 2 * min_columns_of_task) columns = round_up(columns / 2, width);
  while (tasks() < wanted && rows >= 2 * min_rows_of_task) rows = round_up(rows / 2, tile_height);
  const index at_once = limits::contracting::row_bytes / of_column / tile_height * tile_height;
  to_.side = c.columns.extent;
  to_.block = columns;
  to_.band = rows;
  to_.packed = smaller(at_once < tile_height ? tile_height : at_once, rows);
  to_.tasks = tasks();
}

reduction_loops reduction_planner::find_tiles() const {
  const pair_reduce_kernel* const tile = k_.fused.tile;
  constexpr auto none = reduction_loops::rows;
  if (tile == nullptr || tile->run[static_cast<int>(k_.level)] == nullptr) return none;
  if (n_.kept.size() < 2 || n_.sequence.size() != 1 || n_.length < 64 / size_ || n_.length > strip_length) return none;
  const loop_axis &first = n_.kept[n_.kept.size() - 2], &last = n_.kept.back();
  const auto fits = [&](const loop_axis& rows, const loop_axis& columns) {
    if (rows.extent < tile_height || columns.extent < 32) return false;
    bool along_rows = false, along_columns = false;
    for (int j = 0; j < only_.input_count; ++j) {
      const int k = only_.inputs[j];
      if (p_.operands[k].is_scalar) continue;
      const bool is_row = (tile->rows >> j & 1) != 0;
      if (step(is_row ? columns : rows, k) != 0) return false;
      (is_row ? along_rows : along_columns) |= step(is_row ? rows : columns, k) != 0;
    }
    return along_rows && along_columns;
  };
  return fits(first, last) ? reduction_loops::tiles : fits(last, first) ? reduction_loops::turned_tiles : none;
}

// A task: some rows of tiles for some columns, which are packed first and stay in the second-level cache. A few of
// the rows at a time are packed too, and stay in the first-level cache together with the columns of a tile.
void reduction_planner::tiles(reduction_loops loops) {
  const bool turned = loops == reduction_loops::turned_tiles;
  const std::size_t axes = n_.kept.size();
  const index rows = n_.kept[axes - (turned ? 1 : 2)].extent, columns = n_.kept[axes - (turned ? 2 : 1)].extent;
  const index width = tile_vectors * k_.fused.tile->lanes[static_cast<int>(k_.level)];
  const index fits = (index{1} << 17) / (n_.length * size_ * width), outer = n_.results / (rows * columns);
  to_.loops = loops;
  to_.input = reduction_input::kernel;
  to_.side = columns;
  to_.block = width * (fits < 1 ? 1 : smaller(fits, divide_up(columns, width)));
  const index parts = divide_up(columns, to_.block);
  index bands = divide_up(rows, 256);
  if (const index wanted = 4 * to_.threads; to_.threads > 1 && outer * parts * bands < wanted)
    bands = smaller(divide_up(wanted, outer * parts), divide_up(rows, 4 * tile_height));
  to_.band = divide_up(divide_up(rows, bands), tile_height) * tile_height;
  const index at_once = 16384 / (n_.length * size_) / tile_height * tile_height;
  to_.packed = smaller(at_once < tile_height ? tile_height : at_once, to_.band);
  to_.tasks = outer * parts * divide_up(rows, to_.band);
}

reduction_plan plan_reduction(const problem& p, const reduction_nest& n, const reduction_kernels& k,
                              const contraction* pairs) {
  return reduction_planner(p, n, k).plan(pairs);
}

}  // namespace broadloom::runtime
