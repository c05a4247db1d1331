// Arguments of functions as nodes of the element type in which the function is computed.
#pragma once

#include <broadloom/expr/map.hpp>
#include <broadloom/fn/number.hpp>
#include <broadloom/fn/rules.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

// Apart from namespace broadloom, whose operators would be found.
namespace broadloom_own_elements {

// Whether an own element is not 0, or not the value that its type begins with.
template <class T>
constexpr bool own_truth(const T& x) {
  if constexpr (requires { static_cast<bool>(x); })
    return static_cast<bool>(x);
  else
    return static_cast<bool>(x != T{});
}

}  // namespace broadloom_own_elements

namespace broadloom {

namespace detail {

// What a tree holds by value: nodes, numbers, and what only refers to elements, such as a span.
template <class A>
concept held_by_value = operand<A> && !referred<A>;
// What the calls of held_calls.hpp leave: at least one argument moves in.
#if defined(__clang__)
template <class... A>
concept held_otherwise = (moved_in<A> || ...);
#else
template <class... A>
concept held_otherwise = true;
#endif

// A conversion between element types, as a function of the tree.
template <class To>
struct cast_f : lane_function {
  template <class...>
  using result = To;
  static constexpr const char* name() { return "cast"; }
  template <class V>
  BROADLOOM_INLINE static constexpr auto on(const V& x) {
    return broadloom::lanes::convert<To>(x);
  }
  template <class T>
  static constexpr To scalar(const T& x) {
    if constexpr (__is_same(To, bool) && own_element<T>)
      return broadloom_own_elements::own_truth(x);
    else if constexpr (own_element<To> || own_element<T>)
      return static_cast<To>(x);
    else
      return broadloom::lanes::convert<To>(x);
  }
};

// An argument as a node of element type C. Throws arithmetic_error for a number that C does not hold.
template <class C, class A>
constexpr auto argument(A&& a) {
  if constexpr (is_constant_number<std::remove_cvref_t<A>>) {
    constexpr bool held = holds_constant<C, std::remove_cvref_t<A>>();
    static_assert(held,
                  "a constant that the elements do not hold: cast the array first [errors.md#constant-outside-range]");
    if constexpr (held)
      return argument<C>(std::remove_cvref_t<A>::value);
    else
      return scalar<C>(C{});
  } else if constexpr (number_scalar<std::remove_cvref_t<A>>) {
    return scalar<C>(number_as<C>(a));
  } else {
    auto e = capture(static_cast<A&&>(a));
    if constexpr (__is_same(value_of<decltype(e)>, C))
      return e;
    else
      return make_map(cast_f<C>{}, static_cast<decltype(e)&&>(e));
  }
}

// The same for a node that is built at once: an argument that is such a node already is passed on, and so copied or
// moved only once.
template <class C, class A>
constexpr decltype(auto) operand_node(A&& a) {
  if constexpr (!expression<A>)
    return argument<C>(static_cast<A&&>(a));
  else if constexpr (__is_same(value_of<A>, C) && __is_same(captured<A>, std::remove_cvref_t<A>))
    return static_cast<A&&>(a);
  else
    return argument<C>(static_cast<A&&>(a));
}

// The type of a count by which integers of type C are shifted: a count too large for C stays too large.
template <class C>
struct count_f : cast_f<C> {
  template <class V>
  BROADLOOM_INLINE static constexpr auto on(const V& x) {
    using B = broadloom::lanes::bits<V>;
    const B most = broadloom::lanes::each<B>(8 * sizeof(C));
    return broadloom::lanes::convert<C>(broadloom::lanes::smaller(broadloom::lanes::as<B>(x), most));
  }
  template <class T>
  static constexpr C scalar(const T& x) {
    return on(x);
  }
};
template <class C, class A>
constexpr decltype(auto) count_node(A&& a) {
  if constexpr (number_or_constant<std::remove_cvref_t<A>>)
    return scalar<C>(count_f<C>::on(static_cast<std::int64_t>(a)));
  else if constexpr (sizeof(value_of<node_of<A>>) > sizeof(C))
    return make_map(count_f<C>{}, capture(static_cast<A&&>(a)));
  else
    return operand_node<C>(static_cast<A&&>(a));
}

}  // namespace detail

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
