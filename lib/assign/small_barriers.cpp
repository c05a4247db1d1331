// Barriers of few elements are computed one after the other, on the stack.
#include "small_barriers.hpp"

#include "../base/limits.hpp"
#include "../fuse/fused_step.hpp"
#include "../plan/route.hpp"
#include "../reduce/contiguous.hpp"

namespace broadloom::runtime {

namespace {

using namespace limits::small_barriers;

// How much there is of all that leaves are computed from. A barrier that is bound twice counts twice.
struct amount {
  index bytes = 0;
  int sources = 0, leaves = 0;
  const source* all_sources[max_barriers];

  // False where it is not small.
  bool add(const leaf_array* all, int count) {
    leaves += count;
    if (leaves > max_leaves) return false;
    for (int k = 0; k < count; ++k) {
      const source* const s = all[k].from;
      if (s == nullptr) continue;
      if (has(s)) continue;
      if (!is_program(*s) || s->at != nullptr || sources == max_barriers) return false;
      all_sources[sources++] = s;
      const index from = product(s->in_extents, s->in_rank), n = product(s->extents, s->rank);
      if (from > max_elements || n > max_elements) return false;
      bytes += (n * size_of(s->type) + 63) & ~index{63};
      if (bytes > max_bytes || !add(s->leaves, s->leaf_count)) return false;
    }
    return true;
  }
  bool has(const source* s) const {
    for (int i = 0; i < sources; ++i)
      if (all_sources[i] == s) return true;
    return false;
  }
};

}  // namespace

const leaf_array* barriers_on_stack::ready(const leaf_array* leaves, int count) {
  bool any = false;
  for (int k = 0; k < count; ++k) any = any || leaves[k].from != nullptr;
  if (!any) return leaves;
  leaf_array* const all = leaves_ + leaf_count_;
  leaf_count_ += count;
  for (int k = 0; k < count; ++k) {
    const leaf_array& x = leaves[k];
    const void* const data = x.from == nullptr ? x.data : result(*x.from) + x.offset * size_of(x.type);
    all[k] = {data, x.extents, x.strides, x.rank, x.type, x.is_scalar, nullptr, 0};
  }
  return all;
}

const std::byte* barriers_on_stack::result(const source& s) {
  for (int i = 0; i < count_; ++i)
    if (done_[i].from == &s || (done_[i].from->same == s.same && s.same(done_[i].from->node, s.node)))
      return done_[i].at;
  const leaf_array* const leaves = ready(s.leaves, s.leaf_count);
  const index n = product(s.extents, s.rank);
  std::byte* const to = memory_ + used_;
  used_ += (n * size_of(s.type) + 63) & ~index{63};
  const target_array target{to, s.in_extents, nullptr, s.in_rank, s.type};
  if (run_ && s.how == reduction::none)
    assign(target, leaves, s.leaf_count, *s.code, how_);
  else if (run_ && !reduce_leaves(s, leaves, to))
    reduce(s, leaves, target, n);
  done_[count_++] = {&s, to};
  return to;
}

// Rows of an expression are evaluated first, which takes less time than a plan.
[[gnu::noinline]] void barriers_on_stack::reduce(const source& s, const leaf_array* leaves, target_array all,
                                                 index results) const {
  if (!reduces_rows(s))
    return compute(s, bound_problem(all, leaves, s.leaf_count, *s.code, how_).problem, results,
                   {s.tile, s.lines, s.rows, pair_term::other});
  alignas(64) std::byte elements[max_elements * 16];
  void* const to = all.data;
  all.data = elements;
  all.type = s.code->stages[s.code->stage_count - 1].type;
  assign(all, leaves, s.leaf_count, *s.code, how_);
  reduce_rows(s, elements, to);
}

bool fits_on_stack(const target_array& out, const leaf_array* leaves, int count) {
  amount all;
  return product(out.extents, out.rank) <= max_elements && all.add(leaves, count);
}

void assign_small_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                           const options& how) {
  took(route::barriers_on_stack);
  barriers_on_stack results(how);
  const leaf_array* ready = nullptr;
  {
    const part_of_route inside;
    ready = results.ready(leaves, count);
  }
  assign(out, ready, count, code, how);
}

}  // namespace broadloom::runtime
