// What the hand-written loops share beside their vectors: threads, prefetch, and when to use streaming stores.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <memory>

#include "../contender.hpp"
#include "hand_pack.hpp"

#define BENCH_RESTRICT __restrict__

namespace hand {

// Limits TBB for the rest of the process to what the program was started with.
inline void use_threads(int n) {
  static std::unique_ptr<tbb::global_control> control;
  static int now = 0;
  if (now != n)
    control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, std::size_t(n));
  now = n;
}

// body(first, last) over [0, units), at least grain units at a time.
template <class Body>
void parallel(int threads, long units, long grain, const Body& body) {
  if (threads == 1) {
    body(0, units);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<long>(0, units, std::size_t(grain)),
                    [&](const tbb::blocked_range<long>& r) { body(r.begin(), r.end()); });
}

// Bytes ahead of the reads that are asked for: the hardware follows few streams at once.
BENCH_INLINE void ahead(const void* p) { _mm_prefetch(static_cast<const char*>(p) + 1024, _MM_HINT_T0); }

// Streaming stores pay when operands and output together are much larger than the last-level cache.
inline bool streaming(const bench::problem& p) {
  std::size_t bytes = p.output_bytes;
  for (const auto& s : p.streams) bytes += s.second;
  return bytes > (std::size_t(48) << 20);
}

}  // namespace hand
