// Reductions: what is known before their plan is made, the driver that the plan names, and the program over a box.
#include "reducer.hpp"

#include <atomic>

#include <broadloom/core/isa.hpp>

#include "../base/scope.hpp"
#include "../plan/boxes.hpp"
#include "../plan/hoist.hpp"
#include "contiguous.hpp"
#include "contraction.hpp"
#include "contraction_kernels.hpp"
#include "windows.hpp"

namespace broadloom::runtime {

namespace {

const stage& last_of(const program& code) { return code.stages[code.stage_count - 1]; }

reduction_kernels find_all(const problem& p, reduction op, const fused_kernels& fused, const reduce_kernels& k,
                           bool widens, bool adds_products, bool adds_product_rows, index length) {
  const stage& first = p.code.stages[0];
  const isa level = active_isa();
  const bool squares = p.code.stage_count == 1 && !widens && find_widening_squares(op, first, false, level) != nullptr;
  const contraction_kernels& pairs = p.out_type == dtype::f32 ? contraction_f32() : contraction_f64();
  reduction_kernels found{op,
                          level,
                          fused,
                          widens,
                          k.parts > 1,
                          k.finish != nullptr,
                          k.positions != nullptr,
                          pairs.width,
                          adds_products,
                          adds_product_rows};
  found.widens_rows = (squares || widens) && length <= segment_length &&
                      are_widened_rows(first, length, widens || has_row_kernel(fused.rows, level), level);
  return found;
}

// What adds up products of columns; null where the program is something else. It reads some rows of a strip at once, in
// pieces of eight vectors: where these are of fewer elements than eight, such as of f64 with AVX2, there are more rows
// and shorter pieces, and that takes longer than to evaluate the products first.
product_columns* find_product_columns(const problem& p, reduction op) {
  const stage& only = p.code.stages[0];
  const isa level = active_isa();
  const int elements = vector_bytes[static_cast<int>(level)] / size_of(only.type);  // of a vector
  if (p.code.stage_count != 1 || only.input_count > 2 || elements < 8) return nullptr;
  slot inputs[2];
  for (int j = 0; j < only.input_count; ++j) {
    const operand& x = p.operands[only.inputs[j]];
    inputs[j] = {x.data, x.is_scalar ? 0 : -1};
  }
  return find_products(op, only, inputs, level).columns;
}

// What adds up products of rows; null where the program is something else.
product_rows* find_product_rows(const problem& p, const reduction_nest& axes, reduction op) {
  const stage& only = p.code.stages[0];
  if (p.code.stage_count != 1 || only.input_count < 1 || only.input_count > 2 || axes.sequence.size() != 1 ||
      axes.kept.empty())
    return nullptr;
  slot inputs[2];
  for (int j = 0; j < only.input_count; ++j) {
    const int k = only.inputs[j];
    const operand& x = p.operands[k];
    const index along = x.is_scalar ? 0 : axes.sequence[0].steps[static_cast<std::size_t>(k)];
    if (x.is_ramp || x.at != nullptr || (along != 1 && (along != 0 || j == 0))) return nullptr;
    inputs[j] = {x.data, -along};
  }
  return find_products(op, only, inputs, active_isa()).rows;
}

}  // namespace

reducer::reducer(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused)
    : p_(p),
      operands_(static_cast<std::size_t>(p.operand_count)),
      axes_(p, reduced),
      type_(last_of(p.code).type),
      size_(size_of(type_)),
      out_size_(size_of(p.out_type)),
      kernels_(find_kernels(op, type_, active_isa())),
      widened_(p.code.stage_count == 1 ? find_widening(op, p.code.stages[0], active_isa()) : nullptr),
      products_(find_product_columns(p, op)),
      product_rows_(find_product_rows(p, axes_, op)),
      found_(find_all(p, op, fused, *kernels_, widened_ != nullptr, products_ != nullptr, product_rows_ != nullptr,
                      axes_.length)),
      contraction_(find_contraction(p, reduced, op, fused.term)) {
  for (int k = 0; k < p.operand_count; ++k) operands_[k] = p.operands[k];
  p_.operands = operands_.data();
  part_ = size_ * kernels_->parts;
  const bool pairs = contraction_ && same_operands(*contraction_, p_.operands);
  plan_ = plan_reduction(p_, axes_, found_, pairs ? &*contraction_ : nullptr);
}

void reducer::run() const {
  switch (plan_.loops) {
    case reduction_loops::selected_rows: return run_gather();
    case reduction_loops::contraction:
      return run_contraction(*contraction_, p_.operands, p_.out, p_.out_type, maths_in_force(p_.how), plan_);
    case reduction_loops::indices: return run_positions();
    case reduction_loops::indices_of_columns: return run_positions_of_columns();
    case reduction_loops::tiles:
    case reduction_loops::turned_tiles: return run_tiles();
    case reduction_loops::columns: return run_columns();
    case reduction_loops::short_rows: return run_short_rows();
    case reduction_loops::rows: break;
  }
  if (plan_.input == reduction_input::widened)
    return found_.widens_rows && !axes_.kept.empty() ? run_widened_rows() : run_widened();
  if (plan_.input == reduction_input::kernel) return run_kernel_rows();
  if (plan_.input == reduction_input::products) return run_product_rows();
  run_rows();
}

// Evaluates the program over a box: `kept` fixes or ranges over axes that are kept, then ranges of the reduced axes,
// then perhaps of one kept axis. The elements are written contiguously, the last range fastest.
void reducer::evaluate(const index* origin, const range* ranges, int count, std::byte* to, box_plans& plan) const {
  const std::byte* operands[first_stage];
  for (int k = 0; k < p_.operand_count; ++k) {
    const operand& x = p_.operands[k];
    index at = x.is_scalar ? 0 : origin[k];
    for (int i = 0; i < count && !x.is_scalar; ++i)
      at += ranges[i].first * axis(ranges[i].axis).steps[static_cast<std::size_t>(k)];
    operands[k] = moved(x.data, at * size_of(x.type));
  }
  if (!plan.two[plan.last].is_for(ranges, count)) {
    plan.last = 1 - plan.last;
    box_plan& other = plan.two[plan.last];
    if (!other.is_for(ranges, count)) make_plan(ranges, count, to, other);
  }
  (*plan.two[plan.last].run)(operands, to);  // NOLINT(bugprone-unchecked-optional-access): made above or before
}

void reducer::make_plan(const range* ranges, int count, std::byte* to, box_plan& plan) const {
  operand operands[first_stage];
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
    operands[k] = p_.operands[k];
    for (int i = 0; i < count && !operands[k].is_scalar; ++i)
      s[i] = axis(ranges[i].axis).steps[static_cast<std::size_t>(k)];
    operands[k].strides = s;
  }
  plan.count = count;
  plan.run.emplace(problem{count, extents, to, strides, type_, operands, p_.operand_count, p_.code, {1, p_.how.maths}});
}

// Elements [first, first + n) of the sequence, each with `columns` elements along the last kept axis from `column`
// (none when columns is 0).
void reducer::evaluate_part(const index* origin, index first, index n, index column, index columns, std::byte* to,
                            box_plans& plan) const {
  const int axes = static_cast<int>(axes_.sequence.size());
  index extents[max_axes], at[max_axes], counts[max_axes];
  for (int i = 0; i < axes; ++i) extents[i] = axes_.sequence[static_cast<std::size_t>(i)].extent;
  each_box(extents, axes, first, n, at, counts, [&](index done) {
    range r[max_axes];
    for (int i = 0; i < axes; ++i) r[i] = {-1 - i, at[i], counts[i]};
    if (columns > 0) r[axes] = {static_cast<int>(axes_.kept.size()) - 1, column, columns};
    evaluate(origin, r, columns > 0 ? axes + 1 : axes, to, plan);
    to += done * (columns == 0 ? 1 : columns) * size_;
  });
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
      at = i % axes_.kept[a].extent;
      i /= axes_.kept[a].extent;
    }
    for (int k = 0; k < p_.operand_count; ++k) origin[k] += at * axes_.kept[a].steps[static_cast<std::size_t>(k)];
  }
}

bool reads_selected_rows(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused) {
  return reducer(p, reduced, op, fused).reads_selected_rows();
}

// A part of the program that should be hoisted is computed first.
reduction_plan plan_of(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused) {
  if (reduction_plan x; reduce_contiguous(p, reduced, op, fused.rows, &x)) return x;
  if (const window_axes w = find_overlapping_windows(p, reduced, op); w.kept >= 0)
    return plan_of(split_windows(p, reduced, w).second(), reduced, op, {});
  const int s = hoistable_stage(p);
  return s >= 0 ? plan_of(hoisting(p, s).rest(), reduced, op, {}) : reducer(p, reduced, op, fused).plan();
}

void reduce(const problem& p, unsigned reduced, reduction op, const fused_kernels& fused) {
  if (reduce_contiguous(p, reduced, op, fused.rows)) return;
  if (const window_axes w = find_overlapping_windows(p, reduced, op); w.kept >= 0) {
    const split_windows x(p, reduced, w);
    reduce(x.first(), reduced, op, {});
    reduce(x.second(), reduced, op, {});
    if (!x.has_both_zeros()) return;
  }
  if (const int s = hoistable_stage(p); s >= 0) {
    const hoisting h(p, s);
    execute(h.part());
    return reduce(h.rest(), reduced, op, {});
  }
  reducer(p, reduced, op, fused).run();
}

}  // namespace broadloom::runtime
