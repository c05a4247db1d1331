// Copies of a few bytes, for which a call would take longer than the copy.
#pragma once

#include <cstddef>
#include <cstring>

namespace broadloom::runtime {

struct two_words {
  unsigned long long a, b;
};

// One word to two words: the first and the last, which may overlap.
template <class Word>
inline void copy_ends(std::byte* to, const std::byte* from, std::size_t bytes) {
  Word first, last;
  std::memcpy(&first, from, sizeof first);
  std::memcpy(&last, from + bytes - sizeof last, sizeof last);
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + bytes - sizeof last, &last, sizeof last);
}

// Any number of bytes; fast for few. Source and destination do not overlap.
inline void copy_small(std::byte* to, const std::byte* from, std::size_t bytes) {
  for (; bytes > 32; bytes -= 16, to += 16, from += 16) std::memcpy(to, from, 16);
  if (bytes >= 16)
    copy_ends<two_words>(to, from, bytes);
  else if (bytes >= 8)
    copy_ends<unsigned long long>(to, from, bytes);
  else if (bytes >= 4)
    copy_ends<unsigned>(to, from, bytes);
  else
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

}  // namespace broadloom::runtime
