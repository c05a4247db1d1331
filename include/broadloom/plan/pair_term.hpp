// Terms of two arrays whose sums are contractions: which of the library's tile kernels adds them up.
#pragma once

#include <type_traits>

#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/map.hpp>
#include <broadloom/expr/scalar.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom {

namespace lanes {
struct abs_f;
struct mul_f;
struct pow_f;
struct square_f;
struct sub_f;
}  // namespace lanes

namespace detail {

// Leaves with elements of the tree's type, which is f32 or f64.
template <class T>
inline constexpr bool is_contracted_type = __is_same(T, float) || __is_same(T, double);
template <class E, class T>
inline constexpr bool is_contracted_leaf = false;
template <leaf E, class T>
inline constexpr bool is_contracted_leaf<E, T> = __is_same(std::remove_const_t<typename E::value_type>, T);
template <deferred_leaf E, class T>
inline constexpr bool is_contracted_leaf<E, T> = __is_same(typename E::value_type, T);

// Whether E is the difference of two such leaves.
template <class E>
inline constexpr bool is_pair_difference = false;
template <class Shape, class A, class B>
inline constexpr bool is_pair_difference<map<lanes::sub_f, Shape, A, B>> = [] {
  using type = typename A::value_type;
  return is_contracted_type<type> && is_contracted_leaf<A, type> && is_contracted_leaf<B, type>;
}();

// The term that E is: a * b, (a - b) * (a - b), square(a - b), pow(a - b, 2) or abs(a - b). Of products of differences
// it is found when leaves are bound whether both are the same, and of powers whether the exponent is 2.
template <class E>
inline constexpr runtime::pair_term pair_term_of = runtime::pair_term::other;
template <class Shape, class A, class B>
inline constexpr runtime::pair_term pair_term_of<map<lanes::mul_f, Shape, A, B>> = [] {
  using type = typename A::value_type;
  if (is_contracted_type<type> && is_contracted_leaf<A, type> && is_contracted_leaf<B, type>)
    return runtime::pair_term::product;
  return is_pair_difference<A> && __is_same(A, B) ? runtime::pair_term::difference_times_difference
                                                  : runtime::pair_term::other;
}();
template <class Shape, class D>
inline constexpr runtime::pair_term pair_term_of<map<lanes::square_f, Shape, D>> =
    is_pair_difference<D> ? runtime::pair_term::squared_difference : runtime::pair_term::other;
template <class Shape, class D>
inline constexpr runtime::pair_term pair_term_of<map<lanes::abs_f, Shape, D>> =
    is_pair_difference<D> ? runtime::pair_term::absolute_difference : runtime::pair_term::other;
template <class Shape, class D, class T>
inline constexpr runtime::pair_term pair_term_of<map<lanes::pow_f, Shape, D, scalar<T>>> =
    is_pair_difference<D> && __is_same(T, typename D::value_type) ? runtime::pair_term::power_of_difference
                                                                  : runtime::pair_term::other;

}  // namespace detail
}  // namespace broadloom
