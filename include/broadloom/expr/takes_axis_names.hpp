// What a function object inherits that takes axes of its first argument by name, too.
#pragma once

#include <broadloom/expr/capture.hpp>
#include <broadloom/shape/axis_name.hpp>

namespace broadloom::detail {

template <class... O>
inline constexpr bool any_axis_name = (is_axis_name<std::remove_cvref_t<O>> || ...);

// Calls F with each name replaced by the axis that it finds. Which that is the compiler knows.
template <class F>
struct takes_axis_names {
  template <class A, class... O>
    requires any_axis_name<O...> && array<A> && (finds_axis<shape_of<node_of<A>>, std::remove_cvref_t<O>> && ...)
  constexpr auto operator()(A&& a, O&&... o) const {
    return static_cast<const F&>(*this)(static_cast<A&&>(a), placed_axis<shape_of<node_of<A>>>(static_cast<O&&>(o))...);
  }
  template <class A, class... O,
            class Error = no_axis_has_this_name<missing_axis_text<shape_of<node_of<A>>, std::remove_cvref_t<O>...>,
                                                shape_of<node_of<A>>>>
    requires any_axis_name<O...> && array<A> && (!(finds_axis<shape_of<node_of<A>>, std::remove_cvref_t<O>> && ...))
  Error operator()(A&&, O&&...) const = delete;
};

}  // namespace broadloom::detail
