// choices: separate arrays as those that choose picks from.
#pragma once

#include <broadloom/expr/broadcast_tensors.hpp>
#include <broadloom/index/choose.hpp>
#include <broadloom/index/stack.hpp>

namespace broadloom {

// choices(a, b, ...): the arrays broadcast together and stacked along a new first axis, so that choose(index,
// choices(a, b, c), mode::wrap) is NumPy's choose(index, [a, b, c], mode='wrap'). Element types are promoted. Throws
// shape_error where the shapes do not broadcast; static ones that do not, do not compile.
inline constexpr struct choices_t {
  template <array... X>
    requires(sizeof...(X) > 0 && broadcastable<typename detail::node_of<X>::shape_type...>)
  constexpr auto operator()(X&&... x) const {
    const auto together = broadcast_tensors(detail::capture(static_cast<X&&>(x))...);
    return detail::unpack(
        together.all, [](const auto&... each) { return stack(boost::hana::integral_constant<index, 0>{}, each...); });
  }
  template <array... X, class Error = detail::why_not_broadcastable<typename detail::node_of<X>::shape_type...>>
    requires(sizeof...(X) > 0 && !broadcastable<typename detail::node_of<X>::shape_type...>)
  Error operator()(X&&...) const = delete;
} choices{};

}  // namespace broadloom
