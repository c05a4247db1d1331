// Hoisting: an expensive stage that depends on only some axes of the result is evaluated once over these axes, before
// the rest.
#pragma once

#include <broadloom/core/storage.hpp>
#include <broadloom/plan/problem.hpp>

#include "../base/small_array.hpp"

namespace broadloom::runtime {

// Which of the first stages depend on an axis: those that read what does. Stages read earlier ones.
void find_dependent(const problem& p, index axis, int stages, bool* on);

// The last stage that is worth hoisting, or -1. A transcendental function is if that saves at least half of its calls,
// arithmetic if it saves most of the elements.
int hoistable_stage(const problem& p);

// A problem split in two: a part with memory of its own, and the rest, which reads that memory as one more operand.
class hoisting {
 public:
  hoisting(const problem& p, int stage);  // throws std::bad_alloc
  ~hoisting();
  hoisting(const hoisting&) = delete;
  hoisting& operator=(const hoisting&) = delete;

  const problem& part() const { return part_; }
  const problem& rest() const { return rest_; }

 private:
  small_array<index, 8> extents_;
  small_array<index, 16> strides_;
  small_array<operand, 8> part_operands_, operands_;
  small_array<stage, 8> part_stages_, rest_stages_;
  small_array<unsigned char, 32> inputs_;
  int inputs_used_ = 0;
  std::size_t bytes_ = 0;
  void* memory_ = nullptr;
  problem part_{}, rest_{};
};

}  // namespace broadloom::runtime
