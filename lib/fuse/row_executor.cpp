// Overlaps streaming stores of one row with the arithmetic of the next: alone they take as long as all the rest of a
// row, overlapped next to nothing.
#include "row_executor.hpp"

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../move/copy.hpp"

namespace broadloom::runtime {

row_executor::row_executor(const barrier_schedule& plan, std::deque<fused_step>& steps, fused_step& consumer,
                           std::size_t block_scratch)
    : plan_(plan), consumer_(consumer), double_buffered_from_(static_cast<index>(block_scratch)) {
  const problem& whole = consumer.whole();
  all_ = whole.extents[plan.row_axis()];
  if (product(whole.extents, whole.rank) < all_ * limits::fusing::short_row) return;
  at_once_ = plan.rows_at_once();
  cached_rows_ = plan.cached_rows();
  works_ = arrange(steps, block_scratch);
  if (works_) decide();
}

bool row_executor::arrange(std::deque<fused_step>& steps, std::size_t block_scratch) {
  if (!consumer_.plan_rows(nullptr, cached_rows_)) return false;
  auto next = steps.begin();
  for (const barrier& p : plan_.barriers()) {
    if (!p.by_rows) continue;
    if (!is_program(*p.from) || !next->plan_rows(p.from, cached_rows_)) return false;
    steps_.push_back({&*next++, p.from, p.row, static_cast<index>(p.place), p.row * size_of(p.from->type)});
  }
  scratch_at_ = block_scratch;
  auto computed = steps.begin();
  for (const barrier& p : plan_.barriers()) {
    if (!p.by_rows) continue;
    for (auto sums = computed + 1; sums < steps.end(); ++sums)
      if (p.from->how == reduction::none &&
          sums->sums_rows_of(*computed, static_cast<index>(p.place), cached_rows_, scratch_at_))
        scratch_at_ += with_room(sums->lane_bytes());
    ++computed;
  }
  scratch_bytes_ = consumer_.scratch_bytes();
  for (const fused_step& x : steps)
    if (x.scratch_bytes() > scratch_bytes_) scratch_bytes_ = x.scratch_bytes();
  return true;
}

// Pipelined if functions are called: first the reductions of rows in memory, interleaved; then row by row, the consumer
// one row behind, so that nothing waits for the last addition of a row. Functions take longer than all prefetches.
void row_executor::decide() {
  while (first_pipelined_ < steps_.size() && steps_[first_pipelined_].computes->reads_ahead()) ++first_pipelined_;
  for (std::size_t k = first_pipelined_; k < steps_.size(); ++k)
    if (steps_[k].computes->calls_functions()) order_ = order::pipelined;
  if (order_ == order::pipelined) {
    double_buffered_from_ = steps_[first_pipelined_].place;
  }
  prefetched_ = order_ == order::fused_kernels ? consumer_.prefetched_elements() : 0;
  for (const scheduled_step& x : steps_)
    if (order_ == order::fused_kernels || x.computes->calls_functions())
      prefetched_ += x.computes->prefetched_elements();
}

class row_executor::thread {
 public:
  explicit thread(const row_executor& of)
      : of_(of), memory_(of.scratch_at_ + of.scratch_bytes_), scratch_(memory_.data() + of.scratch_at_) {
    for (const scheduled_step& x : of.steps_) x.computes->list_rows(prefetcher_);
    of.consumer_.list_rows(prefetcher_);
  }

  void run(index first, index end) {
    for (; first < end; first += of_.cached_rows_) {
      const index n = smaller(of_.cached_rows_, end - first);
      prefetcher_.expect(first + n, smaller(of_.cached_rows_, of_.all_ - first - n), n * of_.prefetched_);
      if (of_.order_ == order::pipelined) {
        run_pipelined(first, n);
        continue;
      }
      for (const scheduled_step& x : of_.steps_) run_step(x, first, n, 0, prefetcher_);
      consume(first, n, 0, prefetcher_);
    }
  }

 private:
  // Rows [first, first + n), of which the first is row `at` of the block.
  void run_step(const scheduled_step& x, index first, index n, index at, row_prefetcher& prefetcher) {
    std::byte* const to = memory_.data() + x.place + row_in_block(at, x.row_bytes, x.place, of_.double_buffered_from_);
    x.computes->planned_rows(first, n, at, of_.double_buffered_from_, memory_.data(), to, scratch_, &prefetcher);
    x.from->repair_results(first * x.row, n * x.row, to);
  }
  void consume(index first, index n, index at, row_prefetcher& prefetcher) {
    of_.consumer_.planned_rows(first, n, at, of_.double_buffered_from_, memory_.data(), nullptr, scratch_, &prefetcher);
  }
  void consume_waiting() {
    if (waiting_ > 0) consume(waiting_first_, waiting_, waiting_at_, nothing_);
    waiting_ = 0;
  }

  void run_pipelined(index first, index n) {
    for (std::size_t k = 0; k < of_.first_pipelined_; ++k) run_step(of_.steps_[k], first, n, 0, nothing_);
    for (index i = 0; i < n; i += rows_of_pipeline) {
      const index rows = smaller(rows_of_pipeline, n - i);
      for (std::size_t k = of_.first_pipelined_; k < of_.steps_.size(); ++k) {
        const scheduled_step& x = of_.steps_[k];
        run_step(x, first + i, rows, i, x.computes->calls_functions() ? prefetcher_ : nothing_);
      }
      consume_waiting();
      waiting_ = rows;
      waiting_first_ = first + i;
      waiting_at_ = i;
    }
    consume_waiting();
  }

  const row_executor& of_;
  const frame memory_;
  std::byte* const scratch_;
  row_prefetcher prefetcher_, nothing_;
  index waiting_ = 0, waiting_first_ = 0, waiting_at_ = 0;  // rows that the consumer has not read yet
};

void row_executor::run() const {
  for_ranges(divide_up(all_, at_once_), plan_.threads(), [this](index first_block, index last_block) {
    const index first = first_block * at_once_, end = smaller(last_block * at_once_, all_);
    thread(*this).run(first, end);
    if (consumer_.is_streamed()) fence();
  });
}

}  // namespace broadloom::runtime
