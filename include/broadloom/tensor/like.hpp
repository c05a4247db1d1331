// New arrays with the shape of another one: zeros_like, ones_like, full_like, empty_like.
#pragma once

#include <broadloom/tensor/deduced.hpp>
#include <broadloom/tensor/factories.hpp>

namespace broadloom {

namespace detail {

template <class T, class A>
using like = deduced_tensor<std::conditional_t<std::is_void_v<T>, value_of<node_of<A>>, T>, shape_of<node_of<A>>>;

}  // namespace detail

// empty_like(x), zeros_like(x), ones_like(x), full_like(x, v): a row-major tensor of x's shape and element type;
// zeros_like<double>(x) of another type. x is an array or an expression, whose elements are not computed. Static
// extents stay static. Throws shape_error where its bytes cannot be counted (PyTorch's and NumPy's; their layout
// follows x's).
template <class T = void, array A>
constexpr auto empty_like(const A& x) {
  return detail::like<T, const A&>::uninitialised(detail::as_node(x).shape());
}
template <class T = void, array A>
constexpr auto zeros_like(const A& x) {
  return detail::like<T, const A&>(detail::as_node(x).shape());
}
template <class T = void, array A, class V>
  requires std::is_convertible_v<V, typename detail::like<T, const A&>::value_type>
constexpr auto full_like(const A& x, V value) {
  auto r = empty_like<T>(x);
  r = static_cast<typename detail::like<T, const A&>::value_type>(value);
  return r;
}
template <class T = void, array A>
constexpr auto ones_like(const A& x) {
  using to = typename detail::like<T, const A&>::value_type;
  return full_like<T>(x, to(1));
}

}  // namespace broadloom
