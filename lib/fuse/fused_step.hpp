// A program over the results of phases, run whole or a block of rows at a time.
#pragma once

#include <cstring>
#include <memory>
#include <optional>

#include "../base/frame.hpp"
#include "../plan/bound.hpp"
#include "../plan/contraction.hpp"
#include "../reduce/empty.hpp"
#include "../reduce/reduce.hpp"
#include "../reduce/scan.hpp"
#include "map_and_sum_rows.hpp"
#include "row_reduction.hpp"

namespace broadloom::runtime {

// The first axis that has more than one index, or -1.
inline int leading(const index* extents, int rank) {
  for (int i = 0; i < rank; ++i)
    if (extents[i] != 1) return i;
  return -1;
}

// The axis of a program's input that is the leading axis of its result, if no reduced axis goes before it; else -1.
inline int leading_input(const source& s) {
  const int i = leading(s.in_extents, s.in_rank);
  return i < 0 || (s.reduced >> i & 1) != 0 ? -1 : i;
}

inline bool is_program(const source& s) { return s.evaluate == nullptr && !s.is_ramp; }

inline bool is_scan(reduction how) { return how == reduction::running_sum || how == reduction::running_product; }

// Whether it is a program's reduction to fewer elements.
inline bool is_reduction(const source& s) { return is_program(s) && s.how != reduction::none && !is_scan(s.how); }

// What a program computes before it is reduced.
inline target_array result_of(const source& s, void* to) { return {to, s.in_extents, nullptr, s.in_rank, s.type}; }

// The kernels of a reduction whose whole problem this is.
inline fused_kernels kernels_of(const source& s, const problem& whole) {
  return {s.tile, s.lines, s.rows, contracted(whole, s)};
}

// Where `plan` is not null it gets how the source is reduced, no plan where it is not, and nothing is done.
inline void compute(const source& s, const problem& p, index results, const fused_kernels& kernels,
                    reduction_plan* plan = nullptr) {
  const bool is_empty = product(p.extents, p.rank) == 0;
  if (plan != nullptr)
    *plan = results == 0 || is_empty || !is_reduction(s) ? no_plan() : plan_of(p, s.reduced, s.how, kernels);
  if (results == 0 || plan != nullptr) return;
  if (is_empty)
    fill_empty(p.out, results, s.type, s.how);
  else if (s.how == reduction::none)
    execute(p);
  else if (is_scan(s.how))
    scan(p, s.reduced, s.how);
  else
    reduce(p, s.reduced, s.how, kernels);
}

// If functions are called, this many rows are computed at a time, while as many computed before are read.
inline constexpr index rows_of_pipeline = 4;

// Bytes between the two halves of a double buffer of such rows. Processors compare the last twelve bits of addresses
// first (base/frame.hpp): by these bits, no element that is read lies up to 1 KiB behind one that is written at the
// same time. With rows of 2 or 4 KiB and no gap, one process in six takes up to 1.6 times as long. (Rows of 1 KiB fill
// a page, with any gap.)
constexpr index gap_of_halves(index row_bytes) {
  constexpr index page = 4096, near = 1024;
  if (row_bytes < near) return 0;
  for (index gap = 0; gap < page; gap += 256) {
    bool apart = true;
    for (index rows = 1; rows < 2 * rows_of_pipeline; ++rows) apart = apart && (rows * row_bytes + gap) % page >= near;
    if (apart) return gap;
  }
  return 0;
}
static_assert(gap_of_halves(1024) == 0 && gap_of_halves(2048) == 1024 && gap_of_halves(4096) == 1024);

// Where row i lies in its block: blocks from number `double_buffered_from` on are double-buffered.
constexpr index row_in_block(index i, index row_bytes, index place, index double_buffered_from) {
  if (place < double_buffered_from) return i * row_bytes;
  const index row = i % (2 * rows_of_pipeline);
  return row * row_bytes + (row < rows_of_pipeline ? 0 : gap_of_halves(row_bytes));
}

class barrier_schedule;

// A program over the results of phases: the consumer, or a phase. It is run whole, or some rows at a time: as many as
// stay in the first-level cache, or a block.
class fused_step {
 public:
  // What it computes belongs to `out`; `whole` is where the phases lie that are computed first, null where only a plan
  // is asked for.
  fused_step(const source& s, const target_array& out, const options& how, const barrier_schedule& plan,
             const std::byte* whole);

  const problem& whole() const { return bound_.problem; }

  // Plans rows, at most `most` at a time, of `row` results each. False where their loops are not so plain: then a block
  // of them is a problem of its own. An operand that overlaps the output is the output, element for element: else the
  // schedule has no rows.
  bool plan(index most, index row) {
    most_ = most;
    row_ = row;
    const problem& p = bound_.problem;
    const index elements = product(p.extents, p.rank), bytes = elements * size_of(p.out_type);
    if (elements == 0 || is_scan(from_.how)) return false;
    if (const fused_kernels several = kernels_of(from_, p); !reduces()) {
      streamed_ = writes_output() && p.how.whole_bytes >= streamed_bytes() && 8 * bytes >= p.how.whole_bytes &&
                  p.out_type != dtype::b8;
      loops_ = std::make_unique<row_runner>(p, axis_, most, streamed_);
      if (!loops_->works()) loops_.reset();
    } else if (several.term == pair_term::other) {  // else many rows at a time
      sums_ = std::make_unique<row_reduction>(p, from_.reduced, from_.how, several, axis_, most);
      if (!sums_->works()) sums_.reset();
    }
    return loops_ || sums_;
  }

  // If this sums what `rows` gives, whose block is at `place`: rows are added up as they are computed, and their lanes
  // are kept `lanes_at` behind the blocks. False if it is no such sum, or if the rows have no such loop.
  bool sums_rows_of(fused_step& rows, index place, index most, std::size_t lanes_at) {
    if (!sums_ || !sums_->is_plain() || places_[sums_->operand()] != place || !rows.loops_ || rows.function_)
      return false;
    const problem& p = rows.bound_.problem;
    const row_strides where(p, rows.axis_, true);
    rows.function_ = std::make_unique<map_and_sum_rows>(p, where);
    if (!rows.function_->works() || !sums_->sums_rows_of(*rows.function_, where.side())) {
      rows.function_.reset();
      return false;
    }
    rows.lanes_at_ = lanes_at_ = lanes_at;
    rows.side_ = where.side();
    lane_bytes_ = sums_->lane_bytes(most);
    join_bytes_ = sums_->join_bytes(most);
    joins_ = true;
    return true;
  }
  // Whether a function takes most of the time.
  bool calls_functions() const { return function_ != nullptr || (sums_ && sums_->calls_function()); }
  std::size_t lane_bytes() const { return lane_bytes_; }
  // Whether the rows it reads are those of an array in memory, and nothing is done but to reduce them.
  bool reads_ahead() const { return sums_ && sums_->is_plain() && places_[sums_->operand()] == in_memory; }
  bool is_streamed() const { return streamed_; }
  index prefetched_elements() const { return loops_ ? loops_->prefetched_elements() : sums_->prefetched_elements(); }
  std::size_t scratch_bytes() const {
    return joins_ ? join_bytes_ : loops_ ? loops_->scratch_bytes() : sums_ ? sums_->scratch_bytes() : 0;
  }

  // Computes rows [first, first + n) as planned, of which the first is row `at` of the blocks (row_in_block): what it
  // reads by rows is there, and its output belongs to `out` (null: to that row of the whole output).
  void rows(index first, index n, index at, index double_buffered_from, std::byte* blocks, void* out,
            std::byte* scratch, row_prefetcher* prefetcher) const {
    if (joins_) return sums_->join(blocks + lanes_at_, static_cast<std::byte*>(out), n, scratch);
    const starts operands(*this, first, at, double_buffered_from, blocks);
    const problem& p = bound_.problem;
    auto* const to = out != nullptr ? static_cast<std::byte*>(out)
                                    : moved(p.out, first * p.out_strides[axis_] * size_of(p.out_type));
    if (function_)
      (*function_)(operands.data(), 0, n* side_, to, function_->elements(), blocks + lanes_at_, prefetcher);
    else if (loops_)
      (*loops_)(operands.data(), to, n, scratch, prefetcher);
    else if (sums_)
      (*sums_)(operands.data(), to, n, scratch, prefetcher);
    else
      compute(from_, block(*this, first, n, blocks, out).problem, n * row_, kernels_of(from_, p));
  }

  // How planned rows are reduced.
  reduction_plan reduced() const {
    if (!sums_) {
      const block first(*this, 0, most_, nullptr, nullptr);
      return plan_of(first.problem, from_.reduced, from_.how, kernels_of(from_, bound_.problem));
    }
    reduction_plan x = sums_->plan();
    if (joins_) x.input = reduction_input::function;
    return x;
  }

  // Operands in memory, whose rows are read in order.
  void list_rows(row_prefetcher& prefetcher) const {
    const problem& p = bound_.problem;
    index row = 1;
    for (index i = axis_ + 1; i < p.rank; ++i) row *= p.extents[i];
    for (int k = 0; k < p.operand_count; ++k) {
      const operand& x = p.operands[k];
      if (places_[k] == in_memory && !x.is_scalar && x.at == nullptr && !x.is_ramp && x.strides[axis_] == row)
        prefetcher.add(x.data, row * size_of(x.type));
    }
  }

 private:
  // Whether this is the tree; where others write is not known yet.
  bool writes_output() const { return bound_.problem.out != nullptr; }
  bool reduces() const { return from_.how != reduction::none; }

  // Rows [first, first + n) as a problem of their own; arguments as those of rows().
  struct block : part_of_problem {
    block(const fused_step& u, index first, index n, const std::byte* scratch, void* out)
        : part_of_problem(u.bound_.problem, u.axis_, first, n) {
      for (int k = 0; k < problem.operand_count; ++k)
        if (u.places_[k] != in_memory) at(k).data = moved(scratch, u.places_[k]);
      if (out != nullptr) problem.out = out;
    }
  };

  // Where row `first` of each operand lies.
  struct starts : small_array<const std::byte*, 16> {
    starts(const fused_step& u, index first, index at, index double_buffered_from, std::byte* blocks)
        : small_array(static_cast<std::size_t>(u.bound_.problem.operand_count)) {
      for (int k = 0; k < u.bound_.problem.operand_count; ++k) {
        const operand& x = u.bound_.problem.operands[k];
        const index place = u.places_[k], row = x.is_scalar ? 0 : x.strides[u.axis_] * size_of(x.type);
        data()[k] = place == in_memory ? moved(x.data, first * row)
                                       : blocks + place + row_in_block(at, row, place, double_buffered_from);
      }
    }
  };
  static constexpr index in_memory = -1;
  bound_problem bound_;
  const source& from_;
  int axis_;
  small_array<index, 8> places_;  // in the scratch of a block
  std::unique_ptr<row_runner> loops_;
  std::unique_ptr<row_reduction> sums_;
  std::unique_ptr<map_and_sum_rows> function_;  // adds up what it gives, for a unit that joins lanes
  bool streamed_ = false, joins_ = false;
  index side_ = 1, most_ = 0, row_ = 1;
  std::size_t lanes_at_ = 0, lane_bytes_ = 0, join_bytes_ = 0;
};

}  // namespace broadloom::runtime
