// The compiled side of the door: a tree as it stands in memory is checked and bound, and short loops are run at once.
#include <cstdint>
#include <cstring>

#include <broadloom/core/isa.hpp>
#include <broadloom/eval/assign.hpp>

#include "../plan/small_array.hpp"
#include "vectors.hpp"

namespace broadloom::runtime {

namespace {

// A loop over contiguous memory, short enough for one thread: no plan, no scratch but a tail.
constexpr index flat_elements = 8192;

// A program of one loop over leaves of the output's extents, which therefore fit. False, and nothing done, when there are others,
// when the work is worth a plan, or when a leaf overlaps the output without coinciding.
inline bool assign_flat(const alike_tree& tree) {
  const stage& only = tree.code->stages[0];
  if (tree.code->stage_count != 1 || only.kind != stage_kind::compute || tree.count > most_flat_inputs) return false;
  index n = 1;
  for (int i = 0; i < tree.rank; ++i) n *= tree.extents[i];
  if (n > flat_elements) return false;
  const auto low = reinterpret_cast<std::uintptr_t>(tree.out);
  const auto count = static_cast<std::uintptr_t>(n);
  const std::uintptr_t bytes = count * static_cast<std::uintptr_t>(size_of(tree.type));
  const index* extents = tree.extents + tree.rank;
  for (int k = 0; k < tree.count; ++k) {
    auto own = static_cast<std::uintptr_t>(size_of(only.input_types[k]));
    if (tree.leaves[k].advance != 0) {
      for (int i = 0; i < tree.rank; ++i)
        if (*extents++ != tree.extents[i]) return false;
      own *= count;
    }
    const auto at = reinterpret_cast<std::uintptr_t>(tree.leaves[k].data);
    if (at - low < bytes || low - at < own)  // they overlap
      if (at != low || own != bytes) return false;
  }
  slot spare_slots[most_flat_inputs];
  alignas(16) std::byte spare[spare_bytes(most_flat_inputs)];
  run_vectors(only, tree.leaves, tree.out, n, kernel_mode::dense, static_cast<int>(active_isa()), spare_slots, spare);
  return true;
}

// The shape of the tree is that of its leaves together: it fits where each of them does.
void check_fits(const alike_tree& tree, const leaf_array* leaves, writing to) {
  bool ok = true;
  for (int k = 0; k < tree.count; ++k)
    for (int i = 0; i < leaves[k].rank; ++i)
      ok = ok && (leaves[k].extents[i] == tree.extents[i] || leaves[k].extents[i] == 1);
  if (ok) return;
  small_array<index, 16> result(static_cast<std::size_t>(tree.rank));
  for (int i = 0; i < tree.rank; ++i) {
    result[i] = 1;
    for (int k = 0; k < tree.count; ++k)
      if (leaves[k].rank > 0 && leaves[k].extents[i] != 1) result[i] = leaves[k].extents[i];
  }
  detail::throw_does_not_fit(to, {tree.extents, tree.rank}, {result.data(), tree.rank});
}

[[gnu::noinline]] void assign_others(const alike_tree& tree, const options& how, writing to) {
  small_array<leaf_array, 16> leaves(static_cast<std::size_t>(tree.count));
  const index* extents = tree.extents + tree.rank;
  for (int k = 0; k < tree.count; ++k) {
    const slot& x = tree.leaves[k];
    const bool is_number = x.advance == 0;
    leaves[k] = {x.data, is_number ? nullptr : extents, nullptr, is_number ? 0 : tree.rank, tree.type, is_number, nullptr, 0};
    if (!is_number) extents += tree.rank;
  }
  for (int s = 0; s < tree.code->stage_count; ++s) {
    const stage& st = tree.code->stages[s];
    for (int j = 0; j < st.input_count; ++j)
      if (st.inputs[j] < first_stage) leaves[st.inputs[j]].type = st.input_types[j];
  }
  check_fits(tree, leaves.data(), to);
  assign({tree.out, tree.extents, nullptr, tree.rank, tree.type}, leaves.data(), tree.count, *tree.code, how);
}

}  // namespace

void assign_alike(const alike_tree& tree, const options& how, writing to) {
  if (!assign_flat(tree)) assign_others(tree, how, to);
}

}  // namespace broadloom::runtime
