// Results of few elements whose number is known when the program runs, such as products of small dynamic matrices: each
// is computed on the stack, and the tree goes on with it as a leaf, without a plan for both.
#pragma once

#include <broadloom/eval/straight.hpp>

namespace broadloom::detail {

inline constexpr index max_few = 256;

// A source says `may_be_few`, and has `evaluate()`.
template <class E>
inline constexpr bool is_few_leaf = false;
template <deferred_leaf E>
inline constexpr bool is_few_leaf<E> = requires { requires E::source_type::may_be_few; };
template <class E>
inline constexpr int few_count = is_few_leaf<E>;
template <class F, class Shape, class... Args>
inline constexpr int few_count<map<F, Shape, Args...>> = (0 + ... + few_count<Args>);

template <class E>
bool all_few(const E& e) {
  if constexpr (few_count<E> == 0)
    return true;
  else if constexpr (is_few_leaf<E>)
    return e.source().shape().size() <= max_few;
  else
    return unpack(e.args(), [](const auto&... a) { return (all_few(a) && ...); });
}

template <class E>
struct few_room {};
template <class E>
  requires is_few_leaf<E>
struct few_room<E> {
  typename E::value_type v[max_few];
};
template <class Sequence, class... Args>
struct few_rooms;
template <int... At, class... Args>
struct few_rooms<sequence<At...>, Args...> : numbered_room<At, few_room<Args>>... {
  using numbers = sequence<At...>;
};
template <class F, class Shape, class... Args>
  requires(few_count<map<F, Shape, Args...>> > 0)
struct few_room<map<F, Shape, Args...>> : few_rooms<make_sequence<sizeof...(Args)>, Args...> {};

template <class E>
struct with_few_of {
  using type = E;
};
template <class E>
  requires is_few_leaf<E>
struct with_few_of<E> {
  using type = view<const typename E::value_type, typename E::shape_type, typename E::layout_type>;
};
template <class F, class Shape, class... Args>
  requires(few_count<map<F, Shape, Args...>> > 0)
struct with_few_of<map<F, Shape, Args...>> {
  using type = map<F, Shape, typename with_few_of<Args>::type...>;
};

// `Compute`: the elements too, not the type alone.
template <int Native, bool Compute = true, class E>
typename with_few_of<E>::type with_few(const E& e, few_room<E>& room, const runtime::options& how) {
  using type = typename with_few_of<E>::type;
  if constexpr (few_count<E> == 0)
    return e;
  else if constexpr (is_few_leaf<E>) {
    if constexpr (Compute) e.source().template evaluate<Native>(room.v, how);
    return type(room.v + e.offset(), e.shape(), e.layout());
  } else
    return [&]<int... At, class... Rooms>(sequence<At...>, few_rooms<sequence<At...>, Rooms...>& own) {
      return type(e.function(), e.shape(),
                  with_few<Native, Compute>(e.template arg<At>(),
                                            static_cast<numbered_room<At, few_room<Rooms>>&>(own).room, how)...);
    }(typename few_room<E>::numbers{}, room);
}

}  // namespace broadloom::detail
