// Leaves bound to the axes of what they are evaluated into: an evaluation as the planner sees it.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "nest.hpp"
#include "small_array.hpp"

namespace broadloom::runtime {

// Strides of a leaf over the axes of the result: 0 where the leaf is missing or has extent 1.
inline void bind_strides(const leaf_array& x, index* to, int rank) {
  index n = 1;
  for (int i = rank - 1, j = x.rank - 1; i >= 0; --i, --j) {
    if (j < 0) {
      to[i] = 0;
      continue;
    }
    to[i] = x.extents[j] == 1 ? 0 : x.strides != nullptr ? x.strides[j] : n;
    n *= x.extents[j];
  }
}

class bound_problem {
 public:
  bound_problem(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how)
      : operands_(static_cast<std::size_t>(count)), strides_(static_cast<std::size_t>((count + 1) * out.rank)) {
    for (int k = 0; k < count; ++k) {
      index* const s = strides_.data() + k * out.rank;
      bind_strides(leaves[k], s, out.rank);
      operands_[k] = {leaves[k].data, s, leaves[k].type, leaves[k].is_number};
    }
    index* const s = strides_.data() + count * out.rank;
    bind_strides({out.data, out.extents, out.strides, out.rank, out.type, false}, s, out.rank);
    problem = {out.rank, out.extents, out.data, s, out.type, operands_.data(), count, code, how};
  }

  // Operand k, to be given its memory.
  operand& at(int k) { return operands_[k]; }

  runtime::problem problem;

 private:
  small_array<operand, 8> operands_;
  small_array<index, 48> strides_;
};

}  // namespace broadloom::runtime
