// Overlaps streaming stores of one row with the arithmetic of the next: by themselves they take as long as all the rest
// of a row, beside it next to nothing.
#include "row_executor.hpp"

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../base/limits.hpp"
#include "../move/copy.hpp"

namespace broadloom::runtime {

namespace {

using limits::fusing::lines_followed;
using limits::fusing::worth_a_line;

}  // namespace

rows_at_hand::rows_at_hand(const schedule& plan, std::deque<unit>& units, unit& consumer, std::size_t block_scratch)
    : plan_(plan), consumer_(consumer), again_(static_cast<index>(block_scratch)) {
  const problem& whole = consumer.whole();
  all_ = whole.extents[plan.row_axis()];
  if (product(whole.extents, static_cast<int>(whole.rank)) < all_ * short_row) return;
  at_once_ = plan.rows_at_once();
  at_hand_ = plan.rows_at_hand();
  works_ = arrange(units, block_scratch);
  if (works_) decide();
}

bool rows_at_hand::arrange(std::deque<unit>& units, std::size_t block_scratch) {
  if (!consumer_.plan_rows(nullptr, at_hand_)) return false;
  auto next = units.begin();
  for (const phase& p : plan_.phases()) {
    if (!p.by_rows) continue;
    if (!is_program(*p.from) || !next->plan_rows(p.from, at_hand_)) return false;
    units_.push_back({&*next++, static_cast<index>(p.place), p.row * size_of(p.from->type)});
  }
  scratch_at_ = block_scratch;
  auto computed = units.begin();
  for (const phase& p : plan_.phases()) {
    if (!p.by_rows) continue;
    for (auto sums = computed + 1; sums < units.end(); ++sums)
      if (p.from->how == reduction::none &&
          sums->adds_up(*computed, static_cast<index>(p.place), at_hand_, scratch_at_))
        scratch_at_ += with_room(sums->lane_bytes());
    ++computed;
  }
  scratch_bytes_ = consumer_.scratch_bytes();
  for (const unit& x : units)
    if (x.scratch_bytes() > scratch_bytes_) scratch_bytes_ = x.scratch_bytes();
  return true;
}

// Where functions are called, reductions of what is in memory go side by side; then row by row, and a row behind, so
// that nothing waits for the last addition of a row. They take long enough for all that is asked for.
void rows_at_hand::decide() {
  while (first_in_turn_ < units_.size() && units_[first_in_turn_].computes->reads_ahead()) ++first_in_turn_;
  for (std::size_t k = first_in_turn_; k < units_.size(); ++k)
    if (units_[k].computes->calls_functions()) order_ = order::in_turn;
  if (order_ == order::in_turn) {
    again_ = units_[first_in_turn_].place;
    for (const placed_unit& x : units_)
      if (consumer_.divides_beside(*x.computes, again_)) divides_beside_ = x.computes;
  } else if (goes_in_line()) {
    order_ = order::in_line;
  }
  asked_ = order_ == order::side_by_side ? consumer_.asked() : 0;
  for (const placed_unit& x : units_)
    if (order_ == order::side_by_side || x.computes->calls_functions()) asked_ += x.computes->asked();
}

// Whether rows are many, those of two turns fit where those at hand do, and all go through plain loops.
bool rows_at_hand::goes_in_line() {
  const problem& whole = consumer_.whole();
  if (units_.empty() || at_hand_ < 4 || product(whole.extents, static_cast<int>(whole.rank)) < worth_a_line)
    return false;
  std::vector<index> places;
  std::vector<row_line::place> values;
  for (const placed_unit& x : units_) {
    const row_line::place out = line_.value();
    if (!x.computes->add_to(line_, places, values, &out)) return false;
    places.push_back(x.place);
    values.push_back(out);
  }
  line_.turn();
  return consumer_.add_to(line_, places, values, nullptr);
}

class rows_at_hand::thread {
 public:
  explicit thread(const rows_at_hand& of)
      : of_(of), memory_(of.scratch_at_ + of.scratch_bytes_), scratch_(memory_.data() + of.scratch_at_) {
    for (const placed_unit& x : of.units_) x.computes->list_rows(coming_);
    of.consumer_.list_rows(coming_);
  }

  void run(index first, index end) {
    for (; first < end; first += of_.at_hand_) {
      const index n = smaller(of_.at_hand_, end - first);
      coming_.expect(first + n, smaller(of_.at_hand_, of_.all_ - first - n), n * of_.asked_);
      if (of_.order_ == order::in_turn) {
        run_in_turn(first, n);
        continue;
      }
      for (const placed_unit& x : of_.units_) run_unit(x, first, n, 0, coming_, nullptr);
      consume(first, n, 0, coming_);
    }
    consume_waiting();
  }

 private:
  // Rows [first, first + n), of which the first is row `at` of the block.
  void run_unit(const placed_unit& x, index first, index n, index at, coming_rows& coming,
                const divided_rows* meanwhile) {
    std::byte* const to = memory_.data() + x.place + row_in_block(at, x.place, of_.again_) * x.row_bytes;
    x.computes->planned_rows(first, n, at, of_.again_, memory_.data(), to, scratch_, &coming, meanwhile);
  }
  void consume(index first, index n, index at, coming_rows& coming) {
    of_.consumer_.planned_rows(first, n, at, of_.again_, memory_.data(), nullptr, scratch_, &coming);
  }
  void consume_waiting() {
    if (waiting_ > 0) consume(waiting_first_, waiting_, waiting_at_, nothing_);
    waiting_ = 0;
  }

  void run_in_turn(index first, index n) {
    for (std::size_t k = 0; k < of_.first_in_turn_; ++k) run_unit(of_.units_[k], first, n, 0, nothing_, nullptr);
    for (index i = 0; i < n; i += rows_in_turn) {
      const index rows = smaller(rows_in_turn, n - i);
      for (std::size_t k = of_.first_in_turn_; k < of_.units_.size(); ++k) {
        const unit& x = *of_.units_[k].computes;
        coming_rows& coming = x.calls_functions() ? coming_ : nothing_;
        if (&x == of_.divides_beside_ && waiting_ == rows) {
          const divided_rows meanwhile =
              of_.consumer_.division(waiting_first_, waiting_at_, of_.again_, memory_.data());
          waiting_ = 0;
          run_unit(of_.units_[k], first + i, rows, i, coming, &meanwhile);
        } else {
          run_unit(of_.units_[k], first + i, rows, i, coming, nullptr);
        }
      }
      consume_waiting();
      waiting_ = rows;
      waiting_first_ = first + i;
      waiting_at_ = i;
    }
    // The next rows take other places where this was a whole number of turns.
    if (of_.divides_beside_ == nullptr || n % (2 * rows_in_turn) != 0) consume_waiting();
  }

  const rows_at_hand& of_;
  const frame memory_;
  std::byte* const scratch_;
  coming_rows coming_, nothing_;
  index waiting_ = 0, waiting_first_ = 0, waiting_at_ = 0;  // rows that the consumer has not read yet
};

void rows_at_hand::run_in_line(index first, index end) const {
  const frame memory(line_.scratch_bytes());
  coming_rows coming(lines_followed);
  for (const placed_unit& x : units_) x.computes->list_rows(coming);
  consumer_.list_rows(coming);
  line_.run(first, end, all_, memory.data(), coming);
}

void rows_at_hand::run() const {
  for_ranges((all_ + at_once_ - 1) / at_once_, plan_.threads(), [this](index first_block, index last_block) {
    const index first = first_block * at_once_, end = smaller(last_block * at_once_, all_);
    if (order_ == order::in_line)
      run_in_line(first, end);
    else
      thread(*this).run(first, end);
    if (consumer_.is_streamed()) fence();
  });
}

}  // namespace broadloom::runtime
