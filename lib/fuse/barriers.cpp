// Sources are computed whole, before all that reads them, or by blocks of rows together with their readers.
#include "barriers.hpp"

#include <broadloom/eval/scheduler.hpp>

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../base/memory_block.hpp"
#include "../move/copy.hpp"
#include "../plan/nest.hpp"
#include "fused_gather.hpp"
#include "fused_step.hpp"
#include "row_executor.hpp"

namespace broadloom::runtime {

namespace {

target_array result_of(const source& s, void* to) { return {to, s.in_extents, nullptr, s.in_rank, s.type}; }

}  // namespace

bool compute_in_place(const target_array& out, const leaf_array* leaves, int count, const program& code,
                      const options& how) {
  const stage& only = code.stages[0];
  if (code.stage_count != 1 || !only.copies || count != 1 || leaves[0].offset != 0) return false;
  const source& s = *leaves[0].from;
  if (s.type != out.type || product(s.extents, s.rank) != product(out.extents, out.rank)) return false;
  small_array<index, 32> steps(static_cast<std::size_t>(2 * out.rank));
  bind_strides(leaves[0], steps.data(), out.rank);
  bind_strides({out.data, out.extents, out.strides, out.rank, out.type, false, nullptr, 0}, steps.data() + out.rank,
               out.rank);
  index n = 1;
  for (int i = out.rank - 1; i >= 0; --i) {
    if (out.extents[i] != 1 && (steps[i] != n || steps[out.rank + i] != n)) return false;
    n *= out.extents[i];
  }
  const auto low = reinterpret_cast<std::uintptr_t>(out.data);
  const std::uintptr_t high = low + static_cast<std::uintptr_t>(n * size_of(out.type));
  if (!is_program(s)) {
    if (s.reads == nullptr || s.reads(s.node, reinterpret_cast<const void*>(low), reinterpret_cast<const void*>(high)))
      return false;
    s.evaluate(s.node, out.data, how);
    return true;
  }
  for (int k = 0; k < s.leaf_count; ++k) {
    if (s.leaves[k].from != nullptr) return false;
    std::uintptr_t a = 0, b = 0;
    memory_of(s.leaves[k], a, b);
    if (a < high && low < b) return false;
  }
  const bound_problem whole(result_of(s, out.data), s.leaves, s.leaf_count, *s.code, how, s.at);
  compute(s, whole.problem, n);
  return true;
}

void assign_with_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                          const options& how) {
  const fused_gathers gathers(out, leaves, count);
  if (gathers.leaves() != leaves) {
    leaves = gathers.leaves();
    count = gathers.count();
    if (leaves[0].from != nullptr && compute_in_place(out, leaves, count, code, how)) return;
  }
  barrier_schedule plan(out, leaves, count, how);
  std::size_t whole_bytes = 0, scratch_bytes = 0;
  for (barrier& p : plan.barriers()) {
    std::size_t& used = p.by_rows ? scratch_bytes : whole_bytes;
    p.place = used;
    const index elements = p.by_rows ? p.row * plan.rows_at_once() : p.size;
    used = static_cast<std::size_t>(
        detail::checked_add(p.from->name, static_cast<index>(used),
                            static_cast<index>(with_room(static_cast<std::size_t>(elements * size_of(p.from->type))))));
  }
  const memory_block whole(static_cast<index>(whole_bytes));
  for (const barrier& p : plan.barriers()) {
    if (p.by_rows) continue;
    const source& s = *p.from;
    std::byte* const to = whole.data() + p.place;
    if (is_program(s))
      compute(s,
              fused_step(result_of(s, to), s.leaves, s.leaf_count, *s.code, how, 0, plan, whole.data(), s.at).whole(),
              p.size);
    else if (p.size > 0)
      s.evaluate(s.node, to, how);
  }
  options rows_how = how;
  if (plan.any_rows() && rows_how.whole_bytes < plan.bytes()) rows_how.whole_bytes = plan.bytes();
  fused_step consumer(out, leaves, count, code, rows_how, plan.row_axis(), plan, whole.data(), gathers.at());
  if (!plan.any_rows()) return execute(consumer.whole());

  std::deque<fused_step> fused_steps;
  for (const barrier& p : plan.barriers()) {
    const source& s = *p.from;
    if (p.by_rows && is_program(s))
      fused_steps.emplace_back(result_of(s, nullptr), s.leaves, s.leaf_count, *s.code, how, leading_input(s), plan,
                               whole.data(), s.at);
  }
  const index all = out.extents[plan.row_axis()], at_once = plan.rows_at_once();
  const index blocks = (all + at_once - 1) / at_once;
  index computed = 1;  // elements for each row
  for (int i = 0; i < out.rank; ++i) computed *= i == plan.row_axis() ? 1 : out.extents[i];
  for (const barrier& p : plan.barriers()) computed += p.by_rows && p.from->how == reduction::none ? p.row : 0;
  if (row_executor executor(plan, fused_steps, consumer, scratch_bytes); executor.works()) return executor.run();
  workers all_workers(fused_steps, consumer, blocks < 4 * plan.threads());
  for_ranges(blocks, plan.threads(), [&](index first_block, index last_block) {
    const frame f(scratch_bytes);
    worker& here = all_workers.take();
    for (index b = first_block; b < last_block; ++b) {
      const index first = b * at_once, n = smaller(at_once, all - first);
      here.prefetcher.expect(first + n, smaller(at_once, all - first - n), n * computed);
      auto next = fused_steps.begin();
      auto mine = here.plans.begin();
      for (const barrier& p : plan.barriers()) {
        if (!p.by_rows) continue;
        const source& s = *p.from;
        std::byte* const to = f.data() + p.place;
        if (is_program(s))
          (next++)->rows(first, n, f.data(), to, &s, p.row, *mine++, &here.prefetcher);
        else
          s.evaluate_rows(s.node, first, first + n, to, {1, how.maths, how.products});
      }
      consumer.rows(first, n, f.data(), nullptr, nullptr, 1, *mine, &here.prefetcher);
    }
    all_workers.put_back(here);
  });
}

void describe_barriers(const target_array& out, const leaf_array* leaves, int count, const options& how,
                       explanation& x) {
  bool any = false;
  for (int k = 0; k < count; ++k) any = any || leaves[k].from != nullptr;
  if (!any) return;
  const barrier_schedule plan(out, leaves, count, how);
  for (const barrier& p : plan.barriers()) {
    const source& s = *p.from;
    x.passes.push_back({s.name, std::vector<index>(s.extents, s.extents + s.rank), p.by_rows,
                        (p.by_rows ? p.row * plan.rows_at_once() : p.size) * size_of(s.type)});
  }
  x.rows_at_once = plan.any_rows() ? plan.rows_at_once() : 0;
}

}  // namespace broadloom::runtime
