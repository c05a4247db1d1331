// A nest cut into blocks: which two axes a block spans, its size, and how each array is read in it.
#pragma once

#include "../base/tuned.hpp"
#include "nest.hpp"

namespace broadloom::runtime {

enum class reading : unsigned char {
  scalar,   // one value for the whole evaluation
  dense,    // contiguous
  splat,    // one value along the inner axis
  packed,   // copied into contiguous scratch, a block at a time
  computed  // a ramp, a chunk at a time
};

enum class block_kind : unsigned char { flat, rows, tiles, merged };

struct blocks {
  block_kind kind;
  int row_axis;         // -1: a block has one row
  int inner_axis;       // -1: a single element
  index rows, columns;  // of a block, at most
  index row_blocks, column_blocks, count;
  bool down;           // the next block is the one below; else the next along the row
  index chunk;         // elements that pass through the stages together
  bool output_packed;  // computed in scratch, then scattered
  bool streamed;       // the output is written with streaming stores,
  bool in_kernel;      // by the kernel itself; else from a strip in scratch
  bool splats;         // a function reads an array with stride 0 along the rows, which is splat to a strip first
  bool prefetched;     // the next chunk is, while the stages of this one run
};

const char* to_string(reading r);
const char* to_string(block_kind k);

// How array k is read within a block.
reading read_array(const nest& n, const blocks& b, int k);

// Stages, from which on a chunk is prefetched: fewer leave no time. And cache lines before each of them: the
// first-level cache waits for no more at once.
inline constexpr int min_prefetched_stages = 4, max_prefetched_lines = 24;
// Whether array k, of blocks that are prefetched, is: as kernels read it, before the last stage, faster than memory
// gives it. A function takes so long that the hardware prefetcher keeps up.
bool is_prefetched(const nest& n, const blocks& b, const program& code, int k);

// Whether kernels count array k, a ramp, in their registers where counts_exactly() holds: it has consecutive numbers
// along the rows, and no stage needs it in memory.
bool counts_in_registers(const nest& n, const program& code, int k);
// Whether the kernel of a stage does so for ramps of this type.
inline bool takes_ramps(const stage& s, dtype type) {
  return s.kind == stage_kind::compute && s.function != 0 &&
         (type == dtype::f32 || type == dtype::f64 || (is_integer(type) && size_of(type) > 1));
}
// Whether n elements from this one on are each the first one of a vector plus a small number, without rounding.
bool counts_exactly(dtype type, index first, index n);

// Outputs of more bytes than this are written with streaming stores: they would be evicted from the caches before they
// are read again.
inline index streamed_bytes() { return tuned_size(tuned::streamed_bytes); }

// The pass that cuts. `often`: for blocks that are run many times, so that packing an operand once pays off.
blocks cut(const nest& n, const program& code, const options& how, bool often = false);

}  // namespace broadloom::runtime
