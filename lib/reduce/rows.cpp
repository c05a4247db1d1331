// Reductions of sequences that are contiguous, or of elements that are not in memory: read in place, or evaluated to
// scratch first.
#include "../base/limits.hpp"
#include "reducer.hpp"

#include "../base/frame.hpp"

namespace broadloom::runtime {

namespace {

using limits::reducing::prefetched_bytes;

}  // namespace

// Sequences are contiguous, or no operand is.
void reducer::run_rows() const {
  if (axes_.length > segment_length) return run_long_rows();
  if (axes_.kept.empty()) return task_of_rows(0, 0, 1, boxes_);
  const index blocks = divide_up(plan_.side, plan_.block);
  each_task(plan_.tasks, [&](index t, box_plans& plan) {
    const index first = t % blocks * plan_.block;
    task_of_rows(t / blocks, first, smaller(plan_.block, plan_.side - first), plan);
  });
}

// Results [first, first + n) along the axis that tasks cut, at index `outer` of the axes before it.
void reducer::task_of_rows(index outer, index first, index n, box_plans& plan) const {
  index origin[first_stage];
  const auto cut = static_cast<std::size_t>(plan_.cut);
  origin_of(outer, axes_.kept.empty() ? 0 : cut - 1, origin);
  const index inside = plan_.inside;
  std::byte* const to = static_cast<std::byte*>(p_.out) + (outer * plan_.side + first) * inside * out_size_;
  if (in_place() && inside == 1) {
    const index pitch = axes_.kept.empty() ? 0 : plain_step(axes_.kept[cut - 1]);
    rows_to_results(plain_at(origin) + first * pitch * size_, n, pitch * size_, to, nullptr);
    return;
  }
  const frame f(static_cast<std::size_t>(n * inside * axes_.length * size_));
  range r[max_axes];
  int count = 0;
  if (!axes_.kept.empty()) r[count++] = {static_cast<int>(cut) - 1, first, n};
  for (std::size_t i = cut; i < axes_.kept.size(); ++i) r[count++] = {static_cast<int>(i), 0, axes_.kept[i].extent};
  for (std::size_t i = 0; i < axes_.sequence.size(); ++i)
    r[count++] = {-1 - static_cast<int>(i), 0, axes_.sequence[i].extent};
  evaluate(origin, r, count, f.data(), plan);
  rows_to_results(
      f.data(), n * inside, axes_.length * size_, to,
      next_read(origin, cut == 0 || axes_.kept.empty() ? nullptr : &axes_.kept[cut - 1], first + n, f.data()));
}

// Sequences of several segments: first each segment, then the segments of each result are combined.
void reducer::run_long_rows() const {
  each_partial_result([&](const index* origin, index first, index n, box_plans& plan, std::byte* to) {
    if (in_place()) return kernels_->sequences(plain_at(origin) + first * size_, 1, n, 0, to, nullptr);
    // a piece that fits the first-level cache at a time, each a power of two of strips
    const index most = size_ == 1 ? segment_length : scratch_elements;
    const frame f(static_cast<std::size_t>(most * size_ + segment_length / most * part_));
    std::byte* const pieces = f.data() + most * size_;
    index count = 0;
    for (index i = 0; i < n; i += most, ++count) {
      const index m = smaller(most, n - i);
      evaluate_part(origin, first + i, m, 0, 0, f.data(), plan);
      const loop_axis* const along = axes_.sequence.size() == 1 ? &axes_.sequence[0] : nullptr;
      kernels_->sequences(f.data(), 1, m, 0, pieces + count * part_, next_read(origin, along, first + i + m, f.data()));
    }
    kernels_->tree(pieces, count, 1, to);
  });
}

// The address that is read after what has been prefetched already, by the task that begins at this index of an axis; an
// address in a cache if it is not known.
const void* reducer::next_read(const index* origin, const loop_axis* along, index first, const void* in_cache) const {
  if (along == nullptr) return in_cache;
  for (int k = 0; k < p_.operand_count; ++k) {
    const operand& x = p_.operands[k];
    const index step = along->steps[static_cast<std::size_t>(k)];
    if (x.is_scalar || x.is_ramp || step == 0 || axes_.sequence.back().steps[static_cast<std::size_t>(k)] != 1)
      continue;
    return static_cast<const std::byte*>(x.data) + (origin[k] + first * step) * size_of(x.type) + prefetched_bytes;
  }
  return in_cache;
}

// Whole sequences, `pitch` bytes apart.
void reducer::rows_to_results(const std::byte* x, index rows, index pitch, std::byte* to, const void* next) const {
  if (kernels_->finish == nullptr) return kernels_->sequences(x, rows, axes_.length, pitch, to, next);
  const frame f(static_cast<std::size_t>(rows * part_));
  kernels_->sequences(x, rows, axes_.length, pitch, f.data(), next);
  kernels_->finish(f.data(), rows, 1, to);
}

// Combines `count` partial results of n elements, which are overwritten, to n results.
void reducer::tree_to_results(std::byte* partial, index count, index n, std::byte* to) const {
  if (kernels_->finish == nullptr) return kernels_->tree(partial, count, n, to);
  kernels_->tree(partial, count, n, partial);
  kernels_->finish(partial, 1, n, to);
}

}  // namespace broadloom::runtime
