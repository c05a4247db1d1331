// Which parts of a tree are stages of their own, though loops could compute them where they are used: slow ones that
// lack an axis of the whole, which the planner may hoist, and slow ones that are written more than once.
#pragma once

#include <type_traits>

#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/map.hpp>
#include <broadloom/expr/scalar.hpp>
#include <broadloom/fn/function.hpp>

namespace broadloom::detail {

// Slow functions take many cycles. If such a part lacks an axis of the whole, or has extent 1 there, it is a stage of
// its own, which the planner may hoist.
template <class F>
inline constexpr bool is_slow = false;
template <class F>
  requires requires { F::cost; }
inline constexpr bool is_slow<F> = F::cost == function_cost::slow;
template <class E>
inline constexpr bool has_slow_functions = false;
template <class F, class Shape, class... Args>
inline constexpr bool has_slow_functions<map<F, Shape, Args...>> = is_slow<F> || (has_slow_functions<Args> || ...);
// Whether a source is a reduction, and so smaller than what it is used with; and whether axes that only the running
// program knows are reduced, so that any extent may be 1. The same of trees all of whose arrays are such.
template <class Source>
inline constexpr bool is_reduction = requires { Source::names_axes; };
template <class Source>
inline constexpr bool is_reduction_of_any_axes = false;
template <class Source>
  requires requires { Source::names_axes; }
inline constexpr bool is_reduction_of_any_axes<Source> = !Source::names_axes;
template <class E>
inline constexpr bool is_of_reductions = false;
template <class T>
inline constexpr bool is_of_reductions<scalar<T>> = true;
template <deferred_leaf E>
inline constexpr bool is_of_reductions<E> = is_reduction<typename E::source_type>;
template <class F, class Shape, class... Args>
inline constexpr bool is_of_reductions<map<F, Shape, Args...>> = (is_of_reductions<Args> && ...);
template <class E>
inline constexpr bool reduces_any_axes = false;
template <deferred_leaf E>
inline constexpr bool reduces_any_axes<E> = is_reduction_of_any_axes<typename E::source_type>;
template <class F, class Shape, class... Args>
inline constexpr bool reduces_any_axes<map<F, Shape, Args...>> =
    is_of_reductions<map<F, Shape, Args...>> && (reduces_any_axes<Args> || ...);

template <class Whole, class E>
inline constexpr bool is_shared_part = false;
template <class Whole, class F, class Shape, class... Args>
  requires(!Whole::is_static)
inline constexpr bool is_shared_part<Whole, map<F, Shape, Args...>> = [] {
  bool smaller = Shape::axes_count < Whole::axes_count || is_of_reductions<map<F, Shape, Args...>>;
  for (int k = 1; k <= Shape::axes_count && !smaller; ++k)
    smaller = Shape::static_extents[Shape::axes_count - k] == 1 && Whole::static_extents[Whole::axes_count - k] != 1;
  if constexpr (Shape::axes_count > 0)
    return smaller && has_slow_functions<map<F, Shape, Args...>>;
  else
    return has_slow_functions<map<F, Shape, Args...>>;
}();

// Parts of a tree that are written more than once and take many cycles are stages of their own, which the planner
// computes once where their operands are equal. Only beside transcendental functions, which make stages anyway: a
// single loop over few elements is worth more. Of parts that occur as often as what they are part of, the larger one is
// the stage.
template <class F>
inline constexpr bool makes_stages = F::is_strip || staged<F> || requires { F::is_call; };
template <class E>
inline constexpr bool has_function_stages = false;
template <class F, class Shape, class... Args>
inline constexpr bool has_function_stages<map<F, Shape, Args...>> =
    makes_stages<F> || (has_function_stages<Args> || ...);
// The slow functions that a loop computes in registers.
template <class E>
inline constexpr int slow_in_loop = 0;
template <class F, class Shape, class... Args>
  requires(!makes_stages<F>)
inline constexpr int slow_in_loop<map<F, Shape, Args...>> = (is_slow<F> ? 1 : 0) + (0 + ... + slow_in_loop<Args>);
template <class E>
inline constexpr int slow_functions = 0;
template <class F, class Shape, class... Args>
inline constexpr int slow_functions<map<F, Shape, Args...>> = (is_slow<F> ? 1 : 0) + (0 + ... + slow_functions<Args>);
template <class E>
using repeating_root = std::conditional_t<(slow_functions<E> > 1 && has_function_stages<E>), E, void>;

template <class Tree, class E>
inline constexpr int occurrences = 0;
template <class F, class Shape, class... Args, class E>
inline constexpr int occurrences<map<F, Shape, Args...>, E> =
    __is_same(map<F, Shape, Args...>, E) ? 1 : (0 + ... + occurrences<Args, E>);

template <class Root, class Parent, class E>
inline constexpr bool is_repeated_part = false;
template <class Root, class Parent, class E>
  requires(!std::is_void_v<Root> && slow_in_loop<E> > 0)
inline constexpr bool is_repeated_part<Root, Parent, E> = (occurrences<Root, E> > occurrences<Root, Parent>);

}  // namespace broadloom::detail
