// Evaluations of row-major leaves: the way is chosen by extents and addresses, and what needs no plan is run at once.
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <broadloom/core/isa.hpp>
#include <broadloom/eval/assign.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "../base/extents.hpp"
#include "../base/limits.hpp"
#include "../base/scope.hpp"
#include "../base/small_array.hpp"
#include "../base/tensor_extent.hpp"
#include "../move/vectors.hpp"
#include "../plan/blocks.hpp"
#include "../plan/bound.hpp"
#include "small_broadcast.hpp"
#include "unplanned.hpp"

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

// Leaves as assign() wants them, their extents checked.
class bound_leaves {
 public:
  bound_leaves(const slot* leaves, const index* extents, const unplanned_form& form) : bound_(form.count) {
    check_fits(leaves, extents, form);
    const int rank = form.rank;
    for (int k = 0; k < form.count; ++k) {
      const bool is_scalar = leaves[k].advance == 0;
      bound_[k] = {leaves[k].data, is_scalar ? nullptr : extents + (k + 1) * rank,
                   nullptr,        is_scalar ? 0 : rank,
                   form.type,      is_scalar,
                   nullptr,        0};
    }
    each_leaf_type(*form.code, [this](int k, dtype type) { bound_[k].type = type; });
  }
  const leaf_array* data() const { return bound_.data(); }

 private:
  small_array<leaf_array, 16> bound_;
};

template <int Rank>
inline index elements_of(const index* extents, const unplanned_form& form) {
  return product(extents, Rank == 0 ? form.rank : Rank);
}

// The problem that assign() makes of such leaves: scalars have the same strides, as have leaves of the output's
// extents.
class bound_operands {
 public:
  bound_operands(const slot* leaves, const index* extents, void* out, const unplanned_form& form, const options& how)
      : operands_(form.count), strides_(static_cast<std::size_t>((form.count + 2) * form.rank)) {
    const int rank = form.rank;
    index* const of_output = strides_.data();
    index* const of_scalars = of_output + rank;
    index* next = of_scalars + rank;
    write_strides(extents, rank, of_output);
    for (int i = 0; i < rank; ++i) of_scalars[i] = 0;
    bool fits = true;
    const index* own = extents + rank;
    for (int k = 0; k < form.count; ++k, own += rank) {
      operand& x = operands_[k] = {leaves[k].data, of_scalars, form.type, leaves[k].advance == 0, false, nullptr};
      if (x.is_scalar) continue;
      bool same = true;
      for (int i = 0; i < rank; ++i) {
        if (own[i] == extents[i]) continue;
        same = false;
        fits = fits && own[i] == 1;
      }
      x.strides = same ? of_output : next;
      if (same) continue;
      write_strides(own, rank, next);
      next += rank;
    }
    if (!fits) check_fits(leaves, extents, form);
    operand* const all = operands_.data();
    each_leaf_type(*form.code, [all](int k, dtype type) { all[k].type = type; });
    problem = {rank, extents, out, of_output, form.type, operands_.data(), form.count, *form.code, how};
  }

  runtime::problem problem;

 private:
  static void write_strides(const index* extents, int rank, index* to) {
    index n = 1;
    for (int i = rank - 1; i >= 0; --i) {
      to[i] = extents[i] == 1 ? 0 : n;
      n *= extents[i];
    }
  }

  small_array<operand, 48> operands_;
  small_array<index, 96> strides_;
};

}  // namespace

void assign_planned(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                    const options& how) {
  const index n = elements_of<0>(extents, form);
  if (n > 0 && (n > limits::unplanned::max_materialized || form.count > max_flat_inputs))
    return execute(bound_operands(leaves, extents, out, form, how).problem);
  const bound_leaves bound(leaves, extents, form);
  assign({out, extents, nullptr, form.rank, form.type}, bound.data(), form.count, *form.code, how);
}

namespace {

// Extents of rank 1 as those of one row.
class as_rows {
 public:
  as_rows(const index* extents, const unplanned_form& form) : data_(form.rank == 1 ? pairs_ : extents) {
    if (form.rank == 1)
      for (int k = 0; k <= form.count; ++k) {
        pairs_[2 * k] = 1;
        pairs_[2 * k + 1] = extents[k];
      }
  }
  const index* data() const { return data_; }

 private:
  index pairs_[2 * (max_flat_inputs + 1)];
  const index* data_;
};

// A loop over leaves of other extents than the output's, which has one axis or two.
template <int Rank>
[[gnu::always_inline]] inline void assign_broadcast(const slot* leaves, const index* extents, void* out,
                                                    const unplanned_form& form, const options& how, bool disjoint) {
  unplanned_way r;
  if constexpr (Rank == 1)
    r = run_broadcast(leaves, as_rows(extents, form).data(), out, form, disjoint);
  else
    r = run_broadcast(leaves, extents, out, form, disjoint);
  if (r == unplanned_way::planned) assign_planned(leaves, extents, out, form, how);
}

// The same where no leaf overlaps the output, which has one axis.
[[gnu::noinline]] void assign_disjoint(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                       options how) {
  assign_broadcast<1>(leaves, extents, out, form, how, true);
}

// Whether it takes so long that a plan does not matter.
inline bool is_large(index n, const unplanned_form& form) {
  return n > max_unplanned && n * form.widest > limits::unplanned::max_unplanned_bytes;
}

// What is to be known of leaves to choose a way.
struct unplanned_choice {
  unplanned_way way;
  bool broadcasts = false;  // choose_broadcast() says which way
  bool disjoint = true;     // no leaf overlaps the output
};

// One transcendental function over leaves that all advance, on this thread.
bool is_one_function(const slot* leaves, index n, const unplanned_form& form, const options& how) {
  const stage& only = *form.code->stages;
  if (form.code->stage_count > 1 || only.kind == stage_kind::compute || only.input_count != form.count) return false;
  if (n == 0 || (n > max_unplanned && how.threads != 1)) return false;
  const index traffic = n * size_of(form.type) * (1 + form.count);
  if ((how.whole_bytes > traffic ? how.whole_bytes : traffic) >= streamed_bytes()) return false;
  for (int k = 0; k < form.count; ++k)
    if (only.inputs[k] != k || leaves[k].advance == 0) return false;
  return true;
}

// The way by the bytes that each leaf really has. Rank 0: any.
template <int Rank>
[[gnu::always_inline]] inline unplanned_choice choose_exactly(const slot* leaves, const index* extents, index n,
                                                              const void* out, const unplanned_form& form,
                                                              const options& how) {
  const int rank = Rank == 0 ? form.rank : Rank;
  unplanned_choice r{unplanned_way::planned};
  if (Rank == 0 && is_one_function(leaves, n, form, how))
    r.way = unplanned_way::one_function;
  else if (form.only != nullptr && n > 0 && !is_large(n, form))
    r.way = unplanned_way::one_call;
  else
    return r;
  const auto low = reinterpret_cast<std::uintptr_t>(out), bytes = static_cast<std::uintptr_t>(n * size_of(form.type));
  const index* own = extents + rank;
  for (int k = 0; k < form.count; ++k) {
    bool same = true;
    index own_bytes = size_of(form.code->stages->input_types[k]);
    for (int i = 0; i < rank; ++i, ++own) {
      same = same && *own == extents[i];
      if (leaves[k].advance != 0) own_bytes *= *own;
    }
    r.broadcasts = r.broadcasts || !same;
    const auto at = reinterpret_cast<std::uintptr_t>(leaves[k].data), size = static_cast<std::uintptr_t>(own_bytes);
    if (at - low < bytes || low - at < size) {
      if (at != low || size != bytes || !same) return {unplanned_way::planned};
      r.disjoint = false;
    }
  }
  if (r.way == unplanned_way::one_function) {
    if (r.broadcasts) return {unplanned_way::planned};
  } else if (r.broadcasts) {
    if (Rank == 0 || n > max_unplanned) return {unplanned_way::planned};
  } else if (!r.disjoint) {
    r.way = unplanned_way::in_place;
  } else if ((n & (form.only->lanes[static_cast<int>(active_isa())] - 1)) != 0) {
    r.way = unplanned_way::one_call_and_tail;
  }
  return r;
}

template <int Rank>
[[gnu::noinline]] void assign_exactly(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                      options how) {
  const index n = elements_of<Rank>(extents, form);
  const unplanned_choice r = choose_exactly<Rank>(leaves, extents, n, out, form, how);
  if (r.way == unplanned_way::planned) return assign_planned(leaves, extents, out, form, how);
  if constexpr (Rank != 0)
    if (r.broadcasts) return assign_broadcast<Rank>(leaves, extents, out, form, how, r.disjoint);
  const stage& only = *form.code->stages;
  if (r.way == unplanned_way::one_function) {
    slot inputs[2];
    for (int k = 0; k < form.count; ++k) inputs[k] = leaves[k];
    return run_strip(only, inputs, out, n, maths_in_force(how), nullptr, 0);
  }
  const int level = static_cast<int>(active_isa());
  if (r.disjoint) return run_disjoint(only, leaves, out, n, level);
  run_vectors(only, leaves, out, n, kernel_mode::dense, level);
}

// Leaves of the output's extents and apart from it.
[[gnu::always_inline]] inline bool has_tail(index n, unsigned level, const unplanned_form& form) {
  return (static_cast<unsigned>(n) & (form.only->lanes[level] - 1u)) != 0;
}
// Some elements, but no more than the kernel takes at once. (None: the general way.)
[[gnu::always_inline]] inline bool fits_at_once(index n, unsigned level, const unplanned_form& form) {
  return static_cast<std::uint64_t>(n - 1) < form.at_once && is_at_least(level, isa::v4);
}
[[gnu::always_inline]] inline void run_disjoint(const slot* leaves, void* out, index n, unsigned level, bool tail,
                                                const unplanned_form& form) {
  // A kernel that overlaps takes the tail in its call; asked here, as one call less counts for few elements.
  if (tail && (!form.only->overlaps || n < form.only->lanes[level] || level == 0))
    return run_dense_with_tail(*form.code->stages, leaves, out, n, static_cast<int>(level));
  form.only->run[level](leaves, out, n, kernel_mode::dense);
}

// The way of most calls: leaves of the output's extents and apart from it. All others are `planned` here, or
// broadcast, and looked at more closely. A few nanoseconds are all it may take; so what is run is called with nothing
// kept, and `how` comes by reference: what is copied from call to inlined call is taken apart and put together again.
template <int Rank, class AnyOverlap, class AnyDifferent>
[[gnu::always_inline]] inline unplanned_choice choose_quickly(const leaf_check<Rank>& at, const unplanned_form& form,
                                                              unsigned level, AnyOverlap any_overlap,
                                                              AnyDifferent any_different) {
  if (fits_at_once(at.n, level, form) && !any_different()) return {unplanned_way::one_vector};
  if (at.n > max_unplanned && (is_large(at.n, form) || any_different())) return {unplanned_way::planned};
  if (Rank == 2 && any_different()) return {unplanned_way::one_call, true};
  if (any_overlap()) return {unplanned_way::planned};
  if (Rank == 1 && any_different()) return {unplanned_way::one_call, true};
  if (level == isa_not_detected) return {unplanned_way::planned};
  return {has_tail(at.n, level, form) ? unplanned_way::one_call_and_tail : unplanned_way::one_call};
}

template <int Rank, class AnyOverlap, class AnyDifferent>
[[gnu::always_inline]] inline void assign_quickly(const leaf_check<Rank>& at, void* out, const unplanned_form& form,
                                                  const options& how, AnyOverlap any_overlap,
                                                  AnyDifferent any_different) {
  const unsigned level = __atomic_load_n(&isa_in_force, __ATOMIC_RELAXED);
  const unplanned_choice r = choose_quickly(at, form, level, any_overlap, any_different);
  if (r.way == unplanned_way::planned) return assign_exactly<Rank>(at.leaves, at.extents, out, form, how);
  if (r.broadcasts) {
    if (Rank == 1) return assign_disjoint(at.leaves, at.extents, out, form, how);
    return assign_differing(at.leaves, at.extents, out, form, how);
  }
  if (r.way == unplanned_way::one_vector) return form.only->run[level](at.leaves, out, at.n, kernel_mode::dense);
  run_disjoint(at.leaves, out, at.n, level, r.way == unplanned_way::one_call_and_tail, form);
}
// Begins with a line of the cache, as replace_tensors does: by where the linker put it, 4 floats took 4.4 or 4.9 ns.
template <int Rank, int... K>
[[gnu::aligned(64)]] void assign_up_to_3(const slot* leaves, const index* extents, void* out,
                                         const unplanned_form& form, options how) {
  const leaf_check<Rank> at(leaves, extents, out, form);
  assign_quickly(
      at, out, form, how, [&] { return (at.may_overlap(K) || ...); }, [&] { return (at.differs(K) || ...); });
}

// The same for any number of leaves.
template <int Rank>
struct all_leaves {
  all_leaves(const leaf_check<Rank>& at, const unplanned_form& form) {
    for (int k = 0; k < form.count; ++k) {
      may_overlap = may_overlap || at.may_overlap(k);
      different = different || at.differs(k);
    }
  }
  bool may_overlap = false, different = false;
};
template <int Rank>
void assign_above_3(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  const leaf_check<Rank> at(leaves, extents, out, form);
  const all_leaves<Rank> all(at, form);
  assign_quickly(at, out, form, how, [&] { return all.may_overlap; }, [&] { return all.different; });
}

// The tensor gets memory for these extents where it has other ones.
[[gnu::noinline]] void replace_by_another_shape(void* tensor, const slot* leaves, const index* extents,
                                                const unplanned_form& form) {
  tensor_elements old;
  std::memcpy(&old, tensor, sizeof old);
  const owned_elements fresh = replace_unplanned({old.data, old.size}, leaves, extents, form, options{});
  std::memcpy(tensor, &fresh, sizeof fresh);
  std::memcpy(static_cast<std::byte*>(tensor) + sizeof old, extents, form.rank * sizeof(index));
}

// Rank 0: any.
template <int Rank>
[[gnu::always_inline]] inline void replace_slots(void* tensor, const slot* leaves, const index* extents,
                                                 const unplanned_form& form) {
  index differ = 0;
  for (int i = 0; i < (Rank == 0 ? form.rank : Rank); ++i) differ |= extent_at(tensor, i) ^ extents[i];
  if (differ != 0) return replace_by_another_shape(tensor, leaves, extents, form);
  if constexpr (Rank == 2)  // a leaf differs, or nobody would have come here
    if (extents[0] * extents[1] <= max_unplanned)
      return assign_differing(leaves, extents, elements_of_tensor(tensor), form, options{});
  const unplanned_place at = place_of(form);
  unplanned_assign[at.rank][at.count](leaves, extents, elements_of_tensor(tensor), form, options{});
}

// Listed leaves by their addresses: tensors and numbers.
[[gnu::always_inline]] inline bool is_number(const unplanned_form& form, int k) {
  return (form.leaves.numbers >> k & 1) != 0;
}
[[gnu::always_inline]] inline bool is_ramp(const unplanned_form& form, int k) {
  return (form.leaves.ramps >> k & 1) != 0;
}
// A ramp as a leaf in memory.
slot ramp_in_its_memory(const void* listed, const unplanned_form& form, int k) {
  const auto* const numbers = static_cast<const std::byte*>(ramp_elements(form.code->stages->input_types[k]));
  return {numbers + reinterpret_cast<std::uintptr_t>(elements_of_tensor(listed)), consecutive_advance};
}
// Their extents and elements, for the functions above. Equal: tensors have the output's extents. Rank, Count 0: any.
// Tensors: there is nothing else among them.
template <int Rank, int Count, bool Tensors = false>
[[gnu::noinline]] void replace_by_extents(void* tensor, const unplanned_form& form, const void* const* leaf,
                                          bool equal) {
  const int rank = Rank == 0 ? form.rank : Rank, count = Count == 0 ? form.count : Count;
  slot leaves[max_flat_inputs];
  index of_rank[Rank == 0 ? 1 : (1 + (Count == 0 ? max_flat_inputs : Count)) * Rank];
  small_array<index, Rank == 0 ? 40 : 1> of_any_rank(static_cast<std::size_t>(Rank == 0 ? (count + 1) * rank : 0));
  index* const extents = Rank == 0 ? of_any_rank.data() : of_rank;
  for (int i = 0; i < rank; ++i) extents[i] = 1;
  for (int k = 0; k < count; ++k) {
    leaves[k] = Tensors              ? slot{elements_of_tensor(leaf[k]), -1}
                : is_number(form, k) ? slot{leaf[k], 0}
                : is_ramp(form, k)   ? ramp_in_its_memory(leaf[k], form, k)
                                     : slot{elements_of_tensor(leaf[k]), -1};
    for (int i = 0; i < rank && (Tensors || leaves[k].advance != 0); ++i) {
      const index own = extents[(k + 1) * rank + i] = extent_at(leaf[k], i);
      if (own != 1) extents[i] = own;
    }
  }
  for (int k = 0; k < count && !Tensors; ++k)
    for (int i = 0; i < rank && leaves[k].advance == 0; ++i) extents[(k + 1) * rank + i] = extents[i];
  if constexpr (Rank != 0)
    if (equal) return assign_exactly<Rank>(leaves, extents, elements_of_tensor(tensor), form, options{});
  replace_slots<Rank>(tensor, leaves, extents, form);
}

// Leaves of the output's extents. False: they may overlap it, or are to be planned.
[[gnu::always_inline]] inline bool run_if_disjoint(const slot* leaves, bool overlap, void* out, index n, unsigned level,
                                                   const unplanned_form& form) {
  if (is_large(n, form) || level == isa_not_detected || overlap) return false;
  const bool tail = has_tail(n, level, form);
  run_disjoint(leaves, out, n, level, tail, form);
  return true;
}
struct output_bytes {
  std::uintptr_t low, bytes;
  output_bytes(const void* out, index n, const unplanned_form& form)
      : low(reinterpret_cast<std::uintptr_t>(out)), bytes(static_cast<std::uintptr_t>(n) * form.widest) {}
  bool may_overlap(const void* x) const {
    return reinterpret_cast<std::uintptr_t>(x) + (bytes - 1 - low) < 2 * bytes - 1;
  }
};
// One to three leaves, of which the tensors have their extents compared. `slots` lists leaves by two functions: what is
// listed for a tensor and for a number.
template <int Count, class T>
struct leaf_list {
  T of[Count];
};
template <int Rank, bool Tensors = false, class Slots, class... Tensor>
[[gnu::always_inline]] inline void replace_up_to_3(Slots slots, void* tensor, const unplanned_form& form,
                                                   const Tensor*... each) {
  index n = 1, differ = 0;
#pragma GCC unroll 2
  for (int i = 0; i < Rank; ++i) {
    const index extent = extent_at(tensor, i);
    n *= extent;
    differ |= (index{0} | ... | (extent_at(each, i) ^ extent));
  }
  const auto look_up = [&](bool equal) {
    const auto all = slots([](const void* x) { return x; }, [](const void* x) { return x; });
    replace_by_extents<Rank, sizeof all.of / sizeof *all.of, Tensors>(tensor, form, all.of, equal);
  };
  if (differ != 0) return look_up(false);
  const auto leaves =
      slots([](const void* x) { return slot{elements_of_tensor(x), -1}; }, [](const void* x) { return slot{x, 0}; });
  void* const out = elements_of_tensor(tensor);
  const unsigned level = __atomic_load_n(&isa_in_force, __ATOMIC_RELAXED);
  if (fits_at_once(n, level, form)) return form.only->run[level](leaves.of, out, n, kernel_mode::dense);
  const output_bytes written(out, n, form);
  if (!run_if_disjoint(leaves.of, (written.may_overlap(elements_of_tensor(each)) || ...), out, n, level, form))
    look_up(true);
}
template <int Rank, class... Tensor>
[[gnu::aligned(64)]] void replace_tensors(void* tensor, const unplanned_form& form, Tensor... each) {
  const auto slots = [&](auto of_tensor, auto) {
    return leaf_list<sizeof...(Tensor), decltype(of_tensor(tensor))>{{of_tensor(each)...}};
  };
  replace_up_to_3<Rank, true>(slots, tensor, form, each...);
}
// A tensor and a number, of which either may be first.
template <int Rank>
void replace_number(void* tensor, const unplanned_form& form, const void* a, const void* number) {
  const bool first = is_number(form, 0);
  const auto slots = [&](auto of_tensor, auto of_number) {
    const auto x = of_tensor(a), y = of_number(number);
    return leaf_list<2, std::remove_const_t<decltype(x)>>{{first ? y : x, first ? x : y}};
  };
  replace_up_to_3<Rank>(slots, tensor, form, a);
}
// A tensor and a ramp.
void replace_ramp(void* tensor, const unplanned_form& form, const void* a, const void* ramp) {
  const bool first = is_ramp(form, 0);
  const auto slots = [&](auto of_tensor, auto) {
    auto x = of_tensor(a), y = of_tensor(ramp);
    if constexpr (std::is_same_v<decltype(y), slot>) y.advance = ramp_advance;
    return leaf_list<2, decltype(x)>{{first ? y : x, first ? x : y}};
  };
  replace_up_to_3<1>(slots, tensor, form, a, ramp);
}
struct leaf_addresses {
  leaf_addresses(const unplanned_form& form, const listed_leaf* leaf) {
    for (int k = 0; k < form.count; ++k) of[k] = is_number(form, k) ? leaf[k].number : leaf[k].tensor;
  }
  const void* of[max_flat_inputs];
};
// Count 0: any number of leaves.
template <int Rank, int Count>
[[gnu::noinline]] void replace_listed(void* tensor, const unplanned_form& form, const listed_leaf* leaf) {
  const int count = Count == 0 ? form.count : Count;
  index n = 1, differ = 0, extents[Rank];
  for (int i = 0; i < Rank; ++i) n *= extents[i] = extent_at(tensor, i);
  void* const out = elements_of_tensor(tensor);
  const output_bytes written(out, n, form);
  bool overlap = false;
  slot leaves[Count == 0 ? max_flat_inputs : Count];
#pragma GCC unroll 4
  for (int k = 0; k < count; ++k) {
    if (is_number(form, k)) {
      leaves[k] = {leaf[k].number, 0};
      continue;
    }
    const void* const each = leaf[k].tensor;
#pragma GCC unroll 2
    for (int i = 0; i < Rank; ++i) differ |= extent_at(each, i) ^ extents[i];
    leaves[k] = {elements_of_tensor(each), -1};
    overlap |= written.may_overlap(leaves[k].data);
  }
  if (form.leaves.ramps != 0)
    for (int k = 0; k < count; ++k)
      if (is_ramp(form, k)) leaves[k].advance = ramp_advance;
  if (differ != 0) return replace_by_extents<Rank, 0>(tensor, form, leaf_addresses(form, leaf).of, false);
  const unsigned level = __atomic_load_n(&isa_in_force, __ATOMIC_RELAXED);
  if (fits_at_once(n, level, form)) return form.only->run[level](leaves, out, n, kernel_mode::dense);
  if (!run_if_disjoint(leaves, overlap, out, n, level, form))
    replace_by_extents<Rank, 0>(tensor, form, leaf_addresses(form, leaf).of, true);
}

template <int Rank>
unplanned_choice choose(const slot* leaves, const index* extents, const void* out, const unplanned_form& form,
                        const options& how) {
  if constexpr (Rank != 0) {
    const leaf_check<Rank> at(leaves, extents, out, form);
    const all_leaves<Rank> all(at, form);
    const auto level = static_cast<unsigned>(active_isa());
    unplanned_choice r =
        choose_quickly(at, form, level, [&] { return all.may_overlap; }, [&] { return all.different; });
    if constexpr (Rank == 2)
      if (r.broadcasts && at.any_may_overlap(form.count)) r = {unplanned_way::planned};
    if (r.way != unplanned_way::planned) return r;
  }
  return choose_exactly<Rank>(leaves, extents, elements_of<Rank>(extents, form), out, form, how);
}

}  // namespace

void assign_overlapping(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how) {
  assign_exactly<2>(leaves, extents, out, form, how);
}

const char* to_string(unplanned_way w) {
  constexpr const char* names[] = {"planned",
                                   "one call of the kernel for one vector",
                                   "one call of the kernel",
                                   "one call of the kernel and one for the tail",
                                   "one call of the kernel in place",
                                   "one call of the function",
                                   "rows of one vector in one call",
                                   "one call for each row",
                                   "materialized rows in one call",
                                   "materialized on the stack"};
  return names[static_cast<int>(w)];
}

explanation describe_unplanned(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                               const options& how) {
  const bound_leaves bound(leaves, extents, form);
  const target_array target{out, extents, nullptr, form.rank, form.type};
  const unplanned_choice r = !form.one_loop || form.rank < 1 || form.rank > 2
                                 ? choose<0>(leaves, extents, out, form, how)
                             : form.rank == 1 ? choose<1>(leaves, extents, out, form, how)
                                              : choose<2>(leaves, extents, out, form, how);
  unplanned_way way = r.way;
  if (way != unplanned_way::planned && r.broadcasts)
    way = choose_broadcast(leaves, as_rows(extents, form).data(), form, r.disjoint);
  if (way == unplanned_way::planned) return describe(target, bound.data(), form.count, *form.code, how);
  return describe_at_once(target, bound.data(), form.count, *form.code, how, way);
}

namespace {

void replace_by_list(void* tensor, const unplanned_form& form, const listed_leaf* leaves) {
  const bool four = form.count == 4;
  if (!form.one_loop || form.rank > 2)
    replace_by_extents<0, 0>(tensor, form, leaf_addresses(form, leaves).of, false);
  else if (form.rank == 1)
    four ? replace_listed<1, 4>(tensor, form, leaves) : replace_listed<1, 0>(tensor, form, leaves);
  else
    four ? replace_listed<2, 4>(tensor, form, leaves) : replace_listed<2, 0>(tensor, form, leaves);
}

}  // namespace

void replace_elements(void* tensor, const slot* leaves, const index* extents, const unplanned_form& form) {
  replace_slots<0>(tensor, leaves, extents, form);
}

assign_fn* const unplanned_assign[3][4] = {
    {assign_exactly<0>},
    {assign_above_3<1>, assign_up_to_3<1, 0>, assign_up_to_3<1, 0, 1>, assign_up_to_3<1, 0, 1, 2>},
    {assign_above_3<2>, assign_up_to_3<2, 0>, assign_up_to_3<2, 0, 1>, assign_up_to_3<2, 0, 1, 2>}};
const listed_functions unplanned_listed = {
    replace_by_list,
    {{replace_tensors<1>, replace_tensors<1>, replace_tensors<1>, replace_number<1>},
     {replace_tensors<2>, replace_tensors<2>, replace_tensors<2>, replace_number<2>}},
    replace_ramp};

}  // namespace broadloom::runtime
