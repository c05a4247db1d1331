// How many threads the evaluations of a process may use.
#pragma once

#include <broadloom/core/api.hpp>

namespace broadloom {

// From now on an evaluation uses at most n threads, the calling one among them, whatever its policy says; 0: as many as
// its policy and the scheduler allow. The environment variable BROADLOOM_THREADS is the limit until then. Results never
// depend on it. Throws std::invalid_argument for n < 0 (the meaning of PyTorch's set_num_threads, which throws too).
BROADLOOM_API void set_max_threads(int n);

// The most threads that an evaluation may use that is called from here: of the arena of oneTBB that the caller is in,
// of the processor, or the limit above.
BROADLOOM_API int max_threads() noexcept;

}  // namespace broadloom
