// What the library knows of the machine, and the sizes by which it cuts and shares out work. They can be printed and
// changed; no result depends on them, as the order of additions depends on shapes alone.
#pragma once

#include <iosfwd>

#include <broadloom/core/api.hpp>
#include <broadloom/core/index.hpp>

namespace broadloom {

// Sizes in bytes, and in elements where the name says so; times in nanoseconds. Caches are those of one core, but for
// the last level; 0 if unknown.
struct tuning {
  index first_cache, second_cache, last_cache;
  index wake_ns;          // from asking for another thread until it runs, measured; 0: not yet, or there is one thread
  index serial_ns;        // work that takes no longer stays on the calling thread
  index serial_bytes;     // the same for barriers computed with what reads them, by bytes moved
  index row_bytes;        // rows that a thread computes together: stay in the first-level cache
  index block_bytes;      // a block of rows: stays in the second-level cache
  index streamed_bytes;   // evaluations that move more write with streaming stores
  index tile_bytes;       // of a row of the result, where transposed operands that come from memory are read by tiles
  index packed_elements;  // of a row whose operands have strides: copied to scratch in the first-level cache
  index merged_elements;  // of short rows that are computed together
};

// The sizes in force. At first they follow from the caches and from how long it takes to wake a thread, which is
// measured when this is called or when it first decides something; the environment variable BROADLOOM_TUNING changes
// them: BROADLOOM_TUNING=serial_ns=5000,block_bytes=131072, or the name of a file with such text, as ./dev tune writes
// it.
BROADLOOM_API tuning current_tuning();

// Puts other sizes in force for all later evaluations. What the machine is, caches and wake_ns, is not changed. Throws
// std::invalid_argument, with nothing changed, for a size below 1.
BROADLOOM_API void set_tuning(const tuning& t);

// A line for each member: its name, its value.
BROADLOOM_API std::ostream& operator<<(std::ostream& to, const tuning& t);

}  // namespace broadloom
