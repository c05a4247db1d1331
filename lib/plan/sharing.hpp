// Common subexpressions: a stage that computes what an earlier one does is dropped, and its readers read the earlier
// one. Operands that are the same memory, or the same number, become one.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/small_array.hpp"

namespace broadloom::runtime {

// What a problem has more than once. Stages: the same function of the same memory, or of the same earlier stages. A
// user's callable is called as often as it is written. Of operands that are gathered, and of any beside them, none
// counts as repeated.
struct repetitions {
  explicit repetitions(const problem& p);
  bool any() const { return stages + operands > 0; }
  int stages = 0, operands = 0;
  // For each one, the first that is the same. Not of bytes: a compiler takes it that these may be stored anywhere, and
  // loads everything again.
  small_array<short, 24> first_of_stage;
  small_array<short, 48> first_of_operand;
  // The inputs of all stages, one stage after the other: the first that is the same, numbered as stages have them.
  small_array<short, 96> inputs;
};

// The problem without what is repeated.
class sharing {
 public:
  sharing(const problem& p, const repetitions& repeated);
  sharing(const sharing&) = delete;
  sharing& operator=(const sharing&) = delete;

  const problem& shared() const { return shared_; }

 private:
  small_array<operand, 16> operands_;
  small_array<stage, 16> stages_;
  small_array<unsigned char, 64> inputs_;
  problem shared_;
};

}  // namespace broadloom::runtime
