// Columns of few elements of an array, reduced in one call.
#include <cstring>

#include <broadloom/core/isa.hpp>

#include "../base/smaller.hpp"
#include "../plan/contiguous_rows.hpp"
#include "contiguous.hpp"

namespace broadloom::runtime {

namespace {

using limits::reducing::unplanned_columns_elements;

constexpr index columns_bytes = limits::small_barriers::max_bytes;  // of lanes, on the stack

// The kernels where the first axes of an array are reduced, `rows` of few elements; else null.
const reduce_kernels* find_columns(const source& s, const leaf_array* leaves, index& rows, index& columns) {
  if (!are_columns(s, leaves, rows, columns)) return nullptr;
  const reduce_kernels* const k = find_kernels(s.how, s.code->stages[0].type, active_isa());
  return k != nullptr && k->finish == nullptr && k->position == nullptr ? k : nullptr;
}

// A strip of these, combined as the elements of one column would be.
void reduce_strip_of_columns(const reduce_kernels& k, const std::byte* x, index rows, index columns, index size,
                             std::byte* to) {
  const index lanes = 64 / size, there = smaller(rows, lanes), line = lanes * columns * size;
  alignas(64) std::byte sums[columns_bytes];
  const std::byte* from = sums;
  if (rows < 2 * lanes)
    std::memcpy(sums, x, static_cast<std::size_t>(there * columns * size));
  else
    from = x;
  const std::byte* at = x + line;
  for (index left = rows - lanes; left > 0;) {
    const index groups = left < lanes ? 1 : smaller(8, left / lanes);
    const void* next[8];
    for (index g = 0; g < groups; ++g, at += line) next[g] = at;
    k.rows(sums, from, next, static_cast<int>(groups), smaller(lanes, left) * columns);
    from = sums;
    left -= groups * lanes;
  }
  if (there == 1) std::memcpy(to, sums, static_cast<std::size_t>(columns * size));
  for (index half = lanes / 2; half > 0; half /= 2)
    if (there > half) {
      const void* const upper = sums + half * columns * size;
      k.rows(half == 1 ? to : sums, sums, &upper, 1, smaller(half, there - half) * columns);
    }
}

}  // namespace

bool reduce_columns(const source& s, const leaf_array* leaves, void* to) {
  index rows, columns;
  const reduce_kernels* const k = find_columns(s, leaves, rows, columns);
  if (k == nullptr) return false;
  took(plan_of({reduction_loops::columns, reduction_input::memory}, columns, rows));
  const stage& only = s.code->stages[0];
  const index size = size_of(only.type), row = columns * size;
  const auto* x = static_cast<const std::byte*>(leaves[only.inputs[0]].data);
  if (rows <= strip_length) {
    reduce_strip_of_columns(*k, x, rows, columns, size, static_cast<std::byte*>(to));
    return true;
  }
  // Rows of more than one strip have fewer than 16 columns, whose whole strips are at most 16, and the last one is not.
  alignas(64) std::byte partial[2 * (unplanned_columns_elements / strip_length) * 8];
  const index strips = divide_up(rows, strip_length);
  for (index i = 0; i < strips; ++i, x += strip_length * row)
    reduce_strip_of_columns(*k, x, smaller(strip_length, rows - i * strip_length), columns, size, partial + i * row);
  k->tree(partial, strips, columns, to);
  return true;
}

reduction_plan plan_columns(const source& s, const leaf_array* leaves) {
  index rows, columns;
  if (find_columns(s, leaves, rows, columns) == nullptr) return no_plan();
  return plan_of({reduction_loops::columns, reduction_input::memory}, columns, rows);
}

}  // namespace broadloom::runtime
