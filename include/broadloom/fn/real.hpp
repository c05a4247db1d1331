// Parts of formulas for floating numbers and their special values; defined for integers and bool accordingly.
#pragma once

#include <broadloom/fn/integers.hpp>
#include <broadloom/fn/sqrt.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::lanes {

#define BROADLOOM_LANES [[gnu::always_inline]] constexpr

template <class V>
BROADLOOM_LANES auto is_infinite(const V& x) {
  if constexpr (floating<V>)
    return equal(magnitude(x), each<V>(__builtin_huge_val()));
  else
    return unequal(x, x);
}
template <class V>
BROADLOOM_LANES auto is_finite(const V& x) {
  if constexpr (floating<V>)
    return less(magnitude(x), each<V>(__builtin_huge_val()));
  else
    return equal(x, x);
}
// The sign bit of a floating number, of -0 and of NaN too.
template <class V>
BROADLOOM_LANES auto has_sign(const V& x) {
  if constexpr (floating<V>) {
    using Int = detail::simd_vec<typename detail::int_of<sizeof(lane<V>)>::type, lane_count<V>>;
    return less(as<Int>(x), Int{});
  } else
    return less(x, V{});
}
// 1, 0 or -1; 0 of -0, NaN of NaN.
template <class V>
BROADLOOM_LANES auto sign_of(const V& x) {
  if constexpr (truth<V>)
    return x;
  else if constexpr (floating<V>)  // adding 0 makes 0 of -0
    return plus(select(greater(x, V{}), each<V>(1), select(less(x, V{}), each<V>(-1), x)), V{});
  else
    return select(greater(x, V{}), each<V>(1), select(less(x, V{}), each<V>(-1), V{}));
}
// 0 of negative numbers, 1 of positive ones, NaN of NaN, and y of 0.
template <class V, class Y>
BROADLOOM_LANES auto step_at_zero(const V& x, const Y& y) {
  if constexpr (floating<V>)
    return select(equal(x, V{}), y, select(greater(x, V{}), each<V>(1), select(less(x, V{}), V{}, x)));
  else
    return select(equal(x, V{}), y, select(greater(x, V{}), each<Y>(1), Y{}));
}
// The neighbour of x on the way to y.
template <floating V>
BROADLOOM_LANES V next_after(const V& x, const V& y) {
  using B = bits<V>;
  const B one = each<B>(1), b = as<B>(x);
  const auto outwards = equal(less(x, y), greater(x, V{}));
  const V next = as<V>(select(outwards, static_cast<B>(b + one), static_cast<B>(b - one)));
  const V from_zero = copy_sign(as<V>(one), y);
  const V moved = select(equal(x, y), y, select(equal(x, V{}), from_zero, next));
  return select(either(unequal(x, x), unequal(y, y)), plus(x, y), moved);
}
// -|x - y|, 0 where they are equal, infinite ones too.
template <floating V>
BROADLOOM_LANES V gap(const V& x, const V& y) {
  return select(equal(x, y), V{}, negative(magnitude(minus(x, y))));
}
// x / (1 - x); with limit >= 0 of the x within [limit, 1 - limit].
template <floating V>
BROADLOOM_LANES V odds(const V& x, const V& limit) {
  const V one = each<V>(1), high = minus(one, limit);
  const V inside = select(less(x, limit), limit, select(greater(x, high), high, x));
  const V p = select(less(limit, V{}), x, inside);
  return over(p, minus(one, p));
}
// tanh(log(1 + s))
template <floating V>
BROADLOOM_LANES V tanh_log1p(const V& s) {
  const V n = times(s, plus(s, each<V>(2)));
  return over(n, plus(n, each<V>(2)));
}
// 2^n of whole n within the exponents of normal numbers.
template <floating V>
BROADLOOM_LANES V power_of_two(const V& n) {
  constexpr bool single = __is_same(lane<V>, float);
  using B = bits<V>;
  // the last bits of the sum are n and the exponent's bias
  const V sum = plus(n, each<V>(single ? 0x1.8p23 + 127 : 0x1.8p52 + 1023));
  return as<V>(static_cast<B>(as<B>(sum) << (single ? 23 : 52)));
}
// x 2^y, given s = exp2(exponent_part(y)), rounded once: powers of two that would leave the range go one after the
// other.
template <floating V>
BROADLOOM_LANES V exponent_part(const V& y) {
  return select(is_infinite(y), y, minus(y, to_even(y)));
}
template <floating V>
BROADLOOM_LANES V scale_by_power(const V& x, const V& y, const V& s) {
  constexpr bool single = __is_same(lane<V>, float);
  const V low = each<V>(single ? -125 : -1021), high = each<V>(single ? 126 : 1022), n = to_even(y);
  const auto within = [&](const V& v) __attribute__((always_inline)) { return smaller(larger(v, low), high); };
  const V last = within(n), beyond = minus(n, last), first = within(beyond), second = within(minus(beyond, first));
  return times(times(times(x, power_of_two(first)), power_of_two(second)), times(s, power_of_two(last)));
}
// sin(pi x) / (pi x), given s = sin(pi_part(x)): 0 of whole numbers but 0.
template <floating V>
BROADLOOM_LANES V pi_part(const V& x) {
  return times(minus(x, to_even(x)), each<V>(3.14159265358979323846));
}
template <floating V>
BROADLOOM_LANES V sine_quotient(const V& x, const V& s) {
  const V half = times(to_even(x), each<V>(0.5));
  const V sine = select(equal(half, toward_zero(half)), s, negative(s));
  const V r = plus(over(sine, times(x, each<V>(3.14159265358979323846))), V{});
  return select(equal(x, V{}), each<V>(1), r);
}
// Here 1 + exp(-x) is exp(-x), which is about to be infinite.
template <floating V>
BROADLOOM_LANES auto is_far_below(const V& x) {
  return less(x, each<V>(__is_same(lane<V>, float) ? -88 : -709));
}
// x + z (y - x), from y where z >= 0.5; y - x is taken apart where it is infinite although x and y are not.
template <floating V>
BROADLOOM_LANES V from_nearer(const V& x, const V& y, const V& z) {
  const auto early = less(z, each<V>(0.5));
  const V half = each<V>(0.5), way = minus(y, x), part = select(early, z, minus(each<V>(1), z)),
          step = times(way, part);
  const V apart = select(is_finite(minus(times(y, half), times(x, half))), minus(times(y, part), times(x, part)), step);
  const V safe = select(is_finite(way), step, apart);
  return select(early, plus(x, safe), minus(y, safe));
}
// NaN and infinities replaced; a replacement for an infinity that is NaN stands for the type's largest number.
template <class V>
BROADLOOM_LANES V finite_number(const V& x, const V& for_nan, const V& above, const V& below) {
  if constexpr (floating<V>) {
    const V most = each<V>(__is_same(lane<V>, float) ? static_cast<double>(__FLT_MAX__) : __DBL_MAX__);
    const V high = select(unequal(above, above), most, above),
            low = select(unequal(below, below), negative(most), below);
    const V bounded = select(is_infinite(x), select(greater(x, V{}), high, low), x);
    return select(unequal(x, x), for_nan, bounded);
  } else
    return x;
}

// Square root, correctly rounded.
template <floating V>
BROADLOOM_LANES V root(const V& x) {
  if constexpr (!vector<V>)
    if (__builtin_is_constant_evaluated()) return detail::constexpr_sqrt(x);
#if __has_builtin(__builtin_elementwise_sqrt)
  return __builtin_elementwise_sqrt(x);
#elif defined(__x86_64__) && !defined(__clang__)
  V r;
  if constexpr (vector<V>) {
    if constexpr (__is_same(lane<V>, float)) {
      if constexpr (sizeof(V) == 16)
        __asm__("%vsqrtps %1, %0" : "=x"(r) : "x"(x));
      else
        __asm__("vsqrtps %1, %0" : "=v"(r) : "v"(x));
    } else {
      if constexpr (sizeof(V) == 16)
        __asm__("%vsqrtpd %1, %0" : "=x"(r) : "x"(x));
      else
        __asm__("vsqrtpd %1, %0" : "=v"(r) : "v"(x));
    }
  } else {
    if constexpr (__is_same(V, float))
      __asm__("%vsqrtss %1, %d0" : "=x"(r) : "x"(x));
    else
      __asm__("%vsqrtsd %1, %d0" : "=x"(r) : "x"(x));
  }
  return r;
#else
  V r = x;
  if constexpr (vector<V>)
    for (int i = 0; i < lane_count<V>; ++i) r[i] = root(x[i]);
#if defined(__x86_64__)
  // Clang's own sqrt may set errno, so that lanes would stay apart; this one may not.
  else if constexpr (__is_same(V, float))
    r = __builtin_ia32_sqrtss(detail::simd_vec<float, 4>{x})[0];
  else
    r = __builtin_ia32_sqrtsd(detail::simd_vec<double, 2>{x})[0];
#else
  else if constexpr (__is_same(V, float))
    r = __builtin_sqrtf(x);
  else
    r = __builtin_sqrt(x);
#endif
  return r;
#endif
}

#undef BROADLOOM_LANES

}  // namespace broadloom::lanes

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
