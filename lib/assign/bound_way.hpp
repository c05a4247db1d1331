// What an evaluation is whose leaves are bound: assign() runs it, explain() prints it.
#pragma once

#include "../fuse/barriers.hpp"
#include "small_barriers.hpp"
#include "small_strided.hpp"

namespace broadloom::runtime {

enum class bound_way : unsigned char {
  no_elements,
  element_wise,       // no leaf is deferred: on the stack if it fits there, else by plan_steps()
  barrier_in_output,  // the tree is a barrier, which is computed in the output's memory
  barriers            // on the stack where they fit there, else as barrier_plan says
};

inline bound_way choose_bound(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  for (int i = 0; i < out.rank; ++i)
    if (out.extents[i] == 0) return bound_way::no_elements;
  for (int k = 0; k < count; ++k)
    if (leaves[k].from != nullptr && leaves[k].from != &any_ramp)
      return fits_in_output(out, leaves, count, code) ? bound_way::barrier_in_output : bound_way::barriers;
  return bound_way::element_wise;
}

// Inputs of a stage that finishes a reduction's results in the output, as the division of a mean or the root of a norm.
inline constexpr int max_finished = 4;

// The leaf that is a reduction to results with the output's extents, both row-major, if it reads nothing of the output,
// and the tree is its results or a stage of them and at most one number; else null. Then reduce_leaves() may write
// there what that stage reads. Asked in one loop, before all else.
inline const leaf_array* reduced_to_output(const target_array& out, const leaf_array* leaves, int count,
                                           const program& code) {
  const leaf_array* x = leaves;
  if (count == 2) {
    if (x->from == nullptr) ++x;
    const leaf_array& other = leaves[x == leaves ? 1 : 0];
    if (!other.is_scalar || other.from != nullptr) return nullptr;
  } else if (count != 1)
    return nullptr;
  if (x->from == nullptr) return nullptr;
  const source& s = *x->from;
  const stage& only = code.stages[0];
  if (s.how == reduction::none || s.type != out.type || code.stage_count != 1 || only.kind != stage_kind::compute ||
      only.input_count > max_finished || x->offset != 0 || x->strides != nullptr || out.strides != nullptr ||
      x->rank != out.rank || s.rank != out.rank)
    return nullptr;
  index n = 1, differ = 0;
  for (int i = 0; i < out.rank; ++i) {
    const index own = out.extents[i];
    n *= own;
    differ |= (own ^ x->extents[i]) | (own ^ s.extents[i]);
  }
  const auto low = reinterpret_cast<std::uintptr_t>(out.data);
  const std::uintptr_t high = low + static_cast<std::uintptr_t>(n * size_of(out.type));
  for (int k = 0; k < s.leaf_count; ++k)
    if (s.leaves[k].from != nullptr || may_overlap(s.leaves[k], low, high)) return nullptr;
  return n != 0 && differ == 0 ? x : nullptr;
}

// The `let` of a stage that is the whole tree and the output, as a mean is; else null.
inline const source* let_in_output(const target_array& out, const leaf_array* leaves, int count, const program& code) {
  const leaf_array& x = leaves[0];
  if (count != 1 || x.from == nullptr || code.stage_count != 1 || !code.stages[0].copies || out.strides != nullptr ||
      x.strides != nullptr || x.offset != 0 || x.rank != out.rank)
    return nullptr;
  const source& s = *x.from;
  if (!is_program(s) || s.how != reduction::none || s.at != nullptr || s.repair != nullptr || s.type != out.type ||
      s.rank != out.rank || s.code->stages[0].copies)
    return nullptr;
  for (int i = 0; i < out.rank; ++i)
    if (x.extents[i] != out.extents[i] || s.extents[i] != out.extents[i]) return nullptr;
  return &s;
}

}  // namespace broadloom::runtime
