// Overlaps streaming stores of one row with the arithmetic of the next: alone they take as long as all the rest of a
// row, overlapped next to nothing.
#include "row_executor.hpp"

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../move/copy.hpp"
#include "../reduce/contiguous.hpp"

namespace broadloom::runtime {

row_executor::row_executor(const barrier_schedule& plan, std::size_t block_scratch)
    : plan_(plan),
      all_(plan.steps.back().leads),
      rows_(plan.rows_at_once),
      double_buffered_from_(static_cast<index>(block_scratch)),
      scratch_at_(block_scratch),
      scratch_bytes_(0) {
  for (const scheduled_step& x : plan.steps)
    if (x.by_rows) steps_.push_back(&x);
  bool plain = true;
  for (const scheduled_step* x : steps_) plain = x->program && x->program->plan(rows_, x->row) && plain;
  if (plain) plan_fewer_rows();
  for (const scheduled_step* x : steps_)
    if (x->program && x->program->scratch_bytes() > scratch_bytes_) scratch_bytes_ = x->program->scratch_bytes();
}

// Pipelined if functions are called and the tree's results are streamed: first the reductions of rows in memory,
// interleaved; then a few rows at a time, the tree as many behind. Functions take longer than all prefetches. Other
// rows go a block at a time where the caches have them, or where a few of them fill the first-level cache: softmax of
// (8192, 128) pipelined takes 1.2 to 1.3 times as long.
void row_executor::plan_fewer_rows() {
  for (std::size_t k = 0; k < steps_.size(); ++k)
    for (std::size_t sums = k + 1; sums < steps_.size(); ++sums)
      if (steps_[k]->from->how == reduction::none &&
          steps_[sums]->program->sums_rows_of(*steps_[k]->program, static_cast<index>(steps_[k]->place), rows_,
                                              scratch_at_))
        scratch_at_ += with_room(steps_[sums]->program->lane_bytes());
  while (steps_[first_pipelined_]->program->reads_ahead()) ++first_pipelined_;
  bool calls_functions = false;
  for (std::size_t k = first_pipelined_; k < steps_.size(); ++k)
    calls_functions = calls_functions || steps_[k]->program->calls_functions();
  const bool pipelined = calls_functions && tree().is_streamed();
  if (!pipelined && (plan_.bytes < streamed_bytes() || plan_.cached_rows < limits::fusing::prefetched_rows)) return;
  rows_ = plan_.cached_rows;
  if (pipelined) double_buffered_from_ = static_cast<index>(steps_[first_pipelined_]->place);
  for (const scheduled_step* x : steps_)
    if (!pipelined || x->program->calls_functions()) prefetched_ += x->program->prefetched_elements();
  way_ = pipelined ? barrier_way::pipelined_rows : barrier_way::cached_rows;
}

class row_executor::thread {
 public:
  explicit thread(const row_executor& of)
      : of_(of), memory_(of.scratch_at_ + of.scratch_bytes_), scratch_(memory_.data() + of.scratch_at_) {
    if (of.prefetched_ == 0) return;
    for (const scheduled_step* x : of.steps_) x->program->list_rows(prefetcher_);
  }

  void run(index first, index end) {
    for (; first < end; first += of_.rows_) {
      const index n = smaller(of_.rows_, end - first);
      prefetcher_.expect(first + n, smaller(of_.rows_, of_.all_ - first - n), n * of_.prefetched_);
      if (of_.way_ == barrier_way::pipelined_rows) {
        run_pipelined(first, n);
        continue;
      }
      for (const scheduled_step* x : of_.steps_) run_step(*x, first, n, 0, prefetcher_);
    }
  }

 private:
  // Rows [first, first + n), of which the first is row `at` of the block.
  void run_step(const scheduled_step& x, index first, index n, index at, row_prefetcher& prefetcher) {
    if (&x == of_.steps_.back()) return consume(first, n, at, prefetcher);
    const auto place = static_cast<index>(x.place), row_bytes = x.row * size_of(x.from->type);
    std::byte* const to = memory_.data() + place + row_in_block(at, row_bytes, place, of_.double_buffered_from_);
    if (!x.program) {
      const options& how = of_.tree().whole().how;
      return x.from->evaluate_rows(x.from->node, first, first + n, to, {1, how.maths, how.products});
    }
    x.program->rows(first, n, at, of_.double_buffered_from_, memory_.data(), to, scratch_, &prefetcher);
    repair_results(*x.from, first * x.row, n * x.row, to);
  }
  void consume(index first, index n, index at, row_prefetcher& prefetcher) {
    of_.tree().rows(first, n, at, of_.double_buffered_from_, memory_.data(), nullptr, scratch_, &prefetcher);
  }
  void consume_waiting() {
    if (waiting_ > 0) consume(waiting_first_, waiting_, waiting_at_, nothing_);
    waiting_ = 0;
  }

  void run_pipelined(index first, index n) {
    for (std::size_t k = 0; k < of_.first_pipelined_; ++k) run_step(*of_.steps_[k], first, n, 0, nothing_);
    for (index i = 0; i < n; i += rows_of_pipeline) {
      const index rows = smaller(rows_of_pipeline, n - i);
      for (std::size_t k = of_.first_pipelined_; k + 1 < of_.steps_.size(); ++k) {
        const scheduled_step& x = *of_.steps_[k];
        run_step(x, first + i, rows, i, x.program->calls_functions() ? prefetcher_ : nothing_);
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
  const index at_once = plan_.rows_at_once;
  for_ranges(divide_up(all_, at_once), plan_.threads, [this, at_once](index first_block, index last_block) {
    const index first = first_block * at_once, end = smaller(last_block * at_once, all_);
    thread(*this).run(first, end);
    if (tree().is_streamed()) fence();
  });
}

}  // namespace broadloom::runtime
