// The compiled side of the door: decides aliasing, plans, runs.
#include <cstdint>
#include <cstring>

#include <broadloom/core/isa.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/plan/explain.hpp>

#include "../plan/alias.hpp"
#include "../plan/hoist.hpp"
#include "copy.hpp"
#include "run.hpp"

namespace broadloom::runtime {

namespace {

// A loop over contiguous memory, short enough for one thread: no plan, no scratch but a tail.
constexpr index flat_elements = 8192;
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

// Every array lies as the output does, row-major, and none overlaps it but by coinciding: then one loop does it.
bool assign_flat(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  const stage& st = code.stages[0];
  if (code.stage_count != 1 || st.kind != stage_kind::compute || count > most_flat_inputs || out.strides != nullptr)
    return false;
  index n = 1;
  for (int i = 0; i < out.rank; ++i) n *= out.extents[i];
  if (n > flat_elements) return false;
  const auto low = reinterpret_cast<std::uintptr_t>(out.data);
  const std::uintptr_t bytes = static_cast<std::uintptr_t>(n) * static_cast<std::uintptr_t>(size_of(out.type));
  slot slots[most_flat_inputs];
  for (int k = 0; k < count; ++k) {
    const leaf_array& x = leaves[k];
    const auto at = reinterpret_cast<std::uintptr_t>(x.data);
    if (x.is_number) {
      slots[k] = {x.data, 0};
      if (at - low < bytes) return false;
      continue;
    }
    slots[k] = {x.data, -1};
    if (x.strides != nullptr || x.rank != out.rank) return false;
    for (int i = 0; i < out.rank; ++i)
      if (x.extents[i] != out.extents[i]) return false;
    const std::uintptr_t own = static_cast<std::uintptr_t>(n) * static_cast<std::uintptr_t>(size_of(x.type));
    if (at == low ? own != bytes : at < low + bytes && low < at + own) return false;
  }
  const int level = static_cast<int>(active_isa());
  const index lanes = st.code->lanes[level];
  const index rest = n & (lanes - 1), whole = n - rest;
  if (whole > 0) st.code->run[level](slots, out.data, whole, true);
  if (rest > 0) run_flat_tail(st, slots, out.data, whole, rest, level);
  return true;
}

// Strides of a leaf over the axes of the result: 0 where the leaf is missing or has extent 1.
void bind_strides(const leaf_array& x, index* to, int rank) {
  index n = 1;
  for (int i = rank - 1, j = x.rank - 1; i >= 0; --i, --j) {
    if (j < 0) {
      to[i] = 0;
      continue;
    }
    to[i] = x.extents[j] == 1 ? 0 : x.strides != nullptr ? x.strides[j] : n;
    n *= x.extents[j];
  }
}

class bound_problem {
 public:
  bound_problem(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how)
      : operands_(static_cast<std::size_t>(count)), strides_(static_cast<std::size_t>((count + 1) * out.rank)) {
    for (int k = 0; k < count; ++k) {
      index* const s = strides_.data() + k * out.rank;
      bind_strides(leaves[k], s, out.rank);
      operands_[k] = {leaves[k].data, s, leaves[k].type, leaves[k].is_number};
    }
    index* const s = strides_.data() + count * out.rank;
    bind_strides({out.data, out.extents, out.strides, out.rank, out.type, false}, s, out.rank);
    problem = {out.rank, out.extents, out.data, s, out.type, operands_.data(), count, code, how};
  }

  runtime::problem problem;

 private:
  small_array<operand, 8> operands_;
  small_array<index, 48> strides_;
};

}  // namespace

void assign(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how) {
  if (assign_flat(out, leaves, count, code)) return;
  for (int i = 0; i < out.rank; ++i)
    if (out.extents[i] == 0) return;
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
  nest n(p);
  drop_unit_axes(n);
  order(n);
  coalesce(n);
  const blocks b = cut(n, p.code.stage_count);
  run(n, b, p.code, p.how);
}

void describe(const problem& p, explanation& x);

explanation describe(const target_array& out, const leaf_array* leaves, int count, const program& code,
                     const options& how) {
  const bound_problem bound(out, leaves, count, code, how);
  explanation x;
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
}

}  // namespace broadloom::runtime
