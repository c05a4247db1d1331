// The loop nest of one evaluation. Strides are in bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <broadloom/plan/problem.hpp>

#include "../base/extents.hpp"
#include "../base/small_array.hpp"

namespace broadloom::runtime {

// Bytes further on: pointers of ramps are numbers.
inline std::byte* moved(const void* from, index bytes) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(from) + static_cast<std::uintptr_t>(bytes));
}

// One array of the nest. The output is the last one.
struct nest_array {
  std::byte* base;
  int size;
  dtype type;
  bool scalar;
  bool ramp;
};

struct nest {
  // Without axes of one index, and with neighbours that are contiguous in every array merged. `sorts`: axes by the
  // output's strides, made positive; the innermost last.
  explicit nest(const problem& p, bool sorts = true);

  index& stride(int array, int axis) { return strides[array * capacity + axis]; }
  index stride(int array, int axis) const { return strides[array * capacity + axis]; }
  int output() const { return arrays - 1; }
  index size() const { return product(extents.data(), rank); }

  int arrays, rank;
  int capacity;  // axes for which there is room
  small_array<index, 8> extents;
  small_array<index, 64> strides;
  small_array<nest_array, 16> list;
};

}  // namespace broadloom::runtime
