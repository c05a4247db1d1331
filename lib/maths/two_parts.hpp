// Vectors of f64 with what they were rounded by.
#pragma once

#include <broadloom/fn/lanes.hpp>

#include "wide_floats.hpp"

namespace broadloom::runtime {
namespace {

struct two_parts {
  using vec = wide_floats;
  using value = vec::value;
  value high, low;

  // a + b
  static two_parts sum(value a, value b) {
    const value s = a + b, of_b = s - a;
    return {s, (a - (s - of_b)) + (b - of_b)};
  }
  // The same, where |a| >= |b|, or a is 0.
  static two_parts ordered_sum(value a, value b) {
    const value s = a + b;
    return {s, b - (s - a)};
  }
  static two_parts product(value a, value b) {
    const value p = lanes::times(a, b);
#if BROADLOOM_LEVEL_BYTES > 16
    return {p, vec::multiply_add(a, b, -p)};
#else
    // Of halves, whose products are exact, with or without FMA.
    using bits = detail::simd_vec<std::uint64_t, vec::width>;
    const auto half = [](value v) {
      return reinterpret_cast<value>(reinterpret_cast<bits>(v) & ~(bits{} + ((1ull << 27) - 1)));
    };
    const value a1 = half(a), a2 = a - a1, b1 = half(b), b2 = b - b1;
    return {p, (((a1 * b1 - p) + a1 * b2) + a2 * b1) + a2 * b2};
#endif
  }
  // c[0] + c[1] x + ... for N coefficients, of which the first K have rests, as many steps in two parts.
  template <int N, int K>
  static two_parts polynomial(const double (&c)[N], const double (&rests)[K], value x) {
    value high = vec::all(c[N - 1]);
#pragma GCC unroll 32
    for (int k = N - 2; k >= K; --k) high = vec::multiply_add(high, x, vec::all(c[k]));
    value low = vec::all(0);
#pragma GCC unroll 4
    for (int k = K - 1; k >= 0; --k) {
      const two_parts p = product(high, x), s = sum(vec::all(c[k]), p.high);
      low = vec::multiply_add(low, x, p.low + (s.low + vec::all(rests[k])));
      high = s.high;
    }
    return {high, low};
  }
  // a / b
  static two_parts quotient(two_parts a, value b) {
    const value q = a.high / b;
    const two_parts back = product(q, b);
    return {q, ((a.high - back.high) - back.low + a.low) / b};
  }
};

}  // namespace
}  // namespace broadloom::runtime
