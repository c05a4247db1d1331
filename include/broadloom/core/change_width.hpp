// Lanes of integers, and masks, in another width.
#pragma once

#include <broadloom/core/lane_types.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#else
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

#if defined(__x86_64__) && !defined(__clang__)
template <class To, class V, int... At>
BROADLOOM_INLINE constexpr auto low_parts(const V& x, sequence<At...>) {
  using parts = typename vec_type<To, static_cast<int>(sizeof(V) / sizeof(To))>::type;
  const auto p = reinterpret_cast<parts>(x);
  return shuffled<(At * static_cast<int>(sizeof(lane<V>) / sizeof(To)))...>(p, p);
}
#endif

// Integers as integers of another width: their low bits, or extended as their own type is. Where the width changes by
// more than a factor of two GCC 12 converts one element after the other, and does not find the instructions of AVX2 and
// AVX-512 for it.
template <class To, class V>
BROADLOOM_INLINE constexpr simd_vec<To, lane_count<V>> change_width(const V& x) {
  using from = lane<V>;
  using R = simd_vec<To, lane_count<V>>;
  constexpr bool is_signed = from(-1) < from(0);
  if constexpr (sizeof(To) > 2 * sizeof(from)) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (sizeof(R) >= 32) {
      R r;
      if constexpr (sizeof(from) == 1 && sizeof(To) == 4) {
        if constexpr (is_signed)
          __asm__("vpmovsxbd %1, %0" : "=v"(r) : "v"(x));
        else
          __asm__("vpmovzxbd %1, %0" : "=v"(r) : "v"(x));
      } else if constexpr (sizeof(from) == 1) {
        if constexpr (is_signed)
          __asm__("vpmovsxbq %1, %0" : "=v"(r) : "v"(x));
        else
          __asm__("vpmovzxbq %1, %0" : "=v"(r) : "v"(x));
      } else {
        if constexpr (is_signed)
          __asm__("vpmovsxwq %1, %0" : "=v"(r) : "v"(x));
        else
          __asm__("vpmovzxwq %1, %0" : "=v"(r) : "v"(x));
      }
      return r;
    } else
#endif
    {
      using wider = int_of<2 * sizeof(from)>;
      return change_width<To>(change_width<std::conditional_t<is_signed, typename wider::type, typename wider::u>>(x));
    }
  } else if constexpr (sizeof(from) > 2 * sizeof(To) && lane_count<V> > 2) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (sizeof(V) == 64 && sizeof(R) == 16) {
      R r;
      if constexpr (sizeof(from) == 4)
        __asm__("vpmovdb %1, %0" : "=v"(r) : "v"(x));
      else
        __asm__("vpmovqw %1, %0" : "=v"(r) : "v"(x));
      return r;
    } else if constexpr (sizeof(V) == 32)
      return low_parts<To>(x, make_sequence<lane_count<V>>{});
    else
#endif
      return change_width<To>(change_width<typename int_of<sizeof(from) / 2>::u>(x));
  } else
    return __builtin_convertvector(x, R);
}

// The same mask in integers of another width.
template <int Bytes, class V>
BROADLOOM_INLINE auto widen(const mask<V>& m) {
  if constexpr (sizeof(lane<V>) == Bytes)
    return m.v;
  else
    return change_width<typename int_of<Bytes>::type>(m.v);
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
