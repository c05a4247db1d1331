// What is done around fork().
#include "fork.hpp"

#include <pthread.h>

#include <atomic>

namespace broadloom::runtime {

namespace {

constinit std::atomic<std::uint32_t> forks{0};

void in_the_child() {
  forks.fetch_add(1, std::memory_order_relaxed);
  unlock_storage();
  forget_workers();
}

// When the library is loaded. Where there is no memory to note them, a fork while other threads evaluate is as it would
// be without.
[[maybe_unused]] const int noted = ::pthread_atfork(&lock_storage, &unlock_storage, &in_the_child);

}  // namespace

std::uint32_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

}  // namespace broadloom::runtime
