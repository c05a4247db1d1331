// Comparisons and bounds beside a number that the elements may not hold: by value, and with nothing more in the loop.
#pragma once

#include <broadloom/fn/arguments.hpp>

namespace broadloom::detail {

// What comparisons with numbers have (fn/catalogue.hpp): by which functions elements are compared with a number that
// their type may not hold.
template <class F>
struct beside_number {};

// The type as which the elements of A are compared, if A and B are an array of integers or bool and a number that these
// may not hold; else void.
template <class... A>
struct compared_type {
  using type = void;
};
template <array A, number_scalar N>
  requires(!is_complex_type<N>)
struct compared_type<A, N> {
  using own =
      std::conditional_t<__is_same(value_of<node_of<const A&>>, bool), std::uint8_t, value_of<node_of<const A&>>>;
  using type = std::conditional_t<holds_numbers<own, N>(), void, own>;
};
template <array A, class N>
  requires is_constant_number<N>
struct compared_type<A, N> : compared_type<A, std::remove_cv_t<decltype(N::value)>> {};
template <class N, array A>
  requires number_or_constant<N>
struct compared_type<N, A> : compared_type<A, N> {};
template <class F, class... A>
inline constexpr bool compares_by_value = false;
template <class F, class A, class B>
  requires requires { typename beside_number<F>::comparison; }
inline constexpr bool compares_by_value<F, A, B> =
    !std::is_void_v<typename compared_type<A, std::remove_cvref_t<B>>::type> ||
    !std::is_void_v<typename compared_type<std::remove_cvref_t<A>, B>::type>;

template <class F, class A, class B>
constexpr auto compare_by_value(A&& x, B&& y) {
  if constexpr (number_or_constant<std::remove_cvref_t<A>>) {
    return compare_by_value<typename beside_number<F>::mirrored>(static_cast<B&&>(y), x);
  } else if constexpr (is_constant_number<std::remove_cvref_t<B>>) {
    return compare_by_value<F>(static_cast<A&&>(x), std::remove_cvref_t<B>::value);
  } else {
    using rule = beside_number<F>;
    using T = typename compared_type<A, std::remove_cvref_t<B>>::type;
    const compared_elements<T> e = rule::template elements<T>(y);
    return make_map(typename rule::comparison{},
                    make_map(typename rule::first{}, operand_node<T>(static_cast<A&&>(x)), scalar<T>(e.with)),
                    scalar<T>(e.to));
  }
}

// The operands of F that bound the result, from below (1) or from above (-1): bit K of a mask is operand K.
template <class F>
inline constexpr int lower_bounds = 0;
template <class F>
inline constexpr int upper_bounds = 0;
template <class F, int K, class C, class A>
constexpr decltype(auto) bound_node(A&& a) {
  if constexpr (is_constant_number<std::remove_cvref_t<A>>)
    return bound_node<F, K, C>(std::remove_cvref_t<A>::value);
  else if constexpr (!number_scalar<std::remove_cvref_t<A>>)
    return operand_node<C>(static_cast<A&&>(a));
  else if constexpr ((lower_bounds<F> >> K & 1) != 0)
    return scalar<C>(lower_bound_as<C>(a));
  else if constexpr ((upper_bounds<F> >> K & 1) != 0)
    return scalar<C>(upper_bound_as<C>(a));
  else
    return argument<C>(a);
}
template <class F, class C, int... K, class... A>
constexpr auto apply_bounds(sequence<K...>, A&&... a) {
  return make_map(F{}, bound_node<F, K, C>(static_cast<A&&>(a))...);
}

}  // namespace broadloom::detail
