// Barriers of few elements are computed one after the other, on the stack.
#include "small_barriers.hpp"

#include "../base/limits.hpp"
#include "../base/scope.hpp"
#include "../fuse/fused_step.hpp"
#include "../move/vectors.hpp"
#include "small_strided.hpp"

namespace broadloom::runtime {

namespace {

using namespace limits::small_barriers;

// Elements that the tree itself writes, by a nest or in one loop, once its barriers are in memory: to plan these by
// blocks of rows takes 1 to 1.5 us (Zen 3), and what they read is in the caches when it is read again.
constexpr index max_written = limits::reducing::scratch_elements;

// Bytes of results on the stack, where each begins at a cache line.
constexpr index bytes_of(index bytes) { return (bytes + 63) & ~index{63}; }

// Whether one loop computes all from whole arrays and numbers.
bool is_flat(const index* extents, int rank, const leaf_array* leaves, int count, const program& code) {
  if (code.stage_count != 1 || code.stages[0].kind != stage_kind::compute) return false;
  for (int k = 0; k < count; ++k) {
    const leaf_array& x = leaves[k];
    if (x.is_scalar) continue;
    if (x.strides != nullptr || x.rank != rank) return false;
    for (int i = 0; i < rank; ++i)
      if (x.extents[i] != extents[i]) return false;
  }
  return true;
}

// Elements of a flat program from leaves in memory, apart from where they go, without gaps. False, and nothing done,
// where it is not flat. Most results of reductions that are divided or rooted are.
bool evaluate_flat(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  const stage& only = code.stages[0];
  if (only.input_count > max_flat_inputs || !is_flat(out.extents, out.rank, leaves, count, code)) return false;
  const index n = product(out.extents, out.rank);
  slot inputs[max_flat_inputs];
  for (int j = 0; j < only.input_count; ++j) {
    const leaf_array& x = leaves[only.inputs[j]];
    inputs[j] = {x.data, x.is_scalar ? 0 : -1};
  }
  const int level = static_cast<int>(active_isa());
  if ((n & (only.code->lanes[level] - 1)) == 0)
    only.code->run[level](inputs, out.data, n, kernel_mode::dense);
  else
    run_dense_with_tail(only, inputs, out.data, n, level);
  return true;
}

// Leaves that are in memory, of elements that are there.
void evaluate(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how) {
  if (!run_on_stack(out, leaves, count, code, how)) execute(bound_problem(out, leaves, count, code, how).problem);
}

// Whether rows of an expression are evaluated first, which takes less time than a nest.
bool evaluates_rows(const source& s) { return reduces_rows(s) && product(s.in_extents, s.in_rank) <= max_elements; }

// What reduce_leaves() does not do; or, where `plan` is not null, that as a plan.
[[gnu::noinline]] void reduce_others(const source& s, const leaf_array* leaves, target_array all, index results,
                                     const options& how, reduction_plan* plan = nullptr) {
  if (reduce_function(s, leaves, maths_in_force(how), all.data, plan)) return;
  if (!evaluates_rows(s)) {
    const bound_problem whole(all, leaves, s.leaf_count, *s.code, how);
    return compute(s, whole.problem, results, {s.tile, s.lines, s.rows, pair_term::other}, plan);
  }
  alignas(64) std::byte elements[max_elements * 16];
  void* const to = all.data;
  if (plan != nullptr) {
    *plan = plan_rows_of(s, false);
    return;
  }
  all.data = elements;
  all.type = s.code->stages[s.code->stage_count - 1].type;
  evaluate(all, leaves, s.leaf_count, *s.code, how);
  reduce_rows(s, elements, to);
}

// Whether the tree is a `let` as it is, and the output an array of its extents without gaps.
bool is_let_in(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  const leaf_array& x = leaves[0];
  if (count != 1 || x.from == nullptr || code.stage_count != 1 || !code.stages[0].copies || out.strides != nullptr ||
      x.strides != nullptr || x.offset != 0 || x.rank != out.rank)
    return false;
  const source& s = *x.from;
  if (!is_program(s) || s.how != reduction::none || s.type != out.type || s.rank != out.rank) return false;
  for (int i = 0; i < out.rank; ++i)
    if (x.extents[i] != out.extents[i] || s.extents[i] != out.extents[i]) return false;
  return true;
}
// Whether none of these leaves in memory lies where the output does, which has no gaps.
bool lie_apart(const target_array& out, const leaf_array* leaves, int count) {
  const auto low = reinterpret_cast<std::uintptr_t>(out.data);
  const auto high = low + static_cast<std::uintptr_t>(product(out.extents, out.rank) * size_of(out.type));
  for (const leaf_array *x = leaves, *const end = leaves + count; x != end; ++x)
    if (may_overlap(*x, low, high)) return false;
  return true;
}

}  // namespace

bool barriers_on_stack::prepare(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  const index n = product(out.extents, out.rank);
  if (n > max_written) return false;
  const bool is_let = is_let_in(out, leaves, count, code);
  if (is_let) in_output_bytes_ = bytes_of(n * size_of(out.type));
  ready_ = add(leaves, count);
  if (ready_ == nullptr) return false;
  step& last = steps_[count_ - 1];
  in_output_ = is_let && lie_apart(out, last.leaves, last.from->leaf_count);
  if (in_output_) last.at = static_cast<std::byte*>(out.data);
  return in_output_ || used_ <= max_bytes;
}

namespace {

// Whether many elements are reduced in one loop, whatever leaves are computed from.
bool reduces_many(const source& s) {
  if (reduces_leaves(s)) return true;
  if (s.leaf_count > max_short_inputs) return false;
  leaf_array leaves[max_short_inputs];  // results of other sources are in memory then
  for (int i = 0; i < s.leaf_count; ++i) {
    leaves[i] = s.leaves[i];
    if (leaves[i].from != &any_ramp) leaves[i].from = nullptr;
  }
  return reduce_function(s, leaves, accuracy::accurate, nullptr);
}

// Whether a reduction counts all leaves that are not in memory.
[[gnu::noinline]] bool counts_ramps(const source& s) {
  if (s.how == reduction::none) return false;
  for (int k = 0; k < s.leaf_count; ++k)
    if (s.leaves[k].from != nullptr && s.leaves[k].from != &any_ramp) return false;
  return reduces_leaves(s);
}

}  // namespace

// Null where it is not small.
[[gnu::always_inline]] inline const leaf_array* barriers_on_stack::add(const leaf_array* leaves, int count) {
  int in_memory = 0;
  while (in_memory < count && leaves[in_memory].from == nullptr) ++in_memory;
  leaf_array* const all = leaves_ + leaf_count_;
  leaf_count_ += count;
  if (leaf_count_ > max_leaves) return nullptr;
  if (in_memory == count) return leaves;
  for (int k = 0; k < count; ++k) {
    const leaf_array& x = leaves[k];
    const void* data = x.data;
    if (x.from != nullptr) {
      const std::byte* const result = add(*x.from);
      if (result == nullptr) return nullptr;
      data = result + x.offset * size_of(x.type);
    }
    all[k] = {data, x.extents, x.strides, x.rank, x.type, x.is_scalar, nullptr, 0};
  }
  return all;
}

const std::byte* barriers_on_stack::add(const source& s) {
  for (int i = 0; i < count_; ++i) {
    const source& other = *steps_[i].from;
    if (&other == &s || (other.same == s.same && s.same(other.node, s.node))) return steps_[i].at;
  }
  const index n = product(s.extents, s.rank);
  if (n > max_results) return nullptr;
  const leaf_array* leaves = leaves_;
  bool is_large = false;
  if (!is_program(s)) {  // a function, or a ramp, which is not in memory
    if (s.evaluate == nullptr) return nullptr;
  } else {
    if (s.at != nullptr) return nullptr;
    is_large = n > max_elements || product(s.in_extents, s.in_rank) > max_elements;
    if (is_large && s.how == reduction::none && !is_flat(s.in_extents, s.in_rank, s.leaves, s.leaf_count, *s.code))
      return nullptr;
    leaves = add(s.leaves, s.leaf_count);
    if (leaves == nullptr && counts_ramps(s)) leaves = s.leaves;
  }
  std::byte* const at = memory_ + used_;
  used_ += bytes_of(n * size_of(s.type));
  if (leaves == nullptr || used_ > max_bytes + in_output_bytes_ || count_ == max_barriers) return nullptr;
  const rows_of_leaves* rows = nullptr;
  if (is_large && s.how != reduction::none) {
    if (planned_count_ < max_planned && planned_[planned_count_].plan(s, leaves))
      rows = &planned_[planned_count_++];
    else if (!reduces_many(s))
      return nullptr;
  }
  steps_[count_++] = {&s, leaves, at, n, rows};
  return at;
}

void barriers_on_stack::compute(const options& how) const {
  for (const step *x = steps_, *const end = steps_ + count_; x != end; ++x) {
    const source& s = *x->from;
    if (!is_program(s)) {
      if (x->elements > 0) s.evaluate(s.node, x->at, how);
    } else if (s.how == reduction::none) {
      // What the next one sums is summed as it is computed.
      const step* const next = x + 1;
      if (next != end && sums_all(*next->from, next->leaves, x->at) &&
          map_and_sum_leaves(*next->from, *s.code, x->leaves, maths_in_force(how), x->at, next->at)) {
        ++x;
        repair_results(*x->from, 0, x->elements, x->at);
      } else if (const target_array to = result_of(s, x->at);
                 x->elements > 0 && !evaluate_flat(to, x->leaves, s.leaf_count, *s.code))
        evaluate(to, x->leaves, s.leaf_count, *s.code, how);
    } else {
      if (x->rows != nullptr)
        x->rows->run(x->at);
      else if (!reduce_leaves(s, x->leaves, x->at))
        reduce_others(s, x->leaves, result_of(s, x->at), x->elements, how);
      if (s.repair != nullptr) repair_results(s, 0, x->elements, x->at);
    }
  }
}

std::vector<barriers_on_stack::described> barriers_on_stack::describe(const options& how) const {
  std::vector<described> all;
  for (const step *x = steps_, *const end = steps_ + count_; x != end; ++x) {
    const source& s = *x->from;
    reduction_plan plan = no_plan();
    if (s.how != reduction::none && !reduce_leaves(s, x->leaves, nullptr, &plan))
      reduce_others(s, x->leaves, result_of(s, x->at), x->elements, how, &plan);
    if (x != steps_ && x[-1].from->how == reduction::none && is_program(*x[-1].from) &&
        sums_all(s, x->leaves, x[-1].at) &&
        map_and_sum_leaves(s, *x[-1].from->code, x[-1].leaves, maths_in_force(how), nullptr, nullptr))
      plan.input = reduction_input::function;
    all.push_back({&s, plan});
  }
  return all;
}

bool assign_small_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                           const options& how) {
  barriers_on_stack results;
  if (!results.prepare(out, leaves, count, code)) return false;
  results.compute(how);
  if (results.in_output() || (out.strides == nullptr && lie_apart(out, results.leaves(), count) &&
                              evaluate_flat(out, results.leaves(), count, code)))
    return true;
  evaluate(out, results.leaves(), count, code, how);
  return true;
}

}  // namespace broadloom::runtime
