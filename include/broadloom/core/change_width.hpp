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
// Where the low parts of elements are, in each half of a vector, which get to its first bytes.
template <int From, int To, int... At>
constexpr fixed_array<std::int8_t, sizeof...(At)> low_bytes(sequence<At...>) {
  return {{static_cast<std::int8_t>((At % 16 / To * From + At % To) % 16)...}};
}
// The low quarters or eighths of lanes that fill 32 bytes, as only vectors of AVX2 do. GCC 12 has four instructions for
// what takes two.
template <class To, class V>
BROADLOOM_INLINE simd_vec<To, lane_count<V>> low_parts(const V& x) {
  constexpr int from = sizeof(lane<V>), to = sizeof(To), in_half = from == 8 ? 4 : from;
  using bytes = typename vec_type<std::int8_t, 32>::type;
  using words = typename vec_type<std::int32_t, 8>::type;
  bytes r;
  if constexpr (from == 8)
    __asm__("vpermd %1, %2, %0" : "=v"(r) : "v"(x), "v"(words{0, 2, 4, 6}));
  else
    r = __builtin_bit_cast(bytes, x);
  constexpr auto order = low_bytes<in_half, to>(make_sequence<32>{});
  __asm__("vpshufb %2, %1, %0" : "=v"(r) : "v"(r), "v"(__builtin_bit_cast(bytes, order)));
  if constexpr (from < 8) __asm__("vpermd %1, %2, %0" : "=v"(r) : "v"(r), "v"(words{0, 4}));
  simd_vec<To, lane_count<V>> low;
  __builtin_memcpy(&low, &r, sizeof low);
  return low;
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
      return low_parts<To>(x);
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
