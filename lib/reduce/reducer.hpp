// The driver of reductions: runs a reduction_plan. It evaluates the program into scratch a piece at a time, or reads a
// plain operand where it lies, and combines. Each kind of loops has a file of its own.
#pragma once

#include <cstring>
#include <optional>
#include <vector>

#include "../base/for_each.hpp"
#include "../base/limits.hpp"
#include "../base/memory_block.hpp"
#include "../base/small_array.hpp"
#include "../base/smaller.hpp"
#include "../plan/contiguous_rows.hpp"
#include "../run/run.hpp"
#include "kernels.hpp"
#include "reduce.hpp"

namespace broadloom::runtime {

using limits::reducing::scratch_elements;
inline constexpr int max_axes = 33;

// What the strips of `rows` rows came to, the 64 bytes of each at `lanes`, as one element of a row: first the lanes of
// a strip, of many rows together, with room for these at `partial`, then the strips.
inline void join_strips(const reduce_kernels& k, const std::byte* lanes, index rows, index strips, int size,
                        std::byte* partial, std::byte* to) {
  if (rows == 1) return k.strips(lanes, strips, to);
  k.sequences(lanes, rows * strips, 64 / size, 64, strips == 1 ? to : partial, lanes);
  for (index r = 0; r < rows && strips > 1; ++r) k.tree(partial + r * strips * size, strips, 1, to + r * size);
}

// Lanes k and k + half of `there`, which are rows one after the other, until one is left. `lanes`: those of 64 bytes,
// or half of them. `sums` is overwritten.
[[gnu::always_inline]] inline void join_lanes(const reduce_kernels& k, std::byte* sums, index lanes, index there,
                                              index columns, index row, std::byte* to) {
  if (there == lanes && k.lanes != nullptr) return k.lanes(sums, lanes, columns, to);
  if (there == 1) std::memcpy(to, sums, static_cast<std::size_t>(row));
  for (index half = lanes / 2; half > 0; half /= 2)
    if (there > half) {
      const void* const upper = sums + half * row;
      k.rows(half == 1 ? to : sums, sums, &upper, 1, smaller(half, there - half) * columns);
    }
}

// Inputs of a stage, `n` elements further.
inline void advance(const stage& only, slot* inputs, index n) {
  for (int j = 0; j < only.input_count; ++j)
    if (inputs[j].advance != 0) inputs[j].data = moved(inputs[j].data, n * size_of(only.input_types[j]));
}

// Short rows as may_be_short_rows() has them, and the rows that are shared, a bit each.
void reduce_short_rows(const stage& only, const slot* inputs, index rows, index n, unsigned by_row,
                       const reduce_kernels& k, isa level, void* to, unsigned shared = 0);

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

  void run() const;
  const reduction_plan& plan() const { return plan_; }
  // Whether rows are read where their indices say they are, of any rows [i, j) of the result, too.
  bool reads_selected_rows() const { return runtime::reads_selected_rows(p_, axes_, found_); }

 private:
  // reducer.cpp
  void evaluate(const index* origin, const range* ranges, int count, std::byte* to, box_plans& plan) const;
  void make_plan(const range* ranges, int count, std::byte* to, box_plan& plan) const;
  void evaluate_part(const index* origin, index first, index n, index column, index columns, std::byte* to,
                     box_plans& plan) const;
  void origin_of(index i, std::size_t axes, index* origin) const;

  // rows.cpp
  void run_rows() const;
  void task_of_rows(index outer, index first, index n, box_plans& plan) const;
  void run_long_rows() const;
  const void* next_read(const index* origin, const loop_axis* along, index first, const void* in_cache) const;
  void rows_to_results(const std::byte* x, index rows, index pitch, std::byte* to, const void* next) const;
  void tree_to_results(std::byte* partial, index count, index n, std::byte* to) const;

  // whole_rows.cpp
  void run_kernel_rows() const;
  void sum_rows(const index* origin, index first, index count, index begin, index n, std::byte* to) const;
  void run_short_rows() const;
  void run_widened() const;
  void run_widened_rows() const;
  void run_product_rows() const;
  template <class Reduce>
  void each_rows_of_arrays(const Reduce& reduce) const;

  // columns.cpp
  void run_columns() const;
  void task_of_columns(index outer, index column, index columns, index first, index n, std::byte* to, bool finished,
                       box_plans& plan) const;
  void list_rows(const index* origin, index first, index n, index column, const std::byte** to) const;
  index add_products(const index* origin, index first, index n, index column, index columns, std::byte* lanes) const;
  column_inputs rows_of_columns(const index* origin, index first, index n, index columns) const;
  bool add_integers(const index* origin, index first, index n, index column, index columns, std::byte* to) const;

  // tiles.cpp
  void run_tiles() const;
  void pack_columns(std::byte* to, const operand& x, const index* origin, int k, const loop_axis& columns, index first,
                    index count, index width) const;
  index pack_rows(std::byte* to, const index* origin, int k, const loop_axis& rows, index first, index count) const;
  void scatter(std::byte* to, const std::byte* from, int size, index high, index wide, index width) const;

  // lines.cpp
  void run_gather() const;
  index find_lines(index first, index count, const void** to) const;

  // positions.cpp
  void run_positions() const;
  void run_positions_of_columns() const;

  // body(i, plan) for each task, with a plan that the tasks of one thread share.
  template <class Body>
  void each_task(index tasks, const Body& body) const {
    if (plan_.threads <= 1 && control_here == nullptr) {
      for (index i = 0; i < tasks; ++i) body(i, boxes_);
      return;
    }
    for_ranges(tasks, plan_.threads <= 1 ? 1 : plan_.threads, [&body](index first, index last) {
      box_plans plan;
      for (index i = first; i < last; ++i) body(i, plan);
    });
  }

  // body(t, origin, first, n, plan) for task t of all parts of all sequences: elements [first, first + n) of one that
  // begins at `origin`.
  template <class Body>
  void each_part(const Body& body) const {
    const index parts = plan_.parts();
    each_task(plan_.tasks, [&](index t, box_plans& plan) {
      const index first = parts == 1 ? 0 : t % parts * plan_.part;
      index origin[first_stage];
      origin_of(parts == 1 ? t : t / parts, axes_.kept.size(), origin);
      body(t, origin, first, smaller(plan_.part, axes_.length - first), plan);
    });
  }

  // body(origin, first, n, plan, to) for each part of each sequence: `to` gets its partial result, which are combined.
  template <class Body>
  void each_partial_result(const Body& body) const {
    const index parts = plan_.parts();
    const bool combines = parts > 1 || kernels_->finish != nullptr;
    auto* const out = static_cast<std::byte*>(p_.out);
    std::optional<memory_block> partial;
    std::byte* const all = combines ? partial.emplace(axes_.results * parts * part_).data() : out;
    each_part([&](index t, const index* origin, index first, index n, box_plans& plan) {
      body(origin, first, n, plan, all + t * part_);
    });
    for (index i = 0; i < axes_.results && combines; ++i)
      tree_to_results(all + i * parts * part_, parts, 1, out + i * out_size_);
  }

  // Axes are numbered: kept ones from 0, reduced ones from -1 downwards.
  const loop_axis& axis(int i) const {
    return i >= 0 ? axes_.kept[static_cast<std::size_t>(i)] : axes_.sequence[static_cast<std::size_t>(-1 - i)];
  }

  const std::byte* plain_at(const index* origin) const {
    const int k = p_.code.stages[0].inputs[0];
    return static_cast<const std::byte*>(p_.operands[k].data) + origin[k] * size_;
  }

  index plain_step(const loop_axis& a) const { return a.steps[p_.code.stages[0].inputs[0]]; }

  bool in_place() const { return plan_.input == reduction_input::memory; }

  problem p_;
  small_array<operand, 8> operands_;
  reduction_nest axes_;
  dtype type_;
  int size_, out_size_;
  int part_;  // bytes of a partial result
  const reduce_kernels* kernels_;
  widening_sum* widened_;
  product_columns* products_;
  product_rows* product_rows_;
  reduction_kernels found_;
  std::optional<contraction> contraction_;
  reduction_plan plan_;
  mutable box_plans boxes_;  // of what runs on one thread
};

}  // namespace broadloom::runtime
