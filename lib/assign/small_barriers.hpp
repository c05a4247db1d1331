// Trees of few elements with reductions or `let`: each barrier is computed whole, one after the other, into memory on
// the stack. Planning which of them to compute by blocks of rows would take longer than computing them.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"

namespace broadloom::runtime {

// Whether everything is small, and every barrier a program.
bool fits_on_stack(const target_array& out, const leaf_array* leaves, int count);

void assign_small_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                           const options& how);

// The results of barriers, each once.
class barriers_on_stack {
 public:
  // Without `run` only the offsets of their results are found.
  explicit barriers_on_stack(const options& how, bool run = true) : how_(how), run_(run) {}

  // The leaves with what they are computed from in memory.
  const leaf_array* ready(const leaf_array* leaves, int count);

 private:
  const std::byte* result(const source& s);
  void reduce(const source& s, const leaf_array* leaves, target_array all, index results) const;

  struct done {
    const source* from;
    const std::byte* at;
  };
  const options& how_;
  bool run_;
  int leaf_count_ = 0, count_ = 0;
  index used_ = 0;
  leaf_array leaves_[limits::small_barriers::max_leaves];
  done done_[limits::small_barriers::max_barriers];
  alignas(64) std::byte memory_[limits::small_barriers::max_bytes];
};

}  // namespace broadloom::runtime
