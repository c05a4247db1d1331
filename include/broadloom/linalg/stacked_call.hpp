// Calls of functions on core arrays whose operands may be trees, which are evaluated first: the whole, or, if it is the
// left operand of a product, a block of the result's leading axis at a time.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/eval/assign_part.hpp>
#include <broadloom/linalg/call.hpp>

namespace broadloom::runtime {

struct stacked_operand {
  const void* data;  // null: a tree
  const index* extents;
  const index* strides;  // in elements; null: row-major
  int rank;
  void (*write)(const void* tree, void* to, const axis_range& part, const options& how);
  const void* tree;
};

struct stacked_function {
  const char* name = nullptr;
  const char* signature = nullptr;
  const detail::core_signature* parsed = nullptr;
  bool exact = false;
  dtype type{};
  stack_fn run = nullptr;
  // Of products: indices [first, last) of the result's leading axis, how many are best computed at a time (below 1:
  // all), and how many are computed together.
  void (*run_rows)(const stack_call& call, index first, index last) = nullptr;
  index (*row_hint)(const index* extents, int rank, index depth, bool vector) = nullptr;
  index (*together)(bool vector) = nullptr;
};

struct stacked_problem {
  const stacked_function& f;
  const void* parameters;
  const stacked_operand* operands;
  const index* extents;  // of a product
  int rank;
};

BROADLOOM_API void run(const stacked_problem& p, void* const* outputs, const options& how);
// A product by blocks, if its left operand is a tree and it pays off; else as run.
BROADLOOM_API void multiply(const stacked_problem& p, void* to, const options& how);
// Indices [first, last) of its leading axis, from the beginning of `to`.
BROADLOOM_API void multiply_rows(const stacked_problem& p, index first, index last, void* to, const options& how);
// How many of these to compute at a time where the left operand is a tree of matrices; below 1: all at once.
BROADLOOM_API index block_hint(const stacked_problem& p);

}  // namespace broadloom::runtime
