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

[[gnu::noinline]] void run_odd(const stage& only, const alike_tree& tree, index n, int level) {
  slot spare_slots[most_flat_inputs];
  alignas(16) std::byte spare[spare_bytes(most_flat_inputs)];
  run_odd_vectors(only, tree.leaves, tree.out, n, kernel_mode::dense, level, spare_slots, spare);
}

inline bool differ(const index* a, const index* b, int rank) {
  index bits = 0;
  for (int i = 0; i < rank; ++i) bits |= a[i] ^ b[i];
  return bits != 0;
}

// A program of one loop over leaves of the output's extents, which therefore fit. False, and nothing done, when there
// are others, when the work is worth a plan, or when a leaf overlaps the output without coinciding. A few nanoseconds
// are all it may take.
inline bool assign_flat(const alike_tree& tree) {
  const stage& only = *tree.code->stages;
  if (tree.code->stage_count != 1 || only.kind != stage_kind::compute || tree.count > most_flat_inputs) return false;
  const int rank = tree.rank;
  const index* extents = tree.extents;
  index n = 1;
  for (int i = 0; i < rank; ++i) n *= *extents++;
  if (n > flat_elements) return false;
  const auto low = reinterpret_cast<std::uintptr_t>(tree.out);
  const auto count = static_cast<std::uintptr_t>(n);
  const std::uintptr_t bytes = count * static_cast<std::uintptr_t>(size_of(tree.type));
  for (int k = 0; k < tree.count; ++k) {
    const slot& leaf = tree.leaves[k];
    auto own = static_cast<std::uintptr_t>(size_of(only.input_types[k]));
    if (leaf.advance != 0) {
      own *= count;
      if (rank == 1 ? *extents != n : differ(extents, tree.extents, rank)) return false;
      extents += rank;
    }
    const auto at = reinterpret_cast<std::uintptr_t>(leaf.data);
    if (at - low < bytes || low - at < own)  // they overlap
      if (at != low || own != bytes) return false;
  }
  const int level = static_cast<int>(active_isa());
  if ((n & (only.code->lanes[level] - 1)) == 0)
    only.code->run[level](tree.leaves, tree.out, n, kernel_mode::dense);
  else
    run_odd(only, tree, n, level);
  return true;
}

// One axis and leaves that lie apart from the output: most calls of a loop over short arrays. As assign_flat without
// its branches, and false more often.
inline bool assign_line(const alike_tree& tree) {
  const stage& only = *tree.code->stages;
  if (tree.rank != 1 || tree.code->stage_count != 1 || only.kind != stage_kind::compute ||
      tree.count > most_flat_inputs)
    return false;
  const kernel& code = *only.code;
  const index n = tree.extents[0];
  // No element is wider than the lanes of a vector of 16 bytes.
  const std::uintptr_t most_bytes = (static_cast<std::uintptr_t>(n) * 16) >> __builtin_ctz(code.lanes[0]);
  const auto low = reinterpret_cast<std::uintptr_t>(tree.out);
  const index* own = tree.extents + 1;
  index differ = 0;
  bool near = n > flat_elements;
  const slot* const end = tree.leaves + tree.count;
  for (const slot* leaf = tree.leaves; leaf < end; ++leaf) {
    differ |= (*own ^ n) & leaf->advance;
    own -= leaf->advance;
    near = near | (reinterpret_cast<std::uintptr_t>(leaf->data) - low + most_bytes - 1 < 2 * most_bytes - 1);
  }
  if (differ != 0 || near) return false;
  int level = static_cast<int>(active_isa());
  index over = n & (code.lanes[level] - 1);
  if (over != 0) {
    // A few elements make whole vectors of fewer lanes.
    while (over != 0 && level > 0 && n < 2 * code.lanes[level]) over = n & (code.lanes[--level] - 1);
    if (over != 0) return false;
  }
  code.run[level](tree.leaves, tree.out, n, kernel_mode::dense);
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
    leaves[k] = {
        x.data, is_number ? nullptr : extents, nullptr, is_number ? 0 : tree.rank, tree.type, is_number, nullptr, 0};
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

[[gnu::noinline]] void assign_more(const alike_tree& tree, const options& how, writing to) {
  if (!assign_flat(tree)) assign_others(tree, how, to);
}

}  // namespace

void assign_alike(const alike_tree& tree, const options& how, writing to) {
  if (!assign_line(tree)) assign_more(tree, how, to);
}

}  // namespace broadloom::runtime
