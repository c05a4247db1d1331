// The checked build: compiled with BROADLOOM_CHECKED, a program gets an error if it uses a view of memory that its
// tensor freed. Freed memory is kept for a while instead of being used again.
#pragma once

#include <broadloom/core/api.hpp>

namespace broadloom::runtime {

// From now on freed memory is kept, the latest 256 MiB of it.
BROADLOOM_API bool keep_freed_memory() noexcept;

// Throws lifetime_error if the address is in freed memory that is still kept.
BROADLOOM_API void check_memory(const void* address);

}  // namespace broadloom::runtime

namespace broadloom::detail {

#if defined(BROADLOOM_CHECKED)
inline const bool freed_memory_is_kept = runtime::keep_freed_memory();
#endif

// The memory of a view that has elements, about to be read or written.
template <class T>
constexpr T* checked_memory(T* memory) {
  if (!__builtin_is_constant_evaluated()) runtime::check_memory(memory);
  return memory;
}

}  // namespace broadloom::detail
