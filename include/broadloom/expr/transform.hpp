// View operations applied to the leaves: every view commutes with every pointwise function, so no node is added.
#pragma once

#include <broadloom/expr/map.hpp>
#include <broadloom/expr/scalar.hpp>

namespace broadloom::detail {

// A view operation `Op` has
//   static constexpr int rank(int in)                       the result's rank
//   static constexpr bool is_static                         all of it is in its type
//   template <int R> static constexpr auto known(indices<R>)  extents the compiler knows, dyn elsewhere
//   template <int R> constexpr auto operator()(geometry<R>) const
template <class Op, class Shape>
using op_shape = shape_from<Op::known(Shape::static_extents)>;

template <class Op, leaf E>
constexpr auto transform_leaf(const Op& op, const E& e) {
  using in_shape = typename E::shape_type;
  using out_shape = op_shape<Op, in_shape>;
  using layout = typename E::layout_type;
  constexpr int in = in_shape::axes_count, out = out_shape::axes_count;
  if constexpr (Op::is_static && layout::template is_static<in_shape>) {
    constexpr geometry<out> g = Op{}(geometry<in>{in_shape::static_extents, layout{}.strides(in_shape{}), 0});
    return e.seen_as(g.offset, out_shape{}, static_strides_from<all_stored(g.strides)>{});
  } else {
    const geometry<out> g = op(geometry<in>{e.shape().extents(), e.strides(), 0});
    return e.seen_as(g.offset, out_shape::unchecked(g.extents), dyn_strides<out>{g.strides});
  }
}

template <class Op, class T>
constexpr const scalar<T>& transform_expanded(const Op&, const scalar<T>& e) {
  return e;
}
template <class Op, leaf E>
constexpr auto transform_expanded(const Op& op, const E& e) {
  return transform_leaf(op, e);
}
template <class Op, class F, class Shape, class... Args>
constexpr auto transform_expanded(const Op& op, const map<F, Shape, Args...>& e) {
  using out_shape = op_shape<Op, Shape>;
  const auto g = op(geometry<Shape::axes_count>{e.shape().extents(), {}, 0});
  return unpack(e.args(), [&](const Args&... a) {
    return map<F, out_shape, std::remove_cvref_t<decltype(transform_expanded(op, a))>...>(
        e.function(), out_shape::unchecked(g.extents), transform_expanded(op, a)...);
  });
}

// A leaf with the extents of a larger shape; a broadcast axis has stride 0.
template <class Target>
struct expand_op {
  [[no_unique_address]] Target target;

  static constexpr bool is_static = Target::is_static;
  static constexpr int rank(int) { return Target::axes_count; }
  template <int R>
  static constexpr auto known(const indices<R>&) {
    return Target::static_extents;
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    constexpr int out = Target::axes_count;
    geometry<out> r{target.extents(), {}, g.offset};
    for (int i = 0; i < R && i < out; ++i)
      r.strides[out - 1 - i] = g.extents[R - 1 - i] == 1 ? 0 : g.strides[R - 1 - i];
    return r;
  }
};

// One operation, then another.
template <class A, class B>
struct composed_op {
  [[no_unique_address]] A a;
  [[no_unique_address]] B b;

  static constexpr bool is_static = A::is_static && B::is_static;
  static constexpr int rank(int in) { return B::rank(A::rank(in)); }
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    return B::known(A::known(x));
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    return b(a(g));
  }
};

// Any view of any node. Leaves below a function are broadcast to the function's shape first.
template <class Op, class E>
constexpr auto transform(const Op& op, const E& e) {
  if constexpr (map_node<E>)
    return transform_expanded(composed_op<expand_op<typename E::shape_type>, Op>{{e.shape()}, op}, e);
  else
    return transform_leaf(op, e);
}

}  // namespace broadloom::detail
