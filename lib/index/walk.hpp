// One row of a selection: where it begins, and which index operands vary along it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <broadloom/index/problem.hpp>

#include "../base/limits.hpp"
#include "../base/small_array.hpp"

namespace broadloom::runtime {

inline index position(const position_term& t, index at) {
  if (t.narrow) return static_cast<index>(static_cast<const std::uint16_t*>(t.data)[at]);
  return t.wide ? static_cast<index>(static_cast<const std::int64_t*>(t.data)[at])
                : static_cast<index>(static_cast<const std::int32_t*>(t.data)[at]);
}

// n elements along one axis of a selection.
struct selected_row {
  const std::byte* first;        // with the strides and the indices that are constant along the row
  index stride;                  // bytes
  int varying = 0;               // how many terms vary along the row
  const position_term* term[8];  // these,
  index at[8];                   // the element of each that is used first,
  index term_stride[8];          // and the step to the next
};

// Where an index leads.
inline index offset_at(const position_term& t, index p) { return (p < 0 ? p + t.extent : p) * t.step; }

// The row that begins at these indices and runs along `axis`.
inline selected_row row_at(const selection& s, const index* at, int axis) {
  selected_row r;
  index offset = 0;
  for (int i = 0; i < s.rank; ++i) offset += at[i] * s.strides[i];
  for (int k = 0; k < s.term_count; ++k) {
    const position_term& t = s.terms[k];
    index p = 0;
    for (int i = 0; i < s.rank; ++i) p += at[i] * t.strides[i];
    if (axis >= 0 && t.strides[axis] != 0) {
      r.term[r.varying] = &t;
      r.at[r.varying] = p;
      r.term_stride[r.varying++] = t.strides[axis];
    } else
      offset += offset_at(t, position(t, p));
  }
  r.first = static_cast<const std::byte*>(s.data) + offset;
  r.stride = axis >= 0 ? s.strides[axis] : 0;
  return r;
}

// Nanoseconds of an element that passes `times` through memory, and is found by indices of its own where these vary
// along a row.
inline double element_ns(const selection& s, int times) {
  double ns = times * s.size * limits::work::of_byte;
  for (int k = 0; k < s.term_count && s.rank > 0; ++k)
    if (s.terms[k].segments == nullptr && s.terms[k].strides[s.rank - 1] != 0) ns += limits::work::of_index;
  return ns;
}

// Calls f(T{}) with an unsigned integer of that many bytes, or a pair of them.
struct sixteen_bytes {
  std::uint64_t a, b;
};
template <class F>
void with_size(int size, F f) {
  switch (size) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    case 8: return f(std::uint64_t{});
    default: return f(sixteen_bytes{});
  }
}

// Calls f with the term's indices as a pointer to their type, i64 or i32.
template <class F>
void with_positions(const position_term& t, index at, F f) {
  if (t.wide)
    f(static_cast<const std::int64_t*>(t.data) + at);
  else
    f(static_cast<const std::int32_t*>(t.data) + at);
}

// The same for indices that are read, which may be narrow.
template <class F>
void with_read_positions(const position_term& t, index at, F f) {
  if (t.narrow)
    f(static_cast<const std::uint16_t*>(t.data) + at);
  else
    with_positions(t, at, f);
}

}  // namespace broadloom::runtime
