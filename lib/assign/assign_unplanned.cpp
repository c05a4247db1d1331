// The compiled side of the door: a tree as it stands in memory is checked and bound, and short loops are run at once.
#include <cstdint>
#include <cstring>

#include <broadloom/core/isa.hpp>
#include <broadloom/eval/assign.hpp>

#include "../base/small_array.hpp"
#include "../move/vectors.hpp"
#include "../plan/blocks.hpp"
#include "small_broadcast.hpp"

namespace broadloom::runtime {

using detail::sequence;

namespace {

// The shape of the tree is that of its leaves together: it fits where each of them does.
void check_fits(const slot* leaves, const index* extents, const unplanned_form& form) {
  const int rank = form.rank;
  bool ok = true;
  for (int k = 1; k <= form.count; ++k)
    for (int i = 0; i < rank; ++i) ok = ok && (extents[k * rank + i] == extents[i] || extents[k * rank + i] == 1);
  if (ok) return;
  small_array<index, 16> result(static_cast<std::size_t>(rank));
  for (int i = 0; i < rank; ++i) {
    result[i] = 1;
    for (int k = 0; k < form.count; ++k)
      if (const index own = extents[(k + 1) * rank + i]; leaves[k].advance != 0 && own != 1) result[i] = own;
  }
  detail::throw_does_not_fit(form.to, {extents, rank}, {result.data() + rank - form.result_rank, form.result_rank});
}

[[gnu::noinline]] void assign_planned(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                      const options& how) {
  check_fits(leaves, extents, form);
  const int rank = form.rank;
  small_array<leaf_array, 16> bound(form.count);
  for (int k = 0; k < form.count; ++k) {
    const bool is_scalar = leaves[k].advance == 0;
    bound[k] = {leaves[k].data, is_scalar ? nullptr : extents + (k + 1) * rank,
                nullptr,        is_scalar ? 0 : rank,
                form.type,      is_scalar,
                nullptr,        0};
  }
  for (int s = 0; s < form.code->stage_count; ++s) {
    const stage& st = form.code->stages[s];
    for (int j = 0; j < st.input_count; ++j)
      if (st.inputs[j] < first_stage) bound[st.inputs[j]].type = st.input_types[j];
  }
  assign({out, extents, nullptr, rank, form.type}, bound.data(), form.count, *form.code, how);
}

// A loop over leaves of other extents than the output's, which has one axis or two.
void assign_broadcast(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                      const options& how, bool disjoint) {
  index pairs[2 * (max_flat_inputs + 1)];
  if (form.rank == 1)
    for (int k = 0; k <= form.count; ++k) {
      pairs[2 * k] = 1;
      pairs[2 * k + 1] = extents[k];
    }
  if (!assign_rows(leaves, form.rank == 1 ? pairs : extents, out, form, disjoint))
    assign_planned(leaves, extents, out, form, how);
}

// How the leaves of a loop lie beside its output.
struct overlap {
  bool same_extents = true;  // all have its extents
  bool disjoint = true;      // none overlaps it
  bool matches = false;      // those that overlap it coincide with it
};

overlap check_overlap(const slot* leaves, const index* extents, const void* out, index n, const unplanned_form& form) {
  overlap p;
  const auto low = reinterpret_cast<std::uintptr_t>(out), bytes = static_cast<std::uintptr_t>(n * size_of(form.type));
  const index* own = extents + form.rank;
  for (int k = 0; k < form.count; ++k) {
    bool same = true;
    index own_bytes = size_of(form.code->stages->input_types[k]);
    for (int i = 0; i < form.rank; ++i, ++own) {
      same = same && *own == extents[i];
      if (leaves[k].advance != 0) own_bytes *= *own;
    }
    p.same_extents = p.same_extents && same;
    const auto at = reinterpret_cast<std::uintptr_t>(leaves[k].data), size = static_cast<std::uintptr_t>(own_bytes);
    if (at - low < bytes || low - at < size) {
      if (at != low || size != bytes || !same) return p;
      p.disjoint = false;
    }
  }
  p.matches = true;
  return p;
}

// The same for leaves of the output's extents.
void assign_full(const slot* leaves, void* out, index n, const unplanned_form& form, bool disjoint) {
  const stage& only = *form.code->stages;
  const int level = static_cast<int>(active_isa());
  if (disjoint) return run_disjoint(only, leaves, out, n, level);
  slot spare_slots[max_flat_inputs];
  alignas(16) std::byte spare[spare_bytes(max_flat_inputs)];
  run_vectors(only, leaves, out, n, kernel_mode::dense, level, spare_slots, spare);
}

// A transcendental function of leaves that all advance, on this thread: its loop as it is, from the leaves to the
// output, where a plan would only say the same. False, and nothing done, where it is not that.
bool assign_strip(const slot* leaves, const index* extents, void* out, index n, const unplanned_form& form,
                  const options& how) {
  const stage& only = *form.code->stages;
  if (form.code->stage_count > 1 || only.kind == stage_kind::compute || only.input_count != form.count) return false;
  if (n == 0 || (n > max_unplanned && how.threads != 1)) return false;
  const index traffic = n * size_of(form.type) * (1 + form.count);
  if ((how.whole_bytes > traffic ? how.whole_bytes : traffic) >= streamed_bytes()) return false;
  slot inputs[2];
  for (int k = 0; k < form.count; ++k) {
    if (only.inputs[k] != k || leaves[k].advance == 0) return false;
    inputs[k] = leaves[k];
  }
  const overlap p = check_overlap(leaves, extents, out, n, form);
  if (!p.matches || !p.same_extents) return false;
  run_strip(only, inputs, out, n, how.maths, nullptr, 0);
  return true;
}

[[gnu::noinline]] void assign_general(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                      options how) {
  index n = 1;
  for (int i = 0; i < form.rank; ++i) n *= extents[i];
  if (assign_strip(leaves, extents, out, n, form, how)) return;
  if (form.only != nullptr && n > 0 && n <= max_unplanned) {
    const overlap p = check_overlap(leaves, extents, out, n, form);
    if (p.matches && p.same_extents) return assign_full(leaves, out, n, form, p.disjoint);
    if (p.matches && (form.rank == 1 || form.rank == 2))
      return assign_broadcast(leaves, extents, out, form, how, p.disjoint);
  }
  assign_planned(leaves, extents, out, form, how);
}

// Leaves that lie apart from the output.
[[gnu::noinline]] void assign_disjoint(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                       options how) {
  assign_broadcast(leaves, extents, out, form, how, true);
}

// How a leaf lies beside an output of one axis or two.
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
};

// Leaves that coincide with the output, as in-place functions have them, and others that lie apart from it.
template <int Rank>
[[gnu::noinline]] void assign_coinciding(const slot* leaves, const index* extents, void* out,
                                         const unplanned_form& form, options how) {
  const leaf_check<Rank> at(leaves, extents, out, form);
  const int level = static_cast<int>(active_isa()), size = size_of(form.type);
  bool differ = false, matches = at.n <= max_unplanned;
  for (int k = 0; k < form.count; ++k) {
    differ = differ || at.differs(k);
    if (at.may_overlap(k))
      matches = matches && !at.differs(k) && leaves[k].data == out && leaves[k].advance != 0 &&
                size_of(form.code->stages->input_types[k]) == size;
  }
  if (matches && !differ && (at.n & (form.only->lanes[level] - 1)) == 0)
    return form.only->run[level](leaves, out, at.n, kernel_mode::dense);
  if (matches && differ) return assign_broadcast(leaves, extents, out, form, how, false);
  assign_general(leaves, extents, out, form, how);
}

// Most calls of a loop over short arrays: leaves of the output's extents and apart from it, and whole vectors. A few
// nanoseconds are all it may take, so all else is done elsewhere, by calls that need nothing kept here; and `how` comes
// by reference, for what is copied from call to inlined call is taken apart and put together again.
template <int Rank, class AnyNear, class AnyDifferent>
[[gnu::always_inline]] inline void assign_up_to_3(const leaf_check<Rank>& at, void* out, const unplanned_form& form,
                                                  const options& how, AnyNear any_overlap, AnyDifferent any_different) {
  if (at.n > max_unplanned) return assign_general(at.leaves, at.extents, out, form, how);
  const unsigned level = __atomic_load_n(&isa_in_force, __ATOMIC_RELAXED);
#if defined(__x86_64__)
  if constexpr (Rank == 2)
    if (any_different()) {
      if (level == static_cast<unsigned>(isa::v4)) return assign_rows_v4(at.leaves, at.extents, out, form, how);
      if (level == static_cast<unsigned>(isa::v3)) return assign_rows_v3(at.leaves, at.extents, out, form, how);
    }
#endif
  if (any_overlap()) return assign_coinciding<Rank>(at.leaves, at.extents, out, form, how);
  if (any_different())
    return Rank == 1 ? assign_disjoint(at.leaves, at.extents, out, form, how)
                     : assign_plain_rows(at.leaves, at.extents, out, form, how);
  if (level == isa_not_detected) return assign_general(at.leaves, at.extents, out, form, how);
  const unsigned over = static_cast<unsigned>(at.n) & (form.only->lanes[level] - 1u);
  if (over != 0) return run_disjoint_with_tail(*form.code->stages, at.leaves, out, at.n, static_cast<int>(level));
  form.only->run[level](at.leaves, out, at.n, kernel_mode::dense);
}
template <int Rank, int... K>
[[gnu::always_inline]] inline void assign_up_to_3(sequence<K...>, const slot* leaves, const index* extents, void* out,
                                                  const unplanned_form& form, const options& how) {
  const leaf_check<Rank> at(leaves, extents, out, form);
  assign_up_to_3(
      at, out, form, how, [&] { return (at.may_overlap(K) || ...); }, [&] { return (at.differs(K) || ...); });
}
template <int Rank>
[[gnu::noinline]] void assign_above_3(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                      options how) {
  const leaf_check<Rank> at(leaves, extents, out, form);
  bool may_overlap = false, different = false;
  for (int k = 0; k < form.count; ++k) {
    may_overlap = may_overlap || at.may_overlap(k);
    different = different || at.differs(k);
  }
  assign_up_to_3(at, out, form, how, [=] { return may_overlap; }, [=] { return different; });
}

}  // namespace

void assign_rows_or_planned(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                            options how) {
  if (!assign_rows(leaves, extents, out, form, true)) assign_planned(leaves, extents, out, form, how);
}

void assign_differing_extents(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                              options how) {
  const leaf_check<2> at(leaves, extents, out, form);
  bool may_overlap = false;
  for (int k = 0; k < form.count; ++k) may_overlap = may_overlap || at.may_overlap(k);
  if (may_overlap) return assign_coinciding<2>(leaves, extents, out, form, how);
  assign_plain_rows(leaves, extents, out, form, how);
}

void assign_rank1_1(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_up_to_3<1>(sequence<0>{}, leaves, extents, out, form, how);
}
void assign_rank1_2(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_up_to_3<1>(sequence<0, 1>{}, leaves, extents, out, form, how);
}
void assign_rank1_3(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_up_to_3<1>(sequence<0, 1, 2>{}, leaves, extents, out, form, how);
}
void assign_rank1(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_above_3<1>(leaves, extents, out, form, how);
}
void assign_rank2_1(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_up_to_3<2>(sequence<0>{}, leaves, extents, out, form, how);
}
void assign_rank2_2(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_up_to_3<2>(sequence<0, 1>{}, leaves, extents, out, form, how);
}
void assign_rank2_3(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_up_to_3<2>(sequence<0, 1, 2>{}, leaves, extents, out, form, how);
}
void assign_rank2(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_above_3<2>(leaves, extents, out, form, how);
}
void assign_unplanned(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_general(leaves, extents, out, form, how);
}

}  // namespace broadloom::runtime
