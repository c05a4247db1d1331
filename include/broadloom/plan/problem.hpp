// What compiled code is given for one evaluation: operands bound to memory, the program, and options.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>
#include <broadloom/core/maths.hpp>
#include <broadloom/plan/source.hpp>
#include <broadloom/plan/stage.hpp>

namespace broadloom::runtime {

// A leaf of the tree, bound. Strides are in elements over the axes of the result; a broadcast axis has 0. Of a ramp,
// `data` is no address but the first element times its size, so that strides lead from one element to the next as they
// do in memory.
struct operand {
  const void* data;
  const index* strides;
  dtype type;
  bool is_scalar, is_ramp;
  const positioned* at;  // null: not gathered
};

// The order in which a product of matrices adds: the fastest one, or that of the index.
enum class product_order : unsigned char { free, fixed };

struct options {
  int threads = 0;  // 0: as many as pay off, 1: the calling thread, n: at most n
  accuracy maths = accuracy::accurate;
  product_order products = product_order::free;
  index whole_bytes = 0;  // moved by the whole evaluation, of which this is a part
};

struct problem {
  index rank;
  const index* extents;
  void* out;
  const index* out_strides;
  dtype out_type;
  const operand* operands;
  int operand_count;
  program code;
  options how;
};

// What an assignment writes to.
struct target_array {
  void* data;
  const index* extents;
  const index* strides;  // null: row-major
  int rank;
  dtype type;
};

// The error for a result that does not fit: an in-place function's output may not grow; a result that is copied into an
// output is broadcast to it.
enum class writing : unsigned char { in_place, copy };

// Evaluates the program over every element. The output may coincide with an operand or overlap it: the result is what a
// copy of the operands would have given. Throws std::bad_alloc (nothing written) and what a user's callable throws.
BROADLOOM_API void assign(const target_array& out, const leaf_array* leaves, int count, const program& code,
                          const options& how);

// The same with leaves bound to the axes of the result.
BROADLOOM_API void execute(const problem& p);

// One of several assignments.
struct intention {
  target_array out;
  const leaf_array* leaves;
  int leaf_count;
  // Null of all: an element of each of 2 or 4 leaves by turns, of `out.extents[0]` elements each, to the same `out`.
  const program* code;
};

// Several assignments at once: every program sees its operands as they were before. Throws as assign does.
BROADLOOM_API void assign_all(const intention* all, int count, const options& how);

}  // namespace broadloom::runtime
