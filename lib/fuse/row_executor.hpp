// Blocks of rows, of which each thread takes as many at a time as stay in the first-level cache, through loops that are
// planned once.
#pragma once

#include <deque>
#include <vector>

#include "barrier_schedule.hpp"
#include "fused_step.hpp"
#include "row_line.hpp"

namespace broadloom::runtime {

class rows_at_hand {
 public:
  // Blocks take so much scratch.
  rows_at_hand(const schedule& plan, std::deque<unit>& units, unit& consumer, std::size_t block_scratch);

  // False where one of the loops is not so plain.
  bool works() const { return works_; }
  void run() const;

 private:
  // In which order: all rows at hand through one loop after another; a few through all of them, and the consumer a turn
  // behind; or each in a line.
  enum class order : unsigned char { side_by_side, in_turn, in_line };
  struct placed_unit {
    const unit* computes;
    index place, row_bytes;  // of its rows in a block
  };
  class thread;

  bool arrange(std::deque<unit>& units, std::size_t block_scratch);
  bool goes_in_line();
  void decide();
  void run_in_line(index first, index end) const;

  const schedule& plan_;
  unit& consumer_;
  std::vector<placed_unit> units_;
  bool works_ = false;
  order order_ = order::side_by_side;
  index all_ = 0, at_once_ = 0, at_hand_ = 0;  // rows
  std::size_t first_in_turn_ = 0;              // unit
  const unit* divides_beside_ = nullptr;       // for which the consumer is a division beside it
  index again_;                                // as row_in_block() has it
  index asked_ = 0;                            // elements for each row
  std::size_t scratch_at_ = 0, scratch_bytes_ = 0;
  row_line line_;
};

}  // namespace broadloom::runtime
