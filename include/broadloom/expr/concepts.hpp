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

// The extent of axis Axis, which may count from the end: a number, a name (size<"n">), or dyn.
template <array A, int Axis>
  requires(Axis >= -rank_of<A> && Axis < rank_of<A>)
inline constexpr index extent_of = static_shape_of<A>::static_extents[Axis < 0 ? Axis + rank_of<A> : Axis];

namespace detail {

// What is wrong with an array, in words, where anything is. Compilers print the type that
// is not the one without words.
template <auto Text>
struct mistake;
template <class M>
concept no_mistake = __is_same(M, mistake<exact_text<0>{}>);

constexpr sentence rank_mistake(int given, int wanted) {
  sentence s;
  if (given != wanted) s << given << " vs " << wanted << " axes; the rank is not as wanted [errors.md#concept-not-met]";
  return s;
}
template <int Given, int Wanted>
struct mistaken_rank {
  static constexpr sentence words = rank_mistake(Given, Wanted);
  using type = mistake<fit<words.n>(words)>;
};

template <class S, int R>
constexpr sentence extents_mistake(const indices<R>& wanted) {
  sentence s = rank_mistake(S::axes_count, R);
  for (int i = 0; i < R && s.n == 0; ++i)
    if (const index x = S::static_extents[i]; !may_become(x, wanted[i]))
      s << "dim " << i << ": " << extent_text{x} << " vs " << extent_text{wanted[i]}
        << "; not the extent that is wanted [errors.md#concept-not-met]";
  return s;
}
template <class S, class Wanted>
struct mistaken_extents {
  static constexpr sentence words = extents_mistake<S>(Wanted::static_extents);
  using type = mistake<fit<words.n>(words)>;
};

template <class A, class B>
constexpr sentence broadcast_mistake() {
  if constexpr (broadcastable<A, B>)
    return {};
  else {
    constexpr auto c = first_clash<A, B>();
    sentence s = clash_sentence(c.v[0], c.v[1], c.v[2], c.v[3] != 0);
    s << " [errors.md#shapes_do_not_broadcast]";
    return s;
  }
}
template <class A, class B>
struct mistaken_broadcast {
  static constexpr sentence words = broadcast_mistake<A, B>();
  using type = mistake<fit<words.n>(words)>;
};

// What keeps two shapes from being one type.
template <class A, class B>
constexpr sentence shapes_mistake() {
  sentence s = rank_mistake(A::axes_count, B::axes_count);
  for (int i = 0; i < A::axes_count && s.n == 0; ++i)
    if (const index x = A::static_extents[i], y = B::static_extents[i]; x != y)
      s << "dim " << i << ": " << extent_text{x} << " vs " << extent_text{y}
        << "; the shapes are not the same [errors.md#concept-not-met]";
  return s;
}
template <class A, class B>
struct mistaken_shape {
  static constexpr sentence words = shapes_mistake<A, B>();
  using type = mistake<fit<words.n>(words)>;
};

}  // namespace detail

// An array of that many axes.
template <class A, int R>
concept array_of_rank = array<A> && detail::no_mistake<typename detail::mistaken_rank<rank_of<A>, R>::type>;

// An array of elements T whose extents are these as far as the compiler knows: dyn is any size, a number that number or
// one that only the run knows, a name that name alone: array_of<float, size<"batch">, 3>.
template <class A, class T, index... E>
concept array_of = array<A> && __is_same(typename detail::node_of<A>::value_type, T) &&
                   detail::no_mistake<typename detail::mistaken_extents<static_shape_of<A>, shape<E...>>::type>;

// The same with a shape: array_with<float, shape<dyn, 3>>.
template <class A, class T, class Shape>
concept array_with =
    array<A> && __is_same(typename detail::node_of<A>::value_type, T) &&
    detail::no_mistake<typename detail::mistaken_extents<static_shape_of<A>, std::remove_cvref_t<Shape>>::type>;

// Arrays whose shapes broadcast as far as the compiler knows.
template <class A, class B>
concept broadcastable_with =
    array<A> && array<B> &&
    detail::no_mistake<typename detail::mistaken_broadcast<static_shape_of<A>, static_shape_of<B>>::type>;

// Arrays of the same static extents; those that are dyn may still differ when the program runs.
template <class A, class B>
concept same_shape = array<A> && array<B> &&
                     detail::no_mistake<typename detail::mistaken_shape<static_shape_of<A>, static_shape_of<B>>::type>;

}  // namespace broadloom
