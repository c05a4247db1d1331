// Floor, ceil, trunc and round to even in the arithmetic of formulas: exact for every value, whatever the rounding
// mode.
#pragma once

#include <broadloom/fn/lanes.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::lanes {

#define BROADLOOM_LANES [[gnu::always_inline]] constexpr

// The magnitude of the one with the sign of the other.
template <floating V>
BROADLOOM_LANES V copy_sign(const V& x, const V& sign) {
  using B = bits<V>;
  const B rest = B{} + (static_cast<lane<B>>(-1) >> 1);
  return as<V>(static_cast<B>((as<B>(x) & rest) | (as<B>(sign) & ~rest)));
}

// From here on all numbers of the type are integers.
template <floating V>
inline constexpr double all_whole = __is_same(lane<V>, float) ? 8388608.0 : 4503599627370496.0;

namespace by_integers {

// Conversion to an integer truncates in every rounding mode; larger numbers and NaN stay as they are.
template <floating V>
BROADLOOM_LANES V toward_zero(const V& x) {
  using to = typename detail::int_of<sizeof(lane<V>)>::type;
  if constexpr (vector<V>) {
    const auto part = less(magnitude(x), each<V>(all_whole<V>));
    const V cut = __builtin_convertvector(__builtin_convertvector(x, detail::simd_vec<to, lane_count<V>>), V);
    return select(part, copy_sign(cut, x), x);
  } else
    return magnitude(x) < static_cast<V>(all_whole<V>) ? copy_sign(static_cast<V>(static_cast<to>(x)), x) : x;
}
template <floating V>
BROADLOOM_LANES V down(const V& x) {
  const V t = toward_zero(x);
  return select(greater(t, x), minus(t, each<V>(1)), t);
}
template <floating V>
BROADLOOM_LANES V up(const V& x) {
  const V t = toward_zero(x);
  return select(less(t, x), copy_sign(plus(t, each<V>(1)), x), t);
}
template <floating V>
BROADLOOM_LANES V to_even(const V& x) {
  const V t = toward_zero(x), distance = magnitude(minus(x, t)), half = times(t, each<V>(0.5));
  const auto odd = unequal(half, toward_zero(half));
  const auto away = either(greater(distance, each<V>(0.5)), both(equal(distance, each<V>(0.5)), odd));
  return select(away, plus(t, copy_sign(each<V>(1), x)), t);
}

}  // namespace by_integers

// NAME(x) by the processor's instruction if a vector of this size has one;
// an integer is its own result.
#if defined(__clang__)
#define BROADLOOM_ROUND(NAME, MODE, BUILTIN)          \
  template <class V>                                  \
  BROADLOOM_LANES V NAME(const V& x) {                \
    if constexpr (!floating<V>)                       \
      return x;                                       \
    else if constexpr (vector<V> && (sizeof(V) > 16)) \
      return __builtin_elementwise_##BUILTIN(x);      \
    else                                              \
      return by_integers::NAME(x);                    \
  }
#elif defined(__x86_64__)
#define BROADLOOM_ROUND(NAME, MODE, BUILTIN)                                 \
  template <class V>                                                         \
  BROADLOOM_LANES V NAME(const V& x) {                                       \
    if constexpr (!floating<V>)                                              \
      return x;                                                              \
    else if constexpr (vector<V> && (sizeof(V) == 32 || sizeof(V) == 64)) {  \
      V r;                                                                   \
      if constexpr (sizeof(V) == 32 && sizeof(lane<V>) == 4)                 \
        __asm__("vroundps %2, %1, %0" : "=x"(r) : "x"(x), "i"(8 + MODE));    \
      else if constexpr (sizeof(V) == 32)                                    \
        __asm__("vroundpd %2, %1, %0" : "=x"(r) : "x"(x), "i"(8 + MODE));    \
      else if constexpr (sizeof(lane<V>) == 4)                               \
        __asm__("vrndscaleps %2, %1, %0" : "=v"(r) : "v"(x), "i"(8 + MODE)); \
      else                                                                   \
        __asm__("vrndscalepd %2, %1, %0" : "=v"(r) : "v"(x), "i"(8 + MODE)); \
      return r;                                                              \
    } else                                                                   \
      return by_integers::NAME(x);                                           \
  }
#else
#define BROADLOOM_ROUND(NAME, MODE, BUILTIN) \
  template <class V>                         \
  BROADLOOM_LANES V NAME(const V& x) {       \
    if constexpr (floating<V>)               \
      return by_integers::NAME(x);           \
    else                                     \
      return x;                              \
  }
#endif
BROADLOOM_ROUND(to_even, 0, roundeven)
BROADLOOM_ROUND(down, 1, floor)
BROADLOOM_ROUND(up, 2, ceil)
BROADLOOM_ROUND(toward_zero, 3, trunc)
#undef BROADLOOM_ROUND

#undef BROADLOOM_LANES

}  // namespace broadloom::lanes

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
