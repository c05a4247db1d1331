// Text known to the compiler: what a compile error says, and how a function's name travels with its type.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::detail {

template <int N>
struct text {
  char c[N];

  consteval text(const char (&s)[N]) {
    for (int i = 0; i < N; ++i) c[i] = s[i];
  }
  constexpr const char* str() const { return c; }
};

// A sentence of at most 191 characters under construction. Only the words and numbers it was given count in
// comparisons.
struct sentence {
  char c[192] = {};
  int n = 0;

  constexpr sentence& operator<<(const char* s) {
    while (*s != '\0' && n < 191) c[n++] = *s++;
    return *this;
  }
  constexpr sentence& operator<<(index x) {
    char digits[24] = {};
    int k = 0;
    const bool negative = x < 0;
    do {
      digits[k++] = static_cast<char>('0' + (negative ? -(x % 10) : x % 10));
      x /= 10;
    } while (x != 0);
    if (negative) digits[k++] = '-';
    while (k > 0 && n < 191) c[n++] = digits[--k];
    return *this;
  }
};

// The same characters in an array of just their length, so that a compiler prints no padding.
template <int N>
struct exact_text {
  char c[N + 1];
};
template <int N>
consteval exact_text<N> fit(const sentence& s) {
  exact_text<N> r{};
  for (int i = 0; i < N; ++i) r.c[i] = s.c[i];
  return r;
}

}  // namespace broadloom::detail
