// memcpy whose time does not depend on where its operands lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace broadloom::runtime {

// As memcpy. The C library copies thousands of bytes by the processor's string instruction, which Zen 3 and Zen 4 run a
// tenth as fast where the destination lies less than a line behind the source, modulo a page: pieces of 2 KiB stay
// below the size from which it is taken, and cost a fifth at most.
inline void copy_bytes(void* to, const void* from, std::size_t n) {
#if defined(__x86_64__)
  constexpr std::size_t page = 4096, line = 64, piece = 2048;
  const std::size_t behind = (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page;
  if (n > piece && behind != 0 && behind < line) {
    auto* t = static_cast<std::byte*>(to);
    const auto* f = static_cast<const std::byte*>(from);
    for (; n > piece; n -= piece, t += piece, f += piece) std::memcpy(t, f, piece);
    std::memcpy(t, f, n);
    return;
  }
#endif
  std::memcpy(to, from, n);
}

}  // namespace broadloom::runtime
