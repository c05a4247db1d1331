// The compiled side of the door: a tree as it stands in memory is checked and bound, and short loops are run at once.
#include <cstdint>
#include <cstring>

#include <broadloom/core/isa.hpp>
#include <broadloom/eval/assign.hpp>

#include "../plan/small_array.hpp"
#include "rows.hpp"
#include "vectors.hpp"

namespace broadloom::runtime {

using detail::sequence;

namespace {

// The shape of the tree is that of its leaves together: it fits where each of them does.
void check_fits(const slot* leaves, const index* extents, const alike_form& form) {
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

[[gnu::noinline]] void assign_others(const slot* leaves, const index* extents, void* out, const alike_form& form,
                                     const options& how) {
  check_fits(leaves, extents, form);
  const int rank = form.rank;
  small_array<leaf_array, 16> bound(form.count);
  for (int k = 0; k < form.count; ++k) {
    const bool is_number = leaves[k].advance == 0;
    bound[k] = {leaves[k].data, is_number ? nullptr : extents + (k + 1) * rank,
                nullptr,        is_number ? 0 : rank,
                form.type,      is_number,
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
void assign_broadcast(const slot* leaves, const index* extents, void* out, const alike_form& form, const options& how,
                      bool apart) {
  index pairs[2 * (most_flat_inputs + 1)];
  if (form.rank == 1)
    for (int k = 0; k <= form.count; ++k) {
      pairs[2 * k] = 1;
      pairs[2 * k + 1] = extents[k];
    }
  if (!assign_rows(leaves, form.rank == 1 ? pairs : extents, out, form, apart))
    assign_others(leaves, extents, out, form, how);
}

// How the leaves of a loop lie beside its output.
struct position {
  bool alike = true;    // all have its extents
  bool apart = true;    // none overlaps it
  bool serves = false;  // those that overlap it coincide with it
};

position look_at(const slot* leaves, const index* extents, const void* out, index n, const alike_form& form) {
  position p;
  const auto low = reinterpret_cast<std::uintptr_t>(out), bytes = static_cast<std::uintptr_t>(n * size_of(form.type));
  const index* own = extents + form.rank;
  for (int k = 0; k < form.count; ++k) {
    bool same = true;
    index own_bytes = size_of(form.code->stages->input_types[k]);
    for (int i = 0; i < form.rank; ++i, ++own) {
      same = same && *own == extents[i];
      if (leaves[k].advance != 0) own_bytes *= *own;
    }
    p.alike = p.alike && same;
    const auto at = reinterpret_cast<std::uintptr_t>(leaves[k].data), size = static_cast<std::uintptr_t>(own_bytes);
    if (at - low < bytes || low - at < size) {
      if (at != low || size != bytes || !same) return p;
      p.apart = false;
    }
  }
  p.serves = true;
  return p;
}

// The same for leaves of the output's extents.
void assign_full(const slot* leaves, void* out, index n, const alike_form& form, bool apart) {
  const stage& only = *form.code->stages;
  const int level = static_cast<int>(active_isa());
  if (apart) return run_apart(only, leaves, out, n, level);
  slot spare_slots[most_flat_inputs];
  alignas(16) std::byte spare[spare_bytes(most_flat_inputs)];
  run_vectors(only, leaves, out, n, kernel_mode::dense, level, spare_slots, spare);
}

[[gnu::noinline]] void assign_more(const slot* leaves, const index* extents, void* out, const alike_form& form,
                                   options how) {
  index n = 1;
  for (int i = 0; i < form.rank; ++i) n *= extents[i];
  if (form.only != nullptr && n > 0 && n <= most_unplanned) {
    const position p = look_at(leaves, extents, out, n, form);
    if (p.serves && p.alike) return assign_full(leaves, out, n, form, p.apart);
    if (p.serves && (form.rank == 1 || form.rank == 2))
      return assign_broadcast(leaves, extents, out, form, how, p.apart);
  }
  assign_others(leaves, extents, out, form, how);
}

// Leaves that lie apart from the output.
[[gnu::noinline]] void assign_apart(const slot* leaves, const index* extents, void* out, const alike_form& form,
                                    options how) {
  assign_broadcast(leaves, extents, out, form, how, true);
}

// How a leaf lies beside an output of one axis or two.
template <int Rank>
struct beside {
  const slot* leaves;
  const index* extents;
  index n;
  std::uintptr_t low, bytes, widest;

  beside(const slot* l, const index* e, const void* out, const alike_form& form)
      : leaves(l),
        extents(e),
        n(Rank == 1 ? e[0] : e[0] * e[1]),
        low(reinterpret_cast<std::uintptr_t>(out)),
        bytes(static_cast<std::uintptr_t>(n) * form.widest),
        widest(form.widest) {}

  // Not 0 where it has other extents.
  index differs(int k) const {
    const index* const own = extents + (k + 1) * Rank;
    return Rank == 1 ? own[0] ^ extents[0] : (own[0] ^ extents[0]) | (own[1] ^ extents[1]);
  }
  // 1 where it may overlap the output: elements are taken to be as wide as the widest, and a leaf of one axis as long
  // as the output.
  index near(int k) const {
    const index* const own = extents + (k + 1) * Rank;
    const std::uintptr_t most = Rank == 1 ? bytes : static_cast<std::uintptr_t>(own[0] * own[1]) * widest;
    return reinterpret_cast<std::uintptr_t>(leaves[k].data) - low + most - 1 < bytes + most - 1;
  }
};

// Leaves that coincide with the output, as in-place functions have them, and others that lie apart from it.
template <int Rank>
[[gnu::noinline]] void assign_onto(const slot* leaves, const index* extents, void* out, const alike_form& form,
                                   options how) {
  const beside<Rank> at(leaves, extents, out, form);
  const int level = static_cast<int>(active_isa()), size = size_of(form.type);
  index differ = 0;
  bool serves = at.n <= most_unplanned;
  for (int k = 0; k < form.count; ++k) {
    differ |= at.differs(k);
    if (at.near(k) != 0)
      serves = serves && at.differs(k) == 0 && leaves[k].data == out && leaves[k].advance != 0 &&
               size_of(form.code->stages->input_types[k]) == size;
  }
  if (serves && differ == 0 && (at.n & (form.only->lanes[level] - 1)) == 0)
    return form.only->run[level](leaves, out, at.n, kernel_mode::dense);
  if (serves && differ != 0) return assign_broadcast(leaves, extents, out, form, how, false);
  assign_more(leaves, extents, out, form, how);
}

// Most calls of a loop over short arrays: leaves of the output's extents and apart from it, and whole vectors. A few
// nanoseconds are all it may take, so all else is done elsewhere, by calls that need nothing kept here.
template <int Rank, class CountNear, class CountDifferent>
[[gnu::always_inline]] inline void assign_few(const beside<Rank>& at, void* out, const alike_form& form, options how,
                                              CountNear count_near, CountDifferent count_different) {
  const unsigned level = __atomic_load_n(&isa_in_force, __ATOMIC_RELAXED);
  if (level == isa_not_detected || at.n > most_unplanned) return assign_more(at.leaves, at.extents, out, form, how);
  if (count_near() != 0) return assign_onto<Rank>(at.leaves, at.extents, out, form, how);
  if (count_different() != 0)
    return Rank == 1 ? assign_apart(at.leaves, at.extents, out, form, how)
                     : assign_plain_rows(at.leaves, at.extents, out, form, how);
  if ((at.n & (form.only->lanes[level] - 1)) != 0)
    return run_apart(*form.code->stages, at.leaves, out, at.n, static_cast<int>(level));
  form.only->run[level](at.leaves, out, at.n, kernel_mode::dense);
}
template <int Rank, int... K>
inline void assign_few(sequence<K...>, const slot* leaves, const index* extents, void* out, const alike_form& form,
                       options how) {
  const beside<Rank> at(leaves, extents, out, form);
  assign_few(at, out, form, how, [&] { return (at.near(K) + ...); }, [&] { return (at.differs(K) | ...); });
}
template <int Rank>
[[gnu::noinline]] void assign_many(const slot* leaves, const index* extents, void* out, const alike_form& form,
                                   options how) {
  const beside<Rank> at(leaves, extents, out, form);
  index near = 0, different = 0;
  for (int k = 0; k < form.count; ++k) {
    near += at.near(k);
    different |= at.differs(k);
  }
  assign_few(at, out, form, how, [=] { return near; }, [=] { return different; });
}

template <int Rank>
inline void assign_few(const slot* leaves, const index* extents, void* out, const alike_form& form, options how) {
  if (form.only == nullptr) return assign_more(leaves, extents, out, form, how);
  if (form.count == 2) return assign_few<Rank>(sequence<0, 1>{}, leaves, extents, out, form, how);
  if (form.count == 3) return assign_few<Rank>(sequence<0, 1, 2>{}, leaves, extents, out, form, how);
  if (form.count == 1) return assign_few<Rank>(sequence<0>{}, leaves, extents, out, form, how);
  assign_many<Rank>(leaves, extents, out, form, how);
}

}  // namespace

void assign_otherwise(const slot* leaves, const index* extents, void* out, const alike_form& form, options how) {
  if (!assign_rows(leaves, extents, out, form, true)) assign_others(leaves, extents, out, form, how);
}

void assign_line(const slot* leaves, const index* extents, void* out, const alike_form& form, options how) {
  assign_few<1>(leaves, extents, out, form, how);
}
void assign_plane(const slot* leaves, const index* extents, void* out, const alike_form& form, options how) {
  assign_few<2>(leaves, extents, out, form, how);
}
void assign_alike(const slot* leaves, const index* extents, void* out, const alike_form& form, options how) {
  assign_more(leaves, extents, out, form, how);
}

}  // namespace broadloom::runtime
