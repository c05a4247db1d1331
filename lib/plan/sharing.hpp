// Common subexpressions: a stage that computes what an earlier one does is dropped, and its readers read the earlier
// one.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/small_array.hpp"

namespace broadloom::runtime {

// The stages that compute what an earlier one does: the same function of the same memory, or of the same earlier
// stages. A user's callable is called as often as it is written.
struct repeated_stages {
  explicit repeated_stages(const problem& p);
  int count = 0;
  small_array<int, 16> first;  // for each stage, the first one that computes the same; not filled of fewer than three
};

// The problem without its repeated stages.
class sharing {
 public:
  sharing(const problem& p, const repeated_stages& repeated);
  sharing(const sharing&) = delete;
  sharing& operator=(const sharing&) = delete;

  const problem& shared() const { return shared_; }

 private:
  small_array<stage, 8> stages_;
  small_array<unsigned char, 32> inputs_;
  problem shared_;
};

}  // namespace broadloom::runtime
