// Leaves bound to the axes of the result: an evaluation as the planner sees it.
#pragma once

#include <cstdint>

#include <broadloom/plan/problem.hpp>

#include "../base/small_array.hpp"
#include "nest.hpp"

namespace broadloom::runtime {

// Strides of a leaf over the axes of the result: 0 if the leaf lacks the axis or has extent 1.
inline void bind_strides(const leaf_array& x, index* to, int rank) {
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

inline leaf_array as_leaf(const target_array& x) {
  return {x.data, x.extents, x.strides, x.rank, x.type, false, nullptr, 0};
}

// each(k, type) for leaf k wherever a program reads one.
template <class Each>
[[gnu::always_inline]] inline void each_leaf_type(const program& code, const Each& each) {
  for (const stage *st = code.stages, *const end = st + code.stage_count; st != end; ++st)
    for (int j = 0; j < st->input_count; ++j)
      if (st->inputs[j] < first_stage) each(st->inputs[j], st->input_types[j]);
}

// The addresses [low, high) of an array's elements; empty if it has none. Null strides: row-major.
struct address_range {
  std::uintptr_t low, high;
};
inline address_range addresses_of(const void* data, const index* extents, const index* strides, index rank, int size) {
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  if (strides == nullptr) return {at, at + static_cast<std::uintptr_t>(product(extents, rank) * size)};
  address_range r{at, at + static_cast<std::uintptr_t>(size)};
  for (index i = 0; i < rank; ++i) {
    if (extents[i] == 0) return {at, at};
    const index span = (extents[i] - 1) * strides[i] * size;
    if (span < 0)
      r.low -= static_cast<std::uintptr_t>(-span);
    else
      r.high += static_cast<std::uintptr_t>(span);
  }
  return r;
}
inline address_range memory_of(const leaf_array& x) {
  return addresses_of(x.data, x.extents, x.strides, x.rank, size_of(x.type));
}

// Whether any of its elements may be in [low, high).
inline bool may_overlap(const leaf_array& x, std::uintptr_t low, std::uintptr_t high) {
  const address_range own = memory_of(x);
  return own.low < high && low < own.high;
}

// Indices [first, first + n) of an axis of a problem, on this thread. What is nowhere yet stays so.
struct part_of_problem {
  part_of_problem(const runtime::problem& p, index axis, index first, index n)
      : problem(p), extents_(static_cast<std::size_t>(p.rank)), operands_(static_cast<std::size_t>(p.operand_count)) {
    for (index i = 0; i < p.rank; ++i) extents_[i] = i == axis ? n : p.extents[i];
    for (int k = 0; k < p.operand_count; ++k) {
      operand& x = operands_[k] = p.operands[k];
      // A null address has no elements yet; but of a ramp it is that of the one that begins with 0.
      if (!x.is_scalar && (x.data != nullptr || x.is_ramp))
        x.data = moved(x.data, first * x.strides[axis] * size_of(x.type));
    }
    problem.extents = extents_.data();
    problem.operands = operands_.data();
    if (p.out != nullptr) problem.out = moved(p.out, first * p.out_strides[axis] * size_of(p.out_type));
    problem.how.threads = 1;
  }
  // Operand k, whose memory is set by the caller.
  operand& at(int k) { return operands_[k]; }

  runtime::problem problem;

 private:
  small_array<index, 8> extents_;
  small_array<operand, 8> operands_;
};

class bound_problem {
 public:
  bound_problem(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how,
                const positioned* const* at = nullptr)
      : operands_(static_cast<std::size_t>(count)), strides_(static_cast<std::size_t>((count + 1) * out.rank)) {
    for (int k = 0; k < count; ++k) {
      index* const s = strides_.data() + k * out.rank;
      bind_strides(leaves[k], s, out.rank);
      operands_[k] = {leaves[k].data, s, leaves[k].type, leaves[k].is_scalar, false, at == nullptr ? nullptr : at[k]};
      if (leaves[k].from == &any_ramp) {
        operands_[k].data = moved(nullptr, leaves[k].offset * size_of(leaves[k].type));
        operands_[k].is_ramp = true;
      }
    }
    index* const s = strides_.data() + count * out.rank;
    bind_strides(as_leaf(out), s, out.rank);
    problem = {out.rank, out.extents, out.data, s, out.type, operands_.data(), count, code, how};
  }

  // Operand k, whose memory is set by the caller.
  operand& at(int k) { return operands_[k]; }

  runtime::problem problem;

 private:
  small_array<operand, 8> operands_;
  small_array<index, 48> strides_;
};

}  // namespace broadloom::runtime
