// What an evaluation will do, as data: explain() prints it. Each step is what would be done, and is not.
#include <broadloom/plan/explain.hpp>

#include "../base/scope.hpp"
#include "../plan/bound.hpp"
#include "../plan/steps.hpp"
#include "../reduce/whole.hpp"
#include "../run/alias_copies.hpp"
#include "../run/run.hpp"
#include "bound_way.hpp"
#include "unplanned.hpp"

namespace broadloom::runtime {

namespace {

void add(explanation& x, const char* step) { x.routes.push_back(step); }

const char* name_of_loops(block_kind k) {
  constexpr const char* names[] = {"flat blocks", "blocks of rows", "tiles", "merged rows"};
  return names[static_cast<int>(k)];
}

void describe_loops(const nest& n, explanation& x) {
  for (int i = 0; i < n.rank; ++i) {
    planned_loop loop{n.extents[i], {}};
    for (int k = 0; k < n.arrays; ++k) loop.steps.push_back(n.stride(k, i));
    x.loops.push_back(loop);
  }
}

// `reading` says how each array is read, the output last.
template <class Reading>
void describe_arrays(const problem& p, const nest& n, explanation& x, Reading reading) {
  x.shape = {p.extents, p.extents + p.rank};
  for (int k = 0; k < n.arrays; ++k) {
    index bytes = n.list[k].ramp ? 0 : n.list[k].size;
    for (int i = 0; i < n.rank; ++i)
      if (n.stride(k, i) != 0) bytes *= n.extents[i];
    const bool output = k == n.output();
    x.arrays.push_back({output ? p.out_type : p.operands[k].type, reading(k), bytes});
    (output ? x.bytes_written : x.bytes_read) += bytes;
  }
}

void describe_stages(const problem& p, explanation& x) {
  x.level = active_isa();
  for (int s = 0; s < p.code.stage_count; ++s) {
    const stage& st = p.code.stages[s];
    const bool f64 = st.type == dtype::f64;
    if (st.kind == stage_kind::compute)
      x.lanes = st.code->lanes[static_cast<int>(x.level)];
    else if (st.kind == stage_kind::strip1)
      x.maths = backend(static_cast<maths1>(st.function), maths_in_force(p.how), f64);
    else
      x.maths = backend(static_cast<maths2>(st.function), maths_in_force(p.how), f64);
  }
}

void describe_nest(const problem& p, const planned_nest& planned, explanation& x) {
  const nest& n = planned.loops;
  const blocks& b = planned.cutting;
  describe_loops(n, x);
  describe_arrays(p, n, x, [&](int k) { return to_string(read_array(n, b, k)); });
  x.blocks = to_string(b.kind);
  x.block_rows = b.rows;
  x.block_columns = b.columns;
  x.block_count = b.count;
  x.chunk = b.chunk;
  x.streamed = b.streamed;
  x.threads = choose_threads(n, b, p.code, p.how);
  describe_stages(p, x);
}

struct described_steps {
  explanation& x;
  bool hoisted_part = false;  // its loops are not those of the tree
  bool by_rows = false;       // the loops are run by barriers' rows, and not as a nest

  void shared(int stages) const {
    add(x, "shared stages");
    x.shared_stages += stages;
  }
  void hoisted(const hoisting& h) const {
    if (!by_rows) add(x, "hoisted part");
    const problem& part = h.part();
    const index bytes = product(part.extents, part.rank) * size_of(part.out_type);
    x.hoisted.push_back({{part.extents, part.extents + part.rank}, bytes});
    described_steps inner{x, true, by_rows};
    plan_without_sharing(part, inner);
  }
  void copied(const problem& p, const alias_decision& d) const {
    if (!by_rows) add(x, d.result_first ? "copied result" : "copied operands");
    x.temporary_bytes += d.copied_bytes;
    run(alias_copies(p, d).inner());
  }
  void run(const problem& p) const {
    const planned_nest planned(p);
    if (!by_rows) add(x, name_of_loops(planned.cutting.kind));
    if (!hoisted_part) describe_nest(p, planned, x);
  }
};

// How a leaf is read where all is taken in one piece.
const char* reading_at_once(const problem& p, int k, bool materialized, unplanned_way way) {
  const operand& x = p.operands[k];
  if (x.is_scalar) return "scalar";
  bool full = true;
  for (index i = 0, n = 1; i < p.rank; ++i, n = 1) {
    for (index j = i + 1; j < p.rank; ++j) n *= p.extents[j];
    full = full && (p.extents[i] == 1 || x.strides[i] == n);
  }
  if (materialized || (!full && (way == unplanned_way::materialized_rows))) return "materialized";
  return p.rank > 0 && x.strides[p.rank - 1] == 0 && p.extents[p.rank - 1] != 1 ? "splat" : "dense";
}

void describe_piece(const target_array& out, const leaf_array* leaves, int count, const program& code,
                    const options& how, unplanned_way way, unsigned materialized, explanation& x) {
  const bound_problem bound(out, leaves, count, code, how);
  const problem& p = bound.problem;
  const planned_nest planned(p);
  add(x, to_string(way));
  describe_loops(planned.loops, x);
  describe_arrays(p, planned.loops, x, [&](int k) {
    return k == count ? "dense" : reading_at_once(p, k, (materialized >> k & 1) != 0, way);
  });
  const bool by_rows = way == unplanned_way::row_vectors || way == unplanned_way::row_by_row;
  const index n = planned.loops.size(), columns = by_rows && p.rank > 0 ? p.extents[p.rank - 1] : n;
  x.blocks = to_string(by_rows ? block_kind::rows : block_kind::flat);
  x.block_columns = columns;
  x.block_rows = columns == 0 ? 1 : n / columns;
  x.block_count = 1;
  x.chunk = way == unplanned_way::row_by_row ? columns : n;
  describe_stages(p, x);
}

// `scalars_first`: reductions of one element are computed by doors of their own, before the tree.
struct description : explanation {
  bool scalars_first = false;
};

void describe_bound(const target_array& out, const leaf_array* leaves, int count, const program& code,
                    const options& how, description& x);

void describe_pass(const source& s, bool by_rows, index bytes, reduction_plan reduced, const options& how,
                   description& x) {
  if (x.scalars_first && is_reduction(s) && product(s.extents, s.rank) == 1) reduced = plan_whole(s, how);
  planned_pass pass{s.name, std::vector<index>(s.extents, s.extents + s.rank), by_rows, bytes, {}};
  if (reduced.works)
    pass.reduced = {to_string(reduced.loops),
                    to_string(reduced.input),
                    reduced.results,
                    reduced.length,
                    reduced.block * reduced.inside,
                    reduced.part,
                    reduced.tasks,
                    reduced.threads};
  x.passes.push_back(pass);
}

void describe_written(const target_array& out, description& x) {
  x.shape = {out.extents, out.extents + out.rank};
  x.bytes_written = product(out.extents, out.rank) * size_of(out.type);
  x.level = active_isa();
}

void describe_in_output(const target_array& out, const source& s, const options& how, description& x) {
  add(x, "barrier in the output");
  reduction_plan reduced = no_plan();
  compute_in_output(out, s, how, &reduced);
  describe_pass(s, false, 0, reduced, how, x);
  describe_written(out, x);
}

void describe_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                       const options& how, description& x) {
  const barrier_plan planned(out, leaves, count, code, how);
  if (planned.gathers()) add(x, "gathered operands");
  if (planned.in_output() != nullptr) return describe_in_output(out, *planned.in_output(), how, x);
  const barrier_schedule& schedule = planned.schedule();
  if (schedule.steps.size() > 1) add(x, to_string(planned.way()));
  for (const scheduled_step& b : schedule.barriers()) {
    const index elements = &b == planned.last_in_output() ? 0 : b.by_rows ? b.row * schedule.rows_at_once : b.size;
    describe_pass(*b.from, b.by_rows, elements * size_of(b.from->type), planned.reduced(b), how, x);
  }
  if (planned.last_in_output() != nullptr) {
    add(x, "barrier in the output");
    return describe_written(out, x);
  }
  if (planned.way() == barrier_way::whole) {
    described_steps steps{x};
    return plan_steps(planned.consumer(), steps);
  }
  x.rows_at_once = schedule.rows_at_once;
  // What is computed by rows lies in memory that is not there yet: any address apart from the output's does.
  const source& tree = *schedule.steps.back().from;
  bound_problem bound(out, tree.leaves, tree.leaf_count, code, how);
  for (int k = 0; k < tree.leaf_count; ++k)
    if (tree.leaves[k].from != nullptr) bound.at(k).data = tree.leaves[k].from;
  described_steps steps{x, false, true};
  plan_without_sharing(bound.problem, steps);
}

// A reduction that is computed in the output, and then finished there.
bool describe_finished(const target_array& out, const leaf_array* leaves, int count, const program& code,
                       const options& how, description& x) {
  const leaf_array* const reduced = reduced_to_output(out, leaves, count, code);
  reduction_plan plan = no_plan();
  if (reduced == nullptr)
    if (const source* const let = let_in_output(out, leaves, count, code);
        let != nullptr && reduced_to_output(out, let->leaves, let->leaf_count, *let->code) != nullptr)
      return describe_finished(out, let->leaves, let->leaf_count, *let->code, how, x);
  if (reduced == nullptr || code.stages[0].copies ||
      !reduce_leaves(*reduced->from, reduced->from->leaves, nullptr, &plan))
    return false;
  add(x, "barrier in the output");
  describe_pass(*reduced->from, false, 0, plan, how, x);
  describe_written(out, x);
  return true;
}

void describe_bound(const target_array& out, const leaf_array* leaves, int count, const program& code,
                    const options& how, description& x) {
  if (describe_finished(out, leaves, count, code, how, x)) return;
  switch (choose_bound(out, leaves, count, code)) {
    case bound_way::no_elements: {
      add(x, "no elements");
      x.shape = {out.extents, out.extents + out.rank};
      return;
    }
    case bound_way::barrier_in_output: return describe_in_output(out, *leaves[0].from, how, x);
    case bound_way::barriers: {
      barriers_on_stack results;
      if (!results.prepare(out, leaves, count, code)) return describe_barriers(out, leaves, count, code, how, x);
      add(x, "barriers on the stack");
      for (const auto& b : results.describe(how)) {
        const bool is_output = results.in_output() && b.from == leaves[0].from;
        const index bytes = is_output ? 0 : product(b.from->extents, b.from->rank) * size_of(b.from->type);
        describe_pass(*b.from, false, bytes, b.reduced, how, x);
      }
      if (results.in_output()) {
        add(x, "barrier in the output");
        return describe_written(out, x);
      }
      return describe_bound(out, results.leaves(), count, code, how, x);
    }
    default: {
      if (unsigned materialized = 0; runs_on_stack(out, leaves, count, code, how, materialized))
        return describe_piece(out, leaves, count, code, how, unplanned_way::on_stack, materialized, x);
      const bound_problem bound(out, leaves, count, code, how);
      described_steps steps{x};
      return plan_steps(bound.problem, steps);
    }
  }
}

}  // namespace

explanation describe(const target_array& out, const leaf_array* leaves, int count, const program& code,
                     const options& how, bool scalars_first) {
  description x;
  x.scalars_first = scalars_first;
  describe_bound(out, leaves, count, code, how, x);
  return x;
}

explanation describe_at_once(const target_array& out, const leaf_array* leaves, int count, const program& code,
                             const options& how, unplanned_way way) {
  explanation x;
  describe_piece(out, leaves, count, code, how, way, 0, x);
  return x;
}

}  // namespace broadloom::runtime
