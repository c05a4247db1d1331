// Functions of own elements (enable_element): operators of the program's type, and functions that argument-dependent
// lookup finds.
#pragma once

#include <broadloom/core/enable_element.hpp>
#include <broadloom/fn/catalogue.hpp>

// Apart from namespace broadloom, where the names are objects, which would end the lookup.
namespace broadloom_own_elements {

#define BROADLOOM_NAME(NAME, ...) void NAME();
#define BROADLOOM_UNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_TERNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP1(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY_OPERATOR(...)
#define BROADLOOM_COMPARISON(...)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_NAME

// What operators say of functions that the type has not by their names.
#define BROADLOOM_BY_OPERATOR(NAME, ...)           \
  template <class T>                               \
    requires requires(const T& x) { __VA_ARGS__; } \
  constexpr auto NAME(const T& x) {                \
    return __VA_ARGS__;                            \
  }
BROADLOOM_BY_OPERATOR(neg, -x)
BROADLOOM_BY_OPERATOR(positive, +x)
BROADLOOM_BY_OPERATOR(bitwise_not, ~x)
BROADLOOM_BY_OPERATOR(logical_not, !x)
BROADLOOM_BY_OPERATOR(square, x* x)
#undef BROADLOOM_BY_OPERATOR
#define BROADLOOM_BY_OPERATOR(NAME, ...)                       \
  template <class T, class U>                                  \
    requires requires(const T& x, const U& y) { __VA_ARGS__; } \
  constexpr auto NAME(const T& x, const U& y) {                \
    return __VA_ARGS__;                                        \
  }
BROADLOOM_BY_OPERATOR(logical_and, x&& y)
BROADLOOM_BY_OPERATOR(logical_or, x || y)
#undef BROADLOOM_BY_OPERATOR
// The larger and the smaller one by `<`; of NaN, which does not equal itself, NaN.
template <class T>
constexpr bool is_nan_like(const T& x) {
  if constexpr (requires { static_cast<bool>(x == x); })
    return !static_cast<bool>(x == x);
  else
    return false;
}
template <class T>
  requires requires(const T& x) { static_cast<bool>(x < x); }
constexpr T maximum(const T& x, const T& y) {
  return is_nan_like(x) || !(x < y || is_nan_like(y)) ? x : y;
}
template <class T>
  requires requires(const T& x) { static_cast<bool>(x < x); }
constexpr T minimum(const T& x, const T& y) {
  return is_nan_like(x) || !(y < x || is_nan_like(y)) ? x : y;
}

// Functions of types that are in no namespace: as static members, of which other headers have more.
template <class T>
struct functions_of {};
template <>
struct functions_of<long double> {
#define BROADLOOM_UNARY(NAME) \
  static long double NAME(long double x) { return __builtin_##NAME##l(x); }
#define BROADLOOM_BINARY(NAME) \
  static long double NAME(long double x, long double y) { return __builtin_##NAME##l(x, y); }
  BROADLOOM_UNARY(sqrt)
  BROADLOOM_UNARY(cbrt)
  BROADLOOM_UNARY(exp)
  BROADLOOM_UNARY(exp2)
  BROADLOOM_UNARY(expm1)
  BROADLOOM_UNARY(log)
  BROADLOOM_UNARY(log2)
  BROADLOOM_UNARY(log10)
  BROADLOOM_UNARY(log1p)
  BROADLOOM_UNARY(sin)
  BROADLOOM_UNARY(cos)
  BROADLOOM_UNARY(tan)
  BROADLOOM_UNARY(asin)
  BROADLOOM_UNARY(acos)
  BROADLOOM_UNARY(atan)
  BROADLOOM_UNARY(sinh)
  BROADLOOM_UNARY(cosh)
  BROADLOOM_UNARY(tanh)
  BROADLOOM_UNARY(asinh)
  BROADLOOM_UNARY(acosh)
  BROADLOOM_UNARY(atanh)
  BROADLOOM_UNARY(erf)
  BROADLOOM_UNARY(erfc)
  BROADLOOM_UNARY(lgamma)
  BROADLOOM_UNARY(tgamma)
  BROADLOOM_UNARY(floor)
  BROADLOOM_UNARY(ceil)
  BROADLOOM_UNARY(trunc)
  BROADLOOM_BINARY(pow)
  BROADLOOM_BINARY(atan2)
  BROADLOOM_BINARY(hypot)
  BROADLOOM_BINARY(fmod)
  BROADLOOM_BINARY(copysign)
#undef BROADLOOM_UNARY
#undef BROADLOOM_BINARY
  static long double abs(long double x) { return copysign(x, 1); }
};

#define BROADLOOM_NAME(NAME, ...)                                                               \
  struct NAME##_by_lookup {                                                                     \
    template <class T, class... More>                                                           \
      requires requires(const T& x, const More&... more) { NAME(x, more...); }                  \
    static constexpr auto of(const T& x, const More&... more) {                                 \
      return NAME(x, more...);                                                                  \
    }                                                                                           \
    template <class T, class... More>                                                           \
      requires requires(const T& x, const More&... more) { functions_of<T>::NAME(x, more...); } \
    static constexpr auto of(const T& x, const More&... more) {                                 \
      return functions_of<T>::NAME(x, more...);                                                 \
    }                                                                                           \
  };
#define BROADLOOM_UNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_TERNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP1(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY_OPERATOR(...)
#define BROADLOOM_COMPARISON(...)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_NAME

#define BROADLOOM_OPERATOR(NAME, OP)                        \
  struct NAME##_by_operator {                               \
    template <class T, class U>                             \
      requires requires(const T& x, const U& y) { x OP y; } \
    static constexpr auto of(const T& x, const U& y) {      \
      return x OP y;                                        \
    }                                                       \
  };
#define BROADLOOM_UNARY(...)
#define BROADLOOM_BINARY(...)
#define BROADLOOM_TERNARY(...)
#define BROADLOOM_STRIP1(...)
#define BROADLOOM_STRIP2(...)
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ...) BROADLOOM_OPERATOR(NAME, OP)
#define BROADLOOM_COMPARISON(NAME, OP, ...) BROADLOOM_OPERATOR(NAME, OP)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_OPERATOR

}  // namespace broadloom_own_elements

namespace broadloom::detail {

#define BROADLOOM_NAME(NAME, ...) \
  template <>                     \
  struct own_call<lanes::NAME##_f> : broadloom_own_elements::NAME##_by_lookup {};
#define BROADLOOM_OPERATOR(NAME, ...) \
  template <>                         \
  struct own_call<lanes::NAME##_f> : broadloom_own_elements::NAME##_by_operator {};
#define BROADLOOM_UNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_TERNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP1(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ...) BROADLOOM_OPERATOR(NAME, OP)
#define BROADLOOM_COMPARISON(NAME, OP, ...) BROADLOOM_OPERATOR(NAME, OP)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_NAME
#undef BROADLOOM_OPERATOR

}  // namespace broadloom::detail
