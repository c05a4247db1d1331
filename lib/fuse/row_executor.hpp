// Rows of barriers and of the tree that reads them: each thread takes as many at a time as stay in the first-level
// cache, or a block, through loops that are planned once.
#pragma once

#include <vector>

#include "barrier_schedule.hpp"

namespace broadloom::runtime {

enum class barrier_way : unsigned char {
  whole,          // barriers are computed whole, then the tree that reads them
  row_blocks,     // barriers and tree go together by blocks of rows
  cached_rows,    // by rows that stay in the first-level cache, one step after the other
  pipelined_rows  // the same, a few rows through all steps, the last step as many behind the others
};
const char* to_string(barrier_way w);

class row_executor {
 public:
  // Blocks take so much scratch.
  row_executor(const barrier_schedule& plan, std::size_t block_scratch);

  barrier_way way() const { return way_; }
  void run() const;

 private:
  class thread;

  const fused_step& tree() const { return *steps_.back()->program; }
  void plan_fewer_rows();

  const barrier_schedule& plan_;
  std::vector<const scheduled_step*> steps_;  // by rows; the last one is the tree
  barrier_way way_ = barrier_way::row_blocks;
  index all_, rows_;                 // in all, and at a time
  std::size_t first_pipelined_ = 0;  // unit
  index double_buffered_from_;       // as row_in_block() has it
  index prefetched_ = 0;             // elements for each row
  std::size_t scratch_at_, scratch_bytes_;
};

}  // namespace broadloom::runtime
