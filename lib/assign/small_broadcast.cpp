// Leaves that broadcast are read where they are as far as kernels can: a row that is one vector stays where it is while
// the others advance, and longer rows are calls of their own. Only single elements are splat.
#include "small_broadcast.hpp"

#include "../base/limits.hpp"

#include <cstdint>
#include <cstring>

#include <broadloom/core/isa.hpp>

#include "../move/materialize.hpp"
#include "../move/splat.hpp"
#include "../move/vectors.hpp"
#include "small_strided.hpp"

namespace broadloom::runtime {

namespace {

using namespace limits::small_broadcast;

// A member at a time, as leaves are read, too: they have just been written so, and a processor waits until both are in
// the cache before it reads them as one.
inline void put(slot& to, const void* data, index advance) {
  to.data = data;
  to.advance = advance;
}

// The level whose vectors n elements fill best: all of them, or the widest of which there is one.
inline int level_for(const kernel& code, index n, int level) {
  while (level > 0 && code.lanes[level] > n) --level;
  for (int narrow = level; narrow >= 0 && n < 4 * code.lanes[narrow]; --narrow)
    if ((n & (code.lanes[narrow] - 1)) == 0) return narrow;
  return level;
}

// By itself, so that its loops take no register from those who call it.
[[gnu::noinline]] void splat_narrow(std::byte* to, const std::byte* from, int size, index count, index line) {
  if (line == 16) return detail::splat_to<16>(to, from, size, count);
  for (index k = 0; k < count; ++k, from += size)
    for (index at = 0; at < line; at += size, to += size) std::memcpy(to, from, static_cast<std::size_t>(size));
}
// Each of `count` elements over one vector of `line` bytes.
inline void splat_vectors(std::byte* to, const std::byte* from, int size, index count, index line,
                          [[maybe_unused]] int level) {
#if defined(__x86_64__)
  if (line == 64 && level >= static_cast<int>(isa::v4)) return splat_v4(to, from, size, count);
  if (line == 32 && level >= static_cast<int>(isa::v3)) return splat_v3(to, from, size, count);
#endif
  splat_narrow(to, from, size, count, line);
}

// The inputs of a call for each row, and bytes from row to row; or, in one call for all rows, of one vector, with rows
// that advance or stay. Single elements are splat to `free`, a vector each. False where a leaf does not fit. Here and
// below, only that is found out without Run.
template <bool Run, bool InOneCall>
[[gnu::always_inline]] inline bool bind_rows(const slot* leaves, const index* extents, const unplanned_form& form,
                                             index lanes, int level, std::byte* free, slot* inputs,
                                             [[maybe_unused]] index* steps) {
  const index rows = extents[0], columns = extents[1];
  const dtype* const types = form.code->stages->input_types;
  const std::byte* const end = free + max_splat_bytes;
  for (int k = 0, count = form.count; k < count; ++k) {
    const void* data = leaves[k].data;
    index advance = leaves[k].advance, row = 0;
    if (advance != 0) {
      const index own_rows = extents[2 * k + 2], own_columns = extents[2 * k + 3];
      if (own_rows != rows) {
        if (own_rows != 1) return false;
        if (InOneCall) advance = 0;
      } else if (!InOneCall)
        row = columns * size_of(types[k]);
      if (own_columns != columns) {
        const int size = size_of(types[k]);
        const index line = lanes * size, bytes = own_rows * line;
        if (own_columns != 1 || bytes > end - free) return false;
        if constexpr (Run) splat_vectors(free, static_cast<const std::byte*>(data), size, own_rows, line, level);
        data = free;
        free += bytes;
        if (!InOneCall) advance = 0;
        if (row != 0) row = line;
      }
    }
    put(inputs[k], data, advance);
    if (!InOneCall) steps[k] = row;
  }
  return true;
}

// Rows of one vector, all in one call.
template <bool Run>
[[gnu::always_inline]] inline bool rows_of_one_vector(const slot* leaves, const index* extents, void* out,
                                                      const unplanned_form& form, int level) {
  alignas(64) std::byte memory[max_splat_bytes];
  slot inputs[max_flat_inputs];
  if (!bind_rows<Run, true>(leaves, extents, form, extents[1], level, memory, inputs, nullptr)) return false;
  if constexpr (Run) form.only->run[level](inputs, out, extents[0] * extents[1], kernel_mode::any);
  return true;
}

// Leaves are materialized first: one call for all rows, however short.
template <bool Run>
[[gnu::noinline]] bool materialized(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                    int level, bool disjoint) {
  const index rows = extents[0], columns = extents[1], n = rows * columns;
  if (n > max_materialized) return false;
  alignas(64) std::byte memory[max_splat_bytes];
  index used = 0;
  slot inputs[max_flat_inputs];
  const stage& only = *form.code->stages;
  for (int k = 0; k < form.count; ++k) {
    put(inputs[k], leaves[k].data, leaves[k].advance);
    const index own_rows = extents[2 * k + 2], own_columns = extents[2 * k + 3];
    if (leaves[k].advance == 0 || (own_rows == rows && own_columns == columns)) continue;
    const int size = size_of(only.input_types[k]);
    std::byte* const to = memory + used;
    used += (n * size + overwritten + 63) & ~index{63};
    if (used > max_splat_bytes || (own_rows != rows && own_rows != 1) || (own_columns != columns && own_columns != 1))
      return false;
    if constexpr (Run) materialize_rows(to, leaves[k].data, size, rows, columns, own_rows, own_columns);
    put(inputs[k], to, -1);
  }
  if constexpr (Run)
    disjoint ? run_disjoint(only, inputs, out, n, level) : run_vectors(only, inputs, out, n, kernel_mode::dense, level);
  return true;
}

// Whether each input is one element, or all elements in row-major order.
[[gnu::noinline]] bool are_one_run(const slot* inputs, const index* steps, int count) {
  bool one = true;
  for (int k = 0; k < count; ++k) one = one && (inputs[k].advance != 0) == (steps[k] != 0);
  return one;
}

// A call of the kernel for each row; one for all elements if no input repeats rows.
template <bool Run>
[[gnu::noinline]] unplanned_way rows_in_turn(const slot* leaves, const index* extents, void* out,
                                             const unplanned_form& form, int level) {
  const kernel& code = *form.only;
  const index rows = extents[0], columns = extents[1], lanes = code.lanes[level], over = columns & (lanes - 1);
  const stage& only = *form.code->stages;
  alignas(64) std::byte memory[max_splat_bytes];
  slot inputs[max_flat_inputs];
  index steps[max_flat_inputs];
  if (!bind_rows<Run, false>(leaves, extents, form, lanes, level, memory, inputs, steps)) return unplanned_way::planned;
  if constexpr (!Run) {
    if (are_one_run(inputs, steps, form.count)) return unplanned_way::one_call;
  } else {
    bool dense = true;
    for (int k = 0; k < form.count; ++k) dense = dense && (inputs[k].advance != 0 || leaves[k].advance == 0);
    if (!dense && are_one_run(inputs, steps, form.count)) {
      run_disjoint(only, inputs, out, rows * columns, level);
      return unplanned_way::one_call;
    }
    const kernel_mode mode = dense ? kernel_mode::dense : kernel_mode::any;
    const kernel_fn run = code.run[level];
    const index out_size = size_of(form.type);
    auto* to = static_cast<std::byte*>(out);
    for (index r = 0; r < rows; ++r, to += columns * out_size) {
      run(inputs, to, columns - over, mode);
      if (over != 0) {
        slot last[max_flat_inputs];
        shift(last, inputs, only, columns - lanes);
        run(last, to + (columns - lanes) * out_size, lanes, mode);
      }
      for (int k = 0; k < form.count; ++k) inputs[k].data = static_cast<const std::byte*>(inputs[k].data) + steps[k];
    }
  }
  return unplanned_way::row_by_row;
}

template <bool Run>
[[gnu::always_inline]] inline unplanned_way broadcast(const slot* leaves, const index* extents, void* out,
                                                      const unplanned_form& form, bool disjoint) {
  const kernel& code = *form.only;
  const index rows = extents[0], columns = extents[1];
  const int highest = static_cast<int>(active_isa());
  for (int l = highest; l >= 0; --l)
    if (code.lanes[l] == columns)
      return rows_of_one_vector<Run>(leaves, extents, out, form, l) ? unplanned_way::row_vectors
                                                                    : unplanned_way::planned;
  const int level = level_for(code, columns, highest);
  const index lanes = code.lanes[level], over = columns & (lanes - 1);
  if ((rows > max_rows || (over != 0 && columns < 4 * lanes)) &&
      materialized<Run>(leaves, extents, out, form, highest, disjoint))
    return unplanned_way::materialized_rows;
  if (columns < lanes || (over != 0 && (!disjoint || rows > 2 * columns))) return unplanned_way::planned;
  return rows_in_turn<Run>(leaves, extents, out, form, level);
}

}  // namespace

unplanned_way run_broadcast(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                            bool disjoint) {
  return broadcast<true>(leaves, extents, out, form, disjoint);
}

[[gnu::aligned(64)]] void assign_differing(const slot* leaves, const index* extents, void* out,
                                           const unplanned_form& form, options how) {
  const leaf_check<2> at(leaves, extents, out, form);
  if (at.any_may_overlap(form.count)) return assign_overlapping(leaves, extents, out, form, how);
  if (broadcast<true>(leaves, extents, out, form, true) == unplanned_way::planned)
    assign_planned(leaves, extents, out, form, how);
}

unplanned_way choose_broadcast(const slot* leaves, const index* extents, const unplanned_form& form, bool disjoint) {
  return broadcast<false>(leaves, extents, nullptr, form, disjoint);
}

}  // namespace broadloom::runtime
