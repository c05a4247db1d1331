// Barriers are computed whole, before all that reads them, or by blocks of rows together with their readers.
#include "barriers.hpp"

#include <broadloom/core/checked_arithmetic.hpp>
#include <broadloom/eval/scheduler.hpp>

#include "../base/extents.hpp"
#include "../base/frame.hpp"
#include "../base/limits.hpp"
#include "../base/scope.hpp"
#include "../base/smaller.hpp"
#include "../base/tuned.hpp"
#include "../plan/work.hpp"
#include "../reduce/contiguous.hpp"

namespace broadloom::runtime {

using limits::fusing::few_rows;

namespace {

// Whether element i of an array in memory is element i of the output, both contiguous.
[[gnu::noinline]] bool has_contiguous_steps(const target_array& out, const leaf_array& x) {
  small_array<index, 32> steps(static_cast<std::size_t>(2 * out.rank));
  bind_strides(x, steps.data(), out.rank);
  bind_strides(as_leaf(out), steps.data() + out.rank, out.rank);
  index n = 1;
  for (int i = out.rank - 1; i >= 0; --i) {
    if (out.extents[i] != 1 && (steps[i] != n || steps[out.rank + i] != n)) return false;
    n *= out.extents[i];
  }
  return true;
}
inline bool matches_contiguously(const target_array& out, const leaf_array& x) {
  if (x.strides == nullptr && out.strides == nullptr && x.rank == out.rank) {  // most often
    index differ = 0;
    for (int i = 0; i < out.rank; ++i) differ |= x.extents[i] ^ out.extents[i];
    if (differ == 0) return true;
  }
  return has_contiguous_steps(out, x);
}

}  // namespace

namespace {

// Whether the tree is the elements of its one barrier, as they are, and the output has no gaps.
bool is_barrier(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  const stage& only = code.stages[0];
  if (code.stage_count != 1 || !only.copies || count != 1 || leaves[0].offset != 0) return false;
  const source& s = *leaves[0].from;
  return !s.is_ramp && s.type == out.type && product(s.extents, s.rank) == product(out.extents, out.rank) &&
         matches_contiguously(out, leaves[0]);
}
// Whether a barrier reads memory of the output, which has no gaps, beside what it reads of other barriers.
bool reads_output(const source& s, const target_array& out) {
  const auto low = reinterpret_cast<std::uintptr_t>(out.data);
  const std::uintptr_t high = low + static_cast<std::uintptr_t>(product(out.extents, out.rank) * size_of(out.type));
  if (!is_program(s))
    return s.reads == nullptr ||
           s.reads(s.node, reinterpret_cast<const void*>(low), reinterpret_cast<const void*>(high));
  for (int k = 0; k < s.leaf_count; ++k)
    if (s.leaves[k].from == nullptr && may_overlap(s.leaves[k], low, high)) return true;
  return false;
}

}  // namespace

bool fits_in_output(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  if (!is_barrier(out, leaves, count, code)) return false;
  const source& s = *leaves[0].from;
  if (is_program(s))
    for (int k = 0; k < s.leaf_count; ++k)
      if (s.leaves[k].from != nullptr) return false;
  return !reads_output(s, out);
}

void compute_in_output(const target_array& out, const source& s, const options& how, reduction_plan* plan) {
  if (!is_program(s)) return plan != nullptr ? void(*plan = no_plan()) : s.evaluate(s.node, out.data, how);
  const index results = product(s.extents, s.rank);
  if (!reduce_leaves(s, s.leaves, out.data, plan) &&
      !reduce_function(s, s.leaves, maths_in_force(how), out.data, plan)) {
    const bound_problem whole(result_of(s, out.data), s.leaves, s.leaf_count, *s.code, how, s.at);
    compute(s, whole.problem, results, kernels_of(s, whole.problem), plan);
  }
  if (plan == nullptr) repair_results(s, 0, results, out.data);
}

namespace {

bool contracts(const source& s, const options& how) {
  if (!is_program(s) || s.term == pair_term::other) return false;
  const bound_problem whole(result_of(s, nullptr), s.leaves, s.leaf_count, *s.code, how, s.at);
  return contracted(whole.problem, s) != pair_term::other;
}

// Whether range [i, j) of a reader's axis, [i, j) of which it computes at a time, reads range [i, j) of the leading
// axis of what the leaf shows, and nothing else.
bool reads_by_rows(const source& reader, const leaf_array& x, const scheduled_step& p) {
  const int axis = leading_input(reader), rank = reader.in_rank;
  if (axis < 0 || reader.in_extents[axis] != p.leads) return false;
  small_array<index, 16> steps(static_cast<std::size_t>(rank));
  bind_strides(x, steps.data(), rank);
  if (steps[axis] != p.row) return false;
  index low = x.offset, high = x.offset;
  for (int i = 0; i < rank; ++i) {
    if (i == axis) continue;
    const index span = (reader.in_extents[i] - 1) * steps[i];
    (span < 0 ? low : high) += span;
  }
  return low >= 0 && high < p.row;
}

// The output, whose rows run along `row_axis`, is, element for element, this array of a program.
bool is_output(const target_array& out, int row_axis, const source& reader, const leaf_array& x) {
  const int rank = out.rank;
  if (x.data != out.data || reader.in_rank != rank || leading_input(reader) != row_axis || x.rank != rank) return false;
  small_array<index, 32> steps(static_cast<std::size_t>(2 * rank));
  bind_strides(x, steps.data(), rank);
  bind_strides(as_leaf(out), steps.data() + rank, rank);
  for (int i = 0; i < rank; ++i)
    if (reader.in_extents[i] != out.extents[i] || steps[i] != steps[rank + i]) return false;
  return x.type == out.type;
}

// Rows may be written before others are read only where no other row reads what a row writes.
bool output_in_the_way(const target_array& out, const barrier_schedule& all) {
  const address_range written = memory_of(as_leaf(out));
  for (const scheduled_step& p : all.steps) {
    if (!p.by_rows) continue;
    const source& s = *p.from;
    if (!is_program(s) &&
        s.reads(s.node, reinterpret_cast<const void*>(written.low), reinterpret_cast<const void*>(written.high)))
      return true;
    for (int k = 0; k < s.leaf_count; ++k) {
      const leaf_array& x = s.leaves[k];
      if (x.from == nullptr && may_overlap(x, written.low, written.high) && !is_output(out, all.row_axis, s, x))
        return true;
    }
  }
  return false;
}

// What blocks of rows read and write: each array once, or, `twice`, once for each step that reads it.
index bytes_of(const barrier_schedule& all, bool twice) {
  std::vector<const void*> seen;
  const source& tree = *all.steps.back().from;
  index n = product(tree.extents, tree.rank) * size_of(tree.type);
  for (const scheduled_step& p : all.steps) {
    if (!p.by_rows) continue;
    for (int k = 0; k < p.from->leaf_count; ++k) {
      const leaf_array& x = p.from->leaves[k];
      if (x.is_scalar || x.from != nullptr) continue;
      bool known = false;
      for (const void* other : seen) known = known || other == x.data;
      if (known) continue;
      if (!twice) seen.push_back(x.data);
      n += product(x.extents, x.rank) * size_of(x.type);
    }
  }
  return n;
}

// Whether blocks of rows take so little time that no other thread is worth waking; unknown where functions compute
// them.
bool stays_on_one_thread(const barrier_schedule& all) {
  double ns = static_cast<double>(all.bytes) * limits::work::of_byte;
  for (const scheduled_step& p : all.steps) {
    if (!p.by_rows) continue;
    const source& s = *p.from;
    if (!is_program(s) || p.contracts) return false;
    double each = &p == &all.steps.back() ? 0 : limits::work::of_reduction;
    for (const stage* x = s.code->stages; x < s.code->stages + s.code->stage_count; ++x)
      if (!x->copies) each += stage_ns(*x, [&s](int k) { return s.leaves[k].is_scalar ? s.leaves[k].data : nullptr; });
    ns += static_cast<double>(product(s.in_extents, s.in_rank)) * each;
  }
  return stays_serial(ns);
}

}  // namespace

std::size_t barrier_schedule::find(const source& s) const {
  std::size_t i = 0;
  while (i < steps.size() && !(steps[i].from->same == s.same && s.same(steps[i].from->node, s.node))) ++i;
  return i;
}

// After all that it reads.
void barrier_schedule::add(const source& s, const options& how) {
  if (is_program(s))
    for (int k = 0; k < s.leaf_count; ++k) {
      const source* const from = s.leaves[k].from;
      if (from == nullptr || from->is_ramp) continue;
      if (const std::size_t known = find(*from); known < steps.size())
        ++steps[known].readers;
      else
        add(*from, how);
    }
  selects = selects || s.elements != nullptr;
  scheduled_step p{&s, false, 1, contracts(s, how), product(s.extents, s.rank), 1, 1, 0, nullptr};
  if (const int lead = leading(s.extents, s.rank); lead >= 0) {
    p.leads = s.extents[lead];
    p.row = p.size / (p.leads == 0 ? 1 : p.leads);
    // evaluate_rows goes along axis 0
    p.by_rows = is_program(s) ? leading_input(s) >= 0 : lead == 0 && s.evaluate_rows != nullptr;
  }
  // sums of selected rows want whole vectors of each
  if (s.at != nullptr && p.row == 1) p.by_rows = false;
  steps.push_back(static_cast<scheduled_step&&>(p));
}

void barrier_schedule::collect(const target_array& out, const leaf_array* leaves, int count, const program& code,
                               const options& how) {
  steps.clear();
  steps.reserve(8);
  tree_.type = out.type;
  tree_.extents = tree_.in_extents = out.extents;
  tree_.rank = tree_.in_rank = out.rank;
  tree_.leaves = leaves;
  tree_.leaf_count = count;
  tree_.code = &code;
  add(tree_, how);
}

void barrier_schedule::decide(const target_array& out, const options& how) {
  row_axis = leading(out.extents, out.rank);
  for (std::size_t i = steps.size(); i-- > 0;) {
    const source& s = *steps[i].from;
    if (!is_program(s)) continue;
    for (int k = 0; k < s.leaf_count; ++k) {
      if (s.leaves[k].from == nullptr || s.leaves[k].from->is_ramp) continue;
      scheduled_step& p = steps[find(*s.leaves[k].from)];
      p.by_rows = p.by_rows && steps[i].by_rows && reads_by_rows(s, s.leaves[k], p);
    }
  }
  const index rows = row_axis < 0 ? 1 : out.extents[row_axis];
  const auto serial_bytes = static_cast<double>(tuned_size(tuned::serial_bytes));
  const int most = how.threads == 0 ? max_threads() : how.threads;
  index hint = 0, results = 0;  // results: bytes of barriers
  for (const scheduled_step& p : barriers()) {
    if (!p.by_rows) continue;
    any_rows = true;
    results += p.size * size_of(p.from->type);
    const index own = p.contracts ? contracted_rows(p.row * size_of(p.from->type)) : p.from->row_hint;
    if (own > hint) hint = own;
  }
  const auto moved_bytes = static_cast<double>(bytes_of(*this, true) + results);
  // Few long rows are better shared out within each phase.
  if (any_rows && moved_bytes > serial_bytes && rows < 2 * most && how.threads != 1) any_rows = false;
  if (any_rows && output_in_the_way(out, *this)) any_rows = false;
  if (!any_rows) {
    for (scheduled_step& p : barriers()) p.by_rows = false;
    return;
  }
  bytes = bytes_of(*this, false);
  if (moved_bytes > serial_bytes && (how.threads != 0 || !stays_on_one_thread(*this))) threads = most;
  const double block = static_cast<double>(bytes + results);  // what is read twice is there once
  index at_once =
      static_cast<index>(static_cast<double>(tuned_size(tuned::block_bytes)) / (block / static_cast<double>(rows) + 1));
  if (threads > 1) at_once = smaller(at_once, divide_up(rows, 4 * threads));
  if (at_once >= few_rows) at_once = (at_once + few_rows / 2) / few_rows * few_rows;
  if (at_once < hint) at_once = hint;
  if (at_once < 1) at_once = 1;
  if (threads > 1 && hint > 0) at_once = smaller(at_once, divide_up(rows, threads));
  rows_at_once = smaller(at_once, rows);
  const auto written = static_cast<double>(product(out.extents, out.rank) * size_of(out.type));
  const auto fit = static_cast<index>(static_cast<double>(tuned_size(tuned::row_bytes)) /
                                      ((block - written) / static_cast<double>(rows) + 1));
  if (fit > 1) cached_rows = smaller(fit >= 4 ? fit / 4 * 4 : fit, rows_at_once);
}

fused_step::fused_step(const source& s, const target_array& out, const options& how, const barrier_schedule& plan,
                       const std::byte* whole)
    : bound_(out, s.leaves, s.leaf_count, *s.code, how, s.at),
      from_(s),
      axis_(leading_input(s)),
      places_(static_cast<std::size_t>(s.leaf_count)) {
  for (int k = 0; k < s.leaf_count; ++k) {
    places_[k] = in_memory;
    const leaf_array& x = s.leaves[k];
    if (x.from == nullptr || x.from->is_ramp) continue;
    const scheduled_step& p = plan.of(*x.from);
    const auto place = static_cast<index>(p.place) + x.offset * size_of(x.type);
    if (p.by_rows)
      places_[k] = place;
    else
      bound_.at(k).data = whole != nullptr ? whole + place : nullptr;
  }
}

barrier_plan::barrier_plan(const target_array& out, const leaf_array* leaves, int count, const program& code,
                           const options& how)
    : out_(out), how_(how) {
  schedule_.collect(out, leaves, count, code, how);
  if (schedule_.selects) {
    gathers_.emplace(out, leaves, count, schedule_);
    if (gathers_->any()) {
      leaves = gathers_->leaves();
      count = gathers_->count();
      if (leaves[0].from != nullptr && fits_in_output(out, leaves, count, code)) {
        in_output_ = leaves[0].from;
        return;
      }
      schedule_.collect(out, leaves, count, code, how);
    }
  }
  schedule_.decide(out, how);
  if (leaves[0].from != nullptr && is_barrier(out, leaves, count, code)) {
    last_ = &schedule_.of(*leaves[0].from);
    if (last_->by_rows) last_ = nullptr;
    for (const scheduled_step& p : schedule_.barriers())
      if (reads_output(*p.from, out)) last_ = nullptr;
  }
  std::size_t scratch_bytes = 0, whole_bytes = 0;  // of a thread's block, and of results that are computed whole
  for (scheduled_step& p : schedule_.barriers()) {
    if (&p == last_) continue;
    std::size_t& used = p.by_rows ? scratch_bytes : whole_bytes;
    p.place = used;
    const index elements = p.by_rows ? p.row * schedule_.rows_at_once : p.size;
    const index size = size_of(p.from->type), gap = p.by_rows ? gap_of_halves(p.row * size) : 0;
    used = static_cast<std::size_t>(
        detail::checked_add(p.from->name, static_cast<index>(used),
                            static_cast<index>(with_room(static_cast<std::size_t>(elements * size + gap)))));
  }
  if (whole_bytes > 0) whole_.emplace(static_cast<index>(whole_bytes));
  const std::byte* const whole = whole_ ? whole_->data() : nullptr;
  options rows_how = how;
  if (rows_how.whole_bytes < schedule_.bytes) rows_how.whole_bytes = schedule_.bytes;
  for (scheduled_step& p : schedule_.steps) {
    const bool is_tree = &p == &schedule_.steps.back();
    if (is_tree || (p.by_rows && is_program(*p.from)))
      p.program = std::make_unique<fused_step>(*p.from, is_tree ? out : result_of(*p.from, nullptr),
                                               is_tree ? rows_how : how, schedule_, whole);
  }
  if (schedule_.any_rows) executor_.emplace(schedule_, scratch_bytes);
}

const char* to_string(barrier_way w) {
  constexpr const char* names[] = {"whole barriers", "barriers by blocks of rows", "barriers by cached rows",
                                   "barriers by pipelined rows"};
  return names[static_cast<int>(w)];
}

reduction_plan barrier_plan::reduced(const scheduled_step& p) const {
  const source& s = *p.from;
  reduction_plan plan = no_plan();
  if (!is_reduction(s) || p.size == 0 || product(s.in_extents, s.in_rank) == 0) return plan;
  if (p.by_rows) return p.program->reduced();
  compute_whole(p, nullptr, &plan);
  return plan;
}

void barrier_plan::run() {
  if (in_output_ != nullptr) return compute_in_output(out_, *in_output_, how_);
  for (const scheduled_step& p : schedule_.barriers())
    if (!p.by_rows) compute_whole(p, whole_ ? whole_->data() : nullptr, nullptr);
  if (executor_) return executor_->run();
  if (last_ == nullptr) execute(consumer());
}

// `memory`: of all results that are computed whole; null where only a plan is asked for.
void barrier_plan::compute_whole(const scheduled_step& p, std::byte* memory, reduction_plan* plan) const {
  const source& s = *p.from;
  std::byte* const to = &p == last_         ? static_cast<std::byte*>(out_.data)
                        : memory == nullptr ? nullptr
                                            : memory + p.place;
  if (is_program(s)) {
    const fused_step step(s, result_of(s, to), how_, schedule_, memory);
    compute(s, step.whole(), p.size, kernels_of(s, step.whole()), plan);
    if (plan == nullptr) repair_results(s, 0, p.size, to);
  } else if (p.size > 0) {
    s.evaluate(s.node, to, how_);
  }
}

void assign_with_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                          const options& how) {
  barrier_plan(out, leaves, count, code, how).run();
}

}  // namespace broadloom::runtime
