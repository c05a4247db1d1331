// A reduction of a few rows at a time, planned once: a call costs little more than its loops.
#pragma once

#include <memory>

#include "../reduce/kernels.hpp"
#include "../reduce/reduce.hpp"
#include "../run/run.hpp"
#include "map_and_sum_rows.hpp"

namespace broadloom::runtime {

class row_reduction {
 public:
  // Rows along `axis`, at most `most` of its indices at a time.
  row_reduction(const problem& p, unsigned reduced, reduction op, const fused_kernels& several, int axis, index most);

  // False where rows do not lie along memory, or are long.
  bool works() const { return plan_.works; }
  const reduction_plan& plan() const { return plan_; }
  std::size_t scratch_bytes() const { return scratch_bytes_; }
  // How many elements' worth of memory is prefetched with each index: fewer if rows are read from memory.
  index prefetched_elements() const { return is_plain() ? side_ * n_ / 2 : side_ * n_; }

  // Whether it is made of sums of such rows, `side` of them for each index, contiguous in its operand.
  bool sums_rows_of(const map_and_sum_rows& x, index side) const {
    return is_plain() && op_ == reduction::sum && x.elements() == n_ && side_ == side &&
           places_[operand()].across == n_;
  }
  int operand() const { return code_.stages[0].inputs[0]; }
  // How much memory the lanes of their strips take, and how much scratch it takes to join them.
  std::size_t lane_bytes(index rows) const { return static_cast<std::size_t>(strips(rows) * 64); }
  std::size_t join_bytes(index rows) const { return static_cast<std::size_t>(strips(rows) * size_); }
  void join(const std::byte* lanes, std::byte* out, index rows, std::byte* scratch) const;
  // Whether the rows are read as they are.
  bool is_plain() const { return plan_.input == reduction_input::memory; }
  bool calls_function() const { return function_ != nullptr; }

  // The first row of each operand lies there, and the results belong to `out`.
  void operator()(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                  row_prefetcher* prefetcher) const;

 private:
  product_rows* find_product_rows() const;
  bool arrange(const problem& p, const fused_kernels& several, int axis, index most);
  index strips(index rows) const { return rows * side_ * divide_up(n_, strip_length); }
  void run_kernel(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                  row_prefetcher* prefetcher) const;

  void run_function(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                    row_prefetcher* prefetcher) const;

  const reduce_kernels* kernels_;
  program code_;
  reduction op_;
  reduction_plan plan_;
  int size_;
  index side_, n_;
  const row_reduce_kernel* kernel_ = nullptr;   // of the program, where it has one
  product_rows* products_ = nullptr;            // that does the same, if it adds up products or squares
  std::unique_ptr<map_and_sum_rows> function_;  // it is, and gives their lanes
  std::unique_ptr<row_runner> loops_;           // else it is evaluated first
  small_array<index, 64> strides_;
  small_array<row_stride, 16> places_;
  std::size_t scratch_bytes_ = 0, found_at_ = 0, partial_at_ = 0, evaluated_at_ = 0;
};

}  // namespace broadloom::runtime
