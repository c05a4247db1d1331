// What a contraction sums: its indices, those of the result first, and the axes of the operands that each stands for.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::detail {

inline constexpr int max_contracted = 24;

// Which axis of each operand an index is; -1: it has none.
struct contraction_index {
  int a = -1, b = -1;
  bool kept = true;
};
struct contraction_plan {
  int count = 0, kept = 0;  // the kept ones come first
  contraction_index list[max_contracted] = {};
};

// The extent of index i, whose operands have been checked.
template <contraction_plan P, class A, class B>
constexpr index contracted_extent(int i, const A& a, const B& b) {
  const index x = P.list[i].a >= 0 ? a[P.list[i].a] : 1, y = P.list[i].b >= 0 ? b[P.list[i].b] : 1;
  return x == 1 ? y : x;
}

// matmul and vecdot as contractions of operands of these ranks.
constexpr contraction_plan product_plan(int a, int b) {
  contraction_plan p;
  const int stack_a = a > 2 ? a - 2 : 0, stack_b = b > 2 ? b - 2 : 0, loops = stack_a > stack_b ? stack_a : stack_b;
  for (int i = 0; i < loops; ++i) {
    const int x = i - (loops - stack_a), y = i - (loops - stack_b);
    p.list[p.count++] = {x < 0 ? -1 : x, y < 0 ? -1 : y, true};
  }
  if (a > 1) p.list[p.count++] = {a - 2, -1, true};
  if (b > 1) p.list[p.count++] = {-1, b - 1, true};
  p.kept = p.count;
  p.list[p.count++] = {a - 1, b > 1 ? b - 2 : 0, false};
  return p;
}
constexpr contraction_plan dot_plan(int a, int b) {
  contraction_plan p;
  const int loops = (a > b ? a : b) - 1;
  for (int i = 0; i < loops; ++i) {
    const int x = i - (loops - (a - 1)), y = i - (loops - (b - 1));
    p.list[p.count++] = {x < 0 ? -1 : x, y < 0 ? -1 : y, true};
  }
  p.kept = p.count;
  p.list[p.count++] = {a - 1, b - 1, false};
  return p;
}

}  // namespace broadloom::detail
