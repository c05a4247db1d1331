// The driver of reductions: cuts the work into tasks, evaluates the program into scratch a piece at a time (or reads a
// plain operand where it lies), and combines. Each way a reduction can go has a file of its own.
#pragma once

#include <optional>
#include <vector>

#include "../base/for_each.hpp"
#include "../base/limits.hpp"
#include "../base/small_array.hpp"
#include "../base/smaller.hpp"
#include "../plan/contraction.hpp"
#include "../run/run.hpp"
#include "kernels.hpp"
#include "reduce.hpp"

namespace broadloom::runtime {

using limits::reducing::scratch_elements;
using limits::reducing::segment_strips;
inline constexpr index segment_length = segment_strips * strip_length;  // one task's share of a long sequence
inline constexpr int max_axes = 33;

constexpr index divide_up(index a, index b) { return (a + b - 1) / b; }

// What the strips of `rows` rows came to, the 64 bytes of each at `lanes`, as one element of a row: first the lanes of
// a strip, of many rows together, with room for these at `partial`, then the strips.
inline void join_strips(const reduce_kernels& k, const std::byte* lanes, index rows, index strips, int size,
                        std::byte* partial, std::byte* to) {
  if (rows == 1) return k.strips(lanes, strips, to);
  k.sequences(lanes, rows * strips, 64 / size, 64, strips == 1 ? to : partial, lanes);
  for (index r = 0; r < rows && strips > 1; ++r) k.tree(partial + r * strips * size, strips, 1, to + r * size);
}

// Elements of a long sequence whose strips are combined at once.
inline constexpr index piece_length = limits::reducing::strips_of_piece * strip_length;

// Inputs of a stage, `n` elements further.
inline void advance(const stage& only, slot* inputs, index n) {
  for (int j = 0; j < only.input_count; ++j)
    if (inputs[j].advance != 0) inputs[j].data = moved(inputs[j].data, n * size_of(only.input_types[j]));
}

// Short rows of a program that is not a copy: some at a time are evaluated on the stack as one sequence. Inputs are
// contiguous or scalars (advance 0), or of one number for each row, where their bit is set in `by_row`, or one row for
// all, which may be a ramp, where it is set in `shared`; may_be_short_rows() takes both in `by_row`.
inline constexpr int max_short_inputs = 8, max_short_by_row = 2;
bool may_be_short_rows(const stage& only, index n, unsigned by_row, const reduce_kernels& k, isa level);
void reduce_short_rows(const stage& only, const slot* inputs, index rows, index n, unsigned by_row,
                       const reduce_kernels& k, isa level, void* to, unsigned shared = 0);

// One axis of the loops: its extent, and what a step along it is in every operand, in elements.
struct loop_axis {
  index extent;
  std::vector<index> steps;
};

// A range of an axis.
struct range {
  int axis;
  index first, count;
};

// The plans of the boxes that were evaluated last: most boxes have equal extents, and often the remainders, too.
struct box_plan {
  static constexpr int most = 8;  // of ranges; boxes with more are planned each time
  range ranges[most];
  int count = -1;
  std::optional<box_runner> run;

  bool is_for(const range* r, int n) const {
    bool same = count == n && n <= most;
    for (int i = 0; i < n && same; ++i) same = ranges[i].axis == r[i].axis && ranges[i].count == r[i].count;
    return same;
  }
};
struct box_plans {
  box_plan two[2];
  int last = 0;
};

class reducer {
 public:
  reducer(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused);

  // The operands and the output lie elsewhere now, or have other elements.
  void move(const operand* operands, void* out);
  void run() const;
  // Whether rows are read where their indices say they are, of any rows [i, j) of the result, too.
  bool reads_selected_rows() const;

 private:
  enum class pairing : unsigned char { none, upright, turned };

  // reducer.cpp
  bool behind(const loop_axis& a, const loop_axis& b) const;
  int choose() const;
  bool along_kept() const;
  void evaluate(const index* origin, const range* ranges, int count, std::byte* to, box_plans& plan) const;
  void make_plan(operand* operands, const range* ranges, int count, std::byte* to, box_plan& plan) const;
  void evaluate_part(const index* origin, index first, index n, index column, index columns, std::byte* to,
                     box_plans& plan) const;
  void origin_of(index i, std::size_t axes, index* origin) const;

  // rows.cpp
  void run_rows() const;
  void task_of_rows(bool direct, index outer, index first, index n, std::size_t cut, box_plans& plan) const;
  void run_long_rows(bool direct) const;
  index part_of_long_rows() const;
  void run_long_rows_in_place() const;
  const void* next_read(const index* origin, const loop_axis* along, index first, const void* in_cache) const;
  void rows_to_results(const std::byte* x, index rows, index pitch, std::byte* to, const void* next) const;
  void tree_to_results(std::byte* partial, index count, index n, std::byte* to) const;

  // whole_rows.cpp
  bool runs_whole_rows() const;
  void run_whole_rows() const;
  void sum_rows(const index* origin, index first, index count, index begin, index n, std::byte* to) const;

  bool runs_short_rows() const;
  unsigned short_by_row() const;
  void run_short_rows() const;

  bool runs_widened() const;
  void run_widened() const;

  // columns.cpp
  void run_columns() const;
  void task_of_columns(bool direct, index outer, index column, index columns, index first, index n, std::byte* to,
                       bool finished, box_plans& plan) const;

  // tiles.cpp
  pairing pairs_up() const;
  void run_tiles(bool turned) const;
  void pack_columns(std::byte* to, const operand& x, const index* origin, int k, const loop_axis& columns, index first,
                    index count, index width) const;
  index pack_rows(std::byte* to, const index* origin, int k, const loop_axis& rows, index first, index count) const;
  void scatter(std::byte* to, const std::byte* from, int size, index high, index wide, index width) const;

  // lines.cpp
  index gathered_together() const;
  void run_gather() const;
  index find_lines(index first, index count, const void** to) const;

  // positions.cpp
  void run_positions() const;
  bool runs_positions_of_columns() const;
  void run_positions_of_columns() const;

  // body(i, plan) for each task, with a plan that the tasks of one thread share.
  template <class Body>
  void each_task(index tasks, const Body& body) const {
    if (threads_ <= 1 && control_here == nullptr) {
      for (index i = 0; i < tasks; ++i) body(i, plan_);
      return;
    }
    for_ranges(tasks, threads_ <= 1 ? 1 : threads_, [&body](index first, index last) {
      box_plans plan;
      for (index i = first; i < last; ++i) body(i, plan);
    });
  }

  // body(t, origin, first, n, plan) for task t of all segments of all sequences: elements [first, first + n) of one
  // that begins at `origin`.
  template <class Body>
  void each_segment(const Body& body) const {
    const index segments = divide_up(length_, segment_length);
    each_task(results_ * segments, [&](index t, box_plans& plan) {
      const index first = segments == 1 ? 0 : t % segments * segment_length;
      index origin[first_stage];
      origin_of(segments == 1 ? t : t / segments, kept_.size(), origin);
      body(t, origin, first, smaller(segment_length, length_ - first), plan);
    });
  }

  // Axes are numbered: kept ones from 0, reduced ones from -1 downwards.
  const loop_axis& axis(int i) const {
    return i >= 0 ? kept_[static_cast<std::size_t>(i)] : sequence_[static_cast<std::size_t>(-1 - i)];
  }

  const std::byte* plain_at(const index* origin) const {
    const int k = p_.code.stages[0].inputs[0];
    return static_cast<const std::byte*>(p_.operands[k].data) + origin[k] * size_;
  }

  index plain_step(const loop_axis& a) const { return a.steps[p_.code.stages[0].inputs[0]]; }

  bool counts_ramps() const;

  // Whether sequences are read where they lie, element after element.
  bool lies_in_line() const {
    return plain_ && sequence_.size() == 1 && (plain_step(sequence_[0]) == 1 || length_ == 1);
  }

  problem p_;
  small_array<operand, 8> operands_;
  std::vector<loop_axis> kept_, sequence_;
  index results_ = 1, length_ = 1;
  dtype type_;
  int size_, out_size_, threads_;
  int part_;  // bytes of a partial result
  bool plain_, positions_, computes_ramps_ = false;
  const reduce_kernels* kernels_;
  const pair_reduce_kernel* tile_;
  const gather_reduce_kernel* lines_;
  const row_reduce_kernel* rows_;
  widening_sum* widened_;
  bool ahead_ = true, selects_ = false;
  std::optional<contraction> contraction_;
  mutable box_plans plan_;  // of what runs on one thread
};

}  // namespace broadloom::runtime
