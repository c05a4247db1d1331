// argmax and argmin.
#include "reducer.hpp"

#include "../base/frame.hpp"
#include "../base/memory_block.hpp"

namespace broadloom::runtime {

// The index of the first minimum or maximum of each sequence.
void reducer::run_positions() const {
  const bool direct = lies_in_line();
  const index segments = divide_up(length_, segment_length);
  auto* const out = static_cast<index*>(p_.out);
  // The minimum or maximum of a segment, and its index.
  const auto look = [&](const index* origin, index first, index n, box_plans& plan, void* best, index* at) {
    *at = -1;
    if (direct) return kernels_->position(plain_at(origin) + first * size_, n, first, best, at);
    const frame f(static_cast<std::size_t>(n * size_));
    evaluate_part(origin, first, n, 0, 0, f.data(), plan);
    kernels_->position(f.data(), n, first, best, at);
  };
  if (segments == 1)
    return each_segment([&](index t, const index* origin, index first, index n, box_plans& plan) {
      alignas(16) std::byte best[16];
      look(origin, first, n, plan, best, out + t);
    });
  const memory_block values(results_ * segments * size_), places(results_ * segments * 8);
  auto* const at = reinterpret_cast<index*>(places.data());
  each_segment([&](index t, const index* origin, index first, index n, box_plans& plan) {
    look(origin, first, n, plan, values.data() + t * size_, at + t);
  });
  for (index i = 0; i < results_; ++i) {
    index place = -1;
    alignas(16) std::byte best[16];
    kernels_->position(values.data() + i * segments * size_, segments, 0, best, &place);
    out[i] = at[i * segments + place];
  }
}

// The last kept axis is contiguous, and fills the vectors of every level: columns are looked at together.
bool reducer::runs_positions_of_columns() const {
  return kernels_->positions != nullptr && along_kept() && kept_.back().extent * size_ >= 64;
}
void reducer::run_positions_of_columns() const {
  const loop_axis& across = kept_.back();
  const index outer = results_ / across.extent;
  const bool direct = plain_ && sequence_.size() == 1 && plain_step(across) == 1;
  index width = smaller(limits::reducing::tile_bytes / size_, across.extent);
  const index wanted = 2 * threads_;
  if (threads_ > 1 && outer * (across.extent / width) < wanted)
    width = smaller(width, divide_up(divide_up(across.extent, divide_up(wanted, outer)), 64) * 64);
  const index tiles = across.extent / width;  // the last takes what is left
  each_task(outer * tiles, [&](index t, box_plans& plan) {
    const index column = t % tiles * width, columns = t % tiles + 1 < tiles ? width : across.extent - column;
    index origin[first_stage];
    origin_of(t / tiles, kept_.size() - 1, origin);
    index* const at = static_cast<index*>(p_.out) + t / tiles * across.extent + column;
    for (index j = 0; j < columns; ++j) at[j] = -1;
    const index group = direct ? 0 : smaller(length_, scratch_elements > columns ? scratch_elements / columns : 1);
    const frame f(static_cast<std::size_t>((1 + group) * columns * size_));
    std::byte* const rows = f.data() + columns * size_;
    if (direct)
      return kernels_->positions(plain_at(origin) + column * size_, length_, columns, plain_step(sequence_[0]), 0,
                                 f.data(), at);
    for (index i = 0; i < length_; i += group) {
      const index m = smaller(group, length_ - i);
      evaluate_part(origin, i, m, column, columns, rows, plan);
      kernels_->positions(rows, m, columns, columns, i, f.data(), at);
    }
  });
}

}  // namespace broadloom::runtime
