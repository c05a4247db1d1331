// Copies for a problem whose operands overlap its output: of these operands before it, or of the result after it.
#pragma once

#include "../base/memory_block.hpp"
#include "../base/small_array.hpp"
#include "../plan/alias.hpp"

namespace broadloom::runtime {

// Copies elements by their size, with strides in elements.
void copy_array(dtype type, const void* from, const index* from_strides, void* to, const index* to_strides, index rank,
                const index* extents, const options& how);

class alias_copies {
 public:
  // Takes the memory that the decision asks for, and copies nothing yet. Throws std::bad_alloc.
  alias_copies(const problem& p, const alias_decision& d);

  // The problem over the copies.
  const problem& inner() const { return inner_; }
  void before() const;
  void after() const;

 private:
  const problem& whole_;
  bool result_;
  memory_block memory_;
  small_array<operand, 16> operands_;
  small_array<index, 64> strides_;  // of the copies
  problem inner_;
};

}  // namespace broadloom::runtime
