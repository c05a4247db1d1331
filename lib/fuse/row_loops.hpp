// A program over a few rows at a time, planned once: a call costs little more than its loops, so that the rows may be
// as few as stay in the first-level cache.
#pragma once

#include <cstddef>

#include <broadloom/core/maths.hpp>

#include "../base/limits.hpp"
#include "../base/prefetch.hpp"
#include "../plan/row_strides.hpp"

namespace broadloom::runtime {

using limits::fusing::short_row;

class row_loops {
 public:
  // Rows along `axis`, at most `most` of its indices at a time.
  row_loops(const problem& p, int axis, index most, bool streamed);

  // False for what is planned better by others: rows that are to be packed, parts that all rows share.
  bool works() const { return works_; }
  std::size_t scratch_bytes() const { return scratch_bytes_; }
  index prefetched_elements() const {
    return side_ * n_;
  }  // how many elements' worth of memory is prefetched with each index

  // The first row of each operand and of the output lies there.
  void operator()(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                  row_prefetcher* prefetcher) const;

 private:
  // Where a stage finds an input: an operand or a number itself, what an element or a stage gives for a row in a vector
  // of its own for each row, or what a stage gives for each element.
  enum class from : unsigned char { scalar, dense, splat, strip };
  struct input {
    from how;
    int operand;
    index across;    // bytes, from row to row of an operand
    index step;      // bytes, from row to row of what the loop reads
    index size;      // of an element
    std::size_t at;  // of the splats of all rows, or of the strip, in the scratch
  };
  struct step {
    const stage* code;
    bool once;                   // a row, not an element
    int first_input;             // in the list of all
    std::size_t result, splats;  // in the scratch
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool arrange(const problem& p, const row_strides& where);
  void run_once(const step& s, const std::byte* const* operands, index rows, std::byte* scratch) const;
  void run_row(const std::byte* const* operands, std::byte* to, index r, index n, std::byte* scratch, slot* slots,
               row_prefetcher* prefetcher) const;
  void run_step(const step& s, slot* slots, std::byte* to, index n, bool dense, std::byte* scratch) const;

  program code_;
  accuracy maths_;
  bool works_, streamed_;
  bool flat_ = true;  // all rows are one
  index side_, n_, chunk_, max_rows_;
  index out_across_ = 0;
  int max_inputs_ = 1, level_;
  small_array<input, 16> inputs_;
  small_array<step, 4> steps_;
  std::size_t scratch_bytes_ = 0, splat_at_ = 0, splat_bytes_ = 0, spare_at_ = 0;
};

}  // namespace broadloom::runtime
