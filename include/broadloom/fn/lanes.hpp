// The arithmetic in which formulas of the catalogue are written: the same names for a scalar, a vector and a mask.
// Integers wrap; a product is never fused with a sum; NaN and signed zeros follow IEEE 754.
#pragma once

#include <broadloom/core/simd_vec.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::lanes {

using detail::complexes;
using detail::lane;
using detail::lane_count;
using detail::mask;
using detail::vector;

#define BROADLOOM_LANES [[gnu::always_inline]] constexpr

template <class V>
concept truth = __is_same(lane<V>, bool);
template <class V>
concept floating = __is_same(lane<V>, float) || __is_same(lane<V>, double);
// Floating numbers of 16 bits: lanes that are moved, and converted to f32 for all else.
template <class V>
concept halves = detail::is_half_type<lane<V>>;
template <class V>
concept whole = !truth<V> && !floating<V> && !complexes<V> && !halves<V>;

// The same bits as unsigned (integers) or as integers of the same width (floating).
template <class V>
struct bits_of {
  using type = typename detail::vec_type<typename detail::int_of<sizeof(lane<V>)>::u, lane_count<V>>::type;
};
template <class V>
  requires(lane_count<V> == 1)
struct bits_of<V> {
  using type = typename detail::int_of<sizeof(V)>::u;
};
template <class V>
using bits = typename bits_of<V>::type;
template <class To, class V>
BROADLOOM_LANES To as(const V& x) {
  return __builtin_bit_cast(To, x);
}

// Prevents the compiler from fusing a product with the operation that follows.
template <class V>
BROADLOOM_LANES V rounded(const V& product) {
#if defined(__clang__)
#pragma clang fp reassociate( \
    on)  // clang leaves the fence out where nothing may be reassociated, and fuses all the same
#endif
  if (__builtin_is_constant_evaluated()) return product;
  V x = product;
#if defined(__clang__)
#if __has_builtin(__arithmetic_fence) && defined(__x86_64__)
  return __arithmetic_fence(x);
#else
  return x;
#endif
#elif defined(__x86_64__)
  __asm__("" : "+v"(x));
  return x;
#elif defined(__aarch64__)
  __asm__("" : "+w"(x));
  return x;
#else
  return __builtin_assoc_barrier(x);
#endif
}

// An optimisation barrier for GCC: a vector of AVX-512 that it is to have in a register as it is.
template <class V>
BROADLOOM_LANES V optimisation_barrier(const V& bits) {
  V v = bits;
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (sizeof(V) == 64) __asm__("" : "+v"(v));
#endif
  return v;
}

template <whole V>
BROADLOOM_LANES V plus(const V& x, const V& y) {
  if constexpr (vector<V>)
    return as<V>(as<bits<V>>(x) + as<bits<V>>(y));
  else
    return static_cast<V>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
}
template <whole V>
BROADLOOM_LANES V minus(const V& x, const V& y) {
  if constexpr (vector<V>)
    return as<V>(as<bits<V>>(x) - as<bits<V>>(y));
  else
    return static_cast<V>(static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y));
}
template <whole V>
BROADLOOM_LANES V times(const V& x, const V& y) {
  if constexpr (vector<V>)
    return as<V>(as<bits<V>>(x) * as<bits<V>>(y));
  else
    return static_cast<V>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
}
#if defined(__x86_64__)
// Processors have no product of bytes. Of the two of 16 bits here, one gives the lower byte of each pair, the other the
// upper one. GCC 12 would unpack all bytes and pack the products by five permutations; and it would load each twice.
template <class V>
concept byte_vector = whole<V> && vector<V> && sizeof(lane<V>) == 1 && sizeof(V) >= 16;
template <byte_vector V>
BROADLOOM_LANES V times(const V& x, const V& y) {
  using pairs = typename detail::vec_type<std::uint16_t, sizeof(V) / 2>::type;
  constexpr std::uint16_t lower = 0x00ff, upper = 0xff00;
  const pairs a = optimisation_barrier(as<pairs>(x)), b = optimisation_barrier(as<pairs>(y));
  return as<V>(static_cast<pairs>(((a * b) & lower) | ((a >> 8) * (b & upper))));
}
#endif
// Compilers refuse arithmetic that gives NaN in constant expressions; these functions say when it would.
template <class T>
constexpr bool infinite(T x) {
  return x == static_cast<T>(__builtin_huge_val()) || x == -static_cast<T>(__builtin_huge_val());
}
template <class T>
constexpr bool either_nan(T x, T y) {
  return x != x || y != y;
}
#define BROADLOOM_NAN_IN_CONSTANTS(WHEN) \
  if constexpr (!vector<V>)              \
    if (__builtin_is_constant_evaluated() && (either_nan(x, y) || (WHEN))) return static_cast<V>(__builtin_nan(""));

template <floating V>
BROADLOOM_LANES V plus(const V& x, const V& y) {
  BROADLOOM_NAN_IN_CONSTANTS(infinite(x) && x == -y)
  return x + y;
}
template <floating V>
BROADLOOM_LANES V minus(const V& x, const V& y) {
  BROADLOOM_NAN_IN_CONSTANTS(infinite(x) && x == y)
  return x - y;
}
template <floating V>
BROADLOOM_LANES V times(const V& x, const V& y) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  BROADLOOM_NAN_IN_CONSTANTS((infinite(x) && y == 0) || (x == 0 && infinite(y)))
  return rounded(V(x * y));
}
template <floating V>
BROADLOOM_LANES V over(const V& x, const V& y) {
  BROADLOOM_NAN_IN_CONSTANTS(infinite(x) && infinite(y))
  if constexpr (!vector<V>)
    if (__builtin_is_constant_evaluated() && y == 0) {  // compilers do not divide by zero
      if (__builtin_isnan(x) || x == 0) return static_cast<V>(__builtin_nan(""));
      const bool negative = (__builtin_copysign(1.0, static_cast<double>(x)) < 0) !=
                            (__builtin_copysign(1.0, static_cast<double>(y)) < 0);
      return static_cast<V>(negative ? -__builtin_huge_val() : __builtin_huge_val());
    }
  return x / y;
}

#undef BROADLOOM_NAN_IN_CONSTANTS

// Masks and bools.
BROADLOOM_LANES bool both(bool x, bool y) { return x && y; }
BROADLOOM_LANES bool either(bool x, bool y) { return x || y; }
BROADLOOM_LANES bool differ(bool x, bool y) { return x != y; }
BROADLOOM_LANES bool negation(bool x) { return !x; }
template <class U, class W>
inline constexpr int mask_width = sizeof(lane<U>) < sizeof(lane<W>) ? sizeof(lane<W>) : sizeof(lane<U>);
// Masks of AVX-512 vectors are `optimisation_barrier`: GCC 12 would merge the comparisons they come from into one,
// which it then computes lane by lane.
template <class U, class W>
BROADLOOM_LANES auto both(const mask<U>& x, const mask<W>& y) {
  const auto r = optimisation_barrier(detail::widen<mask_width<U, W>>(x)) &
                 optimisation_barrier(detail::widen<mask_width<U, W>>(y));
  return mask<std::remove_cvref_t<decltype(r)>>{r};
}
template <class U, class W>
BROADLOOM_LANES auto either(const mask<U>& x, const mask<W>& y) {
  const auto r = optimisation_barrier(detail::widen<mask_width<U, W>>(x)) |
                 optimisation_barrier(detail::widen<mask_width<U, W>>(y));
  return mask<std::remove_cvref_t<decltype(r)>>{r};
}
template <class U, class W>
BROADLOOM_LANES auto differ(const mask<U>& x, const mask<W>& y) {
  const auto r = optimisation_barrier(detail::widen<mask_width<U, W>>(x)) ^
                 optimisation_barrier(detail::widen<mask_width<U, W>>(y));
  return mask<std::remove_cvref_t<decltype(r)>>{r};
}
template <class U>
BROADLOOM_LANES mask<U> negation(const mask<U>& x) {
  return {~optimisation_barrier(x.v)};
}
// bool arithmetic, as PyTorch defines it: + is or, * is and.
template <truth U, truth W>
BROADLOOM_LANES auto plus(const U& x, const W& y) {
  return either(x, y);
}
template <truth U, truth W>
BROADLOOM_LANES auto times(const U& x, const W& y) {
  return both(x, y);
}

// Comparisons.
#define BROADLOOM_COMPARE(NAME, OP, ON_BOOL)                                                                    \
  template <class V>                                                                                            \
    requires(!truth<V> && !complexes<V>)                                                                        \
  BROADLOOM_LANES auto NAME(const V& x, const V& y) {                                                           \
    if constexpr (vector<V>) {                                                                                  \
      using m = typename detail::vec_type<typename detail::int_of<sizeof(lane<V>)>::type, lane_count<V>>::type; \
      return mask<m>{(m)(x OP y)};                                                                              \
    } else                                                                                                      \
      return x OP y;                                                                                            \
  }                                                                                                             \
  template <truth U, truth W>                                                                                   \
  BROADLOOM_LANES auto NAME(const U& x, const W& y) {                                                           \
    return ON_BOOL;                                                                                             \
  }
BROADLOOM_COMPARE(equal, ==, negation(differ(x, y)))
BROADLOOM_COMPARE(unequal, !=, differ(x, y))
BROADLOOM_COMPARE(less, <, both(negation(x), y))
BROADLOOM_COMPARE(less_equal, <=, either(negation(x), y))
BROADLOOM_COMPARE(greater, >, both(x, negation(y)))
BROADLOOM_COMPARE(greater_equal, >=, either(x, negation(y)))
#undef BROADLOOM_COMPARE

// m ? x : y
template <class V>
BROADLOOM_LANES V select(bool m, const V& x, const V& y) {
  return m ? x : y;
}
template <class M, class V>
  requires(!truth<V> && !complexes<V> && !halves<V>)
BROADLOOM_LANES V select(const mask<M>& m, const V& x, const V& y) {
  return optimisation_barrier(static_cast<V>(detail::widen<sizeof(lane<V>)>(m) ? x : y));
}
template <class M, class H, class V>
BROADLOOM_LANES detail::half_vec<H, V> select(const mask<M>& m, const detail::half_vec<H, V>& x,
                                              const detail::half_vec<H, V>& y) {
  return {select(m, x.bits, y.bits)};
}
template <class M, class U, class W>
BROADLOOM_LANES auto select(const mask<M>& m, const mask<U>& x, const mask<W>& y) {
  return either(both(m, x), both(negation(m), y));
}

// The same value in every lane.
template <class V, class T>
BROADLOOM_LANES V each(T x) {
  if constexpr (complexes<V>) {
    using R = decltype(detail::real_part(V{}));
    return detail::complex_of(each<R>(x), R{});
  } else if constexpr (vector<V>)
    return detail::splat<lane_count<V>>(static_cast<lane<V>>(x));
  else
    return static_cast<V>(x);
}

template <class V>
BROADLOOM_LANES V negative(const V& x) {
  if constexpr (floating<V>)
    return -x;
  else
    return minus(V{}, x);
}
template <class V>
BROADLOOM_LANES V magnitude(const V& x) {
  if constexpr (floating<V>) {
    using B = bits<V>;
    return as<V>(static_cast<B>(as<B>(x) & (static_cast<lane<B>>(-1) >> 1)));
  } else if constexpr (truth<V>)
    return x;
  else if constexpr (lane<V>(-1) > lane<V>(0))
    return x;
  else
    return select(less(x, V{}), minus(V{}, x), x);
}

// The larger (smaller) one; NaN when either is NaN. Processors have an instruction for the inner selection.
template <class V>
BROADLOOM_LANES V larger(const V& x, const V& y) {
  if constexpr (floating<V>)
    return select(unequal(x, x), x, select(greater(x, y), x, y));
  else if constexpr (whole<V>)
    return x > y ? x : y;  // as one instruction, which GCC does not see through `select`
  else
    return select(greater(x, y), x, y);
}
template <class V>
BROADLOOM_LANES V smaller(const V& x, const V& y) {
  if constexpr (floating<V>)
    return select(unequal(x, x), x, select(less(x, y), x, y));
  else if constexpr (whole<V>)
    return x < y ? x : y;
  else
    return select(less(x, y), x, y);
}
template <truth U, truth W>
BROADLOOM_LANES auto larger(const U& x, const W& y) {
  return either(x, y);
}
template <truth U, truth W>
BROADLOOM_LANES auto smaller(const U& x, const W& y) {
  return both(x, y);
}

// The same; the other one when one is NaN.
template <class V>
BROADLOOM_LANES V larger_number(const V& x, const V& y) {
  if constexpr (floating<V>)
    return select(unequal(y, y), x, select(greater(x, y), x, y));
  else
    return larger(x, y);
}
template <class V>
BROADLOOM_LANES V smaller_number(const V& x, const V& y) {
  if constexpr (floating<V>)
    return select(unequal(y, y), x, select(less(x, y), x, y));
  else
    return smaller(x, y);
}

#undef BROADLOOM_LANES

}  // namespace broadloom::lanes

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
