// Two or four contiguous columns to rows of as many elements, by vectors of 16 bytes, which every level has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <broadloom/core/index.hpp>
#include <broadloom/core/lane_types.hpp>

#include "../base/vectors.hpp"

namespace broadloom::runtime {

// The elements of a and b by turns: those of their first halves in `low`, of their second halves in `high`.
template <class V, int... I>
[[gnu::always_inline]] inline void interleave_pair(const V& a, const V& b, V& low, V& high,
                                                   std::integer_sequence<int, I...>) {
  constexpr int lanes = static_cast<int>(sizeof...(I));
  const V first = __builtin_shufflevector(a, b, (I / 2 + I % 2 * lanes)...);
  const V second = __builtin_shufflevector(a, b, ((I + lanes) / 2 + I % 2 * lanes)...);
  low = first;
  high = second;
}

// to[r * Columns + c] = from[c][r], of elements of type T; `Apart`: row r begins r * pitch bytes behind the first one,
// and is a vector.
template <class T, int Columns, bool Apart = false>
[[gnu::always_inline]] inline void interleave(std::byte* to, const std::byte* const* from, index rows,
                                              index pitch = 0) {
  constexpr int size = static_cast<int>(sizeof(T)), lanes = 16 / size;
  static_assert((Columns == 2 || Columns == 4) && (!Apart || Columns == lanes));
  if constexpr (!Apart) pitch = Columns * size;
  const index step = Apart ? pitch : 16;
  using vector = vec<T, 16>;
  constexpr std::make_integer_sequence<int, lanes> order{};
  const std::byte* column[Columns];
  for (int c = 0; c < Columns; ++c) column[c] = from[c];
  index r = 0;
  for (; r + lanes <= rows; r += lanes, to += Columns * step) {
    vector x[Columns], y[Columns];
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c, column[c - 1] += 16) std::memcpy(&x[c], column[c], sizeof x[c]);
    if constexpr (Columns == 2) {
      interleave_pair(x[0], x[1], y[0], y[1], order);
    } else {
      vector even[2], odd[2];
      interleave_pair(x[0], x[2], even[0], even[1], order);
      interleave_pair(x[1], x[3], odd[0], odd[1], order);
      interleave_pair(even[0], odd[0], y[0], y[1], order);
      interleave_pair(even[1], odd[1], y[2], y[3], order);
    }
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c) std::memcpy(to + c * step, &y[c], sizeof y[c]);
  }
  for (; r < rows; ++r, to += pitch)
    for (int c = 0; c < Columns; ++c, column[c - 1] += size) std::memcpy(to + c * size, column[c], sizeof(T));
}

// Columns of 4-byte elements, `step` bytes apart, four at a time to rows `pitch` bytes apart. Returns how many columns
// that was.
inline index interleave_fours(std::byte* to, const std::byte* from, index rows, index columns, index step,
                              index pitch) {
  index c = 0;
  for (; c + 4 <= columns; c += 4, to += 16, from += 4 * step) {
    const std::byte* const column[] = {from, from + step, from + 2 * step, from + 3 * step};
    interleave<std::uint32_t, 4, true>(to, column, rows, pitch);
  }
  return c;
}

}  // namespace broadloom::runtime
