// Blocks of rows, of which each thread takes as many at a time as stay in the first-level cache, through loops that are
// planned once.
#pragma once

#include <deque>
#include <vector>

#include "barrier_schedule.hpp"
#include "fused_step.hpp"

namespace broadloom::runtime {

class row_executor {
 public:
  // Blocks take so much scratch.
  row_executor(const barrier_schedule& plan, std::deque<fused_step>& steps, fused_step& consumer,
               std::size_t block_scratch);

  // False where one of the loops is not so plain.
  bool works() const { return works_; }
  bool pipelined() const { return order_ == order::pipelined; }
  void run() const;

 private:
  // All cached rows through one loop after another; or a few rows through all loops, the consumer one iteration behind.
  enum class order : unsigned char { fused_kernels, pipelined };
  struct scheduled_step {
    const fused_step* computes;
    const source* from;
    index row;               // elements of its results for each row
    index place, row_bytes;  // of its rows in a block
  };
  class thread;

  bool arrange(std::deque<fused_step>& steps, std::size_t block_scratch);
  void decide();

  const barrier_schedule& plan_;
  fused_step& consumer_;
  std::vector<scheduled_step> steps_;
  bool works_ = false;
  order order_ = order::fused_kernels;
  index all_ = 0, at_once_ = 0, cached_rows_ = 0;  // rows
  std::size_t first_pipelined_ = 0;                // unit
  index double_buffered_from_;                     // as row_in_block() has it
  index prefetched_ = 0;                           // elements for each row
  std::size_t scratch_at_ = 0, scratch_bytes_ = 0;
};

}  // namespace broadloom::runtime
