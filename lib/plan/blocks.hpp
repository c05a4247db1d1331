// A nest cut into blocks: which two axes a block spans, its size, and how each array is read in it.
#pragma once

#include "nest.hpp"

namespace broadloom::runtime {

enum class reading : unsigned char {
  scalar,    // one value for the whole evaluation
  dense,     // neighbours in memory
  splat,     // one value along the inner axis
  packed,    // copied into contiguous scratch, a block at a time
  positions  // of the elements of another array
};

enum class block_kind : unsigned char { flat, rows, tiles, merged };

struct blocks {
  block_kind kind;
  int row_axis;         // -1: a block has one row
  int inner_axis;       // -1: a single element
  index rows, columns;  // a block's, at most
  index row_blocks, column_blocks, count;
  bool down;    // blocks that are neighbours down the rows come one after the other, else those along the columns
  index chunk;  // elements that go through the stages at a time
  bool output_packed;  // computed in scratch, then scattered
  bool streamed;       // output written with streaming stores,
  bool in_kernel;      // by the kernel itself, or from a chunk in scratch
};

const char* to_string(reading r);
const char* to_string(block_kind k);

// Whether the elements of array k lie at positions that differ along the axis.
bool reads_at_positions_along(const nest& n, int k, int axis);

// How array k is read within a block.
reading read_array(const nest& n, const blocks& b, int k);

// Whether a transcendental function reads an array that does not advance along a row: it is written out for it.
bool needs_splats(const nest& n, const blocks& b, const program& code);

// Beyond this many bytes an output is written with streaming stores: it would be evicted from the caches before it
// could be read again.
index streamed_bytes();

// The pass that cuts. `often`: for blocks that are run many times, so that what is packed of an operand once serves
// them all.
blocks cut(const nest& n, const program& code, const options& how, bool often = false);

}  // namespace broadloom::runtime
