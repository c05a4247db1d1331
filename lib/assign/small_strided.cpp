// Operands are materialized whole, so that each kernel is called once. Without Run only whether they fit is found out.
#include "small_strided.hpp"

#include "../base/extents.hpp"
#include "../base/limits.hpp"
#include "../base/scope.hpp"
#include "../base/tuned.hpp"

#include <algorithm>
#include <cstdint>

#include <broadloom/core/isa.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "../move/materialize.hpp"
#include "../move/vectors.hpp"
#include "../plan/bound.hpp"
#include "../plan/work.hpp"

namespace broadloom::runtime {

namespace {

using namespace limits::small_strided;

// Whether the leaf lies as a row-major array of the output's extents does; else the walk over it. `axes`: a bit for
// each axis of the output that the leaf depends on.
[[gnu::always_inline]] inline bool is_dense(const leaf_array& x, int size, const target_array& out, walk& w,
                                            unsigned& axes) {
  if (x.strides == nullptr && out.rank == 2) {  // most often; also what the loop below finds
    const index rows = out.extents[0], columns = out.extents[1];
    const index own_columns = x.rank > 0 ? x.extents[x.rank - 1] : 1, own_rows = x.rank > 1 ? x.extents[0] : 1;
    axes = (own_rows != 1 ? 1u : 0u) | (own_columns != 1 ? 2u : 0u);
    if (own_rows == rows && own_columns == columns) return true;
    w.rank = 2;
    w.extents[0] = columns;
    w.extents[1] = rows;
    w.steps[0] = own_columns == 1 ? 0 : size;
    w.steps[1] = own_rows == 1 ? 0 : own_columns * size;
    return false;
  }
  if (x.strides == nullptr && out.rank == 1) {
    const index own = x.rank > 0 ? x.extents[0] : 1;
    axes = own != 1 ? 1u : 0u;
    if (own == out.extents[0]) return true;
    w.rank = 1;
    w.extents[0] = out.extents[0];
    w.steps[0] = 0;
    return false;
  }
  int rank = 0;
  index next = size;  // what a row-major leaf's next axis steps by
  for (int i = out.rank - 1, j = x.rank - 1; i >= 0; --i, --j) {
    const index extent = out.extents[i];
    index step = 0;
    if (j >= 0 && x.extents[j] != 1) {
      step = x.strides != nullptr ? x.strides[j] * size : next;
      next *= extent;
      axes |= 1u << i;
    } else if (extent == 1) {
      continue;
    }
    if (rank > 0 && step == w.extents[rank - 1] * w.steps[rank - 1]) {
      w.extents[rank - 1] *= extent;
    } else {
      w.extents[rank] = extent;
      w.steps[rank++] = step;
    }
  }
  w.rank = rank;
  return rank == 0 || (rank == 1 && w.steps[0] == size);
}

class stack_memory {
 public:
  // Null when there is not enough left.
  std::byte* take(index bytes) {
    std::byte* const at = memory_ + used_;
    used_ += (bytes + overwritten + 63) & ~index{63};
    return used_ <= max_scratch ? at : nullptr;
  }

 private:
  alignas(64) std::byte memory_[max_scratch];
  index used_ = 0;
};

// One stage. disjoint: its inputs lie apart from what it writes.
[[gnu::always_inline]] inline void run_stage(const stage& st, const slot* inputs, void* to, index n, bool disjoint,
                                             int level) {
  if ((n & (st.code->lanes[level] - 1)) == 0) return st.code->run[level](inputs, to, n, kernel_mode::dense);
  if (disjoint) return run_dense_with_tail(st, inputs, to, n, level);
  run_vectors_with_tail(st, inputs, to, n, kernel_mode::dense, level);
}

// A program of several stages, all of n elements. disjoint: no operand coincides with the output. Transcendental
// functions that depend on some axes only are evaluated for every element, unless that takes longer than the plan that
// evaluates them less often. What may be worth several threads is planned, too.
template <bool Run>
bool run_stages(const program& code, const slot* operands, const unsigned* axes, unsigned all_axes, void* out, index n,
                bool disjoint, accuracy maths, stack_memory& memory) {
  slot strips[max_stages], inputs[max_flat_inputs];
  unsigned depends[max_stages];
  index splat_bytes = 0;  // of an argument of a function, where one is a number
  for (int s = 0; s < code.stage_count; ++s) {
    const stage& st = code.stages[s];
    if (st.input_count > max_flat_inputs) return false;
    depends[s] = 0;
    for (int j = 0; j < st.input_count; ++j) {
      const int id = st.inputs[j];
      depends[s] |= id >= first_stage ? depends[id - first_stage] : axes[id];
    }
    if (st.kind != stage_kind::compute) {
      const double ns = static_cast<double>(n) * stage_ns(st, [](int) -> const void* { return nullptr; });
      if (ns > max_again_ns && (depends[s] != all_axes || !stays_serial(ns))) return false;
      for (int j = 0; j < st.input_count; ++j)
        if (st.inputs[j] < first_stage && operands[st.inputs[j]].advance == 0)
          splat_bytes = std::max(splat_bytes, n * size_of(st.type));
    }
    strips[s] = {s == code.stage_count - 1 ? out : memory.take(n * size_of(st.type)), -1};
    if (strips[s].data == nullptr) return false;
  }
  std::byte* const splat = splat_bytes == 0 ? nullptr : memory.take(2 * splat_bytes);
  if (splat_bytes != 0 && splat == nullptr) return false;
  if constexpr (!Run) return true;
  const int level = static_cast<int>(active_isa());
  for (int s = 0; s < code.stage_count; ++s) {
    const stage& st = code.stages[s];
    for (int j = 0; j < st.input_count; ++j) {
      const int id = st.inputs[j];
      inputs[j] = id >= first_stage ? strips[id - first_stage] : operands[id];
    }
    void* const to = const_cast<void*>(strips[s].data);
    if (st.kind == stage_kind::compute)
      run_stage(st, inputs, to, n, disjoint || s < code.stage_count - 1, level);
    else
      run_strip(st, inputs, to, n, maths, splat, static_cast<std::size_t>(splat_bytes));
  }
  return true;
}

// To a row-major output. `materialized`: a bit for each leaf that is.
template <bool Run>
bool assign_dense(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how,
                  [[maybe_unused]] unsigned& materialized) {
  if (out.rank > max_axes || count > max_flat_inputs || code.stage_count > max_stages) return false;
  index n = 1;
  unsigned all_axes = 0;
  for (int i = 0; i < out.rank; ++i) {
    n *= out.extents[i];
    if (out.extents[i] != 1) all_axes |= 1u << i;
  }
  if (n > max_materialized) return false;

  stack_memory memory;
  slot slots[max_flat_inputs];
  unsigned axes[max_flat_inputs];
  bool disjoint = true;
  const auto low = reinterpret_cast<std::uintptr_t>(out.data);
  const auto out_bytes = static_cast<std::uintptr_t>(n * size_of(out.type));
  for (int k = 0; k < count; ++k) {
    const leaf_array& x = leaves[k];
    const int size = size_of(x.type);
    walk w;
    axes[k] = 0;
    if (x.from != nullptr) return false;
    if (x.is_scalar || is_dense(x, size, out, w, axes[k])) {
      const auto first = reinterpret_cast<std::uintptr_t>(x.data);
      const auto bytes = static_cast<std::uintptr_t>(x.is_scalar ? size : n * size);
      if (first - low < out_bytes || low - first < bytes) {
        if (first != low || bytes != out_bytes) return false;
        disjoint = false;
      }
      slots[k] = {x.data, x.is_scalar ? 0 : -1};
      continue;
    }
    std::byte* const to = memory.take(n * size);
    if (to == nullptr) return false;
    if constexpr (Run)
      materialize(to, x.data, size, w);
    else
      materialized |= 1u << k;
    slots[k] = {to, -1};
  }
  const stage& first = code.stages[0];
  if (code.stage_count > 1 || first.kind != stage_kind::compute || first.input_count != count)
    return run_stages<Run>(code, slots, axes, all_axes, out.data, n, disjoint, maths_in_force(how), memory);
  if constexpr (!Run) return true;
  run_stage(first, slots, out.data, n, disjoint, static_cast<int>(active_isa()));
  return true;
}

// The result is written to its places when all operands have been read.
template <bool Run>
[[gnu::noinline]] bool assign_strided(const target_array& out, const leaf_array* leaves, int count, const program& code,
                                      const options& how, unsigned& materialized) {
  if (out.rank > max_axes) return false;
  const int size = size_of(out.type);
  walk places;
  unsigned axes = 0;
  target_array dense{out.data, out.extents, nullptr, out.rank, out.type};
  if (is_dense(as_leaf(out), size, out, places, axes))
    return assign_dense<Run>(dense, leaves, count, code, how, materialized);
  const index n = product(out.extents, out.rank);
  alignas(64) std::byte elements[max_scratch];
  if (n * size > max_scratch) return false;
  dense.data = elements;
  if (!assign_dense<Run>(dense, leaves, count, code, how, materialized)) return false;
  if constexpr (Run) put_back(out.data, elements, size, places);
  return true;
}

}  // namespace

bool run_on_stack(const target_array& out, const leaf_array* leaves, int count, const program& code,
                  const options& how) {
  unsigned materialized = 0;
  return out.strides != nullptr ? assign_strided<true>(out, leaves, count, code, how, materialized)
                                : assign_dense<true>(out, leaves, count, code, how, materialized);
}

bool runs_on_stack(const target_array& out, const leaf_array* leaves, int count, const program& code,
                   const options& how, unsigned& materialized) {
  return out.strides != nullptr ? assign_strided<false>(out, leaves, count, code, how, materialized)
                                : assign_dense<false>(out, leaves, count, code, how, materialized);
}

}  // namespace broadloom::runtime
