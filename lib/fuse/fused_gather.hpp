// Reductions of selected rows of an array, as sums of rows of a table (embedding bags): the rows are read where they
// are. The array is one operand, and its indices are one more, which no stage reads.
#pragma once

#include <deque>
#include <vector>

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

class barrier_schedule;

// A reader's leaves, with such reductions written so.
class fused_gathers {
 public:
  // `all`: what the leaves read.
  fused_gathers(const target_array& out, const leaf_array* leaves, int count, const barrier_schedule& all);
  fused_gathers(const fused_gathers&) = delete;
  fused_gathers& operator=(const fused_gathers&) = delete;

  bool any() const { return any_; }
  const leaf_array* leaves() const { return fused_.leaves; }
  int count() const { return fused_.count; }

 private:
  struct list {
    const leaf_array* leaves;
    int count;
    const positioned* const* at;
  };
  struct new_list {
    std::vector<leaf_array> leaves;
    std::vector<const positioned*> at;
  };
  struct rewriting {
    const source *from, *to;
  };
  list rewrite(const list& x, const source* reduction);
  const source* rewritten(const source& s);
  bool fuse(const leaf_array& x, const index* extents, int rank, new_list& to, std::size_t k);

  const void *low_, *high_;  // of the output's memory
  const barrier_schedule& all_;
  list fused_;
  bool any_ = false;  // whether any selection is read where it is
  std::vector<rewriting> rewritten_;
  std::deque<new_list> lists_;
  std::deque<source> sources_;
  std::deque<positioned> positions_;
  std::deque<std::vector<index>> strides_;
};

}  // namespace broadloom::runtime
