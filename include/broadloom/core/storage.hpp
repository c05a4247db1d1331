// Memory for elements: aligned to a cache line, and reused, because fresh pages cost more than the arithmetic on them.
#pragma once

#include <broadloom/core/api.hpp>

#include <cstddef>

namespace broadloom::runtime {

inline constexpr std::size_t storage_alignment = 64;

// At least `bytes` bytes aligned to 64; large blocks lie on huge pages where the system has them.
// Throws std::bad_alloc. The contents are unspecified. allocate(0) gives a pointer that deallocate takes back.
BROADLOOM_API void* allocate(std::size_t bytes);

// Takes back what allocate(bytes) gave; null is ignored. Large blocks are kept for reuse, up to a bound.
BROADLOOM_API void deallocate(void* block, std::size_t bytes) noexcept;

// Gives every kept block back to the system.
BROADLOOM_API void trim() noexcept;

// Bytes kept for reuse at the moment.
BROADLOOM_API std::size_t kept_bytes() noexcept;

// At most so many bytes are kept from now on; 256 MiB unless this was called.
BROADLOOM_API void set_kept_limit(std::size_t bytes) noexcept;

}  // namespace broadloom::runtime

namespace broadloom {

// Memory of arrays of 16 KiB and more that were destroyed is kept for the next ones, as fresh pages cost more than the
// arithmetic on them: at most 256 MiB, or keep_at_most(bytes). trim() gives all of it back to the system.
inline void trim() noexcept { runtime::trim(); }
inline void keep_at_most(std::size_t bytes) noexcept { runtime::set_kept_limit(bytes); }

}  // namespace broadloom
