// Unsigned integers of 128 bits: the compiler's own, or two words where it has none, as for 32-bit processors.
#pragma once

#include <cstdint>

#include <broadloom/core/compiler.hpp>

namespace broadloom::detail {

// The operators of unsigned __int128 but division. Shifts are by 0 to 127.
struct two_words {
  std::uint64_t high = 0, low = 0;

  constexpr two_words() = default;
  constexpr two_words(std::uint64_t h, std::uint64_t l) : high(h), low(l) {}
  constexpr two_words(std::uint64_t x) : low(x) {}

  template <class T>
  constexpr explicit operator T() const {
    return static_cast<T>(low);
  }

  friend constexpr bool operator==(two_words, two_words) = default;
  friend constexpr bool operator<(two_words a, two_words b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
  }
  friend constexpr bool operator>(two_words a, two_words b) { return b < a; }
  friend constexpr bool operator<=(two_words a, two_words b) { return !(b < a); }
  friend constexpr bool operator>=(two_words a, two_words b) { return !(a < b); }

  friend constexpr two_words operator|(two_words a, two_words b) { return {a.high | b.high, a.low | b.low}; }
  friend constexpr two_words operator&(two_words a, two_words b) { return {a.high & b.high, a.low & b.low}; }
  friend constexpr two_words operator<<(two_words a, int n) {
    if (n >= 64) return {a.low << (n - 64), 0};
    return n == 0 ? a : two_words{a.high << n | a.low >> (64 - n), a.low << n};
  }
  friend constexpr two_words operator>>(two_words a, int n) {
    if (n >= 64) return {0, a.high >> (n - 64)};
    return n == 0 ? a : two_words{a.high >> n, a.low >> n | a.high << (64 - n)};
  }
  friend constexpr two_words operator+(two_words a, two_words b) {
    const std::uint64_t sum = a.low + b.low;
    return {a.high + b.high + (sum < a.low ? 1u : 0u), sum};
  }
  friend constexpr two_words operator-(two_words a, two_words b) {
    return {a.high - b.high - (a.low < b.low ? 1u : 0u), a.low - b.low};
  }
  // By halves of words; what exceeds 128 bits is lost.
  friend constexpr two_words operator*(two_words a, two_words b) {
    constexpr std::uint64_t half = 0xffffffff;
    const std::uint64_t a0 = a.low & half, a1 = a.low >> 32, b0 = b.low & half, b1 = b.low >> 32;
    const std::uint64_t least = a0 * b0, one = a1 * b0 + (least >> 32), other = a0 * b1 + (one & half);
    return {a1 * b1 + (one >> 32) + (other >> 32) + a.high * b.low + a.low * b.high, other << 32 | (least & half)};
  }

  constexpr two_words& operator<<=(int n) { return *this = *this << n; }
  constexpr two_words& operator++() { return *this = *this + two_words(1); }
};

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 u128;
#else
using u128 = two_words;
#endif

}  // namespace broadloom::detail
