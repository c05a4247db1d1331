// Barriers are computed whole, before all that reads them, or by blocks of rows together with their readers.
#include "barriers.hpp"

#include <broadloom/core/checked_arithmetic.hpp>

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../base/scope.hpp"
#include "../move/copy.hpp"
#include "../plan/nest.hpp"
#include "../reduce/contiguous.hpp"

namespace broadloom::runtime {

namespace {

// Whether element i of an array in memory is element i of the output, both contiguous.
bool matches_contiguously(const target_array& out, const leaf_array& x) {
  if (x.strides == nullptr && out.strides == nullptr && x.rank == out.rank) {  // most often
    index differ = 0;
    for (int i = 0; i < out.rank; ++i) differ |= x.extents[i] ^ out.extents[i];
    if (differ == 0) return true;
  }
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

}  // namespace

bool fits_in_output(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  const stage& only = code.stages[0];
  if (code.stage_count != 1 || !only.copies || count != 1 || leaves[0].offset != 0) return false;
  const source& s = *leaves[0].from;
  const index n = product(out.extents, out.rank);
  if (s.type != out.type || product(s.extents, s.rank) != n || !matches_contiguously(out, leaves[0])) return false;
  const auto low = reinterpret_cast<std::uintptr_t>(out.data);
  const std::uintptr_t high = low + static_cast<std::uintptr_t>(n * size_of(out.type));
  if (!is_program(s))
    return s.reads != nullptr &&
           !s.reads(s.node, reinterpret_cast<const void*>(low), reinterpret_cast<const void*>(high));
  for (int k = 0; k < s.leaf_count; ++k)
    if (s.leaves[k].from != nullptr || may_overlap(s.leaves[k], low, high)) return false;
  return true;
}

void compute_in_output(const target_array& out, const source& s, const options& how, reduction_plan* plan) {
  if (!is_program(s)) return plan != nullptr ? void(*plan = no_plan()) : s.evaluate(s.node, out.data, how);
  const index results = product(s.extents, s.rank);
  if (!reduce_leaves(s, s.leaves, out.data, plan) &&
      !reduce_function(s, s.leaves, maths_in_force(how), out.data, plan)) {
    const bound_problem whole(result_of(s, out.data), s.leaves, s.leaf_count, *s.code, how, s.at);
    compute(s, whole.problem, results, kernels_of(s, whole.problem), plan);
  }
  if (plan == nullptr) s.repair_results(0, results, out.data);
}

barrier_plan::barrier_plan(const target_array& out, const leaf_array* leaves, int count, const program& code,
                           const options& how)
    : out_(out), how_(how), schedule_(out, leaves, count, code, how) {
  std::size_t whole_bytes = 0;
  for (barrier& p : schedule_.barriers()) {
    std::size_t& used = p.by_rows ? scratch_bytes_ : whole_bytes;
    p.place = used;
    const index elements = p.by_rows ? p.row * schedule_.rows_at_once() : p.size;
    const index size = size_of(p.from->type), gap = p.by_rows ? gap_of_halves(p.row * size) : 0;
    used = static_cast<std::size_t>(
        detail::checked_add(p.from->name, static_cast<index>(used),
                            static_cast<index>(with_room(static_cast<std::size_t>(elements * size + gap)))));
  }
  whole_.emplace(static_cast<index>(whole_bytes));
  options rows_how = how;
  if (schedule_.any_rows() && rows_how.whole_bytes < schedule_.bytes()) rows_how.whole_bytes = schedule_.bytes();
  consumer_.emplace(out, leaves, count, code, rows_how, schedule_.row_axis(), schedule_, whole_->data(), nullptr);
  if (!schedule_.any_rows()) return;
  for (const barrier& p : schedule_.barriers()) {
    const source& s = *p.from;
    if (p.by_rows && is_program(s))
      steps_.emplace_back(result_of(s, nullptr), s.leaves, s.leaf_count, *s.code, how, leading_input(s), schedule_,
                          whole_->data(), s.at);
  }
  executor_.emplace(schedule_, steps_, *consumer_, scratch_bytes_);
}

const char* to_string(barrier_way w) {
  constexpr const char* names[] = {"whole barriers", "barriers by blocks of rows", "barriers by cached rows",
                                   "barriers by pipelined rows"};
  return names[static_cast<int>(w)];
}

barrier_way barrier_plan::way() const {
  if (!executor_) return barrier_way::whole;
  if (!executor_->works()) return barrier_way::row_blocks;
  return executor_->pipelined() ? barrier_way::pipelined_rows : barrier_way::cached_rows;
}

reduction_plan barrier_plan::reduced(const barrier& p) const {
  const source& s = *p.from;
  reduction_plan plan = no_plan();
  if (!is_reduction(s) || p.size == 0 || product(s.in_extents, s.in_rank) == 0) return plan;
  if (!p.by_rows) {
    compute_whole(p, nullptr, &plan);
    return plan;
  }
  auto step = steps_.begin();
  for (const barrier& other : schedule_.barriers()) {
    if (&other == &p) break;
    if (other.by_rows && is_program(*other.from)) ++step;
  }
  if (executor_->works()) return step->cached_reduction();
  return step->block_reduction(s, schedule_.rows_at_once());
}

void barrier_plan::run() {
  compute_whole();
  if (!executor_) return execute(consumer());
  if (executor_->works()) return executor_->run();
  run_blocks();
}

void barrier_plan::compute_whole() {
  for (const barrier& p : schedule_.barriers())
    if (!p.by_rows) compute_whole(p, whole_->data(), nullptr);  // NOLINT(bugprone-unchecked-optional-access)
}
// `memory`: of all results that are computed whole; null where only a plan is asked for.
void barrier_plan::compute_whole(const barrier& p, std::byte* memory, reduction_plan* plan) const {
  const source& s = *p.from;
  std::byte* const to = memory == nullptr ? nullptr : memory + p.place;
  if (is_program(s)) {
    const fused_step step(result_of(s, to), s.leaves, s.leaf_count, *s.code, how_, 0, schedule_, memory, s.at);
    compute(s, step.whole(), p.size, kernels_of(s, step.whole()), plan);
    if (plan == nullptr) s.repair_results(0, p.size, to);
  } else if (p.size > 0) {
    s.evaluate(s.node, to, how_);
  }
}

void barrier_plan::run_blocks() {
  const index all = out_.extents[schedule_.row_axis()], at_once = schedule_.rows_at_once();
  for_ranges(divide_up(all, at_once), schedule_.threads(), [&](index first_block, index last_block) {
    const frame f(scratch_bytes_);
    for (index b = first_block; b < last_block; ++b) {
      const index first = b * at_once, n = smaller(at_once, all - first);
      auto next = steps_.begin();
      for (const barrier& p : schedule_.barriers()) {
        if (!p.by_rows) continue;
        const source& s = *p.from;
        std::byte* const to = f.data() + p.place;
        if (is_program(s)) {
          (next++)->rows(first, n, f.data(), to, &s, p.row);
          s.repair_results(first * p.row, n * p.row, to);
        } else
          s.evaluate_rows(s.node, first, first + n, to, {1, how_.maths, how_.products});
      }
      consumer_->rows(first, n, f.data(), nullptr, nullptr, 1);
    }
  });
}

void assign_with_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                          const options& how) {
  const fused_gathers gathers(out, leaves, count);
  if (gathers.leaves() != leaves) {
    leaves = gathers.leaves();
    count = gathers.count();
    if (leaves[0].from != nullptr && fits_in_output(out, leaves, count, code))
      return compute_in_output(out, *leaves[0].from, how);
  }
  barrier_plan(out, leaves, count, code, how).run();
}

}  // namespace broadloom::runtime
