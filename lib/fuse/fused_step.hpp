// A program over the results of phases, run whole or a block of rows at a time.
#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <optional>

#include "../plan/alias.hpp"
#include "../plan/contraction.hpp"
#include "../reduce/empty.hpp"
#include "../reduce/reduce.hpp"
#include "../reduce/scan.hpp"
#include "barrier_schedule.hpp"
#include "map_and_sum_rows.hpp"
#include "row_reduction.hpp"

namespace broadloom::runtime {

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
  else if (s.how == reduction::running_sum || s.how == reduction::running_product)
    scan(p, s.reduced, s.how);
  else
    reduce(p, s.reduced, s.how, kernels);
}

// If functions are called, this many rows are computed at a time, while as many computed before are read.
inline constexpr index rows_of_pipeline = 2;

// Bytes between the two halves of a double buffer of such rows. Processors compare the last twelve bits of addresses
// first (base/frame.hpp): by these bits, no element that is read lies up to 1 KiB behind one that is written at the
// same time. With rows of 2 or 4 KiB and no gap, one process in six takes up to 1.6 times as long.
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

// A program over the results of phases: the consumer, or a phase. It is run whole, or a block of rows at a time.
class fused_step {
 public:
  // `whole` is where the phases lie that are computed first; null where only a plan is asked for.
  fused_step(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how,
             int axis, const barrier_schedule& plan, const std::byte* whole, const positioned* const* at)
      : bound_(out, leaves, count, code, how, at),
        axis_(axis),
        places_(static_cast<std::size_t>(count)),
        planned_(static_cast<std::size_t>(count)) {
    for (int k = 0; k < count; ++k) {
      places_[k] = in_memory;
      if (leaves[k].from == nullptr || leaves[k].from->is_ramp) continue;
      const barrier& p = plan.of(leaves[k].from);
      const auto place = static_cast<index>(p.place) + leaves[k].offset * size_of(leaves[k].type);
      if (p.by_rows)
        places_[k] = place;
      else
        bound_.at(k).data = whole != nullptr ? whole + place : nullptr;
    }
  }

  const problem& whole() const { return bound_.problem; }

  // Plans rows, at most `most` at a time, of `from` or of the consumer (null). False where that is better done block by
  // block.
  bool plan_rows(const source* from, index most) {
    const problem& p = bound_.problem;
    const index elements = product(p.extents, p.rank), bytes = elements * size_of(p.out_type);
    if (elements == 0) return false;
    for (int k = 0; k < p.operand_count; ++k) {
      const operand& x = p.operands[k];
      planned_[k] = {static_cast<const std::byte*>(x.data), x.is_scalar ? 0 : x.strides[axis_] * size_of(x.type)};
    }
    out_row_ = p.out_strides[axis_] * size_of(p.out_type);
    if (from != nullptr && from->how != reduction::none) {
      if (from->how == reduction::running_sum || from->how == reduction::running_product) return false;
      const fused_kernels several = kernels_of(*from, p);
      if (several.term != pair_term::other) return false;  // many rows at a time
      sums_ = std::make_unique<row_reduction>(p, from->reduced, from->how, several, axis_, most);
      return sums_->works();
    }
    if (from == nullptr && decide_aliases(p).any()) return false;
    streamed_ = from == nullptr && p.how.whole_bytes >= streamed_bytes() && 8 * bytes >= p.how.whole_bytes &&
                p.out_type != dtype::b8;
    loops_ = std::make_unique<row_runner>(p, axis_, most, streamed_);
    return loops_->works();
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
    return joins_ ? join_bytes_ : loops_ ? loops_->scratch_bytes() : sums_->scratch_bytes();
  }

  // Computes rows [first, first + n) as planned, of which the first is row `at` of the blocks (row_in_block); other
  // arguments as those of rows(). `out`: where that row belongs.
  void planned_rows(index first, index n, index at, index double_buffered_from, std::byte* blocks, void* out,
                    std::byte* scratch, row_prefetcher* prefetcher) const {
    if (joins_) return sums_->join(blocks + lanes_at_, static_cast<std::byte*>(out), n, scratch);
    const starts operands(*this, first, at, double_buffered_from, blocks);
    auto* const to =
        out != nullptr ? static_cast<std::byte*>(out) : static_cast<std::byte*>(bound_.problem.out) + first * out_row_;
    if (function_)
      (*function_)(operands.data(), 0, n* side_, to, function_->elements(), blocks + lanes_at_, prefetcher);
    else if (loops_)
      (*loops_)(operands.data(), to, n, scratch, prefetcher);
    else
      (*sums_)(operands.data(), to, n, scratch, prefetcher);
  }

  // How planned rows are reduced; and how blocks of n rows of `from` are.
  reduction_plan cached_reduction() const {
    reduction_plan x = sums_->plan();
    if (joins_) x.input = reduction_input::function;
    return x;
  }
  reduction_plan block_reduction(const source& from, index n) const {
    const block here(*this, 0, n, nullptr, nullptr);
    return plan_of(here.problem, from.reduced, from.how, kernels_of(from, bound_.problem));
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

  // Computes rows [first, first + n), of `from` or of the consumer (null), what it reads by rows in `scratch`, its
  // output at `out` (null: at that row of the whole output).
  void rows(index first, index n, const std::byte* scratch, void* out, const source* from, index row) const {
    const block here(*this, first, n, scratch, out);
    if (from != nullptr)
      compute(*from, here.problem, n * row, kernels_of(*from, bound_.problem));
    else
      execute(here.problem);
  }

 private:
  // Rows [first, first + n) as a problem of their own; arguments as those of rows().
  struct block : part_of_problem {
    block(const fused_step& u, index first, index n, const std::byte* scratch, void* out)
        : part_of_problem(u.bound_.problem, u.axis_, first, n) {
      for (int k = 0; k < problem.operand_count; ++k)
        if (u.places_[k] != in_memory) at(k).data = moved(scratch, u.places_[k]);
      if (out != nullptr) problem.out = out;
    }
  };

  // Where the first row of an operand in memory lies, and how many bytes before the next, there or in a block.
  struct planned_operand {
    const std::byte* data;
    index row;
  };
  // Where row `first` of each operand lies.
  struct starts : small_array<const std::byte*, 16> {
    starts(const fused_step& u, index first, index at, index double_buffered_from, std::byte* blocks)
        : small_array(static_cast<std::size_t>(u.bound_.problem.operand_count)) {
      for (int k = 0; k < u.bound_.problem.operand_count; ++k) {
        const index place = u.places_[k];
        const planned_operand& x = u.planned_[k];
        data()[k] = place == in_memory ? x.data + first * x.row
                                       : blocks + place + row_in_block(at, x.row, place, double_buffered_from);
      }
    }
  };
  static constexpr index in_memory = -1;
  bound_problem bound_;
  int axis_;
  small_array<index, 8> places_;  // in the scratch of a block
  small_array<planned_operand, 8> planned_;
  index out_row_ = 0;
  std::unique_ptr<row_runner> loops_;
  std::unique_ptr<row_reduction> sums_;
  std::unique_ptr<map_and_sum_rows> function_;  // adds up what it gives, for a unit that joins lanes
  bool streamed_ = false, joins_ = false;
  index side_ = 1;
  std::size_t lanes_at_ = 0, lane_bytes_ = 0, join_bytes_ = 0;
};

}  // namespace broadloom::runtime
