// Evaluation into a tensor of its own, and assignment to views.
#pragma once

#include <broadloom/tensor/tensor.hpp>

namespace broadloom {

// Evaluates an expression into a tensor of its own shape and type. A static one of more than 256 KiB does not compile:
// it would lie on the stack.
inline constexpr struct eval_t {
  template <array X>
    requires(detail::may_lie_on_the_stack<detail::value_of<detail::node_of<X>>, detail::shape_of<detail::node_of<X>>>())
  constexpr auto operator()(X&& x, const policy& p = par) const {
    using node = detail::node_of<X>;
    return tensor<detail::value_of<node>, detail::shape_of<node>>(static_cast<X&&>(x), p);
  }
  template <array X, class S = detail::shape_of<detail::node_of<X>>,
            class Error = errors_md::over_256_KiB_on_the_stack_write_the_type_or_use_dtensor<S>>
    requires(!detail::may_lie_on_the_stack<detail::value_of<detail::node_of<X>>, S>())
  Error operator()(X&&, const policy& = par) const = delete;
} eval{};

namespace detail {

template <class E>
struct copied {
  static constexpr auto of(const E& e) { return eval(e); }
};

}  // namespace detail

// `view = e` writes elements through the same door.
template <class T, class Shape, class Layout>
template <class E, class Error>
constexpr const view<T, Shape, Layout>& view<T, Shape, Layout>::operator=(const E& e) const
  requires(std::is_void_v<Error>)
{
  assign(*this, e);
  return *this;
}
template <class T, class Shape, class Layout>
constexpr const view<T, Shape, Layout>& view<T, Shape, Layout>::operator=(
    typename detail::nested_braces<value_type, Shape::axes_count>::type rows) const
  requires(!std::is_const_v<T> && Shape::axes_count > 0)
{
  assign(*this, tensor<value_type, dshape<Shape::axes_count>>(rows));
  return *this;
}
template <class T, class Shape, class Layout>
template <class X>
constexpr void view<T, Shape, Layout>::fill(X x) const
  requires(!std::is_const_v<T>)
{
  assign(*this, x);
}
template <class T, class Shape, class Layout>
constexpr const view<T, Shape, Layout>& view<T, Shape, Layout>::operator=(const view& e) const&
  requires(!std::is_const_v<T>)
{
  assign(*this, e);
  return *this;
}

}  // namespace broadloom
