// Reductions of sequences that are contiguous, or of elements that are not in memory: read in place, or evaluated to
// scratch first.
#include "../base/limits.hpp"
#include "reducer.hpp"

#include "../base/frame.hpp"
#include "../base/memory_block.hpp"

namespace broadloom::runtime {

namespace {

using limits::reducing::direct_elements;
using limits::reducing::prefetched_bytes;

}  // namespace

// Sequences are contiguous, or no operand is.
void reducer::run_rows() const {
  const bool direct = lies_in_line();
  if (length_ > segment_length) return run_long_rows(direct);
  // a task: a range of one kept axis, and all kept axes after it
  std::size_t cut = kept_.size();
  index inside = 1;
  const bool long_enough = direct && length_ >= 64;  // to be read in place
  while (cut > 1 && !long_enough && inside * kept_[cut - 1].extent * length_ <= scratch_elements)
    inside *= kept_[--cut].extent;
  if (kept_.empty()) return task_of_rows(direct, 0, 0, 1, 1, plan_);
  const loop_axis& a = kept_[cut - 1];
  // in place they need no scratch, and many are combined together
  const bool in_place = direct && inside == 1 && kernels_->finish == nullptr;
  index most = (in_place ? direct_elements : scratch_elements) / (inside * length_);
  if (in_place && threads_ > 1) most = smaller(most, divide_up(results_, 8 * threads_));
  if (most < 1) most = 1;
  const index parts = divide_up(a.extent, most);
  index outer = 1;
  for (std::size_t i = 0; i + 1 < cut; ++i) outer *= kept_[i].extent;
  each_task(outer * parts, [&](index t, box_plans& plan) {
    const index part = t % parts, first = part * most;
    task_of_rows(direct, t / parts, first, smaller(most, a.extent - first), cut, plan);
  });
}

// Results [first, first + n) along kept axis cut - 1, at index `outer` of the axes before it.
void reducer::task_of_rows(bool direct, index outer, index first, index n, std::size_t cut, box_plans& plan) const {
  index origin[first_stage];
  origin_of(outer, kept_.empty() ? 0 : cut - 1, origin);
  index inside = 1;
  for (std::size_t i = cut; i < kept_.size(); ++i) inside *= kept_[i].extent;
  const index extent = kept_.empty() ? 1 : kept_[cut - 1].extent;
  std::byte* const to = static_cast<std::byte*>(p_.out) + (outer * extent + first) * inside * out_size_;
  if (direct && inside == 1) {
    const index pitch = kept_.empty() ? 0 : plain_step(kept_[cut - 1]);
    rows_to_results(plain_at(origin) + first * pitch * size_, n, pitch * size_, to, nullptr);
    return;
  }
  const frame f(static_cast<std::size_t>(n * inside * length_ * size_));
  range r[max_axes];
  int count = 0;
  if (!kept_.empty()) r[count++] = {static_cast<int>(cut) - 1, first, n};
  for (std::size_t i = cut; i < kept_.size(); ++i) r[count++] = {static_cast<int>(i), 0, kept_[i].extent};
  for (std::size_t i = 0; i < sequence_.size(); ++i) r[count++] = {-1 - static_cast<int>(i), 0, sequence_[i].extent};
  evaluate(origin, r, count, f.data(), plan);
  rows_to_results(f.data(), n * inside, length_ * size_, to,
                  next_read(origin, cut == 0 || kept_.empty() ? nullptr : &kept_[cut - 1], first + n, f.data()));
}

// Elements of a long sequence in one task. Segments are combined pair by pair: tasks are 2^k of them, as many as leave
// each thread eight, since a processor loses the memory that it has in flight where one ends; but no more than take
// some milliseconds.
index reducer::part_of_long_rows() const {
  const index wanted = threads_ <= 1 ? 1 : 8 * threads_;
  index part = segment_length;
  while (part < length_ && part < limits::reducing::max_sequence_elements &&
         results_ * divide_up(length_, 2 * part) >= wanted)
    part *= 2;
  return part;
}

// Sequences of several segments, read in place.
void reducer::run_long_rows_in_place() const {
  const index part = part_of_long_rows(), parts = divide_up(length_, part);
  const memory_block partial(results_ * parts * size_);
  each_task(results_ * parts, [&](index t, box_plans&) {
    const index first = t % parts * part;
    index origin[first_stage];
    origin_of(t / parts, kept_.size(), origin);
    kernels_->sequences(plain_at(origin) + first * size_, 1, smaller(part, length_ - first), 0,
                        partial.data() + t * size_, nullptr);
  });
  for (index i = 0; i < results_; ++i)
    kernels_->tree(partial.data() + i * parts * size_, parts, 1, static_cast<std::byte*>(p_.out) + i * out_size_);
}

// Sequences of several segments: first each segment, then the segments of each result are combined.
void reducer::run_long_rows(bool direct) const {
  if (direct && kernels_->finish == nullptr) return run_long_rows_in_place();
  const index segments = divide_up(length_, segment_length);
  const memory_block partial(results_ * segments * part_);
  each_segment([&](index t, const index* origin, index first, index n, box_plans& plan) {
    std::byte* const to = partial.data() + t * part_;
    if (direct) return kernels_->sequences(plain_at(origin) + first * size_, 1, n, 0, to, nullptr);
    // a piece that fits the first-level cache at a time, each a power of two of strips
    const frame f(static_cast<std::size_t>(scratch_elements * size_ + segment_length / scratch_elements * part_));
    std::byte* const pieces = f.data() + scratch_elements * size_;
    index count = 0;
    for (index i = 0; i < n; i += scratch_elements, ++count) {
      const index m = smaller(scratch_elements, n - i);
      evaluate_part(origin, first + i, m, 0, 0, f.data(), plan);
      const loop_axis* const along = sequence_.size() == 1 ? &sequence_[0] : nullptr;
      kernels_->sequences(f.data(), 1, m, 0, pieces + count * part_, next_read(origin, along, first + i + m, f.data()));
    }
    kernels_->tree(pieces, count, 1, to);
  });
  for (index i = 0; i < results_; ++i)
    tree_to_results(partial.data() + i * segments * part_, segments, 1,
                    static_cast<std::byte*>(p_.out) + i * out_size_);
}

// The address that is read after what has been prefetched already, by the task that begins at this index of an axis; an
// address in a cache if it is not known.
const void* reducer::next_read(const index* origin, const loop_axis* along, index first, const void* in_cache) const {
  if (!ahead_ || along == nullptr) return in_cache;
  for (int k = 0; k < p_.operand_count; ++k) {
    const operand& x = p_.operands[k];
    const index step = along->steps[static_cast<std::size_t>(k)];
    if (x.is_scalar || x.is_ramp || step == 0 || sequence_.back().steps[static_cast<std::size_t>(k)] != 1) continue;
    return static_cast<const std::byte*>(x.data) + (origin[k] + first * step) * size_of(x.type) + prefetched_bytes;
  }
  return in_cache;
}

// Whole sequences, `pitch` bytes apart.
void reducer::rows_to_results(const std::byte* x, index rows, index pitch, std::byte* to, const void* next) const {
  if (kernels_->finish == nullptr) return kernels_->sequences(x, rows, length_, pitch, to, next);
  const frame f(static_cast<std::size_t>(rows * part_));
  kernels_->sequences(x, rows, length_, pitch, f.data(), next);
  kernels_->finish(f.data(), rows, 1, to);
}

// Combines `count` partial results of n elements, which are overwritten, to n results.
void reducer::tree_to_results(std::byte* partial, index count, index n, std::byte* to) const {
  if (kernels_->finish == nullptr) return kernels_->tree(partial, count, n, to);
  kernels_->tree(partial, count, n, partial);
  kernels_->finish(partial, 1, n, to);
}

}  // namespace broadloom::runtime
