// Trees of few elements with reductions, `let`, draws, gathers or products: each barrier is computed whole, one after
// the other, into memory on the stack. Planning which of them to compute by blocks of rows would take longer than
// computing them.
#pragma once

#include <vector>

#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"
#include "../plan/reduction.hpp"
#include "../reduce/contiguous.hpp"

namespace broadloom::runtime {

// False, and nothing done, where not everything is small, or a barrier is gathered or counted as it is read.
bool assign_small_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                           const options& how);

// The results of barriers, each once.
class barriers_on_stack {
 public:
  barriers_on_stack() {}
  // What is to be computed, and where; nothing is yet. False where it is not small.
  bool prepare(const target_array& out, const leaf_array* leaves, int count, const program& code);
  void compute(const options& how) const;
  // What that does: each barrier, and how it is reduced, if it is.
  struct described {
    const source* from;
    reduction_plan reduced;
  };
  std::vector<described> describe(const options& how) const;
  // Those of prepare(), with what they are computed from in memory.
  const leaf_array* leaves() const { return ready_; }
  // Whether compute() writes the output: the tree is a `let` as it is.
  bool in_output() const { return in_output_; }

 private:
  const leaf_array* add(const leaf_array* leaves, int count);
  const std::byte* add(const source& s);

  struct step {
    const source* from;
    const leaf_array* leaves;
    std::byte* at;
    index elements;
    const rows_of_leaves* rows;  // how many elements are reduced, if they are in rows; else null
  };
  static constexpr int max_planned = 4;
  int leaf_count_ = 0, count_ = 0, planned_count_ = 0;
  bool in_output_ = false;
  index used_ = 0, in_output_bytes_ = 0;  // bytes of memory_; those of a last one that may be written to the output
  const leaf_array* ready_ = nullptr;
  leaf_array leaves_[limits::small_barriers::max_leaves];
  step steps_[limits::small_barriers::max_barriers];
  union {  // not initialized
    rows_of_leaves planned_[max_planned];
  };
  alignas(64) std::byte memory_[limits::small_barriers::max_bytes];
};

}  // namespace broadloom::runtime
