// Reductions of selected rows of an array, as sums of rows of a table (embedding bags): the rows are read where they
// are. The array is one operand, and its indices are one more, which no stage reads.
#pragma once

#include <deque>
#include <vector>

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// A reader's leaves, with such reductions written so.
class fused_gathers {
 public:
  fused_gathers(const target_array& out, const leaf_array* leaves, int count);
  fused_gathers(const fused_gathers&) = delete;
  fused_gathers& operator=(const fused_gathers&) = delete;

  const leaf_array* leaves() const { return all_.leaves; }
  int count() const { return all_.count; }

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
  struct read {
    const source* from;
    int times;
  };
  struct rewriting {
    const source *from, *to;
  };
  void count_readers(const leaf_array* leaves, int count);
  read* find(const source& s);
  list rewrite(const list& x, const source* reduction);
  const source* rewritten(const source& s);
  bool fuse(const leaf_array& x, const index* extents, int rank, new_list& to, std::size_t k);

  const void *low_, *high_;  // of the output's memory
  list all_;
  bool selects_ = false, any_ = false;  // whether there are selections, and whether any is read where it is
  std::vector<read> seen_;
  std::vector<rewriting> rewritten_;
  std::deque<new_list> lists_;
  std::deque<source> sources_;
  std::deque<positioned> positions_;
  std::deque<std::vector<index>> strides_;
};

}  // namespace broadloom::runtime
