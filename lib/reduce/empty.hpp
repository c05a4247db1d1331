// What reductions of no elements give.
#pragma once

#include <cstdint>
#include <cstring>

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// Whether a reduction gives 1 of no elements; else it gives 0, or none are refused when the tree is built.
inline bool is_one_of_none(reduction how) {
  [[maybe_unused]] constexpr int refused = 0;
  switch (how) {
#define BROADLOOM_REDUCTION(NAME, TYPES, OF_NONE, IDENTITY, FORMULA) \
  case reduction::NAME: return OF_NONE == 1;
#include <broadloom/plan/reductions.def>
    default: return false;
  }
}
template <class T>
void fill_with_ones(void* to, index n) {
  for (index i = 0; i < n; ++i) static_cast<T*>(to)[i] = 1;
}
// What a reduction of no elements gives.
inline void fill_empty(void* to, index n, dtype t, reduction how) {
  const index size = size_of(t);
  std::memset(to, 0, static_cast<std::size_t>(n * size));
  if (!is_one_of_none(how)) return;
  if (t == dtype::f32) return fill_with_ones<float>(to, n);
  if (t == dtype::f64) return fill_with_ones<double>(to, n);
  switch (size) {
    case 1: return fill_with_ones<std::uint8_t>(to, n);
    case 2: return fill_with_ones<std::uint16_t>(to, n);
    case 4: return fill_with_ones<std::uint32_t>(to, n);
    default: return fill_with_ones<std::uint64_t>(to, n);
  }
}

}  // namespace broadloom::runtime
