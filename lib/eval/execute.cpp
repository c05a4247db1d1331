// The compiled side of the door: decides aliasing, plans, runs.
#include <cstdint>
#include <cstring>

#include <broadloom/core/isa.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/plan/explain.hpp>

#include "../plan/alias.hpp"
#include "../plan/bound.hpp"
#include "../plan/hoist.hpp"
#include "../plan/sources.hpp"
#include "copy.hpp"
#include "run.hpp"

namespace broadloom::runtime {

namespace {

// A loop over contiguous memory, short enough for one thread: no plan, no scratch but a tail.
constexpr index flat_elements = 8192;
// The last elements, fewer than a vector has: in the narrower vectors of the base level as far as they go, then in copies that
// are filled up with the last element. What kernels compute is exact or rounded once, so every level gives the same bits.
[[gnu::noinline]] void run_flat_rest(const stage& st, const slot* slots, void* out, index done, index rest) {
  slot moved[most_flat_inputs];
  for (int j = 0; j < st.input_count; ++j)
    moved[j] = {static_cast<const std::byte*>(slots[j].data) + (slots[j].advance & done) * size_of(st.input_types[j]),
                slots[j].advance};
  auto* to = static_cast<std::byte*>(out) + done * size_of(st.type);
  const index lanes = st.code->lanes[0], narrow = rest & -lanes;
  if (narrow > 0) {
    st.code->run[0](moved, to, narrow, kernel_mode::dense);
    rest -= narrow;
    if (rest == 0) return;
  }
  alignas(16) std::byte copies[most_flat_inputs + 1][16];
  for (int j = 0; j < st.input_count; ++j) {
    if (moved[j].advance == 0) continue;
    const int size = size_of(st.input_types[j]);
    const std::byte* const from = static_cast<const std::byte*>(moved[j].data) + narrow * size;
    for (index i = 0; i < lanes; ++i)
      std::memcpy(copies[j] + i * size, from + (i < rest ? i : rest - 1) * size, static_cast<std::size_t>(size));
    moved[j].data = copies[j];
  }
  std::byte* const result = copies[most_flat_inputs];
  st.code->run[0](moved, result, lanes, kernel_mode::dense);
  std::memcpy(to + narrow * size_of(st.type), result, static_cast<std::size_t>(rest * size_of(st.type)));
}

}  // namespace

bool assign_flat(const stage& only, const slot* inputs, void* out, index n) {
  if (n > flat_elements) return false;
  const auto low = reinterpret_cast<std::uintptr_t>(out);
  const auto count = static_cast<std::uintptr_t>(n);
  const std::uintptr_t bytes = count * static_cast<std::uintptr_t>(size_of(only.type));
  for (int j = 0; j < only.input_count; ++j) {
    const auto at = reinterpret_cast<std::uintptr_t>(inputs[j].data);
    const auto size = static_cast<std::uintptr_t>(size_of(only.input_types[j]));
    const std::uintptr_t own = inputs[j].advance == 0 ? size : count * size;
    if (at - low < bytes || low - at < own)  // they overlap
      if (at != low || own != bytes) return false;
  }
  const int level = static_cast<int>(active_isa());
  const index rest = n & (only.code->lanes[level] - 1), whole = n - rest;
  if (whole > 0) only.code->run[level](inputs, out, whole, kernel_mode::dense);
  if (rest > 0) run_flat_rest(only, inputs, out, whole, rest);
  return true;
}

void assign(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how) {
  for (int i = 0; i < out.rank; ++i)
    if (out.extents[i] == 0) return;
  for (int k = 0; k < count; ++k)
    if (leaves[k].from != nullptr) return assign_with_sources(out, leaves, count, code, how);
  execute(bound_problem(out, leaves, count, code, how).problem);
}

void execute(const problem& p) {
  if (const int s = hoistable_stage(p); s >= 0) {
    const hoisting h(p, s);
    execute(h.part());
    return execute(h.rest());
  }
  const alias_decision aliases = decide_aliases(p);
  if (aliases.any()) return execute_without_aliases(p, aliases);
  execute_as_is(p);
}

void execute_as_is(const problem& p) {
  nest n(p);
  drop_unit_axes(n);
  order(n);
  coalesce(n);
  const blocks b = cut(n, p.code);
  run(n, b, p.code, p.how);
}

void describe(const problem& p, explanation& x);

explanation describe(const target_array& out, const leaf_array* leaves, int count, const program& code,
                     const options& how) {
  bound_problem bound(out, leaves, count, code, how);
  explanation x;
  describe_sources(out, leaves, count, how, x);
  // What is computed first lies in memory of its own, which is not there yet: any address apart from the output's does.
  for (int k = 0; k < count; ++k)
    if (leaves[k].from != nullptr) bound.at(k).data = leaves[k].from;
  describe(bound.problem, x);
  return x;
}

void describe(const problem& p, explanation& x) {
  if (const int s = hoistable_stage(p); s >= 0) {
    const hoisting h(p, s);
    planned_part part{{}, 0};
    part.extents.resize(static_cast<std::size_t>(p.rank));
    part.bytes = own_extents(p, s, part.extents.data()) * size_of(p.code.stages[s].type);
    x.hoisted.push_back(part);
    return describe(h.rest(), x);
  }
  x.shape.assign(p.extents, p.extents + p.rank);
  const alias_decision aliases = decide_aliases(p);
  x.temporary_bytes = aliases.copied_bytes;
  nest n(p);
  drop_unit_axes(n);
  order(n);
  coalesce(n);
  const blocks b = cut(n, p.code);
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
}

}  // namespace broadloom::runtime
