// Results of few elements that are computed straight-line where they stand in a tree, such as products of static
// matrices: each becomes a local array, and the tree goes on with that as a leaf. No plan, no call, no allocation.
#pragma once

#include <broadloom/eval/calls.hpp>
#include <broadloom/eval/scalar_barriers.hpp>
#include <broadloom/eval/simd/static_kernel.hpp>

namespace broadloom::detail {

// A source says `static constexpr bool is_straight` if it has static extents and computes all its elements so:
//   template <int Native> void straight(value_type* to, const runtime::options&) const
template <class E>
inline constexpr bool is_straight_leaf = false;
template <deferred_leaf E>
inline constexpr bool is_straight_leaf<E> = requires { requires E::source_type::is_straight; };

template <class E>
inline constexpr int straight_count = is_straight_leaf<E>;
template <class F, class Shape, class... Args>
inline constexpr int straight_count<map<F, Shape, Args...>> = (0 + ... + straight_count<Args>);

// Trees that such a source may have as operands: of static leaves, numbers, arithmetic, and such sources.
template <class E>
inline constexpr bool is_straight_tree = all_static<E>;
template <deferred_leaf E>
inline constexpr bool is_straight_tree<E> =
    is_straight_leaf<E> && E::shape_type::is_static && E::layout_type::template is_static<typename E::shape_type>;
template <class F, class Shape, class... Args>
inline constexpr bool is_straight_tree<map<F, Shape, Args...>> = !F::is_strip && (is_straight_tree<Args> && ...);

// The same, or a view with strides that are known at run time.
template <class E>
inline constexpr bool is_straight_operand = is_straight_tree<E>;
template <class E>
  requires(leaf<E> && !deferred_leaf<E>)
inline constexpr bool is_straight_operand<E> = E::shape_type::is_static;

template <class Shape>
inline constexpr index static_size = checked_size(Shape::static_extents.v, Shape::axes_count);

// At most 64 elements.
template <class Shape>
inline constexpr bool is_small_static = false;
template <class Shape>
  requires Shape::is_static
inline constexpr bool is_small_static<Shape> = [] {
  index n = 1;
  for (int i = 0; i < Shape::axes_count; ++i) n *= Shape::static_extents[i];
  return n > 0 && n <= 64;
}();

// Memory for the results of a tree's sources.
template <class E>
struct straight_room {};
template <class E>
  requires is_straight_leaf<E>
struct straight_room<E> {
  typename E::value_type v[static_size<typename E::source_type::shape_type>];
};
template <int At, class Room>
struct numbered_room {
  [[no_unique_address]] Room room;
};
template <class Sequence, class... Args>
struct straight_rooms;
template <int... At, class... Args>
struct straight_rooms<sequence<At...>, Args...> : numbered_room<At, straight_room<Args>>... {
  using numbers = sequence<At...>;
};
template <class F, class Shape, class... Args>
  requires(straight_count<map<F, Shape, Args...>> > 0)
struct straight_room<map<F, Shape, Args...>> : straight_rooms<make_sequence<sizeof...(Args)>, Args...> {};

// The tree with their results in the place of such sources: one element as a number, more as a view.
template <class E>
struct with_straight_of {
  using type = E;
};
template <class E>
  requires is_straight_leaf<E>
struct with_straight_of<E> {
  using type = std::conditional_t<is_one_element<typename E::source_type::shape_type>, scalar<typename E::value_type>,
                                  view<const typename E::value_type, typename E::shape_type, typename E::layout_type>>;
};
template <class E>
struct number_of_node {
  using type = scalar<value_of<E>>;
};
template <class E>
inline constexpr bool is_scalar_node = false;
template <class T>
inline constexpr bool is_scalar_node<scalar<T>> = true;
// Of such results of one element alone: a number too, computed once for what it is broadcast to.
template <class F, class Shape, class... Args>
inline constexpr bool is_one_number =
    is_one_element<Shape> && !F::is_strip && (is_scalar_node<typename with_straight_of<Args>::type> && ...);
template <class F, class Shape, class... Args>
  requires(straight_count<map<F, Shape, Args...>> > 0)
struct with_straight_of<map<F, Shape, Args...>> {
  using node = map<F, Shape, typename with_straight_of<Args>::type...>;
  static constexpr bool is_number = is_one_number<F, Shape, Args...>;
  using type = typename std::conditional_t<is_number, number_of_node<node>, std::type_identity<node>>::type;
};

// `Compute`: the elements too, not the type alone.
template <int Native, bool Compute = true, class E>
BROADLOOM_INLINE typename with_straight_of<E>::type with_straight(const E& e, straight_room<E>& room,
                                                                  const runtime::options& how) {
  using type = typename with_straight_of<E>::type;
  if constexpr (straight_count<E> == 0)
    return e;
  else if constexpr (is_straight_leaf<E>) {
    if constexpr (Compute) e.source().template straight<Native>(room.v, how);
    if constexpr (is_one_element<typename E::source_type::shape_type>)
      return type(room.v[0]);
    else
      return type(room.v + e.offset(), e.shape(), e.layout());
  } else
    return [&]<int... At, class... Rooms>(
               sequence<At...>, straight_rooms<sequence<At...>, Rooms...>& own) __attribute__((always_inline)) {
      using tree = with_straight_of<E>;
      const typename tree::node node(
          e.function(), e.shape(),
          with_straight<Native, Compute>(e.template arg<At>(),
                                         static_cast<numbered_room<At, straight_room<Rooms>>&>(own).room, how)...);
      if constexpr (!tree::is_number)
        return node;
      else if constexpr (Compute)
        return type(node.element(indices<rank_of<E>>{}));
      else
        return type(value_of<E>{});
    }(typename straight_room<E>::numbers{}, room);
}

}  // namespace broadloom::detail
