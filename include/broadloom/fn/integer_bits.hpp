// Bits and shifts of integers, logic of bool. An invalid shift count is an error, thrown from inside the loop.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/rounding.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// Throws arithmetic_error.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_wrong_shift() { throw_error(error_kind::wrong_shift, {}); }

}  // namespace broadloom::detail

namespace broadloom::lanes {

#define BROADLOOM_LANES [[gnu::always_inline]] constexpr

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

// The bits that are 0 in every valid shift count, in every lane of 64 bits.
template <class T>
inline constexpr std::uint64_t no_count = [] {
  using B = bits<T>;
  std::uint64_t r = static_cast<B>(~static_cast<B>(8 * sizeof(T) - 1));
  for (unsigned width = 8 * sizeof(T); width < 64; width *= 2) r |= r << width;
  return r;
}();

// Throws unless all lanes are valid counts: not negative, and below the type's number of bits. One test a vector.
template <whole V>
BROADLOOM_LANES void check_counts(const V& y) {
  using T = lane<V>;
  bool wrong = false;
  if constexpr (!vector<V>) wrong = static_cast<bits<T>>(y) >= 8 * sizeof(T);
#if __has_builtin(__builtin_reduce_or)
  else
    wrong = __builtin_reduce_or(static_cast<bits<V>>(as<bits<V>>(y) & static_cast<lane<bits<V>>>(no_count<T>))) != 0;
#else
#if defined(__x86_64__) && !defined(__clang__)
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

// No processor shifts lanes of 8 bits by a count of each lane, and only AVX-512 those of 16: compilers take lane after
// lane there.
template <whole V>
inline constexpr bool narrow = vector<V> && sizeof(V) >= 16 &&
#if defined(__AVX512BW__)
                               sizeof(lane<V>) == 1;
#else
                               sizeof(lane<V>) <= 2;
#endif

// The lanes of x, which are unsigned, shifted by the counts y: for each bit of a count, where it is set, by as much.
template <bool left, unsigned by, class V>
BROADLOOM_LANES V shift_narrow(const V& x, const V& y) {
  using T = lane<V>;
  if constexpr (by == 8 * sizeof(T))
    return x;
  else {
    // Words of 16 bits are shifted; of bytes, what came from the other of two is cleared.
    constexpr T kept = static_cast<T>(left ? T(~T(0)) << by : T(~T(0)) >> by);
    const auto words = as<typename detail::vec_type<std::uint16_t, sizeof(V) / 2>::type>(x);
    V moved;
    if constexpr (left)
      moved = as<V>(words << by);
    else
      moved = as<V>(words >> by);
    if constexpr (sizeof(T) == 1) moved &= kept;
    const V wanted = as<V>((y & T(by)) != T(0));
    return shift_narrow<left, 2 * by>(static_cast<V>((moved & wanted) | (x & ~wanted)), y);
  }
}

// Shifts: bits that are shifted out are lost, and the sign bit is shifted in from the left.
template <whole V>
BROADLOOM_LANES V shift_left(const V& x, const V& y) {
  check_counts(y);
  if constexpr (narrow<V>)
    return as<V>(shift_narrow<true, 1>(as<bits<V>>(x), as<bits<V>>(y)));
  else if constexpr (vector<V>)
    return as<V>(static_cast<bits<V>>(as<bits<V>>(x) << as<bits<V>>(y)));
  else
    return static_cast<V>(static_cast<std::uint64_t>(x) << y);
}
template <whole V>
BROADLOOM_LANES V shift_right(const V& x, const V& y) {
  check_counts(y);
  if constexpr (narrow<V> && std::is_signed_v<lane<V>>) {
    // The complement of a negative number is none, and that of what it becomes is the quotient.
    const bits<V> sign = as<bits<V>>(x < lane<V>(0));
    return as<V>(static_cast<bits<V>>(
        shift_narrow<false, 1>(static_cast<bits<V>>(as<bits<V>>(x) ^ sign), as<bits<V>>(y)) ^ sign));
  } else if constexpr (narrow<V>)
    return as<V>(shift_narrow<false, 1>(as<bits<V>>(x), as<bits<V>>(y)));
  else
    return static_cast<V>(x >> y);
}

#undef BROADLOOM_LANES

}  // namespace broadloom::lanes

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
