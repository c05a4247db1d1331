// Every pointwise function as an object, made from the lines of catalogue.def: bl::add, bl::exp, ... and the in-place bl::add_, ...
#pragma once

#include <broadloom/core/text.hpp>
#include <broadloom/fn/function.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

// Formulas are read inside this namespace, so that `less` or `select` mean its own.
namespace lanes {

using detail::lane_function;
using detail::rule_number;
using detail::rule_real;
using detail::rule_logic;
using detail::rule_same;
using detail::rule_test;
using detail::strip_element;
using detail::strip_function;
using detail::text;

#define BROADLOOM_FUNCTION(NAME, RULE, TEMPLATE, PARAMS, FORMULA)        \
  struct NAME##_f : lane_function {                                      \
    using rule = rule_##RULE;                                            \
    static constexpr text label{#NAME};                                  \
    static constexpr const char* name() { return #NAME; }                \
    template <class T, class...>                                         \
    using result = rule::template result<T>;                    \
    template <TEMPLATE>                                                  \
    [[gnu::always_inline]] static constexpr auto on PARAMS {             \
      return FORMULA;                                                    \
    }                                                                    \
    template <class... T>                                                \
    static constexpr auto scalar(const T&... v) {                        \
      return on(v...);                                                   \
    }                                                                    \
  };
#define BROADLOOM_COMMA ,
#define BROADLOOM_BINARY_FUNCTION(NAME, RULE, FORMULA) \
  BROADLOOM_FUNCTION(NAME, RULE, class X BROADLOOM_COMMA class Y, (const X& x, const Y& y), FORMULA)
#define UNARY(NAME, RULE, FORMULA) BROADLOOM_FUNCTION(NAME, RULE, class X, (const X& x), FORMULA)
#define BINARY(NAME, RULE, FORMULA) BROADLOOM_BINARY_FUNCTION(NAME, RULE, FORMULA)
#define BINARY_OPERATOR(NAME, RULE, OP, ASSIGN, FORMULA) BROADLOOM_BINARY_FUNCTION(NAME, RULE, FORMULA)
#define COMPARISON(NAME, OP, FORMULA) BROADLOOM_BINARY_FUNCTION(NAME, test, FORMULA)
#define TERNARY(NAME, RULE, FORMULA)                                                                     \
  BROADLOOM_FUNCTION(NAME, RULE, class X BROADLOOM_COMMA class Y BROADLOOM_COMMA class Z,                \
                     (const X& x, const Y& y, const Z& z), FORMULA)
#define STRIP1(NAME, OP)                                          \
  struct NAME##_f : strip_function {                              \
    using rule = rule_real;                                       \
    static constexpr auto op = runtime::maths1::OP;               \
    static constexpr text label{#NAME};                           \
    static constexpr const char* name() { return #NAME; }         \
    template <class T, class...>                                  \
    using result = T;                                             \
    template <class T>                                            \
    static constexpr T scalar(const T& x) {                       \
      return strip_element<op>(x);                                \
    }                                                             \
  };
#define STRIP2(NAME, RULE, OP, INTEGERS)                          \
  BROADLOOM_BINARY_FUNCTION(integer_##NAME, RULE, INTEGERS)       \
  struct NAME##_f : strip_function {                              \
    using rule = rule_##RULE;                                     \
    using on_integers = integer_##NAME##_f;                       \
    static constexpr auto op = runtime::maths2::OP;               \
    static constexpr text label{#NAME};                           \
    static constexpr const char* name() { return #NAME; }         \
    template <class T, class...>                                  \
    using result = T;                                             \
    template <class T>                                            \
    static constexpr T scalar(const T& x, const T& y) {           \
      return strip_element<op>(x, y);                             \
    }                                                             \
  };
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>

}  // namespace lanes

namespace detail {

template <>
struct alpha_of<lanes::add_f> {
  using scale = lanes::mul_f;
};
template <>
struct alpha_of<lanes::sub_f> {
  using scale = lanes::mul_f;
};

}  // namespace detail

#define BROADLOOM_OBJECT(ARITY, NAME)                                  \
  namespace detail {                                                   \
  using lanes::NAME##_f;                                               \
  }                                                                    \
  inline constexpr struct NAME##_t : detail::ARITY##_function<detail::NAME##_f> { \
  } NAME{};                                                            \
  inline constexpr detail::in_place<NAME##_t> NAME##_{};
#define UNARY(NAME, ...) BROADLOOM_OBJECT(unary, NAME)
#define BINARY(NAME, ...) BROADLOOM_OBJECT(binary, NAME)
#define BINARY_OPERATOR(NAME, ...) BROADLOOM_OBJECT(binary, NAME)
#define COMPARISON(NAME, ...) BROADLOOM_OBJECT(binary, NAME)
#define TERNARY(NAME, ...) BROADLOOM_OBJECT(ternary, NAME)
#define STRIP1(NAME, ...) BROADLOOM_OBJECT(unary, NAME)
#define STRIP2(NAME, ...) BROADLOOM_OBJECT(binary, NAME)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_OBJECT
#undef BROADLOOM_BINARY_FUNCTION
#undef BROADLOOM_FUNCTION
#undef BROADLOOM_COMMA

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
