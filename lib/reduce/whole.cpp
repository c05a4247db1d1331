// Reductions of all elements to one: the doors, which need no plan where few elements lie in row-major order.
#include "whole.hpp"

#include <broadloom/core/isa.hpp>

#include "../base/extents.hpp"
#include "../base/scope.hpp"
#include "../move/vectors.hpp"
#include "../plan/bound.hpp"
#include "../plan/contiguous_rows.hpp"
#include "../plan/map_and_sum.hpp"
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
                           reduction how, reduction_plan* plan) {
  const stage& only = *form.code->stages;
  const int rank = form.rank, last = rank - 1;
  if (rank < 2 || form.code->stage_count != 1 || only.input_count != form.count || form.count > max_short_inputs)
    return false;
  const index rows = product(extents, last);
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
  if (plan != nullptr)
    *plan = plan_of({reduction_loops::rows, reduction_input::kernel}, 1, rows * extents[last]);
  else
    reduce_rows_of_all(only, leaves, shared, rows, extents[last], *form.rows, how, to);
  return true;
}

// A function of few elements, or of their differences from a number or products with it, added up by its loop.
bool sum_function_of_all(const slot* leaves, const index* extents, void* to, const whole_reduction& form, reduction how,
                         const options& o, reduction_plan* plan) {
  const program& code = *form.code;
  const stage& last = code.stages[code.stage_count - 1];
  if (how != reduction::sum || last.kind != stage_kind::strip1 || last.type != form.result) return false;
  const index n = product(extents, form.rank);
  if (n == 0 || n > limits::reducing::unplanned_rows_elements) return false;
  const auto is_row = [&](int k) {
    bool same = leaves[k].advance != 0;
    for (int i = 0; i < form.rank; ++i) same = same && extents[(k + 1) * form.rank + i] == extents[i];
    return same;
  };
  const auto found = find_map_and_sum(code, is_row);
  if (!found.works || (found.how != before::nothing && leaves[found.by].advance != 0) ||
      !sum_function(last, found.how, leaves[found.x].data, leaves[found.by].data, 0, 1, n, maths_in_force(o),
                    plan == nullptr ? to : nullptr))
    return false;
  if (plan != nullptr) *plan = plan_of({reduction_loops::rows, reduction_input::function}, 1, n);
  return true;
}

}  // namespace

[[gnu::noinline]] void reduce_planned(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                      reduction how, const options& o, reduction_plan* plan) {
  if (reduce_rows_of_leaves(leaves, extents, to, form, how, plan) ||
      sum_function_of_all(leaves, extents, to, form, how, o, plan))
    return;
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
  each_leaf_type(code, [&](int k, dtype type) { operands[k].type = type; });
  const problem p{rank, extents, to, nullptr, form.result, operands.data(), count, code, o};
  const unsigned all = rank == 32 ? ~0u : (1u << rank) - 1;
  const fused_kernels kernels{nullptr, nullptr, form.rows};
  if (plan == nullptr)
    reduce(p, all, how, kernels);
  else
    *plan = plan_of(p, all, how, kernels);
}

namespace {

constexpr reduction_loops rows = reduction_loops::rows;
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

// Elements that are no strip, or none. Here and below, where `plan` is not null it gets what would be done.
[[gnu::noinline]] void reduce_long(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                   reduction how, const options& o, reduction_plan* plan) {
  const stage& only = *form.code->stages;
  const index n = product(extents, form.rank);
  if (n == 0) return plan != nullptr ? void(*plan = no_plan()) : fill_empty(to, 1, form.result, how);
  const bool is_widened = find_widening(how, only, active_isa()) != nullptr;
  if (o.threads == 1 && n <= max_sequence_elements && form.code->stage_count == 1 && only.copies &&
      only.input_count == 1 && form.count == 1 && leaves[0].advance != 0 && !is_widened) {
    const reduce_kernels& k = *find_kernels(how, only.type, active_isa());
    if (k.one != nullptr && k.finish == nullptr && k.position == nullptr)
      return plan != nullptr ? void(*plan = plan_of({rows, in_memory}, 1, n)) : k.one(leaves[0].data, n, to);
  }
  if ((is_widened && n > unplanned_elements) || form.code->stage_count != 1 || only.copies ||
      only.input_count != form.count || !reduce_row_of_leaves(only, leaves, n, form.rows, how, to, plan))
    reduce_planned(leaves, extents, to, form, how, o, plan);
}

// A row of some strips, by the program's own kernel.
[[gnu::noinline]] void reduce_computed_row(const slot* leaves, const index* extents, void* to,
                                           const whole_reduction& form, reduction how, const reduce_kernels& k,
                                           int level) {
  const index n = extents[0];
  if (product_sum* const terms = find_products(how, *form.code->stages, leaves, static_cast<isa>(level)).one;
      terms != nullptr)
    return terms(leaves[0].data, leaves[form.count - 1].data, n, to);
  alignas(64) std::byte room[2 * row_room], lanes[before_lanes + strips_together * 64];
  std::byte* const found = lanes + before_lanes;
  static constexpr index pitch[2] = {};  // there is no other row
  if (form.rows->widens)
    return widen_rows(*form.rows, *form.code->stages, leaves, pitch, 1, n, k, {room, found, nullptr}, to);
  reduce_rows(form.rows->run[level], *form.code->stages, leaves, pitch, 1, n, k, room, found);
  k.strips(found, divide_up(n, strip_length), to);
}

[[gnu::noinline]] void reduce_others(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                     reduction how, const options& o, reduction_plan* plan = nullptr) {
  const program& code = *form.code;
  const stage& only = *code.stages;
  const int rank = form.rank, count = form.count;
  const index n = product(extents, rank);
  for (int i = 0; i < count * rank && n > 0; ++i)
    if (extents[rank + i] != extents[i]) return reduce_planned(leaves, extents, to, form, how, o, plan);
  if (n > (only.copies ? unplanned_elements : strip_length) || n == 0 || code.stage_count != 1 ||
      only.input_count != count || count > max_flat_inputs)
    return reduce_long(leaves, extents, to, form, how, o, plan);
  if (find_widening(how, only, active_isa()) != nullptr &&
      reduce_row_of_leaves(only, leaves, n, nullptr, how, to, plan))
    return;
  const reduce_kernels& k = *find_kernels(how, only.type, active_isa());
  const bool is_copy = only.copies && leaves[0].advance != 0;
  if (plan != nullptr)
    *plan = plan_of(
        {k.position != nullptr && is_copy ? reduction_loops::indices : rows, is_copy ? in_memory : evaluated}, 1, n);
  else if (is_copy)
    reduce_row(k, leaves[0].data, n, to);
  else
    reduce_strip(only, leaves, n, k, maths_in_force(o), to);
}

}  // namespace

// As run_disjoint, but by the kernel's loop for inputs that all advance: 8 to 15 % fewer instructions.
[[gnu::noinline]] void reduce_computed_strip(const stage& only, const slot* leaves, index n, const reduce_kernels& k,
                                             isa level, void* to) {
  alignas(64) std::byte strip[strip_length * 8];
  if ((n & (only.code->lanes[static_cast<int>(level)] - 1)) == 0)
    only.code->run[static_cast<int>(level)](leaves, strip, n, kernel_mode::dense);
  else
    run_disjoint_with_tail(only, leaves, strip, n, static_cast<int>(level));
  k.one(strip, n, to);
}

// An expression of one array of two axes.
[[gnu::noinline]] void reduce_matrix(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                     reduction how, const options& o) {
  const index n = extents[0] * extents[1];
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  const bool is_whole = extents[2] == extents[0] && extents[3] == extents[1] && leaves[0].advance != 0;
  const reduce_kernels* const k = is_whole ? kernels_of_few(form, how, n, level) : nullptr;
  const stage& only = *form.code->stages;
  if (k == nullptr || n > (only.copies ? unplanned_elements : strip_length))
    return reduce_others(leaves, extents, to, form, how, o);
  if (only.copies) return k->one(leaves[0].data, n, to);
  reduce_computed_strip(only, leaves, n, *k, level, to);
}

// An expression of one or two arrays of one axis and of equal extents: there are as few checks as may be, and no call
// but the last one.
void reduce_whole(const slot* leaves, const index* extents, void* to, const whole_reduction& form, reduction how,
                  const options& o) {
  const int count = form.count;
  const index n = extents[0];
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  if (form.rank == 2 && count == 1) return reduce_matrix(leaves, extents, to, form, how, o);
  const bool is_plain = form.rank == 1 && count <= 2 && extents[1] == n && extents[count] == n;
  const reduce_kernels* const k = is_plain ? kernels_of_few(form, how, n, level) : nullptr;
  if (k == nullptr) return reduce_others(leaves, extents, to, form, how, o);
  if (n <= strip_length) return reduce_computed_strip(*form.code->stages, leaves, n, *k, level, to);
  const row_reduce_kernel* const kernel = form.rows;
  if (n > strips_together * strip_length || !has_row_kernel(kernel, level))
    return reduce_others(leaves, extents, to, form, how, o);
  reduce_computed_row(leaves, extents, to, form, how, *k, static_cast<int>(level));
}

namespace {

// What adds up the form's terms of arrays of n and `other` elements; null where that is left to others.
[[gnu::always_inline]] inline product_sum* find_sum(index n, index other, const whole_reduction& form, isa level) {
  if (n != other || n <= 0 || n > max_product_elements || !is_detected(level)) return nullptr;
  return products_of(form.term, form.computed, level).one;
}

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
  if (n > 0 && n <= unplanned_elements && is_detected(level)) {
    const reduce_kernels* const k = find_kernels(how, form.computed, level);
    if (k != nullptr && k->one != nullptr) return k->one(x, n, to);
  }
  reduce_listed_array(x, n, to, form, how, o);
}

void sum_products(const void* x, const void* y, index n, void* to, index other, const whole_reduction& form,
                  const options& o) {
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  if (product_sum* const sum = find_sum(n, other, form, level); sum != nullptr) return sum(x, y, n, to);
  sum_listed_products(x, y, n, to, other, form, o);
}

reduction_plan plan_whole(const source& s, const options& o) {
  small_array<slot, 16> leaves(static_cast<std::size_t>(s.leaf_count));
  small_array<index, 64> extents(static_cast<std::size_t>((s.leaf_count + 1) * s.in_rank));
  for (int i = 0; i < s.in_rank; ++i) extents[i] = s.in_extents[i];
  bool listed = true;
  for (int k = 0; k < s.leaf_count; ++k) {
    const leaf_array& x = s.leaves[k];
    const bool is_number = x.is_scalar || (x.from != nullptr && x.from != &any_ramp);
    leaves[k] = {x.data, is_number ? 0 : -1};
    listed = listed && (is_number || (x.from == nullptr && x.strides == nullptr));
    for (int i = 0; i < s.in_rank; ++i) {
      const int j = i - (s.in_rank - x.rank);
      extents[(k + 1) * s.in_rank + i] = is_number ? s.in_extents[i] : j < 0 ? 1 : x.extents[j];
    }
  }
  const target_array all{nullptr, s.in_extents, nullptr, s.in_rank, s.type};
  if (!listed)
    return plan_of(bound_problem(all, s.leaves, s.leaf_count, *s.code, o, s.at).problem, s.reduced, s.how,
                   {nullptr, nullptr, s.rows});
  const bool by_number = s.leaf_count == 2 && leaves[1].advance == 0;
  const whole_reduction form = whole_form(*s.code, s.rows, s.type, s.in_rank, s.leaf_count, s.how == reduction::sum,
                                          leaves[0].advance != 0, by_number, 0);
  if (form.term != summed_term::other &&
      find_sum(extents[s.in_rank], extents[s.leaf_count * s.in_rank], form, active_isa()) != nullptr)
    return plan_of({rows, reduction_input::products}, 1, extents[0]);
  reduction_plan plan;
  reduce_others(leaves.data(), extents.data(), nullptr, form, s.how, o, &plan);
  return plan;
}

}  // namespace broadloom::runtime
