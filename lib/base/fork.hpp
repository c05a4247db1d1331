// fork() copies one thread of a process. The child has no other threads; what they were doing is never finished there.
#pragma once

#include <cstdint>

namespace broadloom::runtime {

// The number of forks between the process that loaded the library and this one.
std::uint32_t fork_count() noexcept;

// Called before and after a fork. No thread holds a lock of the storage while the process is copied, and the child
// starts without workers.
void lock_storage() noexcept;
void unlock_storage() noexcept;
void forget_workers() noexcept;

}  // namespace broadloom::runtime
