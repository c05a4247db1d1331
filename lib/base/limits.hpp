// The limits by which planning and evaluation decide, each with its unit and what it trades. None changes a result.
// `./dev bench` shows what a change gains or costs. What follows from the machine is in base/tuning.cpp. Sizes of a
// kernel's own tiles and registers stand in the kernel's file.
#pragma once

#include <broadloom/core/index.hpp>
#include <cstddef>

namespace broadloom::runtime::limits {

// Elements that pass through the stages of a program together: 2 KiB of f32 for each stage stay in the first-level
// cache. Kernels also reduce this many elements before partial results are combined, so it fixes the order of additions
// and the bits of sums.
inline constexpr index strip = 512;
// Bytes of a cache line, and of the widest vector of any level.
inline constexpr index line_bytes = 64;

// plan/work.hpp: what an element takes on one thread, in nanoseconds, by which an evaluation decides whether to stay on
// one. Too high wakes threads for less than they cost; too low leaves processors idle.
namespace work {
inline constexpr double of_byte = 0.03;       // a byte of an operand that comes from memory: 33 GB/s
inline constexpr double of_arithmetic = 0.1;  // a pass of a kernel over a strip
inline constexpr double of_reduction = 0.03;  // combining an element with others, beside its bytes
// exp, log or sin of f32 and of f64, at levels base, v3, v4 and higher: the median of all functions but those below.
inline constexpr double of_function[][2] = {{1, 3}, {0.5, 1.5}, {0.3, 1}};
// A multiplication and an addition of whole vectors, line_bytes wide, outside of plans; an element at an index, or
// whose index is kept.
inline constexpr double of_vector = 0.8, of_index = 0.5;
// Functions that take a multiple of of_function.
inline constexpr double erfc_times = 4, pow_times = 5, gamma_times = 12;
}  // namespace work

// plan/blocks.cpp: how an output is cut into blocks.
namespace blocks {
inline constexpr index block_elements = 16384;  // elements: enough work to make handing out a block negligible
inline constexpr index strip_elements = strip;
inline constexpr int few_stages = 2;      // stages: programs of at most this many use strips twice as long
inline constexpr index short_row = 128;   // elements: shorter rows are merged, as each costs a call of the kernel
inline constexpr index tile_bytes = 256;  // bytes of a tile that are contiguous: four cache lines
inline constexpr index fewest_columns = 32,
                       max_columns = 128;  // contiguous chunks of a tile: their pages stay in the TLB
inline constexpr index tile_row = 512;     // bytes of an output row in a tile
inline constexpr index narrow_row = 256;   // the same if only tiles are read, or from memory
inline constexpr index many_ways = 16;     // ways of a second-level cache that keeps wide tiles from memory, too
inline constexpr index ragged_row =
    1024;  // the same if rows do not begin and end at whole vectors, which costs time for each row
inline constexpr index packed_elements = 2048;  // elements: blocks packed row by row stay in the first-level cache
// While a row from memory is packed, the next one is prefetched: bytes at a time (with 384 or 1536 it gains half as
// much); bytes from the end of a row to the next one, below which the hardware prefetcher follows; bytes of a row that
// the second-level cache keeps until then.
inline constexpr index prefetched_bytes = 768, max_followed_jump = 4096, max_prefetched_row = 131072;
// Elements of a block of merged rows; and bytes of all its arrays if one is packed: half of a first-level cache.
inline constexpr index merged_elements = 4096, merged_bytes = 16384;
// Bytes of a packed array beside arrays from memory: x - row of 24 to 46 MiB takes 1.2 to 1.4 times as long with 5,376
// (Zen 4, AVX-512; 1.05 to 1.13 with AVX2).
inline constexpr index packed_page = 4096;
}  // namespace blocks

// plan/hoist.cpp
namespace hoisting {
inline constexpr index few_elements =
    4096;  // elements: below this, computing a formula again is as fast as planning to hoist it
}

// reduce/: how reductions are shared out among threads.
namespace reducing {
inline constexpr index segment_strips = 32;  // strips of a long sequence in one task: part of the order of additions
inline constexpr index scratch_elements = 4096;  // elements of an expression that are evaluated before they are reduced
inline constexpr index max_sequence_elements =
    8 << 20;  // elements of a sequence in one task: some milliseconds, after which a stop is seen
inline constexpr index direct_elements = 65536;  // elements in one task that are read in place
inline constexpr index prefetched_bytes = 4096;  // bytes ahead of the current read of a box
inline constexpr index tile_bytes = 4096;        // bytes of columns that are reduced together: one page
inline constexpr index cached_bytes =
    32768;                                  // bytes of elements whose strips are reduced interleaved: first-level cache
inline constexpr index band_bytes = 24576;  // bytes of rows that are read a vector of each at a time: first-level cache
inline constexpr index short_window = 16;   // elements of overlapping windows that are reduced as columns
// Elements of one result, and of rows of an array, without a plan: planning takes longer than reducing a thousand, and
// one thread reads so many sooner than two are woken.
inline constexpr index unplanned_elements = 65536;
inline constexpr index unplanned_rows_elements = 16384;     // the same of rows of an expression, which take longer
inline constexpr index unplanned_columns_elements = 16384;  // of columns
inline constexpr index unplanned_lanes_bytes = 32768;       // of their lanes: the first-level cache
// Bytes of a computed row: shorter ones are evaluated some at a time, then reduced; a row whose end is no whole vector
// costs the loop that does both at once more.
inline constexpr index short_row_bytes = 256, short_row_with_rest_bytes = 512;
// Integers for each byte that one has: rows of more are added up as they are widened. Fewer are widened
// first, in some rows at once.
inline constexpr index widened_row = 8;
inline constexpr index strips_together = 16;  // strips whose lanes are combined together, while the next ones are read
inline constexpr index strips_of_piece = 64;  // the same of one long sequence: a processor idles where a piece ends
}  // namespace reducing

// plan/contraction.cpp, reduce/contraction.cpp: sums over pairs by tiles.
namespace contracting {
inline constexpr index min_columns = 32;  // columns: with fewer, the other axis is that of the columns
// Cycles of a result and of 64 bytes of its terms, by tiles and one result at a time; of packing a column and 64 bytes
// of it.
inline constexpr double of_tile = 2, of_tile_vector = 1.9, of_single = 20, of_single_vector = 2.5;
inline constexpr double of_packed = 20, of_packed_vector = 6.4;
inline constexpr index column_bytes = index{1}
                                      << 18;  // bytes of the columns that a task packs: stay in the second-level cache
inline constexpr index row_bytes = 8192;  // bytes of the rows that go over them together: stay in the first-level cache
inline constexpr index max_rows = 1024;  // rows in a task: packing its columns takes as long as one or two in a hundred
inline constexpr index rows_of_sums = 256;            // the same where sums of strips wait in memory
inline constexpr index min_columns_of_task = 128;     // columns: fewer are not worth reading the rows again
inline constexpr index min_rows_of_task = 64;         // rows: fewer are not worth packing the columns again
inline constexpr index rows_of_block = 256;           // rows that are computed before what reads them, at most
inline constexpr index block_bytes = index{1} << 20;  // bytes of these, unless they are few
inline constexpr index few_rows_of_block = 64;
}  // namespace contracting

// reduce/scan.cpp: running sums.
namespace scanning {
inline constexpr index block_bytes = 1 << 17;  // bytes of the rows in one task: half of a second-level cache of 256 KiB
inline constexpr index columns_at_once = 1024;  // columns that are scanned together
inline constexpr int rows_at_once = 8;          // rows that are scanned together without a kernel for wide registers
inline constexpr int max_rows_at_once = 16;
}  // namespace scanning

// index/write.cpp, index/scatter_axis.cpp: threads, from which on each of them writes a part of the destinations. To
// find which elements are its own takes a thread as long as writing a few times as many to the caches.
namespace scattering {
inline constexpr int least_threads = 4;
}

// index/sort.cpp, index/sets.cpp
namespace sorting {
inline constexpr index parallel_elements = 65536;  // elements of a line that several threads sort
inline constexpr int radix_threads = 8;  // threads, up to which a radix sort by one is as fast as comparisons by all
}  // namespace sorting

// fuse/: barriers that are computed a few rows at a time.
namespace fusing {
inline constexpr index few_rows = 8;             // rows: results of a multiple of this many are whole vectors
inline constexpr index least_function_row = 64;  // elements: shorter rows are evaluated together, then added up
inline constexpr index prefetched_rows = 4;  // rows of the first-level cache: longer ones leave no room for the next
inline constexpr index least_row = 16;       // elements: shorter rows are faster gathered first than read in place
inline constexpr index prefetch_interval = 1024;  // elements that are reduced between two prefetches, at least
}  // namespace fusing

// assign/: evaluations without a plan, for which planning would take longer than computing.
namespace unplanned {
// Elements of one loop, over operands that may broadcast; and bytes of an array of narrower ones, all of equal extents.
inline constexpr index max_unplanned = 8192, max_unplanned_bytes = 32768;
inline constexpr index max_materialized = 1024;  // elements if operands have strides
}  // namespace unplanned
namespace small_strided {
inline constexpr index max_scratch = 8192;           // bytes of operands that are materialized on the stack
inline constexpr int max_axes = 4, max_stages = 16;  // of the tables for them
inline constexpr double max_again_ns = 300;          // evaluating a function again for equal elements; a plan takes 700
inline constexpr index min_transposed = 256;         // elements: of fewer, loads wait for stores (Zen 4)
}  // namespace small_strided
namespace small_barriers {
inline constexpr index max_elements = 512;                // elements that a barrier is computed from,
inline constexpr index max_results = 2048;                // or of one that reduces or reads whole arrays: its elements
inline constexpr index max_bytes = 8192;                  // bytes of all results, on the stack
inline constexpr int max_barriers = 16, max_leaves = 64;  // of the tables for them
}  // namespace small_barriers
namespace small_broadcast {
inline constexpr index max_splat_bytes = 8192;  // bytes of splats on the stack
inline constexpr index max_rows = 16;           // rows: for more, calls of the kernel dominate
}  // namespace small_broadcast
// plan/prepared.cpp
namespace prepared {
inline constexpr index max_elements = 4096;  // what more take is long beside what is kept
// Loops of the caller, whose vectors are narrower than the library's: elements of rows; of rows shorter than a vector;
// and vectors of one line, from which on a call of a wider loop is faster.
inline constexpr index max_elements_of_rows = 256, max_single = 64, vectors_in_line = 8;
}  // namespace prepared

}  // namespace broadloom::runtime::limits
