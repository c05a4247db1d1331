// Elements of 16 bits in programs: what one function rounds and the next one reads stays in registers as f32.
#pragma once

#include <broadloom/fn/half.hpp>
#include <broadloom/plan/program.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// Rounding to elements of 16 bits and back, in registers of f32: what stands in a program between two functions.
template <class Half>
struct nearest_f : lane_function {
  template <class...>
  using result = float;
  static constexpr const char* name() { return "round to 16 bits"; }
  template <class V>
  BROADLOOM_INLINE static constexpr auto on(const V& x) {
    return broadloom::lanes::half_lanes<Half>::nearest(x);
  }
};

template <class State, class Half, class Shape, class Inner, class X>
  requires(is_half_type<Half> && __is_same(typename X::value_type, float))
struct lower<State, map<cast_f<float>, Shape, map<cast_f<Half>, Inner, X>>>
    : lower<State, map<nearest_f<Half>, Shape, X>> {};

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
