// Threads: runs a body over blocks, on TBB or on plain std::thread.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/index.hpp>
#include <broadloom/eval/threads.hpp>

namespace broadloom {

enum class scheduler : unsigned char { tbb, threads };

// Chooses who runs the blocks of all later evaluations. Results never depend on it. A library that was built without
// TBB runs them on threads whatever is chosen.
BROADLOOM_API void set_scheduler(scheduler which) noexcept;

namespace runtime {

BROADLOOM_API scheduler active_scheduler() noexcept;

// Called with contiguous ranges [first, last) of blocks that together make up the whole.
using block_fn = void (*)(void* context, index first, index last);

// Runs body over a partition of [0, blocks) on at most `threads` threads, of which the caller is one; 0 means as many
// as there are. When it returns, every block is done. If a body throws, the first exception is rethrown once, here,
// after the last running body has finished. Bodies run under the caller's rounding mode and FTZ/DAZ setting, and may
// call parallel_for themselves.
BROADLOOM_API void parallel_for(index blocks, int threads, block_fn body, void* context);

using broadloom::max_threads;

}  // namespace runtime
}  // namespace broadloom
