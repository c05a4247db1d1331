// The reductions of plan/reductions.def for the kernels of one level. Local to the file that includes this, so that
// code of another level cannot replace them.
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/fn/lanes.hpp>
#include <broadloom/plan/problem.hpp>

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
// x if that is NaN, else x > y ? x : y, and x < y ? x : y, in the processor's instruction for it. GCC 12 finds it only
// for vectors of less than 64 bytes.
#if defined(__x86_64__) && !defined(__clang__)
#define BROADLOOM_EXTREME(name, comparison)                                             \
  template <class V>                                                                    \
  BROADLOOM_INLINE V name(const V& x, const V& y) {                                     \
    if constexpr (sizeof(V) == 64) {                                                    \
      V r;                                                                              \
      if constexpr (sizeof(x[0]) == 4)                                                  \
        __asm__(BROADLOOM_EXTREME_IN(#name, "ps") : "=&v"(r) : "v"(x), "vm"(y) : "k1"); \
      else                                                                              \
        __asm__(BROADLOOM_EXTREME_IN(#name, "pd") : "=&v"(r) : "v"(x), "vm"(y) : "k1"); \
      return r;                                                                         \
    } else {                                                                            \
      const V r = x comparison y ? x : y;                                               \
      return x == x ? r : x;                                                            \
    }                                                                                   \
  }
#define BROADLOOM_EXTREME_IN(name, type) \
  "v" name type " %2, %1, %0\n\tvcmp" type " $3, %1, %1, %%k1\n\tvmova" type " %1, %0%{%%k1%}"
#else
#define BROADLOOM_EXTREME(name, comparison)         \
  template <class V>                                \
  BROADLOOM_INLINE V name(const V& x, const V& y) { \
    const V r = x comparison y ? x : y;             \
    return x == x ? r : x;                          \
  }
#endif
BROADLOOM_EXTREME(max, >)
BROADLOOM_EXTREME(min, <)
#undef BROADLOOM_EXTREME
#undef BROADLOOM_EXTREME_IN

// As lanes::larger and lanes::smaller, for vectors, in the processor's two instructions for it.
template <class V>
BROADLOOM_INLINE V larger(const V& x, const V& y) {
  if constexpr (detail::vector<V> && broadloom::lanes::floating<V>)
    return max(x, y);
  else
    return broadloom::lanes::larger(x, y);
}
template <class V>
BROADLOOM_INLINE V smaller(const V& x, const V& y) {
  if constexpr (detail::vector<V> && broadloom::lanes::floating<V>)
    return min(x, y);
  else
    return broadloom::lanes::smaller(x, y);
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
