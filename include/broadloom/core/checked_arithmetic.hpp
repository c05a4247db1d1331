// Arithmetic on extents, offsets and counts: what does not fit an index throws shape_error, it never wraps.
#pragma once

#include <broadloom/core/index.hpp>
#include <broadloom/core/throw_error.hpp>

namespace broadloom::detail {

// "CALL: A + B does not fit an index".
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_index_overflow(const char* call, index a, char operation,
                                                                        index b) {
  throw_error(error_kind::index_overflow, {call, a, operation, b});
}

// a + b, a - b and a * b; the call is named by the message.
constexpr index checked_add(const char* call, index a, index b) {
  index r = 0;
  if (__builtin_add_overflow(a, b, &r)) throw_index_overflow(call, a, '+', b);
  return r;
}
constexpr index checked_sub(const char* call, index a, index b) {
  index r = 0;
  if (__builtin_sub_overflow(a, b, &r)) throw_index_overflow(call, a, '-', b);
  return r;
}
constexpr index checked_mul(const char* call, index a, index b) {
  index r = 0;
  if (__builtin_mul_overflow(a, b, &r)) throw_index_overflow(call, a, '*', b);
  return r;
}

// a * b for estimates of work, of numbers >= 0: the largest index where it does not fit.
constexpr index saturated_mul(index a, index b) {
  index r = 0;
  return __builtin_mul_overflow(a, b, &r) ? __PTRDIFF_MAX__ : r;
}

// x brought into [low, high].
constexpr index clamped(index x, index low, index high) { return x < low ? low : x > high ? high : x; }

// x modulo n > 0, in [0, n).
constexpr index modulo(index x, index n) {
  const index r = x % n;
  return r < 0 ? r + n : r;
}

}  // namespace broadloom::detail
