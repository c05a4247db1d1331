// What ThreadSanitizer is told of a oneTBB that was built without it: which task comes before what.
#pragma once

#if defined(BROADLOOM_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
// A task object lies in oneTBB's memory, which is not watched; the function it calls is.
#define BROADLOOM_UNSEEN __attribute__((no_sanitize("thread")))
#else
#define BROADLOOM_UNSEEN
#endif

namespace broadloom::runtime {

// What comes before hands_over(x) happens before what follows takes_over(x), as oneTBB promises where these are called.
inline void hands_over([[maybe_unused]] void* through) noexcept {
#if defined(BROADLOOM_THREAD_SANITIZER)
  __tsan_release(through);
#endif
}
inline void takes_over([[maybe_unused]] void* through) noexcept {
#if defined(BROADLOOM_THREAD_SANITIZER)
  __tsan_acquire(through);
#endif
}

}  // namespace broadloom::runtime
