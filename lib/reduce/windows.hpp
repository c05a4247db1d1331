// Maxima and minima of windows that overlap along several axes: along one axis first for all rows, then along the
// other ones of these. n elements of a window along one axis and m along the other are n + m instead of n * m.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/memory_block.hpp"
#include "../base/small_array.hpp"

namespace broadloom::runtime {

// Two axes along which an array has the same step: a kept one of the windows, and a reduced one of their elements.
struct window_axes {
  index kept, reduced;
};

// The windows that are worth reducing apart: kept -1 for none.
window_axes find_overlapping_windows(const problem& p, unsigned reduced, reduction op);

// A reduction split in two: the first of all other axes, of all elements that the windows cover, in memory of its own;
// the second of windows of its results.
class split_windows {
 public:
  split_windows(const problem& p, unsigned reduced, window_axes windows);  // throws std::bad_alloc
  split_windows(const split_windows&) = delete;
  split_windows& operator=(const split_windows&) = delete;

  const problem& first() const { return first_; }
  const problem& second() const { return second_; }

  // Whether the result may have other bits than in the order of the whole reduction: some are 0, and the array has a
  // negative zero.
  bool has_both_zeros() const;

 private:
  unsigned reduced_;
  small_array<index, 16> extents_;
  small_array<index, 16> strides_;
  operand results_{};
  problem first_{}, second_{};
  memory_block memory_;
};

}  // namespace broadloom::runtime
