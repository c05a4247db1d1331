// Reductions of all elements of a tree whose leaves are listed as they stand in it: numbers, and addresses of dynamic
// tensors of the elements' rank.
#include <bit>

#include <broadloom/core/isa.hpp>
#include <broadloom/plan/unplanned.hpp>
#include <broadloom/reduce/whole.hpp>

#include "../base/extents.hpp"
#include "../base/limits.hpp"
#include "../base/tensor_extent.hpp"
#include "contiguous.hpp"
#include "whole.hpp"

namespace broadloom::runtime {

namespace {

bool is_number(const whole_reduction& form, int k) { return (form.numbers >> k & 1) != 0; }

// Of many elements, none, or of tensors whose extents differ.
[[gnu::noinline]] void reduce_by_extents(const listed_leaf* leaf, void* to, const whole_reduction& form, reduction how,
                                         const options& o, bool differ) {
  const int rank = form.rank, count = form.count;
  slot leaves[max_flat_inputs];
  index extents[max_listed_rank * (1 + max_flat_inputs)];
  for (int i = 0; i < rank; ++i) {
    extents[i] = 1;
    for (int k = 0; k < count; ++k)
      if (!is_number(form, k))
        if (const index own = extent_at(leaf[k].tensor, i); own != 1) extents[i] = own;
  }
  index* own = extents + rank;
  for (int k = 0; k < count; ++k, own += rank) {
    const bool scalar = is_number(form, k);
    leaves[k] = scalar ? slot{leaf[k].number, 0} : slot{elements_of_tensor(leaf[k].tensor), -1};
    for (int i = 0; i < rank; ++i) own[i] = scalar ? extents[i] : extent_at(leaf[k].tensor, i);
  }
  if (differ && product(extents, rank) > 0) return reduce_planned(leaves, extents, to, form, how, o);
  reduce_whole(leaves, extents, to, form, how, o);
}

// One stage over leaves of equal extents, at most a strip. Count 0: any number of leaves.
template <int Rank, int Count>
[[gnu::always_inline]] inline void reduce_few(const listed_leaf* leaf, void* to, const whole_reduction& form,
                                              reduction how, const options& o) {
  const int rank = Rank == 0 ? form.rank : Rank, count = Count == 0 ? form.count : Count;
  const stage& only = *form.code->stages;
  const void* const first = leaf[std::countr_one(static_cast<unsigned>(form.numbers))].tensor;
  slot leaves[Count == 0 ? max_flat_inputs : Count];
  index n = 1, differ = 0;
  for (int i = 0; i < rank; ++i) n *= extent_at(first, i);
  for (int k = 0; k < count; ++k) {
    if (is_number(form, k)) {
      leaves[k] = {leaf[k].number, 0};
      continue;
    }
    leaves[k] = {elements_of_tensor(leaf[k].tensor), -1};
    for (int i = 0; i < rank; ++i) differ |= extent_at(leaf[k].tensor, i) ^ extent_at(first, i);
  }
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  const reduce_kernels* const k = differ != 0 ? nullptr : kernels_of_few(form, how, n, level);
  if (k == nullptr) return reduce_by_extents(leaf, to, form, how, o, differ != 0);
  if (n > (only.copies ? limits::reducing::unplanned_elements : strip_length)) {
    if (only.copies || !reduce_row_of_leaves(only, leaves, n, form.rows, how, to))
      reduce_by_extents(leaf, to, form, how, o, false);
    return;
  }
  if (only.copies) return k->one(leaves[0].data, n, to);
  reduce_computed_strip(only, leaves, n, *k, level, to);
}

}  // namespace

void reduce_listed(const listed_leaf* leaves, void* to, const whole_reduction& form, reduction how, const options& o) {
  const int shape = form.rank > 2 ? 0 : form.rank * 8 + (form.count > 4 ? 0 : form.count);
  switch (shape) {
    case 11: return reduce_few<1, 3>(leaves, to, form, how, o);
    case 17: return reduce_few<2, 1>(leaves, to, form, how, o);
    case 18: return reduce_few<2, 2>(leaves, to, form, how, o);
    case 19: return reduce_few<2, 3>(leaves, to, form, how, o);
    case 20: return reduce_few<2, 4>(leaves, to, form, how, o);
    default: return reduce_few<0, 0>(leaves, to, form, how, o);
  }
}

}  // namespace broadloom::runtime
