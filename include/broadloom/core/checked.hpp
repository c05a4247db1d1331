// The checked build: compiled with BROADLOOM_CHECKED, a program gets an error if it uses a view of memory that its
// tensor freed, or an expression that refers to a tensor that is gone. Freed memory is kept for a while instead of
// being used again. AddressSanitizer is asked about any other memory.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/index.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define BROADLOOM_ASKS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BROADLOOM_ASKS_SANITIZER
#endif
#endif
#if defined(BROADLOOM_ASKS_SANITIZER)
extern "C" int __asan_address_is_poisoned(const volatile void* address);
#endif

namespace broadloom::runtime {

// From now on freed memory is kept, the latest 256 MiB of it.
BROADLOOM_API bool keep_freed_memory() noexcept;

// Throws lifetime_error if the address is in freed memory that is still kept.
BROADLOOM_API void check_memory(const void* address);

// The extents of a tensor that is gone, for expressions that still refer to it.
inline constexpr index extent_of_gone = -__PTRDIFF_MAX__;
BROADLOOM_API void mark_gone(index* extents, int rank) noexcept;

}  // namespace broadloom::runtime

namespace broadloom::detail {

#if defined(BROADLOOM_CHECKED)
inline const bool freed_memory_is_kept = runtime::keep_freed_memory();
#endif

#if defined(BROADLOOM_CHECKED) || defined(BROADLOOM_ASKS_SANITIZER)
#define BROADLOOM_CHECKS_VIEWS
#endif

// The memory of a view that has elements, about to be read or written. AddressSanitizer sees the loops of the library
// only where that was built with it, but what is read here.
template <class T>
constexpr T* checked_memory(T* memory) {
  if (!__builtin_is_constant_evaluated()) {
#if defined(BROADLOOM_CHECKED)
    runtime::check_memory(memory);
#endif
#if defined(BROADLOOM_ASKS_SANITIZER)
    if (__asan_address_is_poisoned(memory) != 0)
      static_cast<void>(*reinterpret_cast<const volatile unsigned char*>(memory));
#endif
  }
  return memory;
}

}  // namespace broadloom::detail
