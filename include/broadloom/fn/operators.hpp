// The operators, each the function of the catalogue's line; and !x, -x, ~x and && || of arrays (lazy, without short circuit).
#pragma once

#include <broadloom/fn/catalogue.hpp>

namespace broadloom {

#define BROADLOOM_BINARY(NAME, OP)                                                                       \
  template <operand A, operand B>                                                                        \
    requires detail::any_array<A, B> && detail::types_fit<detail::NAME##_f::rule, A, B> && detail::shapes_fit<A, B> \
  constexpr auto operator OP(A&& x, B&& y) {                                                             \
    return detail::apply<detail::NAME##_f>(static_cast<A&&>(x), static_cast<B&&>(y));                    \
  }                                                                                                      \
  template <operand A, operand B, class Error = detail::types_error<detail::NAME##_f, A, B>>             \
    requires detail::any_array<A, B> && (!detail::types_fit<detail::NAME##_f::rule, A, B>)               \
  Error operator OP(A&&, B&&) = delete;                                                                  \
  template <operand A, operand B, class Error = detail::shapes_error<A, B>>                              \
    requires detail::any_array<A, B> && detail::types_fit<detail::NAME##_f::rule, A, B> && (!detail::shapes_fit<A, B>) \
  Error operator OP(A&&, B&&) = delete;
#define BROADLOOM_UNARY(NAME, OP)                                             \
  template <array A>                                                          \
    requires detail::types_fit<detail::NAME##_f::rule, A>                     \
  constexpr auto operator OP(A&& x) {                                         \
    return detail::apply<detail::NAME##_f>(static_cast<A&&>(x));              \
  }                                                                           \
  template <array A, class Error = detail::types_error<detail::NAME##_f, A>>  \
    requires(!detail::types_fit<detail::NAME##_f::rule, A>)                   \
  Error operator OP(A&&) = delete;

#define BINARY_OPERATOR(NAME, RULE, OP, ASSIGN, FORMULA)            \
  BROADLOOM_BINARY(NAME, OP)                                        \
  template <array A, operand B>                                     \
  constexpr decltype(auto) operator ASSIGN(A&& out, B&& x) {        \
    return NAME##_(static_cast<A&&>(out), static_cast<B&&>(x));     \
  }
#define COMPARISON(NAME, OP, FORMULA) BROADLOOM_BINARY(NAME, OP)
#define UNARY(...)
#define BINARY(...)
#define TERNARY(...)
#define STRIP1(...)
#define STRIP2(...)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>

BROADLOOM_BINARY(logical_and, &&)
BROADLOOM_BINARY(logical_or, ||)
BROADLOOM_UNARY(neg, -)
BROADLOOM_UNARY(logical_not, !)

#undef BROADLOOM_BINARY
#undef BROADLOOM_UNARY

}  // namespace broadloom
