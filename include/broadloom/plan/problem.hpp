// What compiled code is given for one evaluation: operands bound to memory, and the program's stages as data.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>
#include <broadloom/core/maths.hpp>

namespace broadloom::runtime {

inline constexpr unsigned char element_sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16, 2, 2};
constexpr int size_of(dtype t) { return element_sizes[static_cast<int>(t)]; }

// One input of a kernel: its address, and -1 if it advances with the elements, 0 if it is constant.
struct slot {
  const void* data;
  index advance;
};

// How a kernel runs. dense: every input that is not a scalar advances. any: some do not. streamed: as any, and the
// output is written with streaming stores, for which it is aligned to vectors.
enum class kernel_mode : unsigned char { any, dense, streamed };

// Computes n elements, a multiple of its lanes.
using kernel_fn = void (*)(const slot* in, void* out, index n, kernel_mode mode);

// The same loop for each instruction-set level, and the number of elements in its vectors.
struct kernel {
  kernel_fn run[3];
  unsigned char lanes[3];
};

// A gather: element i is `index * step` elements from its strides' address, for the index at i in another operand. No
// stage reads that operand. Negative indices count from the end.
struct positioned {
  int positions;  // the operand with the indices: i64, i32, or u16
  index step;
  index extent;
};

// A leaf of the tree, bound. Strides are in elements over the axes of the result; a broadcast axis has 0.
struct operand {
  const void* data;
  const index* strides;
  dtype type;
  bool is_scalar;
  const positioned* at;  // null: not gathered
};

enum class stage_kind : unsigned char { compute, strip1, strip2 };

// Inputs of a stage: operands are numbered from 0, results of earlier stages from `first_stage`.
inline constexpr int first_stage = 128;

// What a kernel computes from two arrays of one type, for loops of the library that fuse it with what follows. Widened:
// an array of bool or of integers of up to 32 bits converted to i64, and so the product of two arrays in their type.
enum class arithmetic : unsigned char { other, minus, times, over, widened, widened_times };

// One step of the program: a kernel over its inputs, or a transcendental function of one or two of them.
struct stage {
  stage_kind kind;
  dtype type;
  unsigned char function;  // maths1 or maths2
  unsigned char input_count;
  const unsigned char* inputs;
  const dtype* input_types;
  const kernel* code;
  bool copies;  // returns its only input
  arithmetic known;
};

// The last stage writes the output; the others write strips that later stages read.
struct program {
  const stage* stages;
  int stage_count;
  const char* const* names;  // what each stage computes, for printing
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

struct source;
struct selection;

// A leaf as the tree has it, with its own extents and strides (null: row-major), not yet those of the result. A
// deferred leaf is in its source's result, `offset` elements from the beginning; its `data` is not used.
struct leaf_array {
  const void* data;
  const index* extents;
  const index* strides;
  int rank;
  dtype type;
  bool is_scalar;
  const source* from;  // null: the elements are in memory
  index offset;
};

// How a program's elements are reduced along axes. none: not at all. Running ones keep the partial result at each
// element. Compensated ones also keep the rounding errors of the additions.
enum class reduction : unsigned char {
  none,
#define BROADLOOM_REDUCTION(NAME, TYPES, OF_NONE, IDENTITY, FORMULA) NAME,
#include <broadloom/plan/reductions.def>
  arg_maximum,
  arg_minimum,
  running_sum,
  running_product,
  compensated_sum
};

// An input of a tile. Along the rows: contiguous elements along the reduced axis, with the next row's `row` bytes
// further. Along the columns: tile_vectors vectors for each element of the reduced axis. Or a scalar.
struct pair_slot {
  const void* data;
  index row;
};
inline constexpr int tile_height = 4, tile_vectors = 2;
// Reduces n elements, at least 64 bytes and at most a strip, for tile_height x (tile_vectors * lanes) results. `to` has
// room for the results, row by row, and behind them for scratch of five times that size.
struct pair_reduce_kernel {
  void (*run[3])(const pair_slot* in, index n, void* to);  // null: none at this level
  unsigned char lanes[3];
  unsigned rows;  // a bit for each input along the rows
};

// What a sum over pairs adds up, as far as its type tells: of leaves a and b, or of a, b, a and b.
enum class pair_term : unsigned char {
  other,
  product,                      // a * b
  squared_difference,           // square(a - b)
  absolute_difference,          // abs(a - b)
  difference_times_difference,  // (a - b) * (a - b), if both are the same arrays
  power_of_difference           // pow(a - b, c), if the scalar c is 2
};

// An input of a loop over gathered rows: the address of each row, and of each row of the next sequence, which is
// prefetched. `along` is -1 if the input has an element for each column, 0 if one for all. A scalar has one address,
// the first.
struct gather_slot {
  const void* const* at;
  const void* const* next;
  index along;
};
// Reduces sequences of n rows, at most a strip, for `columns` columns, at least `lanes`. `identity` has a vector of the
// identity element, `room` is for four vectors for each lane of 64 bytes.
struct gather_reduce_kernel {
  void (*run[3])(const gather_slot* in, index n, index columns, const void* identity, void* room, void* to);
  unsigned char lanes[3];
};

// Reduces rows of n contiguous elements, `pitch` bytes apart in each input (of any advance): writes the lanes of each
// strip of each row to the next 64 bytes of `to`. `identity` has 64 bytes of the identity element; `room` has row_room
// bytes for each input, enough for the input of 64 bytes of results.
inline constexpr int row_room = 256;
struct row_reduce_kernel {
  void (*run[3])(const slot* in, const index* pitch, index rows, index n, const void* identity, void* room, void* to);
};

// A barrier: what is computed before the tree that reads it, by a program over leaves of its own, reduced over some of
// its axes, or by a function. The result is row-major.
struct source {
  const char* name;
  const void* node;
  // Whether another source with the same function here computes the same elements.
  bool (*same)(const void* a, const void* b);
  dtype type;
  const index* extents;  // of the result
  int rank;

  // a program: over `in_rank` axes, those in `reduced` (a bit each) reduced
  const leaf_array* leaves;
  int leaf_count;
  const positioned* const* at;  // for each leaf; null: none is gathered
  const program* code;
  const index* in_extents;
  int in_rank;
  unsigned reduced;
  reduction how;
  const pair_reduce_kernel* tile;     // null: none
  const gather_reduce_kernel* lines;  // null: none
  const row_reduce_kernel* rows;      // null: none

  // or functions: for the whole, and, if not null, for indices [first, last) of the leading axis; and whether memory in
  // [low, high) is read, null: perhaps
  void (*evaluate)(const void* node, void* to, const options& o);
  void (*evaluate_rows)(const void* node, index first, index last, void* to, const options& o);
  bool (*reads)(const void* node, const void* low, const void* high);
  index row_hint;             // the best number of rows at a time; 0: any
  const selection* elements;  // a gather that its reader may do itself; null: none
  pair_term term;             // what a program gives that is summed
};

// What an assignment writes to.
struct target_array {
  void* data;
  const index* extents;
  const index* strides;  // null: row-major
  int rank;
  dtype type;
};

// Evaluates the program over every element. The output may coincide with an operand or overlap it: the result is what a
// copy of the operands would have given. Throws std::bad_alloc (nothing written) and what a user's callable throws.
BROADLOOM_API void assign(const target_array& out, const leaf_array* leaves, int count, const program& code,
                          const options& how);

// One of several assignments.
struct intention {
  target_array out;
  const leaf_array* leaves;
  int leaf_count;
  const program* code;
};

// Several assignments at once: every program sees its operands as they were before. Throws as assign does.
BROADLOOM_API void assign_all(const intention* all, int count, const options& how);

// The error for a result that does not fit: an in-place function's output may not grow; a result that is copied into an
// output is broadcast to it.
enum class writing : unsigned char { in_place, copy };

inline constexpr int max_flat_inputs = 12;

// What is known when compiling of a tree whose leaves are scalars or row-major with no more axes than the output.
struct unplanned_form {
  const program* code;
  const kernel* only;  // the program's only kernel, over the leaves in order; null: there are more stages
  dtype type;          // of the output
  writing to;
  unsigned char count;        // of leaves
  unsigned char widest;       // bytes of an element, of the output or a leaf
  unsigned char rank;         // of the output
  unsigned char result_rank;  // of the result, before it is broadcast to the output
  unsigned char leaf_size;    // bytes of an element of each leaf if these fill a vector of the widest level; else 0
  bool one_loop;              // only != nullptr, which is no constant expression under some sanitizers
};
constexpr unplanned_form form_of(const program& code, dtype type, int rank, int result_rank, int count, writing to) {
  unplanned_form f{&code,
                   nullptr,
                   type,
                   to,
                   static_cast<unsigned char>(count),
                   static_cast<unsigned char>(size_of(type)),
                   static_cast<unsigned char>(rank),
                   static_cast<unsigned char>(result_rank),
                   0,
                   false};
  const stage& first = code.stages[0];
  if (code.stage_count > 1 || first.kind != stage_kind::compute || count > max_flat_inputs) return f;
  f.only = first.code;
  f.one_loop = true;
  bool same_size = first.type != dtype::c64 && first.type != dtype::c128;  // the library's kernels: no constants
  for (int k = 0; k < count; ++k) {
    const dtype t = first.input_types[k];
    const auto size = static_cast<unsigned char>(size_of(t));
    if (size > f.widest) f.widest = size;
    same_size = same_size && (k == 0 || size == f.leaf_size) && t != dtype::c64 && t != dtype::c128;
    f.leaf_size = size;
  }
  if (!same_size || f.only->lanes[2] * f.leaf_size != 64) f.leaf_size = 0;
  return f;
}

// As assign, but checks that the extents fit the output's and throws shape_error if not. Extents are the output's, then
// those of each leaf, with leading ones; a scalar has the output's.
using assign_fn = void(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
BROADLOOM_API assign_fn assign_unplanned;
// The same for one kernel and an output of one or two axes: for one, two, three, or more leaves.
BROADLOOM_API assign_fn assign_rank1_1, assign_rank1_2, assign_rank1_3, assign_rank1;
BROADLOOM_API assign_fn assign_rank2_1, assign_rank2_2, assign_rank2_3, assign_rank2;
inline constexpr assign_fn* assign_rank1_table[] = {assign_rank1, assign_rank1_1, assign_rank1_2, assign_rank1_3};
inline constexpr assign_fn* assign_rank2_table[] = {assign_rank2, assign_rank2_1, assign_rank2_2, assign_rank2_3};
constexpr assign_fn* assign_for(const unplanned_form& f) {
  if (!f.one_loop || f.rank < 1 || f.rank > 2) return assign_unplanned;
  return (f.rank == 1 ? assign_rank1_table : assign_rank2_table)[f.count > 3 ? 0 : f.count];
}

// A dynamic tensor in memory; its extents follow. For the error, a leaf that is one has its address as data.
struct tensor_elements {
  void* data;
  index size;
};
constexpr index advance_of_tensor(int rank) { return -1 - rank; }
// Leaves as for assign_unplanned, but for those that are tensors, of which at least one no longer has the extents that
// are listed.
[[noreturn]] BROADLOOM_API void throw_tensor_changed(const slot* leaves, int count, const index* extents, int rank);

// A tensor becomes the value of a tree of this form, with options as they are if nobody sets them. Leaves and extents
// are as for assign_unplanned.
using replace_fn = void(void* tensor, const slot* leaves, const index* extents, const unplanned_form& form);
BROADLOOM_API replace_fn replace_tensor;
// The same for one kernel and a tensor of one or two axes: for one, two, three, or more leaves.
BROADLOOM_API replace_fn replace_rank1_1, replace_rank1_2, replace_rank1_3, replace_rank1;
BROADLOOM_API replace_fn replace_rank2_1, replace_rank2_2, replace_rank2_3, replace_rank2;
inline constexpr replace_fn* replace_rank1_table[] = {replace_rank1, replace_rank1_1, replace_rank1_2, replace_rank1_3};
inline constexpr replace_fn* replace_rank2_table[] = {replace_rank2, replace_rank2_1, replace_rank2_2, replace_rank2_3};
constexpr replace_fn* replace_for(const unplanned_form& f) {
  if (!f.one_loop || f.rank < 1 || f.rank > 2) return replace_tensor;
  return (f.rank == 1 ? replace_rank1_table : replace_rank2_table)[f.count > 3 ? 0 : f.count];
}

// Elements on the heap: an address that allocate() gave, or null, and the number of elements.
struct owned_elements {
  void* data;
  index size;
};
// As the function of this form, into memory for the output's extents: `old` where it has as many elements, else a new
// block, and then `old` is given back. What it throws besides: std::bad_alloc; a new block is given back, and `old`
// stays.
BROADLOOM_API owned_elements replace_unplanned(owned_elements old, const slot* leaves, const index* extents,
                                               const unplanned_form& form, options how);

// The same with leaves bound to the axes of the result.
BROADLOOM_API void execute(const problem& p);

// The same for an output that overlaps no operand, in one pass.
BROADLOOM_API void execute_as_is(const problem& p);

}  // namespace broadloom::runtime
