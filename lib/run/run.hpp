// Runs a program over the blocks of a nest: on one thread, or handed out to many.
#pragma once

#include <optional>

#include "../base/memory_block.hpp"
#include "../plan/steps.hpp"
#include "interpreter.hpp"

namespace broadloom::runtime {

// Whether the work is worth waking threads for, and how many.
int choose_threads(const nest& n, const blocks& b, const program& code, const options& how);

// A problem whose output overlaps no operand, in one pass. Throws std::bad_alloc and what a user's callable throws.
void execute_as_is(const problem& p);

// A program and its nest, planned once.
struct planned_program {
  planned_program(const problem& p, bool often, index rows = 1)
      : code(p.code), nest(p, often, rows), runs(nest.loops, nest.cutting, code, p.how) {}
  planned_program(const planned_program&) = delete;
  planned_program& operator=(const planned_program&) = delete;

  program code;
  planned_nest nest;
  interpreter runs;
};

// A program over boxes of equal extents and strides at different addresses, planned once for the calling thread, with
// memory of its own. The output overlaps no operand.
class box_runner {
 public:
  explicit box_runner(const problem& p);

  // Operands and output of the problem it was made for lie here. What was packed of an operand that has not moved is
  // taken for what is there.
  void operator()(const std::byte* const* operands, std::byte* out) const;

 private:
  planned_program boxes_;
  memory_block memory_;
  small_array<index, 8> shifts_;  // of an array's first element in the order the nest has it
};

// A program over a few rows at a time at different addresses, planned once for all threads: a call costs little more
// than its loops, so that the rows may be as few as stay in the first-level cache.
class row_runner {
 public:
  // Rows along `axis`, at most `most` of its indices at a time; all axes before it have extent 1.
  row_runner(const problem& p, int axis, index most, bool streamed);

  // False for what is planned better by others: rows that are to be packed, parts that all rows share.
  bool works() const { return rows_.has_value(); }
  std::size_t scratch_bytes() const { return rows_->runs.frame_bytes(); }
  // How many elements' worth of memory is prefetched with each index.
  index prefetched_elements() const { return elements_; }

  // The first row of each operand and of the output lies there. Where it is streamed, a fence is to follow.
  void operator()(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                  row_prefetcher* prefetcher) const;

 private:
  index most_, elements_;
  std::optional<planned_program> rows_;
};

}  // namespace broadloom::runtime
