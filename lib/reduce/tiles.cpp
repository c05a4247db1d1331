// Reductions over pairs: some operands lack the rows of the result, the others its columns.
#include "reducer.hpp"

#include <broadloom/core/isa.hpp>

#include "../base/frame.hpp"
#include "../move/small_copy.hpp"
#include "packing.hpp"

namespace broadloom::runtime {

// A task: some rows of tiles for some columns. The columns' operands are packed first, with the reduced axis slowest. A
// few of the rows at a time are packed too, and stay in the first-level cache together with the columns of a tile.
void reducer::run_tiles() const {
  const bool turned = plan_.loops == reduction_loops::turned_tiles;
  const pair_reduce_kernel* const tile = found_.fused.tile;
  const loop_axis &rows = axes_.kept[axes_.kept.size() - (turned ? 1 : 2)],
                  &columns = axes_.kept[axes_.kept.size() - (turned ? 2 : 1)];
  const stage& only = p_.code.stages[0];
  const int level = static_cast<int>(active_isa());
  const index lanes = tile->lanes[level], width = tile_vectors * lanes;
  const index most = plan_.block, band = plan_.band, at_once = plan_.packed;
  const index parts = divide_up(columns.extent, most), bands = divide_up(rows.extent, band);
  const auto is_row = [&](int j) { return (tile->rows >> j & 1) != 0; };
  const auto input_bytes = [&](int j) {  // of one operand's packed elements
    const auto k = static_cast<std::size_t>(only.inputs[j]);
    const index bytes =
        p_.operands[k].is_scalar ? 0 : axes_.length * size_of(only.input_types[j]) * (is_row(j) ? at_once : most);
    return (bytes + 63) & ~index{63};
  };
  index bytes = 0;
  for (int j = 0; j < only.input_count; ++j) bytes += input_bytes(j);
  const index sums = tile_height * width * size_ * 6;
  each_task(plan_.tasks, [&](index t, box_plans&) {
    const index first_row = t % bands * band, first_column = t / bands % parts * most;
    const index last_row = smaller(first_row + band, rows.extent), count = smaller(most, columns.extent - first_column);
    index origin[first_stage];
    origin_of(t / bands / parts, axes_.kept.size() - 2, origin);
    std::byte* const out =
        static_cast<std::byte*>(p_.out) + t / bands / parts * rows.extent * columns.extent * out_size_;
    const frame f(static_cast<std::size_t>(bytes + sums));
    small_array<pair_slot, 16> slots(static_cast<std::size_t>(only.input_count));
    small_array<pair_slot, 16> moved(static_cast<std::size_t>(only.input_count));
    small_array<index, 16> down(static_cast<std::size_t>(only.input_count));  // bytes to the next tile below
    std::byte* at = f.data() + sums;
    for (int j = 0; j < only.input_count; ++j) {
      const operand& x = p_.operands[only.inputs[j]];
      slots[j] = {x.is_scalar ? x.data : at, 0};
      if (!x.is_scalar && !is_row(j)) pack_columns(at, x, origin, only.inputs[j], columns, first_column, count, width);
      at += input_bytes(j);
    }
    for (index r = first_row; r < last_row; r += at_once) {
      const index here = smaller(at_once, last_row - r);
      for (int j = 0; j < only.input_count; ++j)
        if (is_row(j) && !p_.operands[only.inputs[j]].is_scalar)
          slots[j].row = pack_rows(static_cast<std::byte*>(const_cast<void*>(slots[j].data)), origin, only.inputs[j],
                                   rows, r, here);
      for (index c = 0; c < count; c += width) {
        for (int j = 0; j < only.input_count; ++j) {
          const bool stays = is_row(j) || p_.operands[only.inputs[j]].is_scalar;
          const index size = size_of(only.input_types[j]);
          moved[j] = {static_cast<const std::byte*>(slots[j].data) + (stays ? 0 : c * axes_.length * size),
                      slots[j].row};
          down[j] = is_row(j) ? tile_height * slots[j].row * size : 0;  // 0 for a number
        }
        for (index i = 0; i < here; i += tile_height) {
          tile->run[level](moved.data(), axes_.length, f.data());
          for (int j = 0; j < only.input_count; ++j)
            moved[j].data = static_cast<const std::byte*>(moved[j].data) + down[j];
          const index high = smaller(tile_height, here - i), wide = smaller(width, count - c);
          if (turned)
            scatter(out + ((first_column + c) * rows.extent + r + i) * out_size_, f.data(), size_, high, wide, width);
          else
            for (index k = 0; k < high; ++k)
              copy_small(out + ((r + i + k) * columns.extent + first_column + c) * out_size_,
                         f.data() + k * width * size_, static_cast<std::size_t>(wide * size_));
        }
      }
    }
  });
}

// A panel for each tile: its elements are contiguous along the reduced axis, so they do not compete for cache sets.
void reducer::pack_columns(std::byte* to, const operand& x, const index* origin, int k, const loop_axis& columns,
                           index first, index count, index width) const {
  const index size = size_of(x.type);
  const index step = columns.steps[static_cast<std::size_t>(k)] * size,
              along = axes_.sequence[0].steps[static_cast<std::size_t>(k)] * size;
  const std::byte* const from = static_cast<const std::byte*>(x.data) + origin[k] * size + first * step;
  for (index c = 0; c < count; c += width)
    pack_tile_columns(to + c * axes_.length * size, from + c * step, size_of(x.type), axes_.length, count - c, width,
                      along, step);
}

// Packs rows; the last one is repeated if the last tile has more. Returns the number of elements from row to row.
index reducer::pack_rows(std::byte* to, const index* origin, int k, const loop_axis& rows, index first,
                         index count) const {
  const operand& x = p_.operands[k];
  const index size = size_of(x.type), across = rows.steps[static_cast<std::size_t>(k)] * size,
              along = axes_.sequence[0].steps[static_cast<std::size_t>(k)] * size;
  const std::byte* const from = static_cast<const std::byte*>(x.data) + origin[k] * size + first * across;
  if (across == 0) {
    gather(to, from, size_of(x.type), 1, axes_.length, 0, along);
    return 0;
  }
  pack_tile_rows(to, from, size_of(x.type), count, axes_.length, across, along);
  return axes_.length;
}

// A tile whose rows run along the last axis of the result.
void reducer::scatter(std::byte* to, const std::byte* from, int size, index high, index wide, index width) const {
  const loop_axis& rows = axes_.kept.back();
  for (index c = 0; c < wide; ++c) gather(to + c * rows.extent * size, from + c * size, size, 1, high, 0, width * size);
}

}  // namespace broadloom::runtime
