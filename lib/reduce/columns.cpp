// Reductions whose last kept axis is contiguous: columns are reduced together.
#include "../base/limits.hpp"
#include "reducer.hpp"

#include <cstring>

#include "../base/frame.hpp"
#include "../base/memory_block.hpp"

namespace broadloom::runtime {

namespace {

using limits::reducing::tile_bytes;

}  // namespace

// The last kept axis is contiguous: tiles of columns; the lanes of a column are rows, one below the other.
void reducer::run_columns() const {
  const loop_axis& across = kept_.back();
  index outer = 1;
  for (std::size_t i = 0; i + 1 < kept_.size(); ++i) outer *= kept_[i].extent;
  const bool direct = plain_ && sequence_.size() == 1 && plain_step(across) == 1;
  const index most = (direct ? tile_bytes : tile_bytes / 4) / size_;
  index width = smaller(most, across.extent);
  const index wanted = 2 * threads_, side = outer * divide_up(across.extent, width);
  index segment = segment_length;
  while (threads_ > 1 && segment > strip_length && side * divide_up(length_, segment) < wanted) segment /= 2;
  const index segments = divide_up(length_, segment);
  if (threads_ > 1 && side * segments < wanted) {
    width = divide_up(divide_up(across.extent, divide_up(wanted, outer * segments)), 64) * 64;
    width = smaller(width, smaller(most, across.extent));
  }
  const index tiles = divide_up(across.extent, width);
  if (segments == 1) {
    each_task(outer * tiles, [&](index t, box_plans& plan) {
      const index column = t % tiles * width;
      task_of_columns(direct, t / tiles, column, smaller(width, across.extent - column), 0, length_,
                      static_cast<std::byte*>(p_.out) + (t / tiles * across.extent + column) * out_size_, true, plan);
    });
    return;
  }
  const index row = across.extent * part_;  // bytes of a partial result
  const memory_block partial(outer * segments * row);
  each_task(outer * segments * tiles, [&](index t, box_plans& plan) {
    const index column = t % tiles * width, s = t / tiles;
    const index first = s % segments * segment;
    task_of_columns(direct, s / segments, column, smaller(width, across.extent - column), first,
                    smaller(segment, length_ - first), partial.data() + s * row + column * size_, false, plan);
  });
  for (index i = 0; i < outer; ++i)
    tree_to_results(partial.data() + i * segments * row, segments, across.extent,
                    static_cast<std::byte*>(p_.out) + i * across.extent * out_size_);
}

// Elements [first, first + n) of each column. `finished`: `to` gets results, else its part of a partial result of all
// columns.
void reducer::task_of_columns(bool direct, index outer, index column, index columns, index first, index n,
                              std::byte* to, bool finished, box_plans& plan) const {
  index origin[first_stage];
  origin_of(outer, kept_.size() - 1, origin);
  const index lanes = 64 / size_, row = columns * part_, scratch_row = columns * size_;
  const index strips = divide_up(n, strip_length);
  const index group =
      direct ? 0 : lanes * (scratch_elements / (lanes * columns) > 1 ? scratch_elements / (lanes * columns) : 1);
  // the lanes, a row of each strip's results, scratch
  const frame f(static_cast<std::size_t>((lanes + strips) * row + group * scratch_row));
  std::byte* const sums = f.data();
  std::byte* const partial = sums + lanes * row;
  std::byte* const scratch = partial + strips * row;
  for (index s = 0; s < strips; ++s) {
    const index begin = s * strip_length, count = smaller(strip_length, n - begin);
    if (part_ == size_)
      kernels_->fill_identity(sums, lanes * columns);
    else
      for (index l = 0; l < lanes; ++l) kernels_->fill_identity(sums + l * row, columns);
    if (direct) {
      const index pitch = plain_step(sequence_[0]) * size_;
      const std::byte* const x = plain_at(origin) + column * size_ + (first + begin) * pitch;
      add_rows(sums, x, count, pitch, columns, lanes);
    } else {
      for (index i = 0; i < count; i += group) {
        const index m = smaller(group, count - i);
        evaluate_part(origin, first + begin + i, m, column, columns, scratch, plan);
        add_rows(sums, scratch, m, scratch_row, columns, lanes);
      }
    }
    for (index half = lanes / 2; half >= 1; half /= 2) {
      if (part_ == size_)
        kernels_->join(sums, sums + half * row, half * columns);
      else
        for (index l = 0; l < half; ++l) kernels_->join(sums + l * row, sums + (l + half) * row, columns);
    }
    std::memcpy(partial + s * row, sums, static_cast<std::size_t>(row));
  }
  if (finished || part_ == size_) return tree_to_results(partial, strips, columns, to);
  kernels_->tree(partial, strips, columns, partial);
  std::memcpy(to, partial, static_cast<std::size_t>(scratch_row));
  std::memcpy(to + kept_.back().extent * size_, partial + scratch_row, static_cast<std::size_t>(scratch_row));
}

// Adds row r to the sums of lane r modulo `lanes`; the rows of one lane in order.
void reducer::add_rows(std::byte* sums, const std::byte* x, index count, index pitch, index columns,
                       index lanes) const {
  const bool dense = pitch == columns * size_;
  const index height = dense && part_ == size_ ? lanes : 1;  // rows that are added in one call
  for (index r = 0; r < count;) {
    const index left = count - r;
    const void* rows[8];
    if (left >= lanes) {
      const int groups = static_cast<int>(smaller(8, left / lanes));
      for (index l = 0; l < lanes; l += height) {
        for (int g = 0; g < groups; ++g) rows[g] = x + (r + l + g * lanes) * pitch;
        kernels_->rows(sums + l * columns * part_, rows, groups, height * columns);
      }
      r += groups * lanes;
    } else {
      for (index l = 0; l < left; ++l) {
        rows[0] = x + (r + l) * pitch;
        kernels_->rows(sums + l * columns * part_, rows, 1, columns);
      }
      r = count;
    }
  }
}

}  // namespace broadloom::runtime
