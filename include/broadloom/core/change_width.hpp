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
// Lanes extended to wider ones by one instruction of AVX2 or AVX-512, for which GCC 12 has up to ten. It may read them
// from memory, which takes Zen 3 one operation, where lanes of a register take two: u8 * f32 1.27.
template <class To, class V>
BROADLOOM_INLINE simd_vec<To, lane_count<V>> extend_lanes(const V& x) {
  using from = lane<V>;
  simd_vec<To, lane_count<V>> r;
#define BROADLOOM_EXTEND(FROM, TO, LETTERS)                     \
  if constexpr (sizeof(from) == FROM && sizeof(To) == TO) {     \
    if constexpr (from(-1) < from(0))                           \
      __asm__("vpmovsx" LETTERS " %1, %0" : "=v"(r) : "vm"(x)); \
    else                                                        \
      __asm__("vpmovzx" LETTERS " %1, %0" : "=v"(r) : "vm"(x)); \
  }
  BROADLOOM_EXTEND(1, 2, "bw")
  BROADLOOM_EXTEND(1, 4, "bd")
  BROADLOOM_EXTEND(1, 8, "bq")
  BROADLOOM_EXTEND(2, 4, "wd")
  BROADLOOM_EXTEND(2, 8, "wq")
  BROADLOOM_EXTEND(4, 8, "dq")
#undef BROADLOOM_EXTEND
  return r;
}
// The low parts of lanes that fill 32 bytes, as only vectors of AVX2 do. GCC 12 has up to four instructions for what
// takes one or two.
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
  if constexpr (to < in_half) {
    constexpr auto order = low_bytes<in_half, to>(make_sequence<32>{});
    __asm__("vpshufb %2, %1, %0" : "=v"(r) : "v"(r), "v"(__builtin_bit_cast(bytes, order)));
  }
  if constexpr (from < 8) __asm__("vpermd %1, %2, %0" : "=v"(r) : "v"(r), "v"(words{0, 4}));
  simd_vec<To, lane_count<V>> low;
  __builtin_memcpy(&low, &r, sizeof low);
  return low;
}
#endif

// Integers as integers of another width: their low bits, or extended as their own type is. GCC 12 does not find the
// instructions of AVX2 and AVX-512 for it: it extends halves apart, and converts one element after the other where the
// width changes by more than a factor of two.
template <class To, class V>
BROADLOOM_INLINE constexpr simd_vec<To, lane_count<V>> change_width(const V& x) {
  using from = lane<V>;
  using R = simd_vec<To, lane_count<V>>;
  constexpr bool is_signed = from(-1) < from(0);
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (sizeof(To) > sizeof(from) && sizeof(R) >= 32)
    return extend_lanes<To>(x);
  else if constexpr (sizeof(V) == 32 && sizeof(from) == 8 && sizeof(To) == 4)
    return low_parts<To>(x);
  else
#endif
      if constexpr (sizeof(To) > 2 * sizeof(from)) {
    using wider = int_of<2 * sizeof(from)>;
    return change_width<To>(change_width<std::conditional_t<is_signed, typename wider::type, typename wider::u>>(x));
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

// Numbers as f64. GCC 12 converts the halves of a vector apart.
template <class V>
BROADLOOM_INLINE constexpr simd_vec<double, lane_count<V>> to_f64(const V& x) {
  using R = simd_vec<double, lane_count<V>>;
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (sizeof(R) >= 32 && __is_same(lane<V>, float)) {
    R r;
    __asm__("vcvtps2pd %1, %0" : "=v"(r) : "vm"(x));
    return r;
  } else if constexpr (sizeof(R) >= 32 && __is_same(lane<V>, std::int32_t)) {
    R r;
    __asm__("vcvtdq2pd %1, %0" : "=v"(r) : "vm"(x));
    return r;
  } else if constexpr (sizeof(R) >= 32 && sizeof(lane<V>) < 4)
    return to_f64(extend_lanes<std::int32_t>(x));
  else if constexpr (sizeof(R) == 32 && sizeof(lane<V>) == 8 && !__is_same(lane<V>, double)) {
    // AVX2 has no instruction: the halves become the lower bits of 2^52 and 2^84, whose sum is rounded once.
    using words = simd_vec<std::uint64_t, 4>;
    constexpr std::uint64_t sign = lane<V>(-1) < lane<V>(0) ? 0x80000000 : 0;
    const words bits = __builtin_bit_cast(words, x), low = (bits & 0xffffffff) | 0x4330000000000000,
                high = (bits >> 32) ^ (0x4530000000000000 | sign), both = words{} + (0x4530000000100000 | sign);
    R r;
    __asm__("vsubpd %2, %1, %0" : "=v"(r) : "v"(high), "vm"(both));
    __asm__("vaddpd %2, %1, %0" : "=v"(r) : "v"(r), "v"(low));
    return r;
  } else
#endif
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
