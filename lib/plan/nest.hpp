// The loop nest of one evaluation, and the passes that bring it into its best form. Strides are in bytes.
#pragma once

#include <broadloom/plan/problem.hpp>

#include "../base/small_array.hpp"

namespace broadloom::runtime {

// One array of the nest. The output is the last one.
struct nest_array {
  std::byte* base;
  int size;
  bool scalar;
  bool positions;        // read by another array, not by the program
  const positioned* at;  // step in elements
};

struct nest {
  explicit nest(const problem& p);

  index& stride(int array, int axis) { return strides[array * capacity + axis]; }
  index stride(int array, int axis) const { return strides[array * capacity + axis]; }
  int output() const { return arrays - 1; }
  index size() const;

  int arrays, rank;
  int capacity;  // axes there is room for
  small_array<index, 8> extents;
  small_array<index, 64> strides;
  small_array<nest_array, 8> list;
};

// Passes, in the order in which they run.
void drop_unit_axes(nest& n);
void order(nest& n);     // output's strides descending and positive, innermost last
void coalesce(nest& n);  // axes that lie behind each other in every array become one

}  // namespace broadloom::runtime
