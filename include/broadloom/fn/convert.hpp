// Conversion of lanes from one element type to another.
#pragma once

#include <broadloom/fn/lanes.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::lanes {

// Floating numbers of 16 bits to f32 and back: `widened(x)`, and `rounded(x)` of f32, ties to even (fn/half.hpp).
template <class Half>
struct half_lanes;

// The value as another element type. Floating to a narrower integer goes through i32 (i64 where it does not fit), as
// PyTorch's conversions do on x86; NaN and values out of range give that integer's smallest value.
template <class To, class V>
[[gnu::always_inline]] constexpr auto convert(const V& x) {
  constexpr int n = lane_count<V>;
  using from = lane<V>;
  if constexpr (__is_same(To, from))
    return x;
  else if constexpr (halves<V>)
    return convert<To>(half_lanes<from>::widened(x));
  else if constexpr (detail::is_half_type<To>)
    return half_lanes<To>::rounded(convert<float>(x));
  else if constexpr (complexes<V>) {
    const auto re = detail::real_part(x), im = detail::imaginary_part(x);
    using P = std::remove_cvref_t<decltype(re)>;
    if constexpr (__is_same(To, bool))
      return either(unequal(re, P{}), unequal(im, P{}));
    else if constexpr (detail::is_complex_type<To>)
      return detail::complex_of(convert<detail::real_of<To>>(re), convert<detail::real_of<To>>(im));
    else
      return convert<To>(re);
  } else if constexpr (detail::is_complex_type<To>) {
    const auto re = convert<detail::real_of<To>>(x);
    return detail::complex_of(re, std::remove_cvref_t<decltype(re)>{});
  } else if constexpr (__is_same(To, bool))
    return unequal(x, V{});
  else if constexpr (truth<V>) {
    using R = detail::simd_vec<To, n>;
    return select(x, each<R>(1), R{});
  } else if constexpr (vector<V>) {
    using R = detail::simd_vec<To, n>;
    if constexpr (floating<V> && !floating<R> && (sizeof(To) < 4)) {
      return convert<To>(__builtin_convertvector(x, detail::simd_vec<std::int32_t, n>));
    } else if constexpr (floating<V> && __is_same(To, std::uint64_t)) {
      // The upper half comes from i64 moved up by 2^63; compilers' own conversions differ out of range.
      const V half = each<V>(9223372036854775808.0);
      const auto high = greater_equal(x, half);
      const auto moved = __builtin_convertvector(select(high, minus(x, half), x), detail::simd_vec<std::int64_t, n>);
      const R top = select(high, each<R>(std::uint64_t{1} << 63), R{});
      return select(greater_equal(x, negative(half)), R(as<R>(moved) ^ top), R{});
    } else if constexpr (floating<V> && __is_same(To, std::uint32_t)) {
      return __builtin_convertvector(__builtin_convertvector(x, detail::simd_vec<std::int64_t, n>), R);
    } else if constexpr (__is_same(To, double) && sizeof(R) >= 32) {
      return detail::to_f64(x);
    } else if constexpr (!floating<V> && floating<R> && sizeof(from) < 4) {
      return __builtin_convertvector(convert<std::int32_t>(x), R);
    } else if constexpr (whole<V> && whole<R>) {
      return detail::change_width<To>(x);
    } else
      return __builtin_convertvector(x, R);
  } else if constexpr (floating<V> && !floating<To>) {
    using via = std::conditional_t<(sizeof(To) < 4 || __is_same(To, std::int32_t)), std::int32_t,
                                   std::conditional_t<__is_same(To, std::uint64_t), std::uint64_t, std::int64_t>>;
    constexpr from low =
        static_cast<from>(static_cast<via>(via(-1) > via(0) ? via(0) : via(1) << (8 * sizeof(via) - 1)));
    constexpr from past = via(-1) > via(0) ? from(18446744073709551616.0) : -low;
    if constexpr (via(-1) > via(0)) {
      if (x < 0 && x >= from(-9223372036854775808.0)) return static_cast<To>(static_cast<std::int64_t>(x));
    }
    return x >= low && x < past ? static_cast<To>(static_cast<via>(x)) : static_cast<To>(static_cast<via>(low));
  } else
    return static_cast<To>(x);
}

}  // namespace broadloom::lanes

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
