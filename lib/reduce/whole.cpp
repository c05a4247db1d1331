// Reductions of all elements to one: the doors, which need no plan where few elements lie in row-major order.
#include "whole.hpp"

#include <broadloom/core/isa.hpp>

#include "../base/extents.hpp"
#include "../base/scope.hpp"
#include "../move/vectors.hpp"
#include "../plan/bound.hpp"
#include "../plan/contiguous_rows.hpp"
#include "contiguous.hpp"
#include "empty.hpp"
#include "reduce.hpp"
#include "row_kernel.hpp"
#include "rows_of_all.hpp"

namespace broadloom::runtime {

using limits::reducing::max_sequence_elements;
using limits::reducing::strips_together;
using limits::reducing::unplanned_elements;

namespace {

// Of leaves of `rank` axes, some of which are one row for all.
bool reduce_rows_of_leaves(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                           reduction how) {
  const stage& only = *form.code->stages;
  const int rank = form.rank, last = rank - 1;
  if (rank < 2 || form.code->stage_count != 1 || only.input_count != form.count || form.count > max_short_inputs)
    return false;
  index rows = 1;
  for (int i = 0; i < last; ++i) rows *= extents[i];
  if (rows * extents[last] == 0 || !are_rows_of_all(only, rows, extents[last], form.rows, how)) return false;
  unsigned shared = 0;
  const index* own = extents + rank;
  for (int k = 0; k < form.count; ++k, own += rank) {
    if (leaves[k].advance == 0) continue;
    bool has_all = true, is_row = true;
    for (int i = 0; i < last; ++i) {
      has_all = has_all && own[i] == extents[i];
      is_row = is_row && own[i] == 1;
    }
    if (own[last] != extents[last] || (!has_all && !is_row)) return false;
    shared |= has_all ? 0U : 1U << k;
  }
  reduce_rows_of_all(only, leaves, shared, rows, extents[last], *form.rows, how, to);
  return true;
}

}  // namespace

[[gnu::noinline]] void reduce_planned(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                      reduction how, const options& o) {
  if (reduce_rows_of_leaves(leaves, extents, to, form, how)) return;
  const program& code = *form.code;
  const int rank = form.rank, count = form.count;
  small_array<operand, 8> operands(static_cast<std::size_t>(count));
  small_array<index, 64> strides(static_cast<std::size_t>(count * rank + 1));
  const index* own = extents + rank;
  for (int k = 0; k < count; ++k, own += rank) {
    index* const steps = strides.data() + k * rank;
    index step = 1;
    for (int i = rank - 1; i >= 0; --i) {
      steps[i] = own[i] == 1 && extents[i] != 1 ? 0 : step;
      step *= own[i];
    }
    const bool is_scalar = leaves[k].advance == 0;
    operands[k] = {leaves[k].data, steps, dtype{}, is_scalar, false, nullptr};
  }
  for (int s = 0; s < code.stage_count; ++s)
    for (int j = 0; j < code.stages[s].input_count; ++j)
      if (const int k = code.stages[s].inputs[j]; k < first_stage) operands[k].type = code.stages[s].input_types[j];
  reduce({rank, extents, to, nullptr, form.result, operands.data(), count, code, o},
         rank == 32 ? ~0u : (1u << rank) - 1, how, {nullptr, nullptr, form.rows});
}

namespace {

constexpr reduction_loops rows = reduction_loops::rows;
constexpr reduction_loops way_in_memory(reduction how) {
  return how == reduction::arg_maximum || how == reduction::arg_minimum ? reduction_loops::indices : rows;
}
constexpr reduction_input in_memory = reduction_input::memory, evaluated = reduction_input::scratch;

// A strip of a program, over its leaves in order: evaluated on the stack first.
[[gnu::noinline]] void reduce_strip(const stage& only, const slot* leaves, index n, const reduce_kernels& k,
                                    accuracy maths, void* to) {
  alignas(64) std::byte strip[strip_length * 8];
  if (only.kind == stage_kind::compute) {
    run_disjoint(only, leaves, strip, n, static_cast<int>(active_isa()));
  } else {
    slot inputs[2];
    alignas(64) std::byte splats[2 * sizeof strip];
    for (int j = 0; j < only.input_count; ++j) inputs[j] = leaves[j];
    run_strip(only, inputs, strip, n, maths, splats, sizeof strip);
  }
  reduce_row(k, strip, n, to);
}

// Elements that are no strip, or none.
[[gnu::noinline]] void reduce_long(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                   reduction how, const options& o) {
  const stage& only = *form.code->stages;
  const index n = product(extents, form.rank);
  if (n == 0) return fill_empty(to, 1, form.result, how);
  const bool is_widened = find_widening(how, only, active_isa()) != nullptr;
  if (o.threads == 1 && n <= max_sequence_elements && form.code->stage_count == 1 && only.copies &&
      only.input_count == 1 && form.count == 1 && leaves[0].advance != 0 && !is_widened) {
    const reduce_kernels& k = *find_kernels(how, only.type, active_isa());
    if (k.one != nullptr && k.finish == nullptr && k.position == nullptr) return k.one(leaves[0].data, n, to);
  }
  if ((is_widened && n > unplanned_elements) || form.code->stage_count != 1 || only.copies ||
      only.input_count != form.count || !reduce_row_of_leaves(only, leaves, n, form.rows, how, to))
    reduce_planned(leaves, extents, to, form, how, o);
}

// A strip that the program's kernel evaluates on the stack first. As run_disjoint, but by the kernel's loop for inputs
// that all advance: 8 to 15 % fewer instructions.
[[gnu::noinline]] void reduce_computed_strip(const slot* leaves, const index* extents, void* to,
                                             const whole_reduction& form, const reduce_kernels& k, int level) {
  const stage& only = *form.code->stages;
  const index n = extents[0];
  alignas(64) std::byte strip[strip_length * 8];
  if ((n & (only.code->lanes[level] - 1)) == 0)
    only.code->run[level](leaves, strip, n, kernel_mode::dense);
  else
    run_disjoint_with_tail(only, leaves, strip, n, level);
  k.one(strip, n, to);
}

// A row of some strips, by the program's own kernel.
[[gnu::noinline]] void reduce_computed_row(const slot* leaves, const index* extents, void* to,
                                           const whole_reduction& form, const reduce_kernels& k, int level) {
  const index n = extents[0];
  alignas(64) std::byte room[2 * row_room], lanes[before_lanes + strips_together * 64];
  std::byte* const found = lanes + before_lanes;
  static constexpr index pitch[2] = {};  // there is no other row
  reduce_rows(form.rows->run[level], *form.code->stages, leaves, pitch, 1, n, k, room, found);
  k.strips(found, divide_up(n, strip_length), to);
}

[[gnu::noinline]] void reduce_others(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                     reduction how, const options& o) {
  const program& code = *form.code;
  const stage& only = *code.stages;
  const int rank = form.rank, count = form.count;
  const index n = product(extents, rank);
  for (int i = 0; i < count * rank && n > 0; ++i)
    if (extents[rank + i] != extents[i]) return reduce_planned(leaves, extents, to, form, how, o);
  if (n > (only.copies ? unplanned_elements : strip_length) || n == 0 || code.stage_count != 1 ||
      only.input_count != count || count > max_flat_inputs)
    return reduce_long(leaves, extents, to, form, how, o);
  if (find_widening(how, only, active_isa()) != nullptr && reduce_row_of_leaves(only, leaves, n, nullptr, how, to))
    return;
  const reduce_kernels& k = *find_kernels(how, only.type, active_isa());
  if (only.copies && leaves[0].advance != 0) return reduce_row(k, leaves[0].data, n, to);
  reduce_strip(only, leaves, n, k, maths_in_force(o), to);
}

// Sums of integers that are widened as they are added; their other reductions are as everywhere.
[[gnu::noinline]] void reduce_integers(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                       reduction how, const options& o) {
  const stage& only = *form.code->stages;
  if (find_widening(how, only, active_isa()) == nullptr ||
      !reduce_row_of_leaves(only, leaves, extents[0], nullptr, how, to))
    reduce_others(leaves, extents, to, form, how, o);
}

}  // namespace

// An expression of one or two arrays of one axis and of equal extents: there are as few checks as may be, and no call
// but the last one.
void reduce_whole(const slot* leaves, const index* extents, void* to, const whole_reduction& form, reduction how,
                  const options& o) {
  const stage& only = *form.code->stages;
  const int count = form.count;
  const index n = extents[0];
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  if (form.rank != 1 || count > 2 || only.input_count != count || form.code->stage_count != 1 || extents[1] != n ||
      extents[count] != n || n <= 0 || n > unplanned_elements || only.kind != stage_kind::compute ||
      level > isa::v4)  // not detected yet
    return reduce_others(leaves, extents, to, form, how, o);
  if (only.known == arithmetic::widened || only.known == arithmetic::widened_times)
    return reduce_integers(leaves, extents, to, form, how, o);
  const reduce_kernels* const k = find_kernels(how, only.type, level);
  if (k == nullptr || k->one == nullptr) return reduce_others(leaves, extents, to, form, how, o);
  if (n <= strip_length) return reduce_computed_strip(leaves, extents, to, form, *k, static_cast<int>(level));
  const row_reduce_kernel* const rows = form.rows;
  if (n > strips_together * strip_length || rows == nullptr || rows->run[static_cast<int>(level)] == nullptr)
    return reduce_others(leaves, extents, to, form, how, o);
  reduce_computed_row(leaves, extents, to, form, *k, static_cast<int>(level));
}

namespace {

// As the two below, which jump to them.
[[gnu::noinline]] void reduce_listed_array(const void* x, index n, void* to, const whole_reduction& form, reduction how,
                                           const options& o) {
  const slot leaf{x, -1};
  const index extents[] = {n, n};
  reduce_whole(&leaf, extents, to, form, how, o);
}
[[gnu::noinline]] void sum_listed_products(const void* x, const void* y, index n, void* to, index other,
                                           const whole_reduction& form, const options& o) {
  const slot leaves[] = {{x, -1}, {y, form.by_number ? 0 : -1}};
  const index all = n == 1 ? other : n, extents[] = {all, n, form.by_number ? all : other};
  reduce_whole(leaves, extents, to, form, reduction::sum, o);
}

}  // namespace

// Of what most calls reduce, checks take longer than a few elements do: there are as few as may be, in as few
// registers, as saving them takes longer than the checks do, and kernels are called with what was passed.
void reduce_array(const void* x, index n, void* to, const whole_reduction& form, reduction how, const options& o) {
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  if (n > 0 && n <= unplanned_elements && level <= isa::v4) {
    const reduce_kernels* const k = find_kernels(how, form.computed, level);
    if (k != nullptr && k->one != nullptr) return k->one(x, n, to);
  }
  reduce_listed_array(x, n, to, form, how, o);
}

void sum_products(const void* x, const void* y, index n, void* to, index other, const whole_reduction& form,
                  const options& o) {
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  if (n == other && n > 0 && n <= max_product_elements && level <= isa::v4)
    if (product_sum* const sum = products_of(form.term, form.computed, level); sum != nullptr) return sum(x, y, n, to);
  sum_listed_products(x, y, n, to, other, form, o);
}

namespace {

// Whether reduce_rows_of_leaves() reduces them.
bool are_rows_of_leaves(const source& s) {
  const stage& only = s.code->stages[0];
  const int last = s.in_rank - 1;
  if (last < 1 || s.code->stage_count != 1 || only.input_count != s.leaf_count) return false;
  index count = 1;
  for (int i = 0; i < last; ++i) count *= s.in_extents[i];
  if (!are_rows_of_all(only, count, s.in_extents[last], s.rows, s.how)) return false;
  for (int k = 0; k < s.leaf_count; ++k) {
    const leaf_array& x = s.leaves[k];
    if (x.is_scalar || (x.from == nullptr && has_all_elements(x, s))) continue;
    if (x.from != nullptr || x.strides != nullptr || x.rank == 0 || x.extents[x.rank - 1] != s.in_extents[last])
      return false;
    for (int i = 0; i + 1 < x.rank; ++i)
      if (x.extents[i] != 1) return false;
  }
  return true;
}

}  // namespace

reduction_plan plan_whole(const source& s, const options& o) {
  const program& code = *s.code;
  const stage& only = code.stages[0];
  const index n = product(s.in_extents, s.in_rank);
  if (n == 0) return no_plan();
  bool at_once = code.stage_count == 1 && only.input_count == s.leaf_count && s.leaf_count <= max_flat_inputs;
  slot leaves[max_flat_inputs];
  for (int j = 0; j < only.input_count && at_once; ++j) {
    const leaf_array& x = s.leaves[only.inputs[j]];
    const bool is_number = x.is_scalar || (x.from != nullptr && x.from != &any_ramp);
    leaves[j] = {x.data, is_number ? 0 : -1};
    at_once = is_number || (x.from == nullptr && has_all_elements(x, s));
  }
  const isa level = active_isa();
  const reduce_kernels* const k = find_kernels(s.how, only.type, level);
  const bool is_widened = find_widening(s.how, only, level) != nullptr, is_copy = only.copies && leaves[0].advance != 0;
  if (at_once && !is_widened) {
    if (is_copy && (n <= unplanned_elements ||
                    (o.threads == 1 && n <= max_sequence_elements && k->finish == nullptr && k->position == nullptr)))
      return plan_of({way_in_memory(s.how), in_memory}, 1, n);
    if (!is_copy && n <= strip_length) {
      const bool adds =
          s.in_rank == 1 && only.kind == stage_kind::compute && find_product_sum(s.how, only, leaves, level) != nullptr;
      return plan_of({rows, adds ? reduction_input::products : evaluated}, 1, n);
    }
  }
  if (at_once && only.kind == stage_kind::compute && !only.copies && n <= unplanned_elements)
    if (const reduction_plan x = plan_row_of_leaves(only, leaves, n, s.rows, s.how); x.works) return x;
  if (are_rows_of_leaves(s)) return plan_of({rows, reduction_input::kernel}, 1, n);
  const target_array all{nullptr, s.in_extents, nullptr, s.in_rank, s.type};
  return plan_of(bound_problem(all, s.leaves, s.leaf_count, code, o, s.at).problem, s.reduced, s.how,
                 {nullptr, nullptr, s.rows});
}

}  // namespace broadloom::runtime
