// The strides between rows and within them, for problems whose rows differ in their addresses only.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/small_array.hpp"

namespace broadloom::runtime {

// In elements: from row to row, and from one element of a row to the next.
struct row_stride {
  index across, along;
};

// Rows of n elements along the last axis of extent above 1; `side` rows for each index of `axis`. All axes before
// `axis` have extent 1. If no axis follows `axis`, n is 1.
class row_strides {
 public:
  // `with_output`: the last entry of the list has the strides of p.out_strides.
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
