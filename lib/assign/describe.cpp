// What an evaluation will do, as data: explain() prints it.
#include <vector>

#include <broadloom/plan/explain.hpp>

#include "../fuse/barriers.hpp"
#include "../fuse/fused_gather.hpp"
#include "../plan/alias.hpp"
#include "../plan/bound.hpp"
#include "../plan/hoist.hpp"
#include "../plan/sharing.hpp"
#include "../run/run.hpp"

namespace broadloom::runtime {

namespace {

void describe(const problem& p, explanation& x) {
  if (const int repeated = repeated_stages(p); repeated > 0) {
    x.shared_stages += repeated;
    return describe(sharing(p).shared(), x);
  }
  if (const int s = hoistable_stage(p); s >= 0) {
    const hoisting h(p, s);
    std::vector<index> extents(static_cast<std::size_t>(p.rank));
    const index bytes = own_extents(p, s, extents.data()) * size_of(p.code.stages[s].type);
    x.hoisted.push_back({extents, bytes});
    return describe(h.rest(), x);
  }
  x.shape = {p.extents, p.extents + p.rank};
  const alias_decision aliases = decide_aliases(p);
  x.temporary_bytes = aliases.copied_bytes;
  nest n(p);
  drop_unit_axes(n);
  order(n);
  coalesce(n);
  const blocks b = cut(n, p.code, p.how);
  for (int i = 0; i < n.rank; ++i) {
    planned_loop loop{n.extents[i], {}};
    for (int k = 0; k < n.arrays; ++k) loop.steps.push_back(n.stride(k, i));
    x.loops.push_back(loop);
  }
  for (int k = 0; k < n.arrays; ++k) {
    index bytes = n.list[k].size;
    for (int i = 0; i < n.rank; ++i)
      if (n.stride(k, i) != 0 || reads_at_positions_along(n, k, i)) bytes *= n.extents[i];
    const bool output = k == n.output();
    x.arrays.push_back({output ? p.out_type : p.operands[k].type, to_string(read_array(n, b, k)), bytes});
    (output ? x.bytes_written : x.bytes_read) += bytes;
  }
  x.blocks = to_string(b.kind);
  x.block_rows = b.rows;
  x.block_columns = b.columns;
  x.block_count = b.count;
  x.chunk = b.chunk;
  x.streamed = b.streamed;
  x.threads = choose_threads(n, b, p.code, p.how);
  x.level = active_isa();
  for (int s = 0; s < p.code.stage_count; ++s) {
    const stage& st = p.code.stages[s];
    const bool f64 = st.type == dtype::f64;
    if (st.kind == stage_kind::compute)
      x.lanes = st.code->lanes[static_cast<int>(x.level)];
    else if (st.kind == stage_kind::strip1)
      x.maths = backend(static_cast<maths1>(st.function), p.how.maths, f64);
    else
      x.maths = backend(static_cast<maths2>(st.function), p.how.maths, f64);
  }
}

}  // namespace

explanation describe(const target_array& out, const leaf_array* leaves, int count, const program& code,
                     const options& how) {
  const fused_gathers gathers(out, leaves, count);
  leaves = gathers.leaves();
  count = gathers.count();
  bound_problem bound(out, leaves, count, code, how, gathers.at());
  explanation x;
  describe_barriers(out, leaves, count, how, x);
  // What is computed first lies in memory of its own, which is not there yet: any address apart from the output's does.
  for (int k = 0; k < count; ++k)
    if (leaves[k].from != nullptr) bound.at(k).data = leaves[k].from;
  describe(bound.problem, x);
  return x;
}

}  // namespace broadloom::runtime
