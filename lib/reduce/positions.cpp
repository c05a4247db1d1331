// argmax and argmin.
#include "reducer.hpp"

#include "../base/frame.hpp"
#include "../base/memory_block.hpp"

namespace broadloom::runtime {

// The index of the first minimum or maximum of each sequence.
void reducer::run_positions() const {
  const bool direct = in_place();
  const index segments = plan_.parts();
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
    return each_part([&](index t, const index* origin, index first, index n, box_plans& plan) {
      alignas(16) std::byte best[16];
      look(origin, first, n, plan, best, out + t);
    });
  const memory_block values(axes_.results * segments * size_), places(axes_.results * segments * 8);
  auto* const at = reinterpret_cast<index*>(places.data());
  each_part([&](index t, const index* origin, index first, index n, box_plans& plan) {
    look(origin, first, n, plan, values.data() + t * size_, at + t);
  });
  for (index i = 0; i < axes_.results; ++i) {
    index place = -1;
    alignas(16) std::byte best[16];
    kernels_->position(values.data() + i * segments * size_, segments, 0, best, &place);
    out[i] = at[i * segments + place];
  }
}

// Columns are looked at together.
void reducer::run_positions_of_columns() const {
  const loop_axis& across = axes_.kept.back();
  const bool direct = in_place();
  const index width = plan_.block, tiles = across.extent / width;  // the last takes what is left
  each_task(plan_.tasks, [&](index t, box_plans& plan) {
    const index column = t % tiles * width, columns = t % tiles + 1 < tiles ? width : across.extent - column;
    index origin[first_stage];
    origin_of(t / tiles, axes_.kept.size() - 1, origin);
    index* const at = static_cast<index*>(p_.out) + t / tiles * across.extent + column;
    for (index j = 0; j < columns; ++j) at[j] = -1;
    const index group = direct ? 0 : smaller(axes_.length, scratch_elements > columns ? scratch_elements / columns : 1);
    const frame f(static_cast<std::size_t>((1 + group) * columns * size_));
    std::byte* const rows = f.data() + columns * size_;
    if (direct)
      return kernels_->positions(plain_at(origin) + column * size_, axes_.length, columns,
                                 plain_step(axes_.sequence[0]), 0, f.data(), at);
    for (index i = 0; i < axes_.length; i += group) {
      const index m = smaller(group, axes_.length - i);
      evaluate_part(origin, i, m, column, columns, rows, plan);
      kernels_->positions(rows, m, columns, columns, i, f.data(), at);
    }
  });
}

}  // namespace broadloom::runtime
