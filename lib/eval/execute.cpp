// The compiled side of the door: decides aliasing, plans, runs.
#include <cstring>

#include <broadloom/core/isa.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/plan/explain.hpp>

#include "../plan/alias.hpp"
#include "copy.hpp"
#include "run.hpp"

namespace broadloom::runtime {

namespace {

// A loop over contiguous memory, short enough for one thread: no plan, no scratch but a tail.
constexpr index flat_elements = 8192;

// Every array lies as the output does, row-major without gaps; numbers do not matter. Then one loop does it.
bool is_flat(const problem& p, index* size) {
  index n = 1;
  for (index i = p.rank - 1; i >= 0; --i) {
    if (p.extents[i] != 1) {
      if (p.out_strides[i] != n) return false;
      for (int k = 0; k < p.operand_count; ++k)
        if (!p.operands[k].is_number && p.operands[k].strides[i] != n) return false;
    }
    n *= p.extents[i];
  }
  *size = n;
  return true;
}

bool apart_or_equal(const problem& p, index n) {
  const auto* o = static_cast<const std::byte*>(p.out);
  const std::byte* const o_end = o + n * size_of(p.out_type);
  for (int k = 0; k < p.operand_count; ++k) {
    const operand& x = p.operands[k];
    const auto* d = static_cast<const std::byte*>(x.data);
    if (d == o && size_of(x.type) == size_of(p.out_type)) continue;
    if (d < o_end && o < d + n * (x.is_number ? 1 : 1) * size_of(x.type)) return false;
  }
  return true;
}

bool run_flat(const problem& p, index n) {
  const stage& st = p.code.stages[0];
  const int level = static_cast<int>(active_isa());
  const index lanes = st.code->lanes[level];
  if (n % lanes != 0 || st.input_count > 16) return false;
  slot slots[16];
  for (int j = 0; j < st.input_count; ++j) {
    const operand& x = p.operands[st.inputs[j]];
    slots[j] = {x.data, x.is_number ? 0 : -1};
  }
  st.code->run[level](slots, p.out, n, true);
  return true;
}

}  // namespace

void execute(const problem& p) {
  index flat = 0;
  if (p.code.stage_count == 1 && p.code.stages[0].kind == stage_kind::compute && is_flat(p, &flat) &&
      flat <= flat_elements && apart_or_equal(p, flat)) {
    if (flat == 0 || run_flat(p, flat)) return;
  }
  for (index i = 0; i < p.rank; ++i)
    if (p.extents[i] == 0) return;
  const alias_decision aliases = decide_aliases(p);
  if (aliases.any()) return execute_without_aliases(p, aliases);
  nest n(p);
  drop_unit_axes(n);
  order(n);
  coalesce(n);
  const blocks b = cut(n, p.code.stage_count);
  run(n, b, p.code, p.how);
}

explanation describe(const problem& p) {
  explanation x;
  x.shape.assign(p.extents, p.extents + p.rank);
  const alias_decision aliases = decide_aliases(p);
  x.temporary_bytes = aliases.copied_bytes;
  nest n(p);
  drop_unit_axes(n);
  order(n);
  coalesce(n);
  const blocks b = cut(n, p.code.stage_count);
  for (int i = 0; i < n.rank; ++i) {
    planned_loop loop{n.extents[i], {}};
    for (int k = 0; k < n.arrays; ++k) loop.steps.push_back(n.stride(k, i));
    x.loops.push_back(loop);
  }
  for (int k = 0; k < n.arrays; ++k) {
    index bytes = n.list[k].size;
    for (int i = 0; i < n.rank; ++i)
      if (n.stride(k, i) != 0) bytes *= n.extents[i];
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
  return x;
}

}  // namespace broadloom::runtime
