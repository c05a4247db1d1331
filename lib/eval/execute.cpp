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
    if (d < o_end && o < d + (x.is_number ? 1 : n) * size_of(x.type)) return false;
  }
  return true;
}

constexpr int most_flat_inputs = 12;

// The last elements, fewer than a vector has: the same loop over copies that are filled up with the last element.
[[gnu::noinline]] void run_flat_tail(const stage& st, const slot* slots, void* out, index whole, index rest, int level) {
  alignas(64) std::byte copies[most_flat_inputs + 1][64];
  slot padded[most_flat_inputs];
  const index lanes = st.code->lanes[level];
  for (int j = 0; j < st.input_count; ++j) {
    padded[j] = slots[j];
    if (slots[j].advance == 0) continue;
    const int size = size_of(st.input_types[j]);
    const std::byte* const from = static_cast<const std::byte*>(slots[j].data) + whole * size;
    std::memcpy(copies[j], from, static_cast<std::size_t>(rest * size));
    splat(copies[j] + rest * size, from + (rest - 1) * size, size, lanes - rest);
    padded[j].data = copies[j];
  }
  std::byte* const result = copies[most_flat_inputs];
  st.code->run[level](padded, result, lanes, true);
  const int size = size_of(st.type);
  std::memcpy(static_cast<std::byte*>(out) + whole * size, result, static_cast<std::size_t>(rest * size));
}

}  // namespace

void run_flat(const stage& st, const slot* slots, void* out, index n) {
  const int level = static_cast<int>(active_isa());
  const index rest = n & (st.code->lanes[level] - 1), whole = n - rest;
  if (whole > 0) st.code->run[level](slots, out, whole, true);
  if (rest > 0) run_flat_tail(st, slots, out, whole, rest, level);
}

void execute(const problem& p) {
  index flat = 0;
  const stage& only = p.code.stages[0];
  if (p.code.stage_count == 1 && only.kind == stage_kind::compute && only.input_count <= most_flat_inputs &&
      is_flat(p, &flat) && flat <= flat_elements && apart_or_equal(p, flat)) {
    slot slots[most_flat_inputs];
    for (int j = 0; j < only.input_count; ++j) {
      const operand& x = p.operands[only.inputs[j]];
      slots[j] = {x.data, x.is_number ? 0 : -1};
    }
    return run_flat(only, slots, p.out, flat);
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
