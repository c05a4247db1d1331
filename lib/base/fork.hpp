// fork() copies one thread of a process: what the others were doing will never be finished in the child.
#pragma once

#include <cstdint>

namespace broadloom::runtime {

// How many forks lie between the first process that had the library and this one.
std::uint32_t fork_count() noexcept;

// Called on both sides of a fork. Nobody holds a lock of the storage while a process is copied, and a child has no
// workers.
void lock_storage() noexcept;
void unlock_storage() noexcept;
void forget_workers() noexcept;

}  // namespace broadloom::runtime
