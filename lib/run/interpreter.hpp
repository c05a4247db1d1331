// The interpreter of programs: it walks blocks of rows, makes a dense row of each operand where it is not one, and
// sends chunks of elements through the stages. Whole evaluations, boxes of reductions and rows of fused barriers run by
// it.
#pragma once

#include <broadloom/core/isa.hpp>
#include <broadloom/core/maths.hpp>

#include "../base/prefetch.hpp"
#include "../base/small_array.hpp"
#include "../plan/blocks.hpp"
#include "chunk_prefetcher.hpp"

namespace broadloom::runtime {

class interpreter {
 public:
  interpreter(const nest& n, const blocks& b, const program& code, const options& how);

  std::size_t frame_bytes() const { return frame_bytes_; }

  // Makes a frame ready for run(): every array where the nest has it, and nothing packed yet.
  void start(std::byte* frame) const;
  // Array k begins elsewhere.
  void move(std::byte* frame, int k, const std::byte* to) const;
  // Blocks [first, last). Where they are streamed, a fence is to follow.
  void run(std::byte* frame, index first, index last) const;
  // Rows that lie there, in a frame that need not be ready: of a nest of one axis or two, of which the first one has
  // `leading` indices now, without packed operands or ramps.
  void run_rows(std::byte* frame, const std::byte* const* operands, std::byte* out, index leading,
                row_prefetcher* prefetcher) const;

 private:
  static constexpr std::size_t lanes_bytes = 64;  // the widest vector of any level

  struct reader {
    reading how;
    const std::byte* base;    // the array's first element
    const std::byte* at;      // this block's first element
    std::byte* scratch;       // packed block, or splat
    const std::byte* source;  // what the scratch was made from
    index source_rows;
    const std::byte* row;  // of a ramp that is computed: this row's first element
  };
  // What is known of an array before it has an address.
  struct array {
    reading how;
    bool counts;  // a ramp, which kernels count in registers where they may
    std::size_t scratch;
  };
  struct place {
    index row, column;  // of the block's first element
    index outer;        // its number along the other axes
  };
  // What the next tile reads is prefetched, some of its chunks with each row of this one: no hardware prefetcher
  // follows such strides.
  struct prefetch_stream {
    const std::byte* piece;  // the next one to prefetch
    index step, left;        // bytes to the chunk behind it, and how many are left
    index bytes;             // of each piece
    index each_row;          // how many are prefetched with a row
  };
  // An input of a plain row: where it is in this row, and how far on in the next one.
  struct moving {
    const std::byte* now;
    index step;
    const std::byte* splat_from;  // null: it is read where it is
    std::byte* vectors;           // else two, in turns
  };
  // An array as stages read it: this row's first element, or this chunk of a ramp, and bytes to the next one.
  struct operand {
    const std::byte* data;
    index advance, step;
  };
  // What is laid out in a frame.
  struct memory {
    std::byte* base;
    reader* readers;
    slot* slots;
    operand* operands;
    slot* bound;   // the inputs of all stages that give elements, of the chunk that is computed,
    index* steps;  // and bytes from one element to the next where they are read from an array
  };

  // interpreter.cpp
  void find_kinds();
  index across(int k) const { return blocks_.row_axis < 0 ? 0 : nest_.stride(k, blocks_.row_axis); }
  memory memory_in(std::byte* frame) const;
  int share_strips();
  // Of stage s: its elements, or its column; and for a column two vectors of one element each.
  std::byte* strip(const memory& m, int s) const {
    return m.base + strips_at_ + static_cast<std::size_t>(strips_[s]) * strip_bytes_;
  }
  std::byte* vectors(const memory& m, int s) const {
    return m.base + vectors_at_ + static_cast<std::size_t>(s) * 2 * lanes_bytes;
  }
  place place_of(index number) const;
  const std::byte* first_element(const place& b, const reader* readers, int k) const;
  int find_next(const place& p, const reader* readers, index rows, prefetch_stream* next) const;
  static void prefetch_next(prefetch_stream* next, int count);
  index together(index number, index last) const;
  void run_blocks(index number, index count, index last, const memory& m) const;
  bool prefetches_rows(int k) const;
  void pack(const memory& m, index rows, index columns) const;
  bool is_gathered() const;
  void run_columns(const memory& m, index rows) const;

  // interpreter_rows.cpp
  void run_plain_rows(const memory& m, index rows, index columns, std::byte* to, row_prefetcher* prefetcher,
                      prefetch_stream* next, int streams) const;
  void run_row(const memory& m, index r, index columns, std::byte* to, index n, row_prefetcher* prefetcher) const;
  void bind_inputs(const memory& m, index i) const;
  void run_stages(const memory& m, index n, std::byte* to, chunk_prefetcher& ahead) const;
  void compute(const memory& m, const stage& st, const slot* slots, std::byte* to, index n, kernel_mode mode,
               bool stream) const;
  void compute_ramp(int k, const std::byte* first, index along, index n, std::byte* to) const;
  void compute_ramps(const memory& m, index i, index n) const;
  kernel_mode mode_of(const memory& m, const stage& st, const slot* slots) const;
  int size_of_input(int id) const;

  const nest& nest_;
  const blocks& blocks_;
  const program& code_;
  isa level_;
  accuracy maths_;
  int max_inputs_ = 1, all_inputs_ = 0;  // of a stage, and of all that give elements
  bool all_dense_ = true, has_ramps_ = false, packs_ = false, is_plain_ = false, merged_run_on_ = false,
       gathers_ = false;  // a copy, whose operand is gathered where the output lies
  small_array<array, 8> arrays_;
  // Stages with one element for each row, as all that they read, are computed for the rows of a block first: a column.
  enum class result : unsigned char { elements, column, splat_column };  // the last for stages of elements
  small_array<result, 16> gives_;
  small_array<int, 16> strips_;  // the number of each stage's strip
  bool any_columns_ = false;
  std::size_t frame_bytes_ = 0, readers_at_ = 0, slots_at_ = 0, operands_at_ = 0, bound_at_ = 0, steps_at_ = 0,
              next_at_ = 0, moving_at_ = 0, scratch_at_ = 0, strips_at_ = 0, strip_bytes_ = 0, vectors_at_ = 0,
              splat_at_ = 0, tail_at_ = 0, streamed_at_ = 0;
};

}  // namespace broadloom::runtime
