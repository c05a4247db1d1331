// How the rows of a problem lie in memory, where there is nothing more to them than where they begin.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/small_array.hpp"

namespace broadloom::runtime {

// In elements: from row to row, and from an element of a row to the next.
struct row_stride {
  index across, along;
};

// Rows of n elements along the last axis with more than one index, `side` of them for each index of `axis`, before
// which no axis has more than one. Where no axis comes behind that one, n is 1.
class row_strides {
 public:
  // `with_output`: it lies as p.out_strides says, behind the operands in the list.
  row_strides(const problem& p, int axis, bool with_output);

  bool works() const { return works_; }
  int inner() const { return inner_; }  // the axis, or -1
  index side() const { return side_; }
  index n() const { return n_; }
  const row_stride& operator[](int k) const { return list_[k]; }

 private:
  bool works_ = true;
  int inner_ = -1;
  index side_ = 1, n_ = 1;
  small_array<row_stride, 16> list_;
};

}  // namespace broadloom::runtime
