// Barriers, each once, in the order of their dependencies. A barrier is computed row block by row block if rows [i, j)
// of every reader read only rows [i, j) of it.
#pragma once

#include <cstdint>
#include <vector>

#include <broadloom/eval/scheduler.hpp>

#include "../base/extents.hpp"
#include "../base/limits.hpp"
#include "../base/smaller.hpp"
#include "../base/tuned.hpp"
#include "../plan/bound.hpp"
#include "../plan/contraction.hpp"
#include "../plan/work.hpp"

namespace broadloom::runtime {

using limits::fusing::few_rows;

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

// Whether it is a program's reduction to fewer elements.
inline bool is_reduction(const source& s) {
  return is_program(s) && s.how != reduction::none && s.how != reduction::running_sum &&
         s.how != reduction::running_product;
}

// What a program computes before it is reduced.
inline target_array result_of(const source& s, void* to) { return {to, s.in_extents, nullptr, s.in_rank, s.type}; }

inline bool contracts(const source& s, const options& how) {
  if (!is_program(s) || s.term == pair_term::other) return false;
  const bound_problem whole(result_of(s, nullptr), s.leaves, s.leaf_count, *s.code, how, s.at);
  return contracted(whole.problem, s) != pair_term::other;
}

struct barrier {
  const source* from;
  bool by_rows;
  index size = 1;     // of the result, in elements
  index row = 1;      // elements for one index of the leading axis
  index leads = 1;    // extent of the leading axis
  std::size_t place;  // by rows: of its block, in the thread's scratch; else: in the memory for whole results
  bool contracts;     // computed by tiles
};

class barrier_schedule {
 public:
  barrier_schedule(const target_array& out, const leaf_array* leaves, int count, const program& code,
                   const options& how)
      : out_(out), leaves_(leaves), count_(count), code_(code), how_(how) {
    collect(leaves, count);
    row_axis_ = leading(out.extents, out.rank);
    decide();
  }

  const std::vector<barrier>& barriers() const { return barriers_; }
  std::vector<barrier>& barriers() { return barriers_; }
  int threads() const { return threads_; }
  index bytes() const { return bytes_; }  // of all that blocks of rows read and write, each array once
  bool any_rows() const { return any_rows_; }
  int row_axis() const { return row_axis_; }
  index rows_at_once() const { return rows_at_once_; }
  index cached_rows() const {
    const double rows = static_cast<double>(out_.extents[row_axis_]);
    const double written = static_cast<double>(product(out_.extents, out_.rank) * size_of(out_.type));
    const auto fit =
        static_cast<index>(static_cast<double>(tuned_size(tuned::row_bytes)) / ((block_ - written) / rows + 1));
    return fit < 1 ? 1 : smaller(fit >= 4 ? fit / 4 * 4 : fit, rows_at_once_);
  }

  const barrier& of(const source* s) const { return barriers_[find(s)]; }

 private:
  std::size_t find(const source* s) const {
    std::size_t i = 0;
    while (i < barriers_.size() && !(barriers_[i].from->same == s->same && s->same(barriers_[i].from->node, s->node)))
      ++i;
    return i;
  }

  void collect(const leaf_array* leaves, int count) {
    for (int k = 0; k < count; ++k) {
      const source* const s = leaves[k].from;
      if (s == nullptr || find(s) < barriers_.size()) continue;
      if (s->is_ramp) continue;
      if (is_program(*s)) collect(s->leaves, s->leaf_count);
      barrier p{s, true, product(s->extents, s->rank), 1, 1, 0, contracts(*s, how_)};
      const int lead = leading(s->extents, s->rank);
      if (lead >= 0) {
        p.leads = s->extents[lead];
        p.row = p.size / (p.leads == 0 ? 1 : p.leads);
      }
      // evaluate_rows goes along axis 0
      p.by_rows = lead >= 0 && (is_program(*s) ? leading_input(*s) >= 0 : lead == 0 && s->evaluate_rows != nullptr);
      // sums of selected rows want whole vectors of each
      if (s->at != nullptr && p.row == 1) p.by_rows = false;
      barriers_.push_back(p);
    }
  }

  // Whether range [i, j) of axis `axis` of a reader of these extents reads range [i, j) of the leading axis of what the
  // leaf shows, and nothing else.
  bool reads_by_rows(const leaf_array& x, const barrier& p, const index* extents, int rank, int axis) const {
    if (axis < 0 || extents[axis] != p.leads) return false;
    small_array<index, 16> steps(static_cast<std::size_t>(rank));
    bind_strides(x, steps.data(), rank);
    if (steps[axis] != p.row) return false;
    index low = x.offset, high = x.offset;
    for (int i = 0; i < rank; ++i) {
      if (i == axis) continue;
      const index span = (extents[i] - 1) * steps[i];
      (span < 0 ? low : high) += span;
    }
    return low >= 0 && high < p.row;
  }

  void settle(const leaf_array* leaves, int count, const index* extents, int rank, int axis, bool by_rows) {
    for (int k = 0; k < count; ++k) {
      if (leaves[k].from == nullptr || leaves[k].from->is_ramp) continue;
      barrier& p = barriers_[find(leaves[k].from)];
      p.by_rows = p.by_rows && by_rows && reads_by_rows(leaves[k], p, extents, rank, axis);
    }
  }

  // The output is, element for element, this array of a program whose rows run along `axis`.
  bool is_output(const leaf_array& x, const index* extents, int rank, int axis) const {
    if (x.data != out_.data || rank != out_.rank || axis != row_axis_ || x.rank != rank) return false;
    small_array<index, 32> steps(static_cast<std::size_t>(2 * rank));
    bind_strides(x, steps.data(), rank);
    bind_strides(as_leaf(out_), steps.data() + rank, rank);
    for (int i = 0; i < rank; ++i)
      if (extents[i] != out_.extents[i] || steps[i] != steps[rank + i]) return false;
    return x.type == out_.type;
  }

  // Rows may be written before others are read only where no other row reads what a row writes.
  bool output_in_the_way() const {
    const address_range written = memory_of(as_leaf(out_));
    const auto overlaps = [&](const leaf_array& x) {
      return x.from == nullptr && may_overlap(x, written.low, written.high);
    };
    for (int k = 0; k < count_; ++k)
      if (overlaps(leaves_[k]) && !is_output(leaves_[k], out_.extents, out_.rank, row_axis_)) return true;
    for (const barrier& p : barriers_) {
      if (!p.by_rows) continue;
      const source& s = *p.from;
      if (is_program(s)) {
        for (int k = 0; k < s.leaf_count; ++k)
          if (overlaps(s.leaves[k]) && !is_output(s.leaves[k], s.in_extents, s.in_rank, leading_input(s))) return true;
      } else if (s.reads(s.node, reinterpret_cast<const void*>(written.low),
                         reinterpret_cast<const void*>(written.high))) {
        return true;
      }
    }
    return false;
  }

  void decide() {
    settle(leaves_, count_, out_.extents, out_.rank, row_axis_, true);
    for (std::size_t i = barriers_.size(); i-- > 0;) {
      const source& s = *barriers_[i].from;
      if (is_program(s))
        settle(s.leaves, s.leaf_count, s.in_extents, s.in_rank, leading_input(s), barriers_[i].by_rows);
    }
    const index rows = row_axis_ < 0 ? 1 : out_.extents[row_axis_];
    const auto serial_bytes = static_cast<double>(tuned_size(tuned::serial_bytes));
    const int threads = how_.threads == 0 ? max_threads() : how_.threads;
    double bytes =
        array_bytes(leaves_, count_) + static_cast<double>(product(out_.extents, out_.rank) * size_of(out_.type));
    index hint = 0;
    for (const barrier& p : barriers_) {
      if (!p.by_rows) continue;
      any_rows_ = true;
      const source& s = *p.from;
      bytes += static_cast<double>(p.size * size_of(s.type));
      if (is_program(s)) bytes += array_bytes(s.leaves, s.leaf_count);
      const index own = p.contracts ? contracted_rows(p.row * size_of(s.type)) : s.row_hint;
      if (own > hint) hint = own;
    }
    // Few long rows are better shared out within each phase.
    if (any_rows_ && (bytes > serial_bytes && rows < 2 * threads && how_.threads != 1)) any_rows_ = false;
    if (any_rows_ && output_in_the_way()) any_rows_ = false;
    if (!any_rows_)
      for (barrier& p : barriers_) p.by_rows = false;
    bytes_ = unique_bytes();
    threads_ = bytes > serial_bytes && !stays_on_one_thread() ? threads : 1;
    double block = static_cast<double>(bytes_);  // what is read twice is there once
    for (const barrier& p : barriers_) block += p.by_rows ? static_cast<double>(p.size * size_of(p.from->type)) : 0;
    index at_once = static_cast<index>(static_cast<double>(tuned_size(tuned::block_bytes)) /
                                       (block / static_cast<double>(rows) + 1));
    if (threads_ > 1) at_once = smaller(at_once, divide_up(rows, 4 * threads_));
    if (at_once >= few_rows) at_once = (at_once + few_rows / 2) / few_rows * few_rows;
    if (at_once < hint) at_once = hint;
    if (at_once < 1) at_once = 1;
    if (threads_ > 1 && hint > 0) at_once = smaller(at_once, divide_up(rows, threads_));
    rows_at_once_ = smaller(at_once, rows);
    block_ = block;
  }

  // Whether blocks of rows take so little time that no other thread is worth waking; unknown where functions compute
  // them.
  bool stays_on_one_thread() const {
    if (how_.threads != 0) return false;
    const auto stages = [](const program& code, const leaf_array* leaves) {
      double ns = 0;
      for (int s = 0; s < code.stage_count; ++s)
        if (!code.stages[s].copies)
          ns += stage_ns(code.stages[s], [leaves](int k) { return leaves[k].is_scalar ? leaves[k].data : nullptr; });
      return ns;
    };
    double ns = static_cast<double>(bytes_) * limits::work::of_byte +
                static_cast<double>(product(out_.extents, out_.rank)) * stages(code_, leaves_);
    for (const barrier& p : barriers_) {
      if (!p.by_rows) continue;
      if (!is_program(*p.from) || p.contracts) return false;
      ns += static_cast<double>(product(p.from->in_extents, p.from->in_rank)) *
            (stages(*p.from->code, p.from->leaves) + limits::work::of_reduction);
    }
    return stays_serial(ns);
  }

  index unique_bytes() const {
    std::vector<const void*> seen;
    index n = product(out_.extents, out_.rank) * size_of(out_.type);
    const auto add = [&](const leaf_array* leaves, int count) {
      for (int k = 0; k < count; ++k) {
        if (leaves[k].is_scalar || leaves[k].from != nullptr) continue;
        bool known = false;
        for (const void* x : seen) known = known || x == leaves[k].data;
        if (known) continue;
        seen.push_back(leaves[k].data);
        n += product(leaves[k].extents, leaves[k].rank) * size_of(leaves[k].type);
      }
    };
    add(leaves_, count_);
    for (const barrier& p : barriers_)
      if (p.by_rows && is_program(*p.from)) add(p.from->leaves, p.from->leaf_count);
    return n;
  }

  // What a program reads, each element of an array once.
  static double array_bytes(const leaf_array* leaves, int count) {
    double n = 0;
    for (int k = 0; k < count; ++k)
      if (!leaves[k].is_scalar && leaves[k].from == nullptr)
        n += static_cast<double>(product(leaves[k].extents, leaves[k].rank) * size_of(leaves[k].type));
    return n;
  }

  const target_array& out_;
  const leaf_array* leaves_;
  int count_;
  const program& code_;
  const options& how_;
  std::vector<barrier> barriers_;
  int row_axis_ = -1;
  bool any_rows_ = false;
  index rows_at_once_ = 1;
  double block_ = 0;  // bytes of all blocks
  int threads_ = 1;
  index bytes_ = 0;
};

}  // namespace broadloom::runtime
