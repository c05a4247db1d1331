// What a function object inherits that takes axes of its first argument by name, or in braces, too.
#pragma once

#include <broadloom/core/text.hpp>
#include <broadloom/expr/array_first.hpp>
#include <broadloom/shape/axis_name.hpp>
#include <broadloom/shape/braced.hpp>

namespace broadloom::detail {

// (enable_if: of a constraint compilers say more when they list what did not fit.) Calls F with each name replaced by
// the axis that it finds. Which that is the compiler knows.
template <class F, class Refused = array_first>
struct takes_axis_names : Refused, refuses_other_arguments<F> {
  using Refused::operator();
  using refuses_other_arguments<F>::operator();
  template <class A, class... O,
            class = std::enable_if_t<(is_axis_name<std::remove_cvref_t<O>> || ...) &&
                                     !Refused::template keeps_by_flag<std::remove_cvref_t<O>...>>>
  constexpr auto operator()(A&& a, O&&... o) const {
    using shape = typename node_of<A>::shape_type;
    if constexpr ((finds_axis<shape, std::remove_cvref_t<O>> && ...)) {
      return static_cast<const F&>(*this)(static_cast<A&&>(a), placed_axis<shape>(static_cast<O&&>(o))...);
    } else {
      static_cast<void>(errors_md::no_axis_has_this_name<missing_axis_text<shape, std::remove_cvref_t<O>...>, shape>{});
      return as_node(static_cast<A&&>(a));
    }
  }
  // f(x, {0, 2}, ...) where F takes a list of axes.
  template <array A, int R, class... O>
    requires(!Refused::template keeps_by_flag<braced_axes<R>, O...>)
  constexpr auto operator()(A&& a, braced_extents<R> axes, const O&... o) const {
    constexpr bool list = requires(const F& f) { f(static_cast<A&&>(a), braced_axes<R>(axes), o...); };
    static_assert(list, "one axis is wanted here: sort(x, 0), no braces [errors.md#one-axis-no-braces]");
    if constexpr (list)
      return static_cast<const F&>(*this)(static_cast<A&&>(a), braced_axes<R>(axes), o...);
    else
      return as_node(static_cast<A&&>(a));
  }
};

}  // namespace broadloom::detail
