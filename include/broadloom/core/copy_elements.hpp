// Zeros and copies of the elements of an array: what is large by several threads.
#pragma once

#include <broadloom/core/api.hpp>

#include <cstddef>

namespace broadloom::runtime {

// Bytes from which on more threads than one may be worth waking.
inline constexpr std::size_t least_shared_bytes = std::size_t(1) << 18;
BROADLOOM_API void zero_large(void* to, std::size_t bytes, int threads) noexcept;
BROADLOOM_API void copy_large(void* to, const void* from, std::size_t bytes) noexcept;

// As memset to 0, on at most so many threads (0: all), and as memcpy.
inline void zero_elements(void* to, std::size_t bytes, int threads = 0) noexcept {
  if (bytes < least_shared_bytes)
    __builtin_memset(to, 0, bytes);
  else
    zero_large(to, bytes, threads);
}
inline void copy_elements(void* to, const void* from, std::size_t bytes) noexcept {
  if (bytes < least_shared_bytes)
    __builtin_memcpy(to, from, bytes);
  else
    copy_large(to, from, bytes);
}

}  // namespace broadloom::runtime
