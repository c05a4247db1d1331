// Reductions over pairs: some operands lack the rows of the result, the others its columns.
#include "reducer.hpp"

#include <cstring>

#include <broadloom/core/isa.hpp>

#include "../base/frame.hpp"
#include "../move/copy.hpp"
#include "../move/small_copy.hpp"

namespace broadloom::runtime {

reducer::pairing reducer::pairs_up() const {
  if (tile_ == nullptr || tile_->run[static_cast<int>(active_isa())] == nullptr) return pairing::none;
  if (kept_.size() < 2 || sequence_.size() != 1 || length_ < 64 / size_ || length_ > strip_length) return pairing::none;
  const loop_axis &first = kept_[kept_.size() - 2], &last = kept_.back();
  const auto fits = [this](const loop_axis& rows, const loop_axis& columns) {
    if (rows.extent < tile_height || columns.extent < 32) return false;
    bool along_rows = false, along_columns = false;
    const stage& only = p_.code.stages[0];
    for (int j = 0; j < only.input_count; ++j) {
      const auto k = static_cast<std::size_t>(only.inputs[j]);
      if (p_.operands[k].is_scalar) continue;
      const bool is_row = (tile_->rows >> j & 1) != 0;
      if ((is_row ? columns : rows).steps[k] != 0) return false;
      (is_row ? along_rows : along_columns) |= (is_row ? rows : columns).steps[k] != 0;
    }
    return along_rows && along_columns;
  };
  return fits(first, last) ? pairing::upright : fits(last, first) ? pairing::turned : pairing::none;
}

// A task: some rows of tiles for some columns. The columns' operands are packed first, with the reduced axis slowest. A
// few of the rows at a time are packed too, and stay in the first-level cache together with the columns of a tile.
void reducer::run_tiles(bool turned) const {
  const loop_axis &rows = kept_[kept_.size() - (turned ? 1 : 2)], &columns = kept_[kept_.size() - (turned ? 2 : 1)];
  const stage& only = p_.code.stages[0];
  const int level = static_cast<int>(active_isa());
  const index lanes = tile_->lanes[level], width = tile_vectors * lanes;
  const index fits = (index{1} << 17) / (length_ * size_ * width);  // packed columns stay in the second-level cache
  const index most = width * (fits < 1 ? 1 : smaller(fits, divide_up(columns.extent, width)));
  const index parts = divide_up(columns.extent, most);
  index outer = 1;
  for (std::size_t i = 0; i + 2 < kept_.size(); ++i) outer *= kept_[i].extent;
  index bands = divide_up(rows.extent, 256);
  if (const index wanted = 4 * threads_; threads_ > 1 && outer * parts * bands < wanted)
    bands = smaller(divide_up(wanted, outer * parts), divide_up(rows.extent, 4 * tile_height));
  const index band = divide_up(divide_up(rows.extent, bands), tile_height) * tile_height;
  bands = divide_up(rows.extent, band);
  index at_once = 16384 / (length_ * size_) / tile_height * tile_height;
  at_once = smaller(at_once < tile_height ? tile_height : at_once, band);
  const auto is_row = [&](int j) { return (tile_->rows >> j & 1) != 0; };
  const auto input_bytes = [&](int j) {  // of one operand's packed elements
    const auto k = static_cast<std::size_t>(only.inputs[j]);
    const index bytes =
        p_.operands[k].is_scalar ? 0 : length_ * size_of(only.input_types[j]) * (is_row(j) ? at_once : most);
    return (bytes + 63) & ~index{63};
  };
  index bytes = 0;
  for (int j = 0; j < only.input_count; ++j) bytes += input_bytes(j);
  const index sums = tile_height * width * size_ * 6;
  each_task(outer * parts * bands, [&](index t, box_plans&) {
    const index first_row = t % bands * band, first_column = t / bands % parts * most;
    const index last_row = smaller(first_row + band, rows.extent), count = smaller(most, columns.extent - first_column);
    index origin[first_stage];
    origin_of(t / bands / parts, kept_.size() - 2, origin);
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
          moved[j] = {static_cast<const std::byte*>(slots[j].data) + (stays ? 0 : c * length_ * size), slots[j].row};
          down[j] = is_row(j) ? tile_height * slots[j].row * size : 0;  // 0 for a number
        }
        for (index i = 0; i < here; i += tile_height) {
          tile_->run[level](moved.data(), length_, f.data());
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
              along = sequence_[0].steps[static_cast<std::size_t>(k)] * size;
  const std::byte* const from = static_cast<const std::byte*>(x.data) + origin[k] * size + first * step;
  for (index c = 0; c < count; c += width) {
    std::byte* const panel = to + c * length_ * size;
    const index filled = smaller(width, count - c);
    if (filled == width) {
      gather(panel, from + c * step, size_of(x.type), length_, width, along, step);
      continue;
    }
    for (index s = 0; s < length_; ++s) {
      std::byte* const row = panel + s * width * size;
      gather(row, from + c * step + s * along, size_of(x.type), 1, filled, 0, step);
      splat(row + filled * size, row + (filled - 1) * size, size_of(x.type), width - filled);
    }
  }
}

// Packs rows; the last one is repeated if the last tile has more. Returns the number of elements from row to row.
index reducer::pack_rows(std::byte* to, const index* origin, int k, const loop_axis& rows, index first,
                         index count) const {
  const operand& x = p_.operands[k];
  const index size = size_of(x.type), across = rows.steps[static_cast<std::size_t>(k)] * size,
              along = sequence_[0].steps[static_cast<std::size_t>(k)] * size;
  const std::byte* const from = static_cast<const std::byte*>(x.data) + origin[k] * size + first * across;
  if (across == 0) {
    gather(to, from, size_of(x.type), 1, length_, 0, along);
    return 0;
  }
  gather(to, from, size_of(x.type), count, length_, across, along);
  for (index i = count; i % tile_height != 0; ++i)
    std::memcpy(to + i * length_ * size, to + (count - 1) * length_ * size, static_cast<std::size_t>(length_ * size));
  return length_;
}

// A tile whose rows run along the last axis of the result.
void reducer::scatter(std::byte* to, const std::byte* from, int size, index high, index wide, index width) const {
  const loop_axis& rows = kept_.back();
  for (index c = 0; c < wide; ++c) gather(to + c * rows.extent * size, from + c * size, size, 1, high, 0, width * size);
}

}  // namespace broadloom::runtime
