// Strictness per scope: in a scope that says `using namespace broadloom::strictly;` or names single operators by
// `using broadloom::strictly::operator+;`, operators, unqualified functions and their in-place forms broadcast
// strictly: equal ranks, one side expanded, and only axes whose extent is 1 in the type. Not included by broadloom.hpp.
// Products of stacks: linalg/strictly.hpp. cat and stack broadcast nothing.
#pragma once

#include <broadloom/fn/composite.hpp>
#include <broadloom/fn/strict.hpp>

namespace broadloom {

namespace detail {

// What strict operators accept: all that they are defined for. This makes them more constrained than the operators
// found by their operands, so they are chosen.
template <class A, class B>
concept strict_operands = operand<A> && operand<B>;
template <class A, class B>
concept strictly_fitting = ranks_agree<A, B>() && !two_sided_statically<A, B>();

template <class A, class B>
using strict_error =
    std::conditional_t<!ranks_agree<A, B>(),
                       errors_md::strict_forbids_operands_of_different_rank<typename shape_of_argument<A>::type,
                                                                            typename shape_of_argument<B>::type>,
                       errors_md::strict_forbids_that_two_operands_are_expanded<typename shape_of_argument<A>::type,
                                                                                typename shape_of_argument<B>::type>>;

}  // namespace detail

// The operators and the functions of the catalogue, each as strict<forbidden::everything>(f). Where extents are static,
// what strict forbids does not compile; elsewhere it throws shape_error.
namespace strictly {

#define BROADLOOM_UNARY(...)
#define BROADLOOM_BINARY(NAME, ...)                                                 \
  inline constexpr detail::strict_function<NAME##_t, forbidden::everything> NAME{}; \
  inline constexpr detail::strict_function<detail::in_place<NAME##_t>, forbidden::everything> NAME##_{};
#define BROADLOOM_TERNARY(NAME, ...) BROADLOOM_BINARY(NAME, )
#define BROADLOOM_STRIP1(...)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_BINARY(NAME, )
// An operator of arguments that are held in one way (fn/held_calls.hpp): what their types are in the requirement and as
// parameters. Those found by the operands have the same.
#define BROADLOOM_STRICT_FORM(NAME, OP, TEST, KIND_A, TYPE_A, PARAMETER_A, KIND_B, TYPE_B, PARAMETER_B) \
  template <KIND_A A, KIND_B B>                                                                         \
    requires TEST<detail::NAME##_f, TYPE_A, TYPE_B> && detail::strict_operands<TYPE_A, TYPE_B> &&       \
             detail::strictly_fitting<TYPE_A, TYPE_B>                                                   \
  constexpr auto operator OP(PARAMETER_A x, PARAMETER_B y) {                                            \
    return strictly::NAME(std::forward<TYPE_A>(x), std::forward<TYPE_B>(y));                            \
  }                                                                                                     \
  template <KIND_A A, KIND_B B>                                                                         \
    requires TEST<detail::NAME##_f, TYPE_A, TYPE_B> && detail::strict_operands<TYPE_A, TYPE_B> &&       \
             (!detail::strictly_fitting<TYPE_A, TYPE_B>)                                                \
  detail::strict_error<TYPE_A, TYPE_B> operator OP(PARAMETER_A, PARAMETER_B)                            \
      BROADLOOM_REFUSED_AS("refused: a strict scope forbids operands of different rank");
#if defined(__clang__)
#define BROADLOOM_STRICT_FORMS(NAME, OP, TEST)                                                    \
  BROADLOOM_STRICT_FORM(NAME, OP, TEST, detail::referred, A&, A&, detail::referred, B&, B&)       \
  BROADLOOM_STRICT_FORM(NAME, OP, TEST, detail::referred, A&, A&, detail::held_by_value, B, B)    \
  BROADLOOM_STRICT_FORM(NAME, OP, TEST, detail::held_by_value, A, A, detail::referred, B&, B&)    \
  BROADLOOM_STRICT_FORM(NAME, OP, TEST, detail::held_by_value, A, A, detail::held_by_value, B, B) \
  BROADLOOM_STRICT_FORM(NAME, OP, TEST, detail::referred, A&, A&, detail::moved_in, B, B&&)       \
  BROADLOOM_STRICT_FORM(NAME, OP, TEST, detail::moved_in, A, A&&, detail::referred, B&, B&)
#else
#define BROADLOOM_STRICT_FORMS(...)
#endif
#define BROADLOOM_STRICT_OPERATOR(NAME, OP, TEST)                                                             \
  BROADLOOM_STRICT_FORMS(NAME, OP, TEST)                                                                      \
  template <operand A, operand B>                                                                             \
    requires detail::held_otherwise<A, B> && TEST<detail::NAME##_f, A, B> && detail::strict_operands<A, B> && \
             detail::strictly_fitting<A, B>                                                                   \
  constexpr auto operator OP(A&& x, B&& y) {                                                                  \
    return strictly::NAME(static_cast<A&&>(x), static_cast<B&&>(y));                                          \
  }                                                                                                           \
  template <operand A, operand B>                                                                             \
    requires detail::held_otherwise<A, B> && TEST<detail::NAME##_f, A, B> && detail::strict_operands<A, B> && \
             (!detail::strictly_fitting<A, B>)                                                                \
  detail::strict_error<A, B> operator OP(A&&, B&&)                                                            \
      BROADLOOM_REFUSED_AS("refused: a strict scope forbids operands of different rank");
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ASSIGN, FORMULA) \
  BROADLOOM_BINARY(NAME, ) BROADLOOM_STRICT_OPERATOR(NAME, OP, detail::callable)
#define BROADLOOM_COMPARISON(NAME, OP, FORMULA) \
  BROADLOOM_BINARY(NAME, ) BROADLOOM_STRICT_OPERATOR(NAME, OP, detail::comparable_with)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_STRICT_OPERATOR
#undef BROADLOOM_STRICT_FORMS
#undef BROADLOOM_STRICT_FORM

#define BROADLOOM_STRICT_ASSIGNMENT(NAME, ASSIGN)                                          \
  template <array A, operand B>                                                            \
    requires detail::in_place_callable<NAME##_t, A, B> && detail::strict_operands<A, B> && \
             detail::strictly_fitting<A, B>                                                \
  constexpr decltype(auto) operator ASSIGN(A&& out, B&& x) {                               \
    return strictly::NAME##_(static_cast<A&&>(out), static_cast<B&&>(x));                  \
  }                                                                                        \
  template <array A, operand B>                                                            \
    requires detail::in_place_callable<NAME##_t, A, B> && detail::strict_operands<A, B> && \
                 (!detail::strictly_fitting<A, B>)                                         \
  detail::strict_error<A, B> operator ASSIGN(A&&, B&&) = delete;
#define BROADLOOM_UNARY(...)
#define BROADLOOM_BINARY(...)
#define BROADLOOM_TERNARY(...)
#define BROADLOOM_STRIP1(...)
#define BROADLOOM_STRIP2(...)
#define BROADLOOM_COMPARISON(...)
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ASSIGN, FORMULA) BROADLOOM_STRICT_ASSIGNMENT(NAME, ASSIGN)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_STRICT_ASSIGNMENT

inline constexpr detail::strict_function<where_t, forbidden::everything> where{};
inline constexpr detail::strict_function<addcmul_t, forbidden::everything> addcmul{};
inline constexpr detail::strict_function<addcdiv_t, forbidden::everything> addcdiv{};
inline constexpr detail::strict_function<detail::in_place<addcmul_t>, forbidden::everything> addcmul_{};
inline constexpr detail::strict_function<detail::in_place<addcdiv_t>, forbidden::everything> addcdiv_{};

}  // namespace strictly
}  // namespace broadloom
