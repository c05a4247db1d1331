// Runs a program over the blocks of a nest: on one thread, or handed out to many.
#pragma once

#include "../base/prefetch.hpp"
#include "../plan/blocks.hpp"

namespace broadloom::runtime {

// Whether the work is worth waking threads for, and how many.
int choose_threads(const nest& n, const blocks& b, const program& code, const options& how);

// Everything for every block. Throws std::bad_alloc and what a user's callable throws.
void run(const nest& n, const blocks& b, const program& code, const options& how);

// A problem whose output overlaps no operand, in one pass.
void execute_as_is(const problem& p);

// A program over boxes of equal extents and strides at different addresses, planned once, on this thread. The output
// overlaps no operand.
class box_runner {
 public:
  explicit box_runner(const problem& p);
  ~box_runner();
  box_runner(const box_runner&) = delete;
  box_runner& operator=(const box_runner&) = delete;

  // Operands and output of the problem it was made for lie here. What was packed of an operand that has not moved is
  // taken for what is there.
  void operator()(const operand* operands, void* out) const;

 private:
  struct state;
  state* state_;
};

// A program over a few rows at a time at different addresses, planned once for all threads: a call costs little more
// than its loops, so that the rows may be as few as stay in the first-level cache.
class row_runner {
 public:
  // Rows along `axis`, at most `most` of its indices at a time; all axes before it have extent 1.
  row_runner(const problem& p, int axis, index most, bool streamed);
  ~row_runner();
  row_runner(const row_runner&) = delete;
  row_runner& operator=(const row_runner&) = delete;

  // False for what is planned better by others: rows that are to be packed, parts that all rows share.
  bool works() const { return state_ != nullptr; }
  std::size_t scratch_bytes() const;
  // How many elements' worth of memory is prefetched with each index.
  index prefetched_elements() const { return elements_; }

  // The first row of each operand and of the output lies there. Where it is streamed, a fence is to follow.
  void operator()(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                  row_prefetcher* prefetcher) const;

 private:
  struct state;
  index most_, elements_;
  state* state_;
};

}  // namespace broadloom::runtime
