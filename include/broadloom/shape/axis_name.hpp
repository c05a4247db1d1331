// Axes by the name of their size: "feature"_axis finds the one axis of a shape whose size is size<"feature">.
#pragma once

#include <broadloom/shape/shape.hpp>

namespace broadloom {

// What slice takes of the axis that has this name: "time"_axis = range(1, end).
template <index Name, class Item>
struct axis_item {
  static constexpr index name = Name;
  Item item;
};

// The axis whose size has this name.
template <index Name>
struct axis_name_t {
  static constexpr index name = Name;
  template <class Item>
  [[nodiscard]] constexpr axis_item<Name, Item> operator=(const Item& item) const {
    return {item};
  }
};

namespace errors_md {
// No axis of the shape has that name, or more than one.
template <auto Text, class Shape>
struct no_axis_has_this_name;
}  // namespace errors_md

namespace literals {

// "feature"_axis: for every function that takes an axis of its first argument.
#if defined(__clang__) && __clang_major__ < 15
// Clang 14 ends with an internal error where it would print a literal whose template has one argument that is a class,
// as it does inside when the initializer of a variable turns out not to be constant. This form it can print. It is
// constexpr, as clang 14 calls a consteval one at run time where it stands in a generic lambda, and the linker finds
// none.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgnu-string-literal-operator-template"
template <class Char, Char... C>
constexpr auto operator""_axis() {
  constexpr Char name[] = {C..., 0};
  return axis_name_t<detail::named_size<detail::text(name)>()>{};
}
#pragma clang diagnostic pop
#else
template <detail::text Name>
consteval axis_name_t<detail::named_size<Name>()> operator""_axis() {
  return {};
}
#endif

}  // namespace literals

namespace detail {

template <class T>
inline constexpr bool is_axis_name = false;
template <index Name>
inline constexpr bool is_axis_name<axis_name_t<Name>> = true;

// The axis that has the name; -1: none, -2: more than one.
template <int R>
constexpr int axis_called(const indices<R>& extents, index name) {
  int r = -1;
  for (int i = 0; i < R; ++i)
    if (extents[i] == name) r = r == -1 ? i : -2;
  return r;
}

template <class Shape, class O>
inline constexpr bool finds_axis = true;
template <class Shape, index Name>
inline constexpr bool finds_axis<Shape, axis_name_t<Name>> = axis_called(Shape::static_extents, Name) >= 0;

// A name becomes a constant, everything else stays as it is.
template <class Shape, class O>
constexpr auto&& placed_axis(O&& o) {
  return static_cast<O&&>(o);
}
template <class Shape, class O>
  requires is_axis_name<std::remove_cvref_t<O>>
constexpr auto placed_axis(O&&) {
  return boost::hana::integral_constant<index, axis_called(Shape::static_extents, std::remove_cvref_t<O>::name)>{};
}

template <class Shape, class O>
constexpr void say_what_is_missing(sentence&) {}
template <class Shape, class O>
  requires is_axis_name<O>
constexpr void say_what_is_missing(sentence& s) {
  if (const int a = axis_called(Shape::static_extents, O::name); a < 0 && s.n == 0) {
    s << extent_text{O::name} << (a == -1 ? ": no axis of [" : ": more than one axis of [");
    for (int i = 0; i < Shape::axes_count; ++i) s << (i > 0 ? ", " : "") << extent_text{Shape::static_extents[i]};
    s << (a == -1 ? "] has this name" : "] have this name");
  }
}
template <class Shape, class... O>
constexpr sentence missing_axis_sentence() {
  sentence s;
  (say_what_is_missing<Shape, O>(s), ...);
  return s;
}
template <class Shape, class... O>
inline constexpr auto missing_axis_text =
    fit<missing_axis_sentence<Shape, O...>().n>(missing_axis_sentence<Shape, O...>());

}  // namespace detail
}  // namespace broadloom
