// Integers in the arithmetic of formulas: division, remainders, common divisors, bits and shifts. Everything wraps;
// only a zero divisor and a count that no shift has are errors, thrown from inside the loop.
#pragma once

#include <broadloom/fn/rounding.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// Throw arithmetic_error.
[[noreturn, gnu::cold]] void throw_division_by_zero();
[[noreturn, gnu::cold]] void throw_wrong_shift();

}  // namespace broadloom::detail

namespace broadloom::lanes {

#define BROADLOOM_LANES [[gnu::always_inline]] constexpr

// Vectors have no instruction for integer division: f is applied to one lane after the other.
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

// Of single integers. Dividing the smallest number by -1 wraps to itself.
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

// x / y cut off towards zero, and the remainder of that: it has the sign of x.
template <class V>
BROADLOOM_LANES V quotient(const V& x, const V& y) {
  if constexpr (floating<V>)
    return toward_zero(over(x, y));
  else
    return lane_by_lane([](auto a, auto b) __attribute__((always_inline)) { return one::quotient(a, b); }, x, y);
}
template <whole V>
BROADLOOM_LANES V rest(const V& x, const V& y) {
  return lane_by_lane([](auto a, auto b) __attribute__((always_inline)) { return one::remainder(a, b); }, x, y);
}
// x / y rounded down, and the remainder of that: it has the sign of y.
template <whole V>
BROADLOOM_LANES V floor_quotient(const V& x, const V& y) {
  return lane_by_lane(
      [](auto a, auto b) __attribute__((always_inline)) {
        const auto q = one::quotient(a, b);
        return one::rounds_down(one::remainder(a, b), b) ? minus(q, decltype(q)(1)) : q;
      },
      x, y);
}
template <whole V>
BROADLOOM_LANES V floor_rest(const V& x, const V& y) {
  return lane_by_lane(
      [](auto a, auto b) __attribute__((always_inline)) {
        const auto r = one::remainder(a, b);
        return one::rounds_down(r, b) ? plus(r, b) : r;
      },
      x, y);
}
// The same of floating numbers, given s = fmod(x, y), which is exact.
template <floating V>
BROADLOOM_LANES V floor_rest(const V& y, const V& s, int) {
  return select(both(unequal(s, V{}), differ(less(y, V{}), less(s, V{}))), plus(s, y), s);
}
template <floating V>
BROADLOOM_LANES V floor_quotient(const V& x, const V& y, const V& s) {
  const auto lower = both(unequal(s, V{}), differ(less(y, V{}), less(s, V{})));
  const V q = over(minus(x, s), y), t = select(lower, minus(q, each<V>(1)), q), f = down(t);
  const V near = select(greater(minus(t, f), each<V>(0.5)), plus(f, each<V>(1)), f);
  const V whole_part = select(equal(t, V{}), copy_sign(V{}, over(x, y)), near);
  return select(equal(y, V{}), over(x, y), whole_part);
}

template <whole V>
BROADLOOM_LANES V common_divisor(const V& x, const V& y) {
  return lane_by_lane([](auto a, auto b) { return one::divisor(a, b); }, x, y);
}
template <whole V>
BROADLOOM_LANES V common_multiple(const V& x, const V& y) {
  return lane_by_lane(
      [](auto a, auto b) {
        const auto d = one::divisor(a, b);
        if (d == 0) return d;
        // Narrow integers are multiplied as int, as PyTorch does.
        if constexpr (sizeof(d) < sizeof(int))
          return static_cast<std::remove_const_t<decltype(d)>>(magnitude(times(int{one::quotient(a, d)}, int{b})));
        else
          return magnitude(times(one::quotient(a, d), b));
      },
      x, y);
}

// Bits; of bool, logic.
template <class V>
  requires(!truth<V>)
BROADLOOM_LANES auto all_of(const V& x, const V& y) {
  return as<V>(static_cast<bits<V>>(as<bits<V>>(x) & as<bits<V>>(y)));
}
template <class V>
  requires(!truth<V>)
BROADLOOM_LANES auto any_of(const V& x, const V& y) {
  return as<V>(static_cast<bits<V>>(as<bits<V>>(x) | as<bits<V>>(y)));
}
template <class V>
  requires(!truth<V>)
BROADLOOM_LANES auto one_of(const V& x, const V& y) {
  return as<V>(static_cast<bits<V>>(as<bits<V>>(x) ^ as<bits<V>>(y)));
}
template <class V>
BROADLOOM_LANES auto none_of(const V& x) {
  return as<V>(static_cast<bits<V>>(~as<bits<V>>(x)));
}
template <truth U, truth W>
BROADLOOM_LANES auto all_of(const U& x, const W& y) {
  return both(x, y);
}
template <truth U, truth W>
BROADLOOM_LANES auto any_of(const U& x, const W& y) {
  return either(x, y);
}
template <truth U, truth W>
BROADLOOM_LANES auto one_of(const U& x, const W& y) {
  return differ(x, y);
}
template <truth U>
BROADLOOM_LANES auto none_of(const U& x) {
  return negation(x);
}

// The bits that no count of a shift has, in every lane of 64 bits.
template <class T>
inline constexpr std::uint64_t no_count = [] {
  using B = bits<T>;
  std::uint64_t r = static_cast<B>(~static_cast<B>(8 * sizeof(T) - 1));
  for (unsigned width = 8 * sizeof(T); width < 64; width *= 2) r |= r << width;
  return r;
}();

// Throws unless all lanes are counts: not negative, and below the type's number of bits. One test a vector.
template <whole V>
BROADLOOM_LANES void check_counts(const V& y) {
  using T = lane<V>;
  bool wrong = false;
  if constexpr (!vector<V>) wrong = static_cast<bits<T>>(y) >= 8 * sizeof(T);
#if defined(__clang__)
  else
    wrong = __builtin_reduce_or(static_cast<bits<V>>(as<bits<V>>(y) & static_cast<lane<bits<V>>>(no_count<T>))) != 0;
#else
#if defined(__x86_64__)
  else if constexpr (sizeof(V) == 64) {
    unsigned char lanes;
    __asm__("vptestmq %3%{1to8%}, %2, %1\n\tkortestb %1, %1"
            : "=@ccnz"(wrong), "=&Yk"(lanes)
            : "v"(y), "m"(no_count<T>));
  } else if constexpr (sizeof(V) == 32)
    __asm__("vptest %2, %1" : "=@ccnz"(wrong) : "x"(y), "x"(detail::splat<4>(no_count<T>)));
#endif
  else if constexpr (sizeof(V) >= 16) {
    const auto words = as<typename detail::vec_type<std::uint64_t, sizeof(V) / 8>::type>(y);
    std::uint64_t all = 0;
    for (unsigned i = 0; i < sizeof(V) / 8; ++i) all |= words[i];
    wrong = (all & no_count<T>) != 0;
  } else {
    using word = typename detail::int_of<sizeof(V)>::u;
    wrong = (as<word>(y) & static_cast<word>(no_count<T>)) != 0;
  }
#endif
  if (wrong) [[unlikely]]
    detail::throw_wrong_shift();
}

// Shifts: everything that is shifted out is lost, and signs are shifted in from the left.
template <whole V>
BROADLOOM_LANES V shift_left(const V& x, const V& y) {
  check_counts(y);
  if constexpr (vector<V>)
    return as<V>(static_cast<bits<V>>(as<bits<V>>(x) << as<bits<V>>(y)));
  else
    return static_cast<V>(static_cast<std::uint64_t>(x) << y);
}
template <whole V>
BROADLOOM_LANES V shift_right(const V& x, const V& y) {
  check_counts(y);
  return static_cast<V>(x >> y);
}

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

// x to the power y for integers, wrapping; a negative power of anything but 1 and -1 is 0.
template <whole V>
BROADLOOM_LANES V power(const V& base, const V& exponent) {
  V r = each<V>(1), b = base, e = exponent;
  for (unsigned i = 0; i < 8 * sizeof(lane<V>) - (lane<V>(-1) < lane<V>(0)); ++i) {
    if (!any_bit(e)) break;
    r = select(unequal(as<V>(static_cast<bits<V>>(as<bits<V>>(e) & bits<V>(each<bits<V>>(1)))), V{}), times(r, b), r);
    b = times(b, b);
    e = as<V>(static_cast<bits<V>>(as<bits<V>>(e) >> 1));
  }
  if constexpr (lane<V>(-1) < lane<V>(0)) {
    const V odd = as<V>(static_cast<bits<V>>(as<bits<V>>(exponent) & bits<V>(each<bits<V>>(1))));
    const V of_minus_one = select(equal(odd, V{}), each<V>(1), each<V>(-1));
    const V inverse = select(equal(base, each<V>(1)), each<V>(1), select(equal(base, each<V>(-1)), of_minus_one, V{}));
    r = select(less(exponent, V{}), inverse, r);
  }
  return r;
}

#undef BROADLOOM_LANES

}  // namespace broadloom::lanes

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
