// The plan of a reduction: plain data, made by plan_reduction() from extents, strides, the program, the kernels there
// are and the options. The drivers in lib/reduce run it and decide nothing; explain() prints it.
#pragma once

#include <vector>

#include <broadloom/core/isa.hpp>
#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"
#include "../base/smaller.hpp"
#include "contraction.hpp"
#include "row_strides.hpp"

namespace broadloom::runtime {

inline constexpr index strip_length = limits::strip;
// One task's share of a long sequence.
inline constexpr index segment_length = limits::reducing::segment_strips * strip_length;
// Elements of a sequence whose strips are combined at once.
inline constexpr index piece_length = limits::reducing::strips_of_piece * strip_length;

// One axis of the loops: its extent, and what a step along it is in every operand, in elements.
struct loop_axis {
  index extent;
  std::vector<index> steps;
};

// The axes of a reduction, without those of extent 1: those of its results, and those of the sequences whose elements
// give one result each. Neighbours that are contiguous in every operand are one.
struct reduction_nest {
  reduction_nest(const problem& p, unsigned reduced);

  std::vector<loop_axis> kept, sequence;  // innermost last; sequences have one at least
  index results = 1, length = 1;
};

// Kernels of a program of one stage, for several sequences at once or for one; null if there are none. And what is
// added up, where that is to be a contraction.
struct fused_kernels {
  const pair_reduce_kernel* tile;
  const gather_reduce_kernel* lines;
  const row_reduce_kernel* rows;
  pair_term term = pair_term::other;
};

// Whether a program's rows have a kernel of this level.
inline bool has_row_kernel(const row_reduce_kernel* rows, isa level) {
  return rows != nullptr && rows->run[static_cast<int>(level)] != nullptr;
}

// What there is at the level in force for an operation and a type.
struct reduction_kernels {
  reduction op;
  isa level;
  fused_kernels fused;
  bool widens;                       // integers are added up as they are widened
  bool has_parts;                    // partial results are of more than one element
  bool finishes;                     // partial results are not results yet
  bool indices_of_columns;           // of minima or maxima, of several columns at once
  index contraction_columns;         // of a contraction's widest tile
  bool products_of_columns = false;  // are added up as they are computed
  bool products_of_rows = false;
  bool widens_rows = false;  // of so few integers, or of squares of these, together
};

enum class reduction_loops : unsigned char {
  rows,           // sequences, one after the other
  short_rows,     // several sequences of few elements as one
  columns,        // results lie along memory: columns are reduced together
  selected_rows,  // rows of a table are reduced where their indices say that they are
  tiles,          // rows and columns of results whose operands lack one of the two
  turned_tiles,   // the same, rows along the last axis
  contraction,    // sums over pairs, by tiles in registers
  indices,        // of minima or maxima, of one sequence after the other
  indices_of_columns
};

// Where the elements come from that are reduced.
enum class reduction_input : unsigned char {
  memory,    // an array's, where they lie
  scratch,   // evaluated first, a piece at a time
  kernel,    // computed by the kernel that reduces them
  function,  // computed by a function's loop, which adds them up
  products,  // and absolute values of arrays, reduced as they are computed, interleaved
  widened    // an array's integers, widened as they are added up
};

// What a reduction that needs no nest is decided to be.
struct reduction_way {
  reduction_loops loops;
  reduction_input input;
  bool works = true;
};

struct reduction_plan {
  bool works = true;   // false: this is no plan
  bool nested = true;  // false: without a nest, in one call
  reduction_loops loops = reduction_loops::rows;
  reduction_input input = reduction_input::scratch;
  index results = 1, length = 1;  // sequences, and elements of each
  // Tasks cut one axis of the results, the last one of the first `cut` that are kept.
  int cut = 1;
  index side = 1;    // its extent
  index inside = 1;  // results for each of its indices
  index block = 1;   // indices of it in a task
  index band = 1;    // tiles: rows of results in a task, and of these, the ones that are packed together
  index packed = 1;
  bool dense = false;  // columns: the rows of all operands that have some lie one after the other
  index part = 1;      // elements of each sequence in a task: partial results are combined in pairs, if it is not whole
  index tasks = 1;
  int threads = 1;
  unsigned by_row = 0;  // short rows: a bit for each input of one number for each row

  index parts() const { return divide_up(length, part); }
};

inline reduction_plan plan_of(reduction_way way, index results, index length) {
  reduction_plan x;
  x.works = way.works;
  x.nested = false;
  x.loops = way.loops;
  x.input = way.input;
  x.results = x.side = x.block = results;
  x.length = x.part = length;
  return x;
}
inline reduction_plan no_plan() { return plan_of({reduction_loops::rows, reduction_input::scratch, false}, 0, 0); }

// `pairs`: the contraction that this sum is, or null.
reduction_plan plan_reduction(const problem& p, const reduction_nest& n, const reduction_kernels& k,
                              const contraction* pairs);

const char* to_string(reduction_loops x);
const char* to_string(reduction_input x);

// The same for a few rows of a result at a time, whose loops are planned once: each reduced axis is the last one of
// extent above 1. `has_function`: a function's loop computes the rows and adds them up. It works where rows lie along
// memory and are not long; but where rows are evaluated first, that may have no loops of its own.
reduction_plan plan_cached_rows(const problem& p, unsigned reduced, const row_strides& where,
                                const reduction_kernels& k, index most, bool has_function);

// Whether rows are read where their indices say they are, of any rows [i, j) of the result, too.
bool reads_selected_rows(const problem& p, const reduction_nest& n, const reduction_kernels& k);

// Short rows of a program that is not a copy, whose results are elements: some at a time are evaluated on the stack as
// one sequence. Inputs are contiguous or scalars (advance 0), or of one number for each row, where their bit is set in
// `by_row`, or one row for all, which may be a ramp: this takes both in `by_row`.
inline constexpr int max_short_inputs = 8, max_short_by_row = 2;
bool may_be_short_rows(const stage& only, index n, unsigned by_row, bool gives_elements, isa level);

}  // namespace broadloom::runtime
