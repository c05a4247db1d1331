// The reductions of plan/reductions.def for the kernels of one level. Local to the file that includes this, so that
// code of another level cannot replace them.
#pragma once

#include <cstddef>
#include <type_traits>

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/fn/lanes.hpp>
#include <broadloom/plan/problem.hpp>

#if defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace broadloom::runtime {
namespace {

template <class T>
constexpr T negative_zero() {
  return is_floating(dtype_of<T>) ? static_cast<T>(-0.0) : T{};  // 0 would turn a sum of negative zeros into 0
}
template <class T>
constexpr T one() {
  return T{1};
}
template <class T>
constexpr T lowest() {
  if constexpr (is_floating(dtype_of<T>))
    return -static_cast<T>(__builtin_huge_val());
  else if constexpr (T(-1) < T(0))
    return static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  else
    return T{};
}
template <class T>
constexpr T highest() {
  if constexpr (is_floating(dtype_of<T>))
    return static_cast<T>(__builtin_huge_val());
  else
    return static_cast<T>(~lowest<T>());
}
// NaN, or of integers, which have none, the argument.
template <class T>
constexpr T nan_or(T other) {
  return is_floating(dtype_of<T>) ? static_cast<T>(__builtin_nan("")) : other;
}
// x > y ? x : y, and x < y ? x : y, in the processor's instruction for it; but x where `tested`, x or y, is NaN. GCC 12
// finds the instruction only for vectors of less than 64 bytes.
#if defined(__x86_64__) && !defined(__clang__)
#define BROADLOOM_EXTREME(name, instruction, comparison, tested, operand, y_in)                        \
  template <class V>                                                                                   \
  BROADLOOM_INLINE V name(const V& x, const V& y) {                                                    \
    if constexpr (sizeof(V) == 64) {                                                                   \
      V r;                                                                                             \
      if constexpr (sizeof(x[0]) == 4)                                                                 \
        __asm__(BROADLOOM_EXTREME_IN(instruction, "ps", operand) : "=&v"(r) : "v"(x), y_in(y) : "k1"); \
      else                                                                                             \
        __asm__(BROADLOOM_EXTREME_IN(instruction, "pd", operand) : "=&v"(r) : "v"(x), y_in(y) : "k1"); \
      return r;                                                                                        \
    } else {                                                                                           \
      const V r = x comparison y ? x : y;                                                              \
      return tested == tested ? r : x;                                                                 \
    }                                                                                                  \
  }
#define BROADLOOM_EXTREME_IN(name, type, operand) \
  "v" name type " %2, %1, %0\n\tvcmp" type " $3, %" operand ", %" operand ", %%k1\n\tvmova" type " %1, %0%{%%k1%}"
#else
#define BROADLOOM_EXTREME(name, instruction, comparison, tested, operand, y_in) \
  template <class V>                                                            \
  BROADLOOM_INLINE V name(const V& x, const V& y) {                             \
    const V r = x comparison y ? x : y;                                         \
    return tested == tested ? r : x;                                            \
  }
#endif
BROADLOOM_EXTREME(max, "max", >, x, "1", "vm")
BROADLOOM_EXTREME(min, "min", <, x, "1", "vm")
BROADLOOM_EXTREME(max_number, "max", >, y, "2", "v")
BROADLOOM_EXTREME(min_number, "min", <, y, "2", "v")
#undef BROADLOOM_EXTREME
#undef BROADLOOM_EXTREME_IN

// The larger (smaller) of integers in vectors of 64 bytes, where GCC 12 does not find the instruction for it either.
#if defined(__AVX512BW__) && !defined(__clang__)
template <class V>
inline constexpr bool has_integer_extremes = sizeof(V) == 64 && !broadloom::lanes::floating<V>;
template <std::size_t Size>
using lanes_mask =
    std::conditional_t<Size == 1, __mmask64,
                       std::conditional_t<Size == 2, __mmask32, std::conditional_t<Size == 4, __mmask16, __mmask8>>>;
#define BROADLOOM_INTEGER_EXTREME(name)                                                                        \
  template <class V>                                                                                           \
  BROADLOOM_INLINE V integer_##name(const V& x, const V& y) {                                                  \
    constexpr bool is_signed = std::is_signed_v<std::remove_cvref_t<decltype(V{}[0])>>;                        \
    constexpr auto all = static_cast<lanes_mask<sizeof(V{}[0])>>(-1);                                          \
    const auto a = (__m512i)x, b = (__m512i)y;                                                                 \
    if constexpr (sizeof(V{}[0]) == 1)                                                                         \
      return (V)(is_signed ? _mm512_maskz_##name##_epi8(all, a, b) : _mm512_maskz_##name##_epu8(all, a, b));   \
    else if constexpr (sizeof(V{}[0]) == 2)                                                                    \
      return (V)(is_signed ? _mm512_maskz_##name##_epi16(all, a, b) : _mm512_maskz_##name##_epu16(all, a, b)); \
    else if constexpr (sizeof(V{}[0]) == 4)                                                                    \
      return (V)(is_signed ? _mm512_maskz_##name##_epi32(all, a, b) : _mm512_maskz_##name##_epu32(all, a, b)); \
    else                                                                                                       \
      return (V)(is_signed ? _mm512_maskz_##name##_epi64(all, a, b) : _mm512_maskz_##name##_epu64(all, a, b)); \
  }
BROADLOOM_INTEGER_EXTREME(max)
BROADLOOM_INTEGER_EXTREME(min)
#undef BROADLOOM_INTEGER_EXTREME
#else
template <class V>
inline constexpr bool has_integer_extremes = false;
template <class V>
V integer_max(const V& x, const V& y);
template <class V>
V integer_min(const V& x, const V& y);
#endif

// As lanes::larger and lanes::smaller, for vectors, in the processor's instructions for it.
template <class V>
BROADLOOM_INLINE V larger(const V& x, const V& y) {
  if constexpr (detail::vector<V> && broadloom::lanes::floating<V>)
    return max(x, y);
  else if constexpr (detail::vector<V> && has_integer_extremes<V>)
    return integer_max(x, y);
  else
    return broadloom::lanes::larger(x, y);
}
template <class V>
BROADLOOM_INLINE V smaller(const V& x, const V& y) {
  if constexpr (detail::vector<V> && broadloom::lanes::floating<V>)
    return min(x, y);
  else if constexpr (detail::vector<V> && has_integer_extremes<V>)
    return integer_min(x, y);
  else
    return broadloom::lanes::smaller(x, y);
}
template <class V>
BROADLOOM_INLINE V larger_number(const V& x, const V& y) {
  if constexpr (detail::vector<V> && broadloom::lanes::floating<V>)
    return max_number(x, y);
  else if constexpr (broadloom::lanes::floating<V>)
    return broadloom::lanes::larger_number(x, y);
  else
    return larger(x, y);
}
template <class V>
BROADLOOM_INLINE V smaller_number(const V& x, const V& y) {
  if constexpr (detail::vector<V> && broadloom::lanes::floating<V>)
    return min_number(x, y);
  else if constexpr (broadloom::lanes::floating<V>)
    return broadloom::lanes::smaller_number(x, y);
  else
    return smaller(x, y);
}

template <reduction How>
struct operation;
#define BROADLOOM_REDUCTION(NAME, TYPES, OF_NONE, IDENTITY, FORMULA) \
  template <>                                                        \
  struct operation<reduction::NAME> {                                \
    template <class T>                                               \
    static constexpr T identity() {                                  \
      return IDENTITY;                                               \
    }                                                                \
    template <class V>                                               \
    BROADLOOM_INLINE static V on(const V& x, const V& y) {           \
      using namespace broadloom::lanes;                              \
      return static_cast<V>(FORMULA);                                \
    }                                                                \
  };
#include <broadloom/plan/reductions.def>

}  // namespace
}  // namespace broadloom::runtime
