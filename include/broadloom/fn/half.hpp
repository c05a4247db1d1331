// Floating numbers of 16 bits as elements: bl::float16 (IEEE binary16) and bl::bfloat16 (the upper half of a f32). They
// are stored in 2 bytes and computed as f32; each function's result is rounded to them, ties to even.
#pragma once

#include <limits>

#include <broadloom/fn/function.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

// Clang 14 has no vectors of _Float16 without AVX512-FP16.
#if defined(__x86_64__) && (!defined(__clang__) || __clang_major__ >= 15)
#define BROADLOOM_F16C 1
#else
#define BROADLOOM_F16C 0
#endif

namespace broadloom {

namespace lanes {

// Bits as integers of 32 bits, and back. GCC 12 does not find AVX-512's instructions for them.
template <class V>
[[gnu::always_inline]] constexpr auto half_bits(const V& x) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (lane_count<V> == 16) {
    detail::simd_vec<std::int32_t, 16> r;
    __asm__("vpmovzxwd %1, %0" : "=v"(r) : "vm"(x.bits));
    return r;
  } else
#endif
      if constexpr (vector<V>)
    return convert<std::int32_t>(x.bits);
  else
    return static_cast<std::int32_t>(x.bits());
}
template <class Half, class V>
[[gnu::always_inline]] constexpr auto half_of_bits(const V& x) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (lane_count<V> == 16) {
    detail::simd_vec<std::uint16_t, 16> r;
    __asm__("vpmovdw %1, %0" : "=v"(r) : "v"(x));
    return detail::simd_vec<Half, 16>{r};
  } else
#endif
      if constexpr (vector<V>) {
    const auto u = as<detail::simd_vec<std::uint32_t, lane_count<V>>>(x);
    return detail::simd_vec<Half, lane_count<V>>{
        __builtin_convertvector(u, detail::simd_vec<std::uint16_t, lane_count<V>>)};
  } else
    return Half::from_bits(static_cast<std::uint16_t>(x));
}

template <>
struct half_lanes<float16> {
  template <class V>
  [[gnu::always_inline]] static constexpr auto widened(const V& x) {
    constexpr int n = lane_count<V>;
    using F = detail::simd_vec<float, n>;
    using Int = detail::simd_vec<std::int32_t, n>;
#if BROADLOOM_F16C
    if constexpr (sizeof(F) >= 32) {  // AVX2: F16C is there
#if defined(__clang__)
      typedef _Float16 halves_type __attribute__((vector_size(2 * n)));
      return __builtin_convertvector(as<halves_type>(x.bits), F);
#else
      F r;
      __asm__("vcvtph2ps %1, %0" : "=v"(r) : "vm"(x.bits));
      return r;
#endif
    }
#endif
    const Int u = half_bits(x), sign = Int((u & 0x8000) << 16), shifted = Int((u & 0x7fff) << 13);
    // Numbers below 2^-14 have no leading bit: it is added and taken away again, both exactly.
    const Int tiny = as<Int>(minus(as<F>(Int(shifted + (113 << 23))), as<F>(each<Int>(113 << 23))));
    const Int quiet = select(greater(shifted, each<Int>(0x7c00 << 13)), each<Int>(0x400000), Int{});
    const Int above = select(greater_equal(shifted, each<Int>(0x7c00 << 13)), Int((shifted + (224 << 23)) | quiet),
                             Int(shifted + (112 << 23)));
    return as<F>(Int(sign | select(less(shifted, each<Int>(1 << 23)), tiny, above)));
  }

  // NaN keeps the upper bits of its payload and becomes quiet, as processors convert it.
  template <class V>
  [[gnu::always_inline]] static constexpr auto rounded(const V& x) {
    constexpr int n = lane_count<V>;
    using Int = detail::simd_vec<std::int32_t, n>;
#if BROADLOOM_F16C
    if constexpr (sizeof(V) >= 32) {
      using H = detail::simd_vec<std::uint16_t, n>;
#if defined(__clang__)
      typedef _Float16 halves_type __attribute__((vector_size(2 * n)));
      return detail::simd_vec<float16, n>{as<H>(__builtin_convertvector(x, halves_type))};
#else
      H r;
      __asm__("vcvtps2ph $0, %1, %0" : "=v"(r) : "v"(x));
      return detail::simd_vec<float16, n>{r};
#endif
    }
#endif
    const Int u = as<Int>(x), a = Int(u & 0x7fffffff), sign = Int((u >> 16) & 0x8000);
    const auto is_tiny = less(a, each<Int>(0x38800000));  // below 2^-14: a multiple of 2^-24
    const V steps = times(select(is_tiny, as<V>(a), V{}), each<V>(16777216.0));
    const Int whole_steps = convert<std::int32_t>(steps);
    const V left = minus(steps, convert<float>(whole_steps));
    const Int odd = Int(whole_steps & 1);
    const Int up = select(either(greater(left, each<V>(0.5)), both(equal(left, each<V>(0.5)), unequal(odd, Int{}))),
                          each<Int>(1), Int{});
    const Int bounded = select(less(a, each<Int>(0x47800000)), a, each<Int>(0x47800000));  // 2^16 and above: infinity
    const Int rest = Int((bounded + 0xfff + ((bounded >> 13) & 1) - (112 << 23)) >> 13);
    const Int nan = Int(0x7e00 | ((a >> 13) & 0x3ff));
    return half_of_bits<float16>(
        Int(sign | select(greater(a, each<Int>(0x7f800000)), nan, select(is_tiny, Int(whole_steps + up), rest))));
  }

  // The nearest of these numbers, as f32.
  template <class V>
  [[gnu::always_inline]] static constexpr V nearest(const V& x) {
    return widened(rounded(x));
  }
};

template <>
struct half_lanes<bfloat16> {
  template <class V>
  [[gnu::always_inline]] static constexpr auto widened(const V& x) {
    constexpr int n = lane_count<V>;
    using U = detail::simd_vec<std::uint32_t, n>;
    return as<detail::simd_vec<float, n>>(U(as<U>(half_bits(x)) << 16));
  }

  // In the upper half, with the lower half still there. NaN becomes the positive quiet one (PyTorch).
  template <class V>
  [[gnu::always_inline]] static constexpr auto rounded_above(const V& x) {
    using U = detail::simd_vec<std::uint32_t, lane_count<V>>;
    const U u = as<U>(x);
    return select(unequal(x, x), each<U>(0x7fc00000), U(u + 0x7fff + ((u >> 16) & 1)));
  }
  template <class V>
  [[gnu::always_inline]] static constexpr auto rounded(const V& x) {
    const auto u = rounded_above(x);
    return half_of_bits<bfloat16>(std::remove_cvref_t<decltype(u)>(u >> 16));
  }
  template <class V>
  [[gnu::always_inline]] static constexpr V nearest(const V& x) {
    const auto u = rounded_above(x);
    return as<V>(std::remove_cvref_t<decltype(u)>(u & 0xffff0000));
  }
};

}  // namespace lanes

namespace detail {

// What the two types share: as PyTorch's, both convert from and to other numbers without being asked. Arithmetic of two
// of them, or of one and an integer, rounds f32's result; with a floating number it is done in that number's type.
template <class Half>
class half_number {
 public:
  constexpr half_number() = default;

  constexpr std::uint16_t bits() const { return bits_; }
  static constexpr Half from_bits(std::uint16_t bits) {
    Half h;
    h.bits_ = bits;
    return h;
  }

  constexpr operator float() const { return lanes::half_lanes<Half>::widened(static_cast<const Half&>(*this)); }

  constexpr Half operator-() const { return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000)); }
  constexpr Half operator+() const { return from_bits(bits_); }

#define BROADLOOM_HALF(OP)                                                                 \
  friend constexpr Half operator OP(Half a, Half b) { return Half(float(a) OP float(b)); } \
  template <class T>                                                                       \
    requires std::is_floating_point_v<T>                                                   \
  friend constexpr T operator OP(Half a, T b) {                                            \
    return static_cast<T>(float(a)) OP b;                                                  \
  }                                                                                        \
  template <class T>                                                                       \
    requires std::is_floating_point_v<T>                                                   \
  friend constexpr T operator OP(T a, Half b) {                                            \
    return a OP static_cast<T>(float(b));                                                  \
  }                                                                                        \
  template <class T>                                                                       \
    requires std::is_integral_v<T>                                                         \
  friend constexpr Half operator OP(Half a, T b) {                                         \
    return a OP Half(b);                                                                   \
  }                                                                                        \
  template <class T>                                                                       \
    requires std::is_integral_v<T>                                                         \
  friend constexpr Half operator OP(T a, Half b) {                                         \
    return Half(a) OP b;                                                                   \
  }                                                                                        \
  template <class T>                                                                       \
    requires(std::is_arithmetic_v<T> || __is_same(T, Half))                                \
  friend constexpr Half& operator OP##=(Half & a, T b) {                                   \
    return a = Half(a OP b);                                                               \
  }
  BROADLOOM_HALF(+)
  BROADLOOM_HALF(-)
  BROADLOOM_HALF(*)
  BROADLOOM_HALF(/)
#undef BROADLOOM_HALF

 protected:
  std::uint16_t bits_;
};

}  // namespace detail

// IEEE binary16: 11 significant bits, 2^-24 to 65504. dtype::f16, NumPy's float16, PyTorch's Half.
class float16 : public detail::half_number<float16> {
 public:
  constexpr float16() = default;
  // The nearest, ties to even; beyond 65520 infinity. A double is rounded to f32 first, as PyTorch rounds it.
  constexpr float16(float x) { bits_ = lanes::half_lanes<float16>::rounded(x).bits(); }
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr float16(T x) : float16(static_cast<float>(x)) {}
};

// The upper 16 bits of a f32: 8 significant bits, f32's range. dtype::bf16, PyTorch's BFloat16.
class bfloat16 : public detail::half_number<bfloat16> {
 public:
  constexpr bfloat16() = default;
  // The nearest, ties to even.
  constexpr bfloat16(float x) { bits_ = lanes::half_lanes<bfloat16>::rounded(x).bits(); }
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr bfloat16(T x) : bfloat16(static_cast<float>(x)) {}
};

namespace detail {

// The tree without the roundings between its functions.
template <class E>
constexpr auto without_roundings(const E& e) {
  return e;
}
template <class F, class Shape, class... Args>
constexpr auto without_roundings(const map<F, Shape, Args...>& e);
template <class Shape, class Half, class Inner, class X>
  requires(is_half_type<Half> && __is_same(typename X::value_type, float))
constexpr auto without_roundings(const map<cast_f<float>, Shape, map<cast_f<Half>, Inner, X>>& e) {
  return without_roundings(e.template arg<0>().template arg<0>());
}
template <class F, class Shape, class... Args>
constexpr auto without_roundings(const map<F, Shape, Args...>& e) {
  return unpack(e.args(), [&](const Args&... a) {
    return map<F, Shape, decltype(without_roundings(a))...>(e.function(), e.shape(), without_roundings(a)...);
  });
}

}  // namespace detail

// round_once(e): e with one rounding to its elements of 16 bits, at the end: what its functions give each other stays
// f32. Reductions, products and lets in e are expressions of their own, whose results are rounded as before. Of
// expressions without such elements, e.
inline constexpr struct round_once_t {
  template <array E>
  constexpr auto operator()(E&& e) const {
    return detail::without_roundings(detail::capture(static_cast<E&&>(e)));
  }
} round_once{};

}  // namespace broadloom

template <>
struct std::numeric_limits<broadloom::float16> : std::numeric_limits<float> {
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5;
  static constexpr int min_exponent = -13, min_exponent10 = -4, max_exponent = 16, max_exponent10 = 4;
  static constexpr broadloom::float16(min)() noexcept { return broadloom::float16::from_bits(0x0400); }
  static constexpr broadloom::float16(max)() noexcept { return broadloom::float16::from_bits(0x7bff); }
  static constexpr broadloom::float16 lowest() noexcept { return broadloom::float16::from_bits(0xfbff); }
  static constexpr broadloom::float16 epsilon() noexcept { return broadloom::float16::from_bits(0x1400); }
  static constexpr broadloom::float16 round_error() noexcept { return broadloom::float16::from_bits(0x3800); }
  static constexpr broadloom::float16 infinity() noexcept { return broadloom::float16::from_bits(0x7c00); }
  static constexpr broadloom::float16 quiet_NaN() noexcept { return broadloom::float16::from_bits(0x7e00); }
  static constexpr broadloom::float16 signaling_NaN() noexcept { return broadloom::float16::from_bits(0x7d00); }
  static constexpr broadloom::float16 denorm_min() noexcept { return broadloom::float16::from_bits(0x0001); }
};

template <>
struct std::numeric_limits<broadloom::bfloat16> : std::numeric_limits<float> {
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4;
  static constexpr broadloom::bfloat16(min)() noexcept { return broadloom::bfloat16::from_bits(0x0080); }
  static constexpr broadloom::bfloat16(max)() noexcept { return broadloom::bfloat16::from_bits(0x7f7f); }
  static constexpr broadloom::bfloat16 lowest() noexcept { return broadloom::bfloat16::from_bits(0xff7f); }
  static constexpr broadloom::bfloat16 epsilon() noexcept { return broadloom::bfloat16::from_bits(0x3c00); }
  static constexpr broadloom::bfloat16 round_error() noexcept { return broadloom::bfloat16::from_bits(0x3f00); }
  static constexpr broadloom::bfloat16 infinity() noexcept { return broadloom::bfloat16::from_bits(0x7f80); }
  static constexpr broadloom::bfloat16 quiet_NaN() noexcept { return broadloom::bfloat16::from_bits(0x7fc0); }
  static constexpr broadloom::bfloat16 signaling_NaN() noexcept { return broadloom::bfloat16::from_bits(0x7fa0); }
  static constexpr broadloom::bfloat16 denorm_min() noexcept { return broadloom::bfloat16::from_bits(0x0001); }
};

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#undef BROADLOOM_F16C
