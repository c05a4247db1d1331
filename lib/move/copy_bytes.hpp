// memcpy whose time does not depend on where its operands lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <broadloom/core/isa.hpp>

#include <emmintrin.h>

#include "copy_v3.hpp"
#endif

namespace broadloom::runtime {

#if defined(__x86_64__)
// Copies lines to an aligned address, from the end to the beginning.
inline void copy_backwards(std::byte* to, const std::byte* from, std::size_t bytes) {
  const auto at = [](const std::byte* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); };
  const auto put = [](std::byte* p, __m128i x) { _mm_store_si128(reinterpret_cast<__m128i*>(p), x); };
  for (std::size_t i = bytes; i > 0;) {
    i -= 64;
    const __m128i a = at(from + i + 48), b = at(from + i + 32), c = at(from + i + 16), d = at(from + i);
    put(to + i + 48, a);
    put(to + i + 32, b);
    put(to + i + 16, c);
    put(to + i, d);
  }
}
#endif

// As memcpy. The C library copies thousands of bytes by the processor's string instruction, which Zen 3 and Zen 4 run a
// tenth as fast where the destination lies less than a line behind the source, modulo a page. Vectors copied upwards
// wait there too, as each load seems to need the store before it; downwards they do not, nor where four lines are
// loaded before they are stored.
inline void copy_bytes(void* to, const void* from, std::size_t n) {
#if defined(__x86_64__)
  constexpr std::size_t page = 4096, line = 64, piece = 2048;
  const std::size_t behind = (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page;
  if (n > piece && behind != 0 && behind < line) {
    auto* t = static_cast<std::byte*>(to);
    const auto* f = static_cast<const std::byte*>(from);
    const std::size_t head = (line - reinterpret_cast<std::uintptr_t>(t) % line) % line;
    std::memcpy(t, f, head);
    t += head;
    f += head;
    n -= head;
    if (active_isa() >= isa::v3) {
      const std::size_t copied = copy_lines_v3(t, f, n);
      t += copied;
      f += copied;
      n -= copied;
    }
    while (n >= line) {
      const std::size_t bytes = n < piece ? n / line * line : piece;
      copy_backwards(t, f, bytes);
      t += bytes;
      f += bytes;
      n -= bytes;
    }
    std::memcpy(t, f, n);
    return;
  }
#endif
  std::memcpy(to, from, n);
}

}  // namespace broadloom::runtime
