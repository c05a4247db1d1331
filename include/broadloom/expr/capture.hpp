// The capture rule: what a tree holds of each argument. Nodes and views by value; an lvalue array by reference (a view
// of its memory if that is inside the object); an rvalue array as a leaf that owns it.
#pragma once

#include <iosfwd>

#include <broadloom/expr/transform.hpp>

namespace broadloom {

// Specialised for every array that is not itself a node: `static auto leaf(A&)`, `leaf(const A&)` and `leaf(A&&)`; also
// `operand(const A&)` if an array that is held as an operand may be replaced in the meantime.
template <class A>
struct array_traits;

// An array or a node of a tree; what views and functions take.
template <class T>
concept array = expression<T> || requires { sizeof(array_traits<std::remove_cvref_t<T>>); };

namespace errors_md {
// std::cout << x without the header that prints: of rank 0 it would print the number in C++'s own way.
struct include_broadloom_tensor_print_hpp_to_print_arrays;
}  // namespace errors_md

template <class C, class Traits, array X, class Error = errors_md::include_broadloom_tensor_print_hpp_to_print_arrays>
Error operator<<(std::basic_ostream<C, Traits>&, const X&);

namespace detail {

// What nothing else refers to, but may not be moved from, `const tensor make()`: it is copied into the tree.
template <class A>
inline constexpr bool is_const_rvalue = std::is_const_v<A> && !std::is_array_v<A>;

// The node for a view operation's argument: writable if the argument is.
template <array A>
constexpr decltype(auto) as_node(A&& a) {
  if constexpr (expression<A>)
    return static_cast<const std::remove_cvref_t<A>&>(a);
  else if constexpr (is_const_rvalue<A>)
    return array_traits<std::remove_const_t<A>>::leaf(std::remove_const_t<A>(a));
  else
    return array_traits<std::remove_cvref_t<A>>::leaf(static_cast<A&&>(a));
}

// The node for an operand: read only.
template <class T, class S, class L>
constexpr view<const T, S, L> read_only(const view<T, S, L>& v) {
  return {v.data(), v.shape(), v.layout()};
}
template <class E>
constexpr const E& read_only(const E& e) {
  return e;
}
template <array A>
constexpr auto capture(A&& a) {
  if constexpr (expression<A>)
    return std::remove_cvref_t<decltype(read_only(a))>(read_only(a));
  else if constexpr (std::is_lvalue_reference_v<A> && requires { array_traits<std::remove_cvref_t<A>>::operand(a); })
    return array_traits<std::remove_cvref_t<A>>::operand(a);
  else {
    auto leaf = as_node(static_cast<A&&>(a));
    return std::remove_cvref_t<decltype(read_only(leaf))>(read_only(leaf));
  }
}
template <array A>
using captured = decltype(capture(std::declval<A>()));
// The shape of any array, also of a container that does not tell it.
template <array A>
constexpr auto shape_of_array(const A& a) {
  if constexpr (requires { requires shape_type<std::remove_cvref_t<decltype(a.shape())>>; })
    return a.shape();
  else
    return as_node(a).shape();
}
template <array A>
using node_of = std::remove_cvref_t<decltype(as_node(std::declval<A>()))>;

template <class>
inline constexpr bool is_view = false;
template <class T, class S, class L>
inline constexpr bool is_view<view<T, S, L>> = true;

// Seen without owning: an lvalue, or an rvalue that only refers to its elements, such as a span.
template <class A>
concept borrowed_array = array<A> && is_view<node_of<A>>;

// What may be an operand without a name; an array over ranks may not.
template <class A>
concept taken_without_a_name = requires(A&& a) { array_traits<A>::leaf(static_cast<A&&>(a)); };
// What a tree refers to by its address: an array with a name that has its elements itself.
template <class A>
concept referred =
    !expression<A> && array<A> &&
    (std::is_array_v<A> || !taken_without_a_name<std::remove_const_t<A>> || !borrowed_array<std::remove_const_t<A>>);
// What moves into the tree, as the type of a forwarding reference.
template <class A>
concept moved_in = !std::is_reference_v<A> && referred<A>;

template <class A>
struct array_as_view {
  static constexpr bool refers = false;
  using type = void;
};
template <borrowed_array A>
struct array_as_view<A> {
  static constexpr bool refers = referred<std::remove_reference_t<A>>;
  using type = node_of<A>;
  static constexpr type of(A& a) { return as_node(static_cast<A&&>(a)); }
};

}  // namespace detail
}  // namespace broadloom
