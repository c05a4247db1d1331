// Quotients, remainders and common divisors of integers. They wrap; a zero divisor is an error, thrown from inside the
// loop.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/fma.hpp>
#include <broadloom/fn/rounding.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// Throws arithmetic_error.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_division_by_zero() {
  throw_error(error_kind::division_by_zero, {});
}

}  // namespace broadloom::detail

namespace broadloom::lanes {

#define BROADLOOM_LANES [[gnu::always_inline]] constexpr

// Whether a bit of a lane is set.
template <whole V>
BROADLOOM_LANES bool any_bit(const V& x) {
  if constexpr (!vector<V>)
    return x != 0;
  else {
    constexpr int words = sizeof(V) < 8 ? 1 : static_cast<int>(sizeof(V) / 8);
    unsigned long long all[words] = {}, r = 0;
    __builtin_memcpy(all, &x, sizeof(V));
    for (const unsigned long long word : all) r |= word;
    return r != 0;
  }
}

// Applies f to one lane after the other.
template <class F, class V>
BROADLOOM_LANES V lane_by_lane(F f, const V& x, const V& y) {
  if constexpr (!vector<V>)
    return f(x, y);
  else {
    using T = lane<V>;
    T a[lane_count<V>], b[lane_count<V>];
    detail::store<T>(a, x);
    detail::store<T>(b, y);
    for (int i = 0; i < lane_count<V>; ++i) a[i] = f(a[i], b[i]);
    return detail::load<T, lane_count<V>>(a);
  }
}

namespace one {

// For single integers. Dividing the smallest number by -1 wraps to itself.
template <class T>
BROADLOOM_LANES T quotient(T x, T y) {
  if (y == 0) detail::throw_division_by_zero();
  if constexpr (T(-1) < T(0))
    if (y == T(-1)) return minus(T(0), x);
  return static_cast<T>(x / y);
}
template <class T>
BROADLOOM_LANES T remainder(T x, T y) {
  if (y == 0) detail::throw_division_by_zero();
  if constexpr (T(-1) < T(0))
    if (y == T(-1)) return 0;
  return static_cast<T>(x % y);
}
template <class T>
BROADLOOM_LANES bool rounds_down(T rest, T y) {
  return rest != 0 && (rest < 0) != (y < 0);
}
template <class T>
constexpr T divisor(T x, T y) {
  using B = bits<T>;
  B a = static_cast<B>(magnitude(x)), b = static_cast<B>(magnitude(y));
  while (a != 0) {
    const B c = a;
    a = static_cast<B>(b % a);
    b = c;
  }
  return static_cast<T>(b);
}

}  // namespace one

// Vectors have no integer division, but they have floating multiplication. x / y is (x + 1/2) * (1 / y), rounded down
// (1/2 has the sign of y) or towards zero (1/2 has the sign of x): this lies at least 1 / (2 |y|) from the integers
// around x / y, and its two rounding errors come to less, as the floating type has twice x's range and more. A divisor
// that is one number for all elements is inverted once, outside of the loop.
namespace by_floating {

// Divides N integers of T, of 32 or 64 bits, at a time, if that is less work than N divisions.
template <class T, int N>
struct part {
  using floats = detail::simd_vec<double, N>;
  using ints = detail::simd_vec<T, N>;
  using halves = detail::simd_vec<std::int32_t, N>;
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr double middle = 2147483648.0;
  // AVX2 converts none of 64 bits. In the numbers around this one the last digit counts ones.
  static constexpr bool by_magic = sizeof(T) == 8 && sizeof(ints) == 32;
  static constexpr double magic = 0x1.8p52;

  BROADLOOM_LANES static floats of(const ints& x) {
    if constexpr (by_magic)
      return minus(as<floats>(static_cast<ints>(x + as<ints>(each<floats>(magic)))), each<floats>(magic));
    else if constexpr (sizeof(T) == 8)
      return __builtin_convertvector(x, floats);
    else if constexpr (is_signed)
      return of_halves(x);
    else  // processors convert signed ones
      return plus(of_halves(as<halves>(static_cast<ints>(x ^ 0x80000000u))), each<floats>(middle));
  }
  BROADLOOM_LANES static floats of_halves(const halves& x) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (sizeof(floats) >= 32) {  // GCC 12 would convert two halves and join them
      floats r;
      __asm__("vcvtdq2pd %1, %0" : "=v"(r) : "v"(x));
      return r;
    } else
#endif
      return __builtin_convertvector(x, floats);
  }
  // A conversion of what is too large is undefined, but the instruction's result, the smallest number, is not.
  BROADLOOM_LANES static ints to_halves(const floats& r) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (sizeof(floats) >= 32) {
      halves h;
      __asm__("vcvttpd2dq %1, %0" : "=v"(h) : "v"(r));
      return as<ints>(h);
    } else
#endif
      return __builtin_convertvector(select(less(r, each<floats>(middle)), r, each<floats>(-middle)), ints);
  }
  // Truncated towards zero. The smallest number over -1 wraps.
  BROADLOOM_LANES static ints back(const floats& r) {
    if constexpr (by_magic)
      return static_cast<ints>(as<ints>(plus(toward_zero(r), each<floats>(magic))) - as<ints>(each<floats>(magic)));
    else if constexpr (sizeof(T) == 8)
      return __builtin_convertvector(r, ints);
    else if constexpr (is_signed)
      return to_halves(r);
    else
      return static_cast<ints>(as<ints>(__builtin_convertvector(minus(down(r), each<floats>(middle)), halves)) ^
                               0x80000000u);
  }
};
// Whether the floating type holds all lanes exactly: those of 64 bits must be of moderate size.
template <class V>
BROADLOOM_LANES bool hold(const V& x) {
  if constexpr (sizeof(lane<V>) < 8)
    return true;
  else {
    using B = bits<V>;
    constexpr lane<B> limit = lane<B>{1} << 50;
    const B moved = (lane<V>(-1) < lane<V>(0) ? as<B>(x) + limit : as<B>(x));
    return !any_bit(as<V>(static_cast<B>(moved >> 51)));
  }
}
// x / y between its neighbouring integers: above the one that is rounded down to, or on the far side of the one towards
// zero. Integers of 64 bits fill a vector with one division, which takes no longer.
template <class F, bool Inverts>
struct fraction {
  F x, y, inverse, half;  // half: 1/2 with y's sign, over y
  BROADLOOM_LANES void invert() {
    if constexpr (Inverts) {
      inverse = over(each<F>(1), y);
      half = magnitude(times(each<F>(0.5), inverse));
    }
  }
  BROADLOOM_LANES F above() const {
    if constexpr (Inverts)
      return fused(x, inverse, half);
    else
      return over(x, y);
  }
  BROADLOOM_LANES F beyond() const {
    if constexpr (Inverts)
      return fused(x, inverse, times(copy_sign(each<F>(0.5), x), inverse));
    else
      return over(x, y);
  }
};
// Vectors one behind the other, in registers: what was stored in parts is loaded as a whole late.
template <int N, class P, int... Lane>
BROADLOOM_LANES auto joined(const P* x, detail::sequence<Lane...>) {
  if constexpr (N == 1)
    return *x;
  else {
    constexpr detail::make_sequence<static_cast<int>(sizeof...(Lane)) / 2> half{};
    return detail::shuffled<Lane...>(joined<N / 2>(x, half), joined<N / 2>(x + N / 2, half));
  }
}
template <class V>
inline constexpr bool exist = vector<V> && sizeof(V) >= 32;

}  // namespace by_floating

// Integers of 8 and 16 bits in lanes of 16, of which there are upper halves of products. With a = |x|, b = |y| and m =
// 65536 / b rounded down, but at most 65535, the upper half of a m is a / b rounded down, or 1 less: a (65536 / b - m)
// < 65536. The rest a - q b says which. Where a and b have 8 bits and m is rounded up, it is a / b rounded down: the
// upper half comes to less than a / 65536 <= 1 / b too much; and the m of b = 1, 65536, is 0 in 16 bits.
namespace by_words {

template <class V>
inline constexpr bool exist = whole<V> && sizeof(lane<V>) <= 2 && by_floating::exist<V>;

template <class V>
BROADLOOM_LANES V upper_half(const V& a, const V& b) {
#if defined(__x86_64__) && !defined(__clang__)
  V r;
  __asm__("vpmulhuw %2, %1, %0" : "=v"(r) : "v"(a), "v"(b));
  return r;
#else
  using wide = detail::simd_vec<std::uint32_t, lane_count<V>>;
  return __builtin_convertvector((__builtin_convertvector(a, wide) * __builtin_convertvector(b, wide)) >> 16, V);
#endif
}

// Divisors of type T in N lanes of 16 bits.
template <class T, int N>
struct divisors {
  using shorts = detail::simd_vec<std::int16_t, N>;
  using ushorts = detail::simd_vec<std::uint16_t, N>;
  static constexpr bool is_signed = T(-1) < T(0);
  shorts sign;  // -1 or 0 in each lane
  ushorts size, m, one;

  BROADLOOM_LANES void set(const shorts& y) {
    sign = is_signed ? static_cast<shorts>(y >> 15) : shorts{};
    size = as<ushorts>(static_cast<shorts>((y ^ sign) - sign));
    using words = detail::simd_vec<std::int32_t, N / 2>;
    using pairs = detail::simd_vec<std::uint32_t, N / 2>;
    const auto inverse = [](const pairs& b) __attribute__((always_inline)) {
      using floats = detail::simd_vec<float, N / 2>;
      const floats by = __builtin_convertvector(as<words>(b), floats);
      const floats of = sizeof(T) == 1 ? plus(by, each<floats>(65535)) : each<floats>(65536);
      const words r = __builtin_convertvector(over(of, by), words);
      return as<pairs>(sizeof(T) == 1 ? r : smaller(r, each<words>(65535)));
    };
    const pairs lower = inverse(as<pairs>(size) & 0xffffu), upper = inverse(as<pairs>(size) >> 16);
    m = as<ushorts>(static_cast<pairs>((lower & 0xffffu) | (upper << 16)));
    one = as<ushorts>(static_cast<shorts>(m == ushorts{}));
  }
  // a / size, rounded down.
  BROADLOOM_LANES ushorts under(const ushorts& a) const {
    const ushorts q = upper_half(a, m);
    if constexpr (sizeof(T) == 1)
      return q + (a & one);
    else
      return q - as<ushorts>(static_cast<shorts>(static_cast<ushorts>(a - q * size) >= size));
  }
  // x / y rounded down, or towards zero; the smallest number over -1 wraps.
  BROADLOOM_LANES shorts down(const shorts& x) const {
    if constexpr (!is_signed)
      return as<shorts>(under(as<ushorts>(x)));
    else {
      // Of x with y's sign, which wraps where both are negative, -a - 1 is divided as a.
      const shorts moved = (x ^ sign) - sign, below = (moved & ~(x & sign)) >> 15;
      return as<shorts>(under(as<ushorts>(static_cast<shorts>(moved ^ below)))) ^ below;
    }
  }
  BROADLOOM_LANES shorts toward_zero(const shorts& x) const {
    if constexpr (!is_signed)
      return as<shorts>(under(as<ushorts>(x)));
    else {
      const shorts s = x >> 15, other = s ^ sign;
      return (as<shorts>(under(as<ushorts>(static_cast<shorts>((x ^ s) - s)))) ^ other) - other;
    }
  }
};
// f of lanes of 16 bits of x and the divisors y, in which bytes are the lower or the upper ones.
template <class F, class V>
BROADLOOM_LANES V divided(F f, const V& x, const V& y) {
  using T = lane<V>;
  using by = divisors<T, static_cast<int>(sizeof(V) / 2)>;
  using shorts = typename by::shorts;
  using ushorts = typename by::ushorts;
  const auto lower = [](const V& v) __attribute__((always_inline)) {
    if constexpr (sizeof(T) == 2)
      return as<shorts>(v);
    else if constexpr (by::is_signed)
      return static_cast<shorts>(as<shorts>(static_cast<ushorts>(as<ushorts>(v) << 8)) >> 8);
    else
      return as<shorts>(static_cast<ushorts>(as<ushorts>(v) & 0xff));
  };
  const auto upper = [](const V& v) __attribute__((always_inline)) {
    if constexpr (by::is_signed)
      return static_cast<shorts>(as<shorts>(v) >> 8);
    else
      return as<shorts>(static_cast<ushorts>(as<ushorts>(v) >> 8));
  };
  // Before the branch, so that GCC takes the divisions of one number for all elements out of the loop.
  by low, high;
  low.set(lower(y));
  if constexpr (sizeof(T) == 1) high.set(upper(y));
  if (any_bit(as<V>(static_cast<bits<V>>(y == V{})))) [[unlikely]]
    detail::throw_division_by_zero();
  const shorts q = f(lower(x), lower(y), low);
  if constexpr (sizeof(T) == 2)
    return as<V>(q);
  else {
    const ushorts r = as<ushorts>(f(upper(x), upper(y), high));
    return as<V>(static_cast<ushorts>((as<ushorts>(q) & 0xff) | (r << 8)));
  }
}

}  // namespace by_words

// f of the fraction x / y in floating numbers that hold both integers, or else f of x and y.
template <class F, class G, class V>
BROADLOOM_LANES V divided(F of_floating, G of_integers, const V& x, const V& y) {
  if constexpr (by_floating::exist<V>) {
    using T = lane<V>;
    constexpr int n = static_cast<int>(sizeof(V) / sizeof(double)), parts = lane_count<V> / n;
    using part = by_floating::part<T, n>;
    by_floating::fraction<typename part::floats, (sizeof(T) < 8)> of[parts];
    const auto take = [&]() __attribute__((always_inline)) {
      T b[lane_count<V>];
      detail::store<T>(b, y);
#pragma GCC unroll 4
      for (int i = 0; i < parts; ++i) {
        of[i].y = part::of(detail::load<T, n>(b + i * n));
        of[i].invert();
      }
    };
    // With AVX2 GCC takes no division out of a loop that is behind a branch; with AVX-512 it does, and what comes
    // before the branch costs more.
    constexpr bool at_once = sizeof(V) == 32;
    if constexpr (at_once) take();
    if (any_bit(as<V>(static_cast<bits<V>>(y == V{})))) [[unlikely]]
      detail::throw_division_by_zero();
    if (by_floating::hold(x) && by_floating::hold(y)) [[likely]] {
      if constexpr (!at_once) take();
      typename part::ints results[parts];
      T a[lane_count<V>];
      detail::store<T>(a, x);
#pragma GCC unroll 4
      for (int i = 0; i < parts; ++i) {
        of[i].x = part::of(detail::load<T, n>(a + i * n));
        results[i] = part::back(of_floating(of[i]));
      }
      return by_floating::joined<parts>(results, detail::make_sequence<lane_count<V>>{});
    }
  }
  return lane_by_lane(of_integers, x, y);
}

// x / y truncated towards zero, and its remainder, which has the sign of x.
template <class V>
BROADLOOM_LANES V quotient(const V& x, const V& y) {
  if constexpr (floating<V>)
    return toward_zero(over(x, y));
  else if constexpr (by_words::exist<V>)
    return by_words::divided([](const auto& a, const auto&, const auto& by)
                                 __attribute__((always_inline)) { return by.toward_zero(a); },
                             x, y);
  else
    return divided([](const auto& f) __attribute__((always_inline)) { return f.beyond(); },
                   [](auto a, auto b) __attribute__((always_inline)) { return one::quotient(a, b); }, x, y);
}
template <whole V>
BROADLOOM_LANES V rest(const V& x, const V& y) {
  if constexpr (by_words::exist<V>)
    return by_words::divided(
        [](const auto& a, const auto& b, const auto& by) __attribute__((always_inline)) {
          return static_cast<std::remove_cvref_t<decltype(a)>>(a - by.toward_zero(a) * b);
        },
        x, y);
  else
    return divided([](const auto& f)
                       __attribute__((always_inline)) { return minus(f.x, times(toward_zero(f.beyond()), f.y)); },
                   [](auto a, auto b) __attribute__((always_inline)) { return one::remainder(a, b); }, x, y);
}
// x / y rounded down, and its remainder, which has the sign of y.
template <whole V>
BROADLOOM_LANES V floor_quotient(const V& x, const V& y) {
  if constexpr (by_words::exist<V>)
    return by_words::divided(
        [](const auto& a, const auto&, const auto& by) __attribute__((always_inline)) { return by.down(a); }, x, y);
  else
    return divided([](const auto& f) __attribute__((always_inline)) { return down(f.above()); },
                   [](auto a, auto b) __attribute__((always_inline)) {
                     const auto q = one::quotient(a, b);
                     return one::rounds_down(one::remainder(a, b), b) ? minus(q, decltype(q)(1)) : q;
                   },
                   x, y);
}
template <whole V>
BROADLOOM_LANES V floor_rest(const V& x, const V& y) {
  if constexpr (by_words::exist<V>)
    return by_words::divided(
        [](const auto& a, const auto& b, const auto& by) __attribute__((always_inline)) {
          return static_cast<std::remove_cvref_t<decltype(a)>>(a - by.down(a) * b);
        },
        x, y);
  else
    return divided([](const auto& f) __attribute__((always_inline)) { return minus(f.x, times(down(f.above()), f.y)); },
                   [](auto a, auto b) __attribute__((always_inline)) {
                     const auto r = one::remainder(a, b);
                     return one::rounds_down(r, b) ? plus(r, b) : r;
                   },
                   x, y);
}
// The same of floating numbers, given s = fmod(x, y), which is exact.
template <floating V>
BROADLOOM_LANES V floor_rest(const V& y, const V& s, int) {
  const V r = select(both(unequal(s, V{}), differ(less(y, V{}), less(s, V{}))), plus(s, y), s);
  return select(equal(s, V{}), copy_sign(V{}, y), r);
}
template <floating V>
BROADLOOM_LANES V floor_quotient(const V& x, const V& y, const V& s) {
  const auto lower = both(unequal(s, V{}), differ(less(y, V{}), less(s, V{})));
  const V q = over(minus(x, s), y), t = select(lower, minus(q, each<V>(1)), q), f = down(t);
  const V nearest = select(greater(minus(t, f), each<V>(0.5)), plus(f, each<V>(1)), f);
  const V whole_part = select(equal(t, V{}), copy_sign(V{}, over(x, y)), nearest);
  return select(equal(y, V{}), over(x, y), whole_part);
}

// Of all lanes at once, without divisions (the binary algorithm of J. Stein, 1967): even ones are halved; of two odd
// ones, b becomes half of their distance, and a the smaller.
template <whole V>
BROADLOOM_LANES V common_divisor(const V& x, const V& y) {
  if constexpr (!vector<V>)
    return one::divisor(x, y);
  else {
    using B = bits<V>;
    const auto is_odd = [](const B& v) __attribute__((always_inline)) {
      return equal(static_cast<B>(v & each<B>(1)), each<B>(1));
    };
    // The divisor of 0 and n is n.
    const B p = as<B>(magnitude(x)), q = as<B>(magnitude(y));
    B a = select(equal(p, B{}), q, p), b = select(equal(q, B{}), p, q);
    const B twos = (a | b) & (B{} - (a | b));  // the power of two that divides both
    while (any_bit(b)) {
      const auto odd = is_odd(b), odds = both(odd, is_odd(a)), swaps = less(b, a);
      const B low = select(swaps, b, a), high = select(swaps, a, b);
      const B half_of_a = select(odd, static_cast<B>(a >> 1), a), half_of_b = select(odd, b, static_cast<B>(b >> 1));
      b = select(odds, static_cast<B>((high - low) >> 1), half_of_b);
      a = select(odds, low, half_of_a);
    }
    return as<V>(static_cast<B>(a * twos));
  }
}
template <whole V>
BROADLOOM_LANES V common_multiple(const V& x, const V& y) {
  const V d = common_divisor(x, y), q = quotient(x, select(equal(d, V{}), each<V>(1), d));
  // Narrow integers are multiplied as int, as PyTorch does.
  if constexpr (sizeof(lane<V>) < sizeof(int))
    return lane_by_lane([](auto a, auto b) { return static_cast<lane<V>>(magnitude(times(int{a}, int{b}))); }, q, y);
  else
    return magnitude(times(q, y));
}

#undef BROADLOOM_LANES

}  // namespace broadloom::lanes

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
