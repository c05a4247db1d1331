// What a function object inherits that takes axes of its first argument by name, too.
#pragma once

#include <broadloom/expr/capture.hpp>
#include <broadloom/shape/axis_name.hpp>

namespace broadloom::detail {

// Only calls with a name have a `type`. No constraint, of which compilers say more when they list what did not fit.
template <bool>
struct call_with_axis_names {};
template <>
struct call_with_axis_names<true> {
  using type = void;
};

// Calls F with each name replaced by the axis that it finds. Which that is the compiler knows.
template <class F>
struct takes_axis_names {
  template <class A, class... O,
            class = typename call_with_axis_names<(is_axis_name<std::remove_cvref_t<O>> || ...)>::type>
  constexpr auto operator()(A&& a, O&&... o) const {
    using shape = typename node_of<A>::shape_type;
    if constexpr ((finds_axis<shape, std::remove_cvref_t<O>> && ...)) {
      return static_cast<const F&>(*this)(static_cast<A&&>(a), placed_axis<shape>(static_cast<O&&>(o))...);
    } else {
      static_cast<void>(errors_md::no_axis_has_this_name<missing_axis_text<shape, std::remove_cvref_t<O>...>, shape>{});
      return as_node(static_cast<A&&>(a));
    }
  }
};

}  // namespace broadloom::detail
