// A tree's leaves as compiled code is given them, and barriers: leaves that are computed before the tree, such as
// reductions, with the kernels that reduce.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>
#include <broadloom/plan/stage.hpp>

namespace broadloom::runtime {

struct options;
struct source;
struct selection;

// A gather: element i is `index * step` elements from its strides' address, for the index at i in another operand. No
// stage reads that operand. Negative indices count from the end.
struct positioned {
  int positions;  // the operand with the indices: i64, i32, or u16
  index step;
  index extent;
};

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
  void (*run[isa_levels])(const pair_slot* in, index n, void* to);  // null: none at this level
  unsigned char lanes[isa_levels];
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
  void (*run[isa_levels])(const gather_slot* in, index n, index columns, const void* identity, void* room, void* to);
  unsigned char lanes[isa_levels];
};

// Reduces rows of n contiguous elements, whose results fill 64 bytes a whole number of times, `pitch` bytes apart in
// each input (of any advance): writes the lanes of each strip of row r to the next 64 bytes of to + r * to_pitch. They
// begin with the 64 bytes at first + r * first_pitch, in each strip. `room` has row_room bytes for each input, enough
// for a vector.
// A row's vectors need not be contiguous: an input that advances by step_of_vectors(b) has them b bytes apart, an even
// number. That is for kernels whose vectors have 64 bytes of results, and for those that widen.
//
// Sums of integers that are computed in fewer bytes than i64 are the same in any order: kernels that widen read vectors
// of `lanes` elements, of which n is a multiple, and know no strips. They write a row's lanes, 8 bytes each, to
// to + r * to_pitch, and begin with as many at first + r * first_pitch, which may be the same; where `first` is null,
// 64 bytes that come to the sum of the lanes.
constexpr index step_of_vectors(index bytes) { return bytes | 1; }
constexpr index bytes_of_step(index advance) { return advance & ~index{1}; }
inline constexpr int row_room = 64;
struct reduced_rows {
  const index* pitch;
  index rows, n;
  const void* first;
  index first_pitch;
  void* room;
  void* to;
  index to_pitch;
};
struct row_reduce_kernel {
  void (*run[isa_levels])(const slot* in, const reduced_rows& c);
  unsigned char lanes[isa_levels];
  bool widens;
};

// A barrier: what is computed before the tree that reads it, by a program over leaves of its own, reduced over some of
// its axes, or by a function. The result is row-major.
struct source {
  // One member after the other: GCC clears a larger object as a whole by `rep stos`, which takes 10 ns to begin.
  constexpr source() noexcept {}

  const char* name = nullptr;
  const void* node = nullptr;
  // Whether another source with the same function here computes the same elements.
  bool (*same)(const void* a, const void* b) = nullptr;
  dtype type{};
  const index* extents = nullptr;  // of the result
  int rank = 0;

  // a program: over `in_rank` axes, those in `reduced` (a bit each) reduced
  const leaf_array* leaves = nullptr;
  int leaf_count = 0;
  const positioned* const* at = nullptr;  // for each leaf; null: none is gathered
  const program* code = nullptr;
  const index* in_extents = nullptr;
  int in_rank = 0;
  unsigned reduced = 0;
  reduction how = reduction::none;
  const pair_reduce_kernel* tile = nullptr;     // null: none
  const gather_reduce_kernel* lines = nullptr;  // null: none
  const row_reduce_kernel* rows = nullptr;      // null: none

  // or functions: for the whole, and, if not null, for indices [first, last) of the leading axis; and whether memory in
  // [low, high) is read, null: perhaps
  void (*evaluate)(const void* node, void* to, const options& o) = nullptr;
  void (*evaluate_rows)(const void* node, index first, index last, void* to, const options& o) = nullptr;
  bool (*reads)(const void* node, const void* low, const void* high) = nullptr;
  index row_hint = 0;                   // the best number of rows at a time; 0: any
  const selection* elements = nullptr;  // a gather that its reader may do itself; null: none
  pair_term term = pair_term::other;    // what a program gives that is summed
  bool is_ramp = false;                 // the one below
  // Computes results again that left the range: `count` of them from number `first` on. Null: there are none.
  void (*repair)(const void* node, index first, index count, void* to) = nullptr;
  void repair_results(index first, index count, void* to) const {
    if (repair != nullptr) repair(node, first, count, to);
  }
};
// What leaves are computed from that are 0, 1, 2, ... (expr/ramp.hpp): element `offset + i * stride` of a leaf is that
// number. Nothing is computed before the loop that reads them.
BROADLOOM_API extern const source any_ramp;

}  // namespace broadloom::runtime
