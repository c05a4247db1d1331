// Handlers that run before and after fork().
#include "fork.hpp"

#if !defined(_WIN32)
#include <pthread.h>
#endif

#include <atomic>

namespace broadloom::runtime {

namespace {

constinit std::atomic<std::uint32_t> forks{0};

[[maybe_unused]] void in_the_child() {
  forks.fetch_add(1, std::memory_order_relaxed);
  unlock_storage();
  forget_workers();
}

// Registered when the library is loaded. If there is no memory to register them, a fork during an evaluation of another
// thread is unsafe, as it is without handlers.
#if !defined(_WIN32)
[[maybe_unused]] const int noted = ::pthread_atfork(&lock_storage, &unlock_storage, &in_the_child);
#endif

}  // namespace

std::uint32_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

}  // namespace broadloom::runtime
