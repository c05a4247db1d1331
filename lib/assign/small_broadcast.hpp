// Small evaluations of one loop, without a plan: as one run of elements, or row by row.
#pragma once

#include <cstdint>

#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "../base/limits.hpp"
#include "unplanned.hpp"

namespace broadloom::runtime {

using limits::unplanned::max_unplanned;

// How a leaf's extents and strides match an output of one or two axes.
template <int Rank>
struct leaf_check {
  const slot* leaves;
  const index* extents;
  index n;
  std::uintptr_t low, bytes, widest;

  leaf_check(const slot* l, const index* e, const void* out, const unplanned_form& form)
      : leaves(l),
        extents(e),
        n(Rank == 1 ? e[0] : e[0] * e[1]),
        low(reinterpret_cast<std::uintptr_t>(out)),
        bytes(static_cast<std::uintptr_t>(n) * form.widest),
        widest(form.widest) {}

  // Whether it has other extents.
  bool differs(int k) const {
    const index* const own = extents + (k + 1) * Rank;
    return Rank == 1 ? own[0] != extents[0] : ((own[0] ^ extents[0]) | (own[1] ^ extents[1])) != 0;
  }
  // Whether it may overlap the output: elements are taken to be as wide as the widest, and a leaf of one axis as long
  // as the output.
  bool may_overlap(int k) const {
    const index* const own = extents + (k + 1) * Rank;
    const std::uintptr_t most = Rank == 1 ? bytes : static_cast<std::uintptr_t>(own[0] * own[1]) * widest;
    return reinterpret_cast<std::uintptr_t>(leaves[k].data) + (most - 1 - low) < bytes + most - 1;
  }
  bool any_may_overlap(int count) const {
    for (int k = 0; k < count; ++k)
      if (may_overlap(k)) return true;
    return false;
  }
};

// A tree of one loop, at most max_unplanned elements, whose leaves broadcast. Extents are two for the output and for
// each leaf. `disjoint`: no leaf overlaps the output; else each does not or coincides with it. Runs the way that
// it returns; `planned`, and nothing done, where a leaf does not fit and where a plan is faster.
unplanned_way run_broadcast(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                            bool disjoint);
// The way of the same.
unplanned_way choose_broadcast(const slot* leaves, const index* extents, const unplanned_form& form, bool disjoint);

// An assign_fn for leaves of rank 2 of which one has other extents than the output, of at most max_unplanned elements.
// It runs leaves that do not overlap the output, with no call between the checks and the rows: few elements take no
// longer than that. By itself, so that what it needs takes no register of the choice before it.
void assign_differing(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
// Others: those that may overlap are looked at by the bytes that they really have.
void assign_overlapping(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
[[gnu::noinline]] void assign_planned(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                      const options& how);

}  // namespace broadloom::runtime
