// Copies of two or four contiguous arrays to every second or fourth element of another, as stack(-1, a, b) makes them.
#pragma once

#include <broadloom/eval/threads.hpp>
#include <broadloom/plan/problem.hpp>

#include "../base/for_each.hpp"
#include "../base/tuned.hpp"
#include "../move/copy.hpp"

namespace broadloom::runtime {

// An element of each of `count` arrays by turns.
inline void copy_by_turns(void* out, const std::byte* const* from, int size, index rows, int count,
                          const options& how) {
  constexpr index block = 1 << 14;
  const index bytes = 2 * rows * count * size;
  const int threads = how.threads == 1 || bytes < tuned_size(tuned::serial_bytes) ? 1
                      : how.threads == 0                                          ? max_threads()
                                                                                  : how.threads;
  for_ranges((rows + block - 1) / block, threads, [&](index low, index high) {
    const index at = low * block, end = high * block < rows ? high * block : rows;
    const std::byte* part[4] = {};
    for (int c = 0; c < count; ++c) part[c] = from[c] + at * size;
    interleave(static_cast<std::byte*>(out) + at * count * size, part, size, end - at, count);
  });
}

// Writes all of them together, if they are such copies and no output overlaps what another reads.
inline bool assign_interleaved(const problem* all, int count) {
  if (count != 2 && count != 4) return false;
  const problem& first = all[0];
  const int size = size_of(first.out_type);
  const std::byte* from[4] = {};
  index rows = 1;
  for (int c = 0; c < count; ++c) {
    const problem& p = all[c];
    const stage& only = p.code.stages[0];
    if (p.code.stage_count != 1 || !only.copies) return false;
    const operand& x = p.operands[only.inputs[0]];
    if (x.is_scalar || x.is_ramp || x.at != nullptr || x.type != p.out_type || p.out_type != first.out_type ||
        p.out != static_cast<std::byte*>(first.out) + c * size)
      return false;
    rows = 1;
    for (index a = p.rank; a-- > 0;) {
      if (p.extents[a] == 1) continue;
      if (x.strides[a] != rows || p.out_strides[a] != rows * count) return false;
      rows *= p.extents[a];
    }
    from[c] = static_cast<const std::byte*>(x.data);
  }
  if (rows < 2 || !interleave(first.out, from, size, 0, count)) return false;
  copy_by_turns(first.out, from, size, rows, count, first.how);
  return true;
}

}  // namespace broadloom::runtime
