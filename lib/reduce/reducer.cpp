// Reductions: how the axes are seen, which way a reduction goes, and the program over a box.
#include "reducer.hpp"

#include <atomic>

#include <broadloom/core/isa.hpp>
#include <broadloom/eval/scheduler.hpp>

#include "../base/scope.hpp"
#include "../base/tuned.hpp"
#include "../plan/work.hpp"
#include "contraction.hpp"

namespace broadloom::runtime {

reducer::reducer(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused)
    : p_(p),
      operands_(static_cast<std::size_t>(p.operand_count)),
      tile_(fused.tile),
      lines_(fused.lines),
      rows_(fused.rows) {
  for (int k = 0; k < p.operand_count; ++k) {
    operands_[k] = p.operands[k];
    computes_ramps_ = computes_ramps_ || p.operands[k].is_ramp;
    selects_ = selects_ || p.operands[k].at != nullptr;
  }
  p_.operands = operands_.data();
  for (index i = 0; i < p.rank; ++i) {
    if (p.extents[i] == 1) continue;
    auto& list = (reduced >> i & 1) != 0 ? sequence_ : kept_;
    loop_axis a{p.extents[i], {}};
    for (int k = 0; k < p.operand_count; ++k) a.steps.push_back(p.operands[k].is_scalar ? 0 : p.operands[k].strides[i]);
    if (!list.empty() && behind(list.back(), a)) {
      list.back().extent *= a.extent;
      list.back().steps = a.steps;
    } else
      list.push_back(a);
  }
  for (const loop_axis& a : kept_) results_ *= a.extent;
  for (const loop_axis& a : sequence_) length_ *= a.extent;
  type_ = p.code.stages[p.code.stage_count - 1].type;
  size_ = size_of(type_);
  out_size_ = size_of(p.out_type);
  kernels_ = find_kernels(op, type_, active_isa());
  part_ = size_ * kernels_->parts;
  const stage& only = p.code.stages[0];
  widened_ = p.code.stage_count == 1 ? find_widening(op, only, active_isa()) : nullptr;
  plain_ = p.code.stage_count == 1 && only.copies && !p.operands[only.inputs[0]].is_scalar &&
           !p.operands[only.inputs[0]].is_ramp;
  positions_ = op == reduction::arg_maximum || op == reduction::arg_minimum;
  threads_ = choose();
  contraction_ = find_contraction(p, reduced, op, fused.term);
  if (sequence_.empty()) sequence_.push_back({1, std::vector<index>(static_cast<std::size_t>(p_.operand_count), 0)});
}

// The operands and the output lie elsewhere now, or have other elements.
void reducer::move(const operand* operands, void* out) {
  ahead_ = false;  // near, as a rule
  for (int k = 0; k < p_.operand_count; ++k) operands_[k].data = operands[k].data;
  p_.out = out;
  for (box_plan& x : plan_.two)
    if (x.run) x.run->forget();
}

void reducer::run() const {
  if (selects_)
    run_gather();
  else if (contraction_ && same_operands(*contraction_, p_.operands))
    run_contraction(*contraction_, p_.operands, p_.out, p_.out_type, maths_in_force(p_.how), threads_);
  else if (positions_)
    runs_positions_of_columns() ? run_positions_of_columns() : run_positions();
  else if (computes_ramps_)  // as other ways read operands in memory
    along_kept() ? run_columns() : counts_ramps() && runs_whole_rows() ? run_whole_rows() : run_rows();
  else if (const pairing p = pairs_up(); p != pairing::none)
    run_tiles(p == pairing::turned);
  else if (!along_kept()) {
    if (runs_widened())
      run_widened();
    else if (runs_short_rows())
      run_short_rows();
    else if (runs_whole_rows())
      run_whole_rows();
    else
      run_rows();
  } else
    run_columns();
}

// b comes directly after a in every operand.
bool reducer::behind(const loop_axis& a, const loop_axis& b) const {
  for (int k = 0; k < p_.operand_count; ++k)
    if (a.steps[static_cast<std::size_t>(k)] != b.extent * b.steps[static_cast<std::size_t>(k)]) return false;
  return true;
}

int reducer::choose() const {
  if (p_.how.threads == 1) return 1;
  double per_element = limits::work::of_reduction;
  for (int k = 0; k < p_.operand_count; ++k)
    per_element += p_.operands[k].is_scalar ? 0 : size_of(p_.operands[k].type) * limits::work::of_byte;
  for (int s = 0; s < p_.code.stage_count; ++s)
    if (!p_.code.stages[s].copies) per_element += stage_ns(p_.code.stages[s]);
  if (p_.how.threads == 0 && stays_serial(static_cast<double>(results_ * length_) * per_element)) return 1;
  return p_.how.threads == 0 ? max_threads() : p_.how.threads;
}

// Whether memory runs along the last axis that is kept rather than along the last one that is reduced.
bool reducer::along_kept() const {
  if (kept_.empty()) return false;
  double kept = 0, reduced = 0;  // bytes that are read: an operand that lacks an axis weighs less
  for (int k = 0; k < p_.operand_count; ++k) {
    if (p_.operands[k].is_scalar) continue;
    const auto at = static_cast<std::size_t>(k);
    double size = size_of(p_.operands[k].type);
    for (const auto* list : {&kept_, &sequence_})
      for (const loop_axis& a : *list)
        if (a.steps[at] != 0) size *= static_cast<double>(a.extent);
    if (kept_.back().steps[at] == 1) kept += size;
    if (sequence_.back().steps[at] == 1) reduced += size;
  }
  return kept > reduced;
}

// Whether all ramps have consecutive numbers along the sequences that kernels count in registers.
bool reducer::counts_ramps() const {
  for (int k = 0; k < p_.operand_count; ++k) {
    const operand& x = p_.operands[k];
    if (!x.is_ramp) continue;
    const auto at = static_cast<std::size_t>(k);
    if (p_.code.stage_count != 1 || !takes_ramps(p_.code.stages[0], x.type) || sequence_.size() != 1 ||
        sequence_[0].steps[at] != 1)
      return false;
    index low = static_cast<index>(reinterpret_cast<std::uintptr_t>(x.data)) / size_of(x.type),
          high = low + length_ - 1;
    for (const loop_axis& a : kept_) (a.steps[at] < 0 ? low : high) += (a.extent - 1) * a.steps[at];
    if (!counts_exactly(x.type, low, high - low + 1)) return false;
  }
  return true;
}

// Evaluates the program over a box: `kept` fixes or ranges over axes that are kept, then ranges of the reduced axes,
// then perhaps of one kept axis. The elements are written contiguously, the last range fastest.
void reducer::evaluate(const index* origin, const range* ranges, int count, std::byte* to, box_plans& plan) const {
  operand operands[first_stage];
  for (int k = 0; k < p_.operand_count; ++k) {
    operand& x = operands[k] = p_.operands[k];
    if (x.is_scalar) continue;
    index at = origin[k];
    for (int i = 0; i < count; ++i) at += ranges[i].first * axis(ranges[i].axis).steps[static_cast<std::size_t>(k)];
    x.data = moved(x.data, at * size_of(x.type));
  }
  if (!plan.two[plan.last].is_for(ranges, count)) {
    plan.last = 1 - plan.last;
    box_plan& other = plan.two[plan.last];
    if (!other.is_for(ranges, count)) make_plan(operands, ranges, count, to, other);
  }
  (*plan.two[plan.last].run)(operands, to);  // NOLINT(bugprone-unchecked-optional-access): made above or before
}

void reducer::make_plan(operand* operands, const range* ranges, int count, std::byte* to, box_plan& plan) const {
  index extents[max_axes], strides[max_axes];
  small_array<index, 128> steps(static_cast<std::size_t>(p_.operand_count * count + 1));
  index n = 1;
  for (int i = count - 1; i >= 0; --i) {
    if (i < box_plan::most) plan.ranges[i] = ranges[i];
    extents[i] = ranges[i].count;
    strides[i] = n;
    n *= ranges[i].count;
  }
  for (int k = 0; k < p_.operand_count; ++k) {
    index* const s = steps.data() + k * count;
    for (int i = 0; i < count && !operands[k].is_scalar; ++i)
      s[i] = axis(ranges[i].axis).steps[static_cast<std::size_t>(k)];
    operands[k].strides = s;
  }
  plan.count = count;
  plan.run.emplace(problem{count, extents, to, strides, type_, operands, p_.operand_count, p_.code, {1, p_.how.maths}},
                   ahead_);
}

// Elements [first, first + n) of the sequence, each with `columns` elements along the last kept axis from `column`
// (none when columns is 0).
void reducer::evaluate_part(const index* origin, index first, index n, index column, index columns, std::byte* to,
                            box_plans& plan) const {
  const int last = static_cast<int>(sequence_.size()) - 1;
  const index inner = sequence_.back().extent, step = (columns == 0 ? 1 : columns) * size_;
  while (n > 0) {
    range r[max_axes];
    const index within = first % inner;
    index rest = first / inner, rows = 1;
    for (int i = last - 1; i >= 0; --i) {
      const index extent = sequence_[static_cast<std::size_t>(i)].extent, at = rest % extent;
      rest /= extent;
      if (i == last - 1 && within == 0 && n >= inner) rows = smaller(extent - at, n / inner);
      r[i] = {-1 - i, at, i == last - 1 ? rows : 1};
    }
    r[last] = {-1 - last, within, smaller(n, inner - within)};
    const index done = rows * r[last].count;
    int count = last + 1;
    if (columns > 0) r[count++] = {static_cast<int>(kept_.size()) - 1, column, columns};
    evaluate(origin, r, count, to, plan);
    to += done * step;
    first += done;
    n -= done;
  }
}

// Where result number `i` over the first `axes` kept axes begins in every operand. Zeros are written one by one: behind
// memset a processor waits with reading them until all that was written before is in the cache.
void reducer::origin_of(index i, std::size_t axes, index* origin) const {
  for (int k = 0; k < p_.operand_count; ++k) {
    origin[k] = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  for (std::size_t a = axes; a-- > 0;) {
    index at = i;  // along the first axis, for nothing is left to divide
    if (a > 0) {
      at = i % kept_[a].extent;
      i /= kept_[a].extent;
    }
    for (int k = 0; k < p_.operand_count; ++k) origin[k] += at * kept_[a].steps[static_cast<std::size_t>(k)];
  }
}

}  // namespace broadloom::runtime
