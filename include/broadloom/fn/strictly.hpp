// Strictness per scope: in a scope that says `using namespace broadloom::strictly;` or names single operators by
// `using broadloom::strictly::operator+;`, operators and unqualified functions broadcast strictly. Not included by
// broadloom.hpp.
#pragma once

#include <broadloom/fn/composite.hpp>
#include <broadloom/fn/strict.hpp>

namespace broadloom {

namespace detail {

// What strict operators take: everything they are defined for, so that they are more constrained than the operators
// found by their operands, and chosen.
template <class A, class B>
concept strict_operands = operand<A> && operand<B>;
template <class A, class B>
concept strictly_fitting = ranks_agree<A, B>() && !two_sided_statically<A, B>();

template <class A, class B>
using strict_error = std::conditional_t<
    !ranks_agree<A, B>(),
    strict_forbids_operands_of_different_rank<typename shape_of_argument<A>::type, typename shape_of_argument<B>::type>,
    strict_forbids_that_two_operands_are_expanded<typename shape_of_argument<A>::type,
                                                  typename shape_of_argument<B>::type>>;

}  // namespace detail

// The operators and the functions of the catalogue, each as strict(f). Where extents are static, what strict forbids
// does not compile; elsewhere it throws shape_error.
namespace strictly {

#define BROADLOOM_UNARY(...)
#define BROADLOOM_TERNARY(NAME, ...) inline constexpr detail::strict_function<NAME##_t, forbidden::both> NAME{};
#define BROADLOOM_BINARY(NAME, ...) inline constexpr detail::strict_function<NAME##_t, forbidden::both> NAME{};
#define BROADLOOM_STRIP1(...)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_BINARY(NAME, )
#define BROADLOOM_STRICT_OPERATOR(NAME, OP)                                               \
  template <operand A, operand B>                                                         \
    requires detail::callable<detail::NAME##_f, A, B> && detail::strict_operands<A, B> && \
             detail::strictly_fitting<A, B>                                               \
  constexpr auto operator OP(A&& x, B&& y) {                                              \
    return strictly::NAME(static_cast<A&&>(x), static_cast<B&&>(y));                      \
  }                                                                                       \
  template <operand A, operand B>                                                         \
    requires detail::callable<detail::NAME##_f, A, B> && detail::strict_operands<A, B> && \
                 (!detail::strictly_fitting<A, B>)                                        \
  detail::strict_error<A, B> operator OP(A&&, B&&) = delete;
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ASSIGN, FORMULA) \
  BROADLOOM_BINARY(NAME, ) BROADLOOM_STRICT_OPERATOR(NAME, OP)
#define BROADLOOM_COMPARISON(NAME, OP, FORMULA) BROADLOOM_BINARY(NAME, ) BROADLOOM_STRICT_OPERATOR(NAME, OP)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_STRICT_OPERATOR

inline constexpr detail::strict_function<where_t, forbidden::both> where{};
inline constexpr detail::strict_function<addcmul_t, forbidden::both> addcmul{};
inline constexpr detail::strict_function<addcdiv_t, forbidden::both> addcdiv{};

}  // namespace strictly
}  // namespace broadloom
