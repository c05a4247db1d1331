// What a generic function may ask of its arguments: rank, extents and element type, and how two shapes go together.
#pragma once

#include <broadloom/expr/capture.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

// The number of axes of an array or an expression.
template <array A>
inline constexpr int rank_of = detail::node_of<A>::shape_type::axes_count;

// The shape's type, with all that is known statically: numbers, names and dyn.
template <array A>
using static_shape_of = typename detail::node_of<A>::shape_type;

// The extent of axis I, which may count from the end: a number, a name (size<"n">), or dyn.
template <array A, int I>
  requires(I >= -rank_of<A> && I < rank_of<A>)
inline constexpr index extent_of = static_shape_of<A>::static_extents[I < 0 ? I + rank_of<A> : I];

// An array of that many axes.
template <class A, int R>
concept array_of_rank = array<A> && rank_of<A> == R;

namespace detail {

template <class S, index... E>
constexpr bool has_extents() {
  if constexpr (S::axes_count != sizeof...(E))
    return false;
  else {
    const indices<sizeof...(E)> wanted{{E...}};
    for (int i = 0; i < S::axes_count; ++i)
      if (!may_become(S::static_extents[i], wanted[i])) return false;
    return true;
  }
}
template <class S, class Wanted>
inline constexpr bool has_shape = false;
template <class S, index... E>
inline constexpr bool has_shape<S, shape<E...>> = has_extents<S, E...>();

}  // namespace detail

// An array of elements T whose extents are these as far as the compiler knows: dyn is any size, a number that number or
// one that only the run knows, a name that name alone: array_of<float, size<"batch">, 3>.
template <class A, class T, index... E>
concept array_of = array<A> && __is_same(typename detail::node_of<A>::value_type, T) &&
                   detail::has_extents<static_shape_of<A>, E...>();

// The same with a shape: array_with<float, shape<dyn, 3>>.
template <class A, class T, class Shape>
concept array_with = array<A> && __is_same(typename detail::node_of<A>::value_type, T) &&
                     detail::has_shape<static_shape_of<A>, std::remove_cvref_t<Shape>>;

// Arrays whose shapes broadcast as far as the compiler knows.
template <class A, class B>
concept broadcastable_with = array<A> && array<B> && broadcastable<static_shape_of<A>, static_shape_of<B>>;

// Arrays of the same static extents; those that are dyn may still differ when the program runs.
template <class A, class B>
concept same_shape = array<A> && array<B> && __is_same(static_shape_of<A>, static_shape_of<B>);

}  // namespace broadloom
