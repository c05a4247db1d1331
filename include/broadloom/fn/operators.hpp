// The operators, each the function of the catalogue's line; and !x, -x, ~x and && || of arrays (lazy, without short
// circuit).
#pragma once
#pragma GCC system_header  // an error in a call of an operator shows the call, not how operators are generated

#include <broadloom/fn/complex.hpp>
#include <broadloom/fn/held_calls.hpp>

namespace broadloom {

namespace errors_md {
// 1 < a < 3
struct write_a_chain_of_comparisons_as_1_lt_a_and_a_lt_3;
}  // namespace errors_md

namespace detail {

// A node of truth values that a comparison, or another test, computes.
template <class A>
inline constexpr bool is_test = false;
template <class F, class Shape, class... Args>
inline constexpr bool is_test<map<F, Shape, Args...>> =
    requires { requires __is_base_of(rule_test, typename F::rule); };
// (1 < a) < 3, where F is an order; of == and != truth values may be compared with numbers.
template <class F, class A, class B>
inline constexpr bool chained = is_test<std::remove_cvref_t<A>> && !__is_same(F, eq_f) && !__is_same(F, ne_f) &&
                                !__is_same(typename element_of_argument<B>::type, bool);
template <class F, class A, class B>
concept comparable_with = callable<F, A, B> && (!chained<F, A, B>);
template <class F, class A, class B>
struct comparison_error : explain_call<F, A, B> {};
template <class F, class A, class B>
  requires chained<F, A, B>
struct comparison_error<F, A, B> {
  using type = errors_md::write_a_chain_of_comparisons_as_1_lt_a_and_a_lt_3;
};

}  // namespace detail

#define BROADLOOM_UNARY(...)
#define BROADLOOM_BINARY(...)
#define BROADLOOM_TERNARY(...)
#define BROADLOOM_STRIP1(...)
#define BROADLOOM_STRIP2(...)

// What is usual is done here and not by apply: each function that all of a tree is inlined into costs compilers a copy
// of it.
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ASSIGN, FORMULA)                                            \
  BROADLOOM_HELD_CALLS_2(operator OP, , detail::callable, detail::NAME##_f)                                         \
  template <operand A, operand B>                                                                                   \
    requires detail::held_otherwise<A, B> && detail::callable<detail::NAME##_f, A, B>                               \
  constexpr auto operator OP(A&& x, B&& y) {                                                                        \
    if constexpr (detail::is_one_node<detail::NAME##_f, A, B>) {                                                    \
      using common = promoted<A, B>;                                                                                \
      decltype(auto) a = detail::operand_node<common>(static_cast<A&&>(x));                                         \
      decltype(auto) b = detail::operand_node<common>(static_cast<B&&>(y));                                         \
      using node = typename detail::map_of<detail::NAME##_f, decltype(a), decltype(b)>::type;                       \
      return node(                                                                                                  \
          {}, detail::broadcast_checked<typename node::shape_type>(detail::NAME##_f::name(), a.shape(), b.shape()), \
          static_cast<decltype(a)&&>(a), static_cast<decltype(b)&&>(b));                                            \
    } else                                                                                                          \
      return detail::apply<detail::NAME##_f>(static_cast<A&&>(x), static_cast<B&&>(y));                             \
  }                                                                                                                 \
  template <class A, class B, class Error = detail::call_error<detail::NAME##_f, A, B>>                             \
    requires detail::refused<detail::NAME##_f, A, B>                                                                \
  Error operator OP(A&&, B&&) BROADLOOM_REFUSED;
#define BROADLOOM_COMPARISON(NAME, OP, FORMULA)                                                              \
  BROADLOOM_HELD_CALLS_2(operator OP, , detail::comparable_with, detail::NAME##_f)                           \
  template <operand A, operand B>                                                                            \
    requires detail::held_otherwise<A, B> && detail::comparable_with<detail::NAME##_f, A, B>                 \
  constexpr auto operator OP(A&& x, B&& y) {                                                                 \
    return detail::apply<detail::NAME##_f>(static_cast<A&&>(x), static_cast<B&&>(y));                        \
  }                                                                                                          \
  template <class A, class B, class Error = typename detail::comparison_error<detail::NAME##_f, A, B>::type> \
    requires(detail::refused<detail::NAME##_f, A, B> || detail::chained<detail::NAME##_f, A, B>)             \
  Error operator OP(A&&, B&&) BROADLOOM_REFUSED;
#include <broadloom/fn/catalogue.def>
BROADLOOM_BINARY_OPERATOR(logical_and, logic, quick, &&, , )
BROADLOOM_BINARY_OPERATOR(logical_or, logic, quick, ||, , )
#undef BROADLOOM_BINARY_OPERATOR
#undef BROADLOOM_COMPARISON

BROADLOOM_HELD_CALLS_1(operator-, , detail::callable_with, detail::neg_f)
BROADLOOM_HELD_CALLS_1(operator~, , detail::callable_with, detail::bitwise_not_f)
BROADLOOM_HELD_CALLS_1(operator!, , detail::callable_with, detail::logical_not_f)
template <array A>
  requires detail::held_otherwise<A> && detail::callable_with<detail::neg_f, A>
constexpr auto operator-(A&& x) {
  return detail::apply<detail::neg_f>(static_cast<A&&>(x));
}
template <array A>
  requires detail::held_otherwise<A> && detail::callable_with<detail::bitwise_not_f, A>
constexpr auto operator~(A&& x) {
  return detail::apply<detail::bitwise_not_f>(static_cast<A&&>(x));
}
template <array A>
  requires detail::held_otherwise<A>
constexpr auto operator!(A&& x) {
  return detail::apply<detail::logical_not_f>(static_cast<A&&>(x));
}

#define BROADLOOM_COMPARISON(...)
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ASSIGN, FORMULA)                              \
  template <array A, operand B>                                                                       \
    requires detail::in_place_callable<NAME##_t, A, B>                                                \
  constexpr decltype(auto) operator ASSIGN(A&& out, B&& x) {                                          \
    return NAME##_(static_cast<A&&>(out), static_cast<B&&>(x));                                       \
  }                                                                                                   \
  template <array A, class B, class Error = typename detail::in_place_check<NAME##_t, A, B>::error>   \
    requires(operand<B> || detail::scattered_rows<B>) && (!detail::in_place_callable<NAME##_t, A, B>) \
  Error operator ASSIGN(A&&, B&&) BROADLOOM_REFUSED;
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>

template <array A, class Error = detail::call_error<detail::neg_f, A>>
  requires(!detail::callable_with<detail::neg_f, A>)
Error operator-(A&&) BROADLOOM_REFUSED;

// +x is x, for symmetry; of bool it is not defined, as in NumPy and PyTorch.
template <array A>
  requires(!__is_same(detail::value_of<detail::node_of<A>>, bool))
constexpr auto operator+(A&& x) {
  return detail::as_node(static_cast<A&&>(x));
}

template <array A, class Error = detail::call_error<detail::bitwise_not_f, A>>
  requires(!detail::callable_with<detail::bitwise_not_f, A>)
Error operator~(A&&) BROADLOOM_REFUSED;

// C's % of numbers below 0 is not Python's.
template <operand A, operand B, class Error = errors_md::write_remainder_as_pythons_or_fmod_as_cs>
  requires detail::any_array<A, B>
Error operator%(A&&, B&&) BROADLOOM_REFUSED;
template <array A, operand B, class Error = errors_md::write_remainder_as_pythons_or_fmod_as_cs>
Error operator%=(A&&, B&&) BROADLOOM_REFUSED;

}  // namespace broadloom
