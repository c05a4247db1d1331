// The limits by which planning and evaluation decide, each with its unit and what it trades. None changes a result;
// what a change gains or costs shows `./dev bench`. Sizes of a kernel's own tiles and registers stand beside the
// kernel.
#pragma once

#include <broadloom/core/index.hpp>
#include <cstddef>

namespace broadloom::runtime::limits {

// Elements that go through the stages of a program at a time, and that a kernel reduces before results are combined
// (the order of additions follows from it, so the bits of sums do): 2 KiB of f32 for each stage stay in the first-level
// cache.
inline constexpr index strip = 512;
// Bytes of a cache line, and of the widest vector of any level.
inline constexpr index line_bytes = 64;

// plan/blocks.cpp: how an output is cut into blocks.
namespace blocks {
inline constexpr index block_elements =
    16384;  // elements: enough work that handing out a block costs nothing beside it
inline constexpr index strip_elements = strip;
inline constexpr int few_stages = 2;      // stages: strips of so few may be twice as long
inline constexpr index short_row = 128;   // elements: rows below this are merged, as each costs a call of the kernel
inline constexpr index tile_bytes = 256;  // bytes of a tile that are neighbours in memory: four cache lines
inline constexpr index fewest_columns = 32, max_columns = 128;  // such pieces of a tile: pages that stay in the TLB
inline constexpr index tile_row = 512;                          // bytes of the output's rows in a tile
inline constexpr index narrow_row = 256;                        // the same where nothing but tiles is read
inline constexpr index ragged_row = 1024;  // the same where rows begin or end within vectors, which takes time for each
inline constexpr index packed_elements =
    2048;  // elements: blocks that are packed row by row stay in the first-level cache
inline constexpr index merged_elements = 4096;  // elements of a block of merged rows
inline constexpr index max_lanes = 64;          // elements of a vector of bytes
}  // namespace blocks

// plan/hoist.cpp
namespace hoisting {
inline constexpr index few_elements =
    4096;  // elements: up to here a formula is computed again as fast as it is planned for
}

// run/run.cpp: prefetching.
namespace prefetching {
inline constexpr index ahead_bytes = 2048;        // bytes ahead of what is read, at least: some hundred cycles of work
inline constexpr index prefetch_interval = 1024;  // elements between two requests, at most
inline constexpr index prefetched_piece = 256;    // elements of a row that is computed meanwhile
inline constexpr index rows_ahead = 16;           // rows at positions: so many before they are read,
inline constexpr index max_prefetched_bytes = 512;  // so many bytes of each
}  // namespace prefetching

// reduce/: how sequences are shared out.
namespace reducing {
inline constexpr index segment_strips =
    32;  // strips of a long sequence that are one task: part of the order of additions
inline constexpr index scratch_elements = 4096;  // elements of an expression's block before it is reduced
inline constexpr index direct_elements = 65536;  // elements that a task reads where they lie
inline constexpr index prefetched_bytes = 4096;  // bytes ahead of what a box reads
inline constexpr index tile_bytes = 4096;        // bytes of columns reduced side by side: one page
inline constexpr index strips_together = 16;     // strips whose lanes are combined at once, while the next are read
}  // namespace reducing

// reduce/scan.cpp: running sums.
namespace scanning {
inline constexpr index block_bytes = 1 << 17;   // bytes of a task's rows: half a second-level cache of 256 KiB
inline constexpr index columns_at_once = 1024;  // columns that run side by side
inline constexpr int rows_at_once = 8;          // rows side by side without a loop for wide registers
inline constexpr int max_rows_at_once = 16;
}  // namespace scanning

// fuse/: barriers that are computed some rows at a time.
namespace fusing {
inline constexpr index block_bytes = index{1}
                                     << 18;  // bytes that a block of rows touches: stays in the second-level cache
inline constexpr index rows_bytes = 36 * index{1024};  // bytes that a thread's rows read at hand: stay in the first
inline constexpr index few_rows = 8;                   // rows: results of so many, or a multiple, are whole vectors
inline constexpr double serial_bytes = 1 << 17;        // bytes below which one thread is faster than sharing out
inline constexpr index short_row = 512;                // elements: below this whole blocks of rows are as fast
inline constexpr index strip_elements = strip;
inline constexpr index least_row = 16;            // elements: shorter rows are gathered faster than walked
inline constexpr index prefetch_interval = 1024;  // elements that are reduced at least between requests for memory
inline constexpr index worth_a_line = 65536;      // elements: planning a row_line is next to nothing beside them
inline constexpr index lines_followed =
    4;  // rows read one behind the other: the hardware prefetcher brings most of them
}  // namespace fusing

// assign/assign_all.cpp: several outputs.
namespace several_outputs {
inline constexpr index block_bytes = index{1} << 18;  // bytes of all outputs and operands in a block
inline constexpr double serial_bytes = 1 << 19;       // bytes below which one thread is faster than sharing out
}  // namespace several_outputs

// assign/: what is evaluated without a plan, as planning would take longer.
namespace unplanned {
inline constexpr index max_unplanned = 8192;     // elements of one loop over operands that broadcast
inline constexpr index max_materialized = 1024;  // elements with strided operands
}  // namespace unplanned
namespace small_strided {
inline constexpr index max_scratch = 8192;           // bytes of operands that are written out, on the stack
inline constexpr int max_axes = 4, max_stages = 16;  // of the tables for them
}  // namespace small_strided
namespace small_barriers {
inline constexpr index max_elements = 512;                // elements that a source is computed from
inline constexpr index max_bytes = 8192;                  // bytes of all results, on the stack
inline constexpr int max_barriers = 16, max_leaves = 64;  // of the tables for them
}  // namespace small_barriers
namespace small_broadcast {
inline constexpr index max_splat_bytes = 8192;  // bytes of elements that are repeated on the stack
inline constexpr index max_rows = 16;           // rows: of more, calls of the kernel take most of the time
}  // namespace small_broadcast
namespace short_rows {
inline constexpr index max_materialized_bytes = 4096;  // bytes of all leaves together
}

}  // namespace broadloom::runtime::limits
