// broadcast_tensors(a, b, ...): every array as a view with their common shape.
#pragma once

#include <broadloom/expr/views.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

// Several views, to be taken apart: auto [x, y] = broadcast_tensors(a, b); hana::at_c<0> gives the first.
template <class... V>
struct views_together {
  boost::hana::basic_tuple<V...> all;

  template <std::size_t At>
  constexpr const auto& get() const {
    return boost::hana::at_c<At>(all);
  }
};

// The arrays with their common shape, without copies. A view of a writable array is writable if the array was not
// broadcast. Throws shape_error if the shapes do not broadcast; static ones that do not are a compile error.
inline constexpr struct broadcast_tensors_t {
  template <array... A>
    requires broadcastable<typename detail::node_of<A>::shape_type...>
  constexpr auto operator()(A&&... a) const {
    const auto s =
        detail::broadcast_checked<typename detail::broadcast_of<typename detail::node_of<A>::shape_type...>::type>(
            "broadcast_tensors", detail::shape_of_array(a)...);
    return views_together<std::remove_cvref_t<decltype(expand(static_cast<A&&>(a), s))>...>{
        boost::hana::basic_tuple<std::remove_cvref_t<decltype(expand(static_cast<A&&>(a), s))>...>(
            expand(static_cast<A&&>(a), s)...)};
  }
  template <array... A, class Error = detail::why_not_broadcastable<typename detail::node_of<A>::shape_type...>>
    requires(!broadcastable<typename detail::node_of<A>::shape_type...>)
  Error operator()(A&&...) const = delete;
} broadcast_tensors{};

}  // namespace broadloom

namespace boost::hana {
template <std::size_t At, class... V>
constexpr const auto& at_c(const broadloom::views_together<V...>& views) {
  return views.template get<At>();
}
template <std::size_t At, class... V>
constexpr const auto& at_c(broadloom::views_together<V...>& views) {
  return views.template get<At>();
}
template <std::size_t At, class... V>
constexpr auto at_c(broadloom::views_together<V...>&& views) {
  return views.template get<At>();
}
}  // namespace boost::hana

template <class... V>
struct std::tuple_size<broadloom::views_together<V...>> : std::integral_constant<std::size_t, sizeof...(V)> {};
template <std::size_t At, class... V>
struct std::tuple_element<At, broadloom::views_together<V...>> {
  using type =
      std::remove_reference_t<decltype(std::declval<const broadloom::views_together<V...>&>().template get<At>())>;
};
