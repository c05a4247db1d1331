// The sizes in force (eval/tuning.hpp), as planning and evaluation read them.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

enum class tuned : unsigned char {
  serial_ns,
  serial_bytes,
  row_bytes,
  block_bytes,
  streamed_bytes,
  tile_bytes,
  packed_elements,
  merged_elements,
  count
};

// One relaxed load once it is known.
index tuned_size(tuned which) noexcept;

// Whether work that is estimated to take so many nanoseconds stays on one thread. The time to wake one is measured only
// where it decides this.
bool stays_serial(double nanoseconds) noexcept;
// The threads of such work where so many are wanted (0: any number).
inline int threads_for(int wanted, double nanoseconds) noexcept {
  return wanted == 0 && stays_serial(nanoseconds) ? 1 : wanted;
}

}  // namespace broadloom::runtime
