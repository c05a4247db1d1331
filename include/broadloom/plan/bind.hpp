// Binding: the leaves of a tree, left to right, as pointers for compiled code. Pointers are formed here and live as long as the call.
#pragma once

#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/program.hpp>

namespace broadloom::detail {

template <class T>
inline runtime::leaf_array* bind_leaves(const scalar<T>& e, runtime::leaf_array* to) {
  *to = {&e.value(), nullptr, nullptr, 0, dtype_of<T>, true};
  return to + 1;
}
template <leaf E>
inline runtime::leaf_array* bind_leaves(const E& e, runtime::leaf_array* to) {
  *to = {e.data(), e.shape().data(), e.layout().data(), rank_of<E>, dtype_of<typename E::value_type>, false};
  return to + 1;
}
template <class F, class Shape, class... Args>
inline runtime::leaf_array* bind_leaves(const map<F, Shape, Args...>& e, runtime::leaf_array* to) {
  return boost::hana::unpack(e.args(), [to](const Args&... a) {
    auto* next = to;
    ((next = bind_leaves(a, next)), ...);
    return next;
  });
}

// Leaves of the output's own shape type, row-major: when their extents are the output's too, one loop does it.
template <class E, class Shape>
inline constexpr bool may_be_flat = __is_same(typename E::layout_type, row_major) && __is_same(typename E::shape_type, Shape);
template <class T, class Shape>
inline constexpr bool may_be_flat<scalar<T>, Shape> = true;
template <class F, class S, class... Args, class Shape>
inline constexpr bool may_be_flat<map<F, S, Args...>, Shape> = (may_be_flat<Args, Shape> && ...);

template <class T, class Shape>
[[gnu::always_inline]] inline bool bind_flat(const scalar<T>& e, const Shape&, runtime::slot*& to) {
  *to++ = {&e.value(), 0};
  return true;
}
template <leaf E, class Shape>
[[gnu::always_inline]] inline bool bind_flat(const E& e, const Shape& s, runtime::slot*& to) {
  *to++ = {e.data(), -1};
  return e.shape() == s;
}
template <class F, class S, class... Args, class Shape>
[[gnu::always_inline]] inline bool bind_flat(const map<F, S, Args...>& e, const Shape& s, runtime::slot*& to) {
  return boost::hana::unpack(
      e.args(), [&](const Args&... a) __attribute__((always_inline)) { return (bind_flat(a, s, to) & ...); });
}

// All leaves of a tree, and the program that is run over them.
template <class E>
struct bound_tree {
  static constexpr int count = operand_count<E>;
  static_assert(count < runtime::first_stage, "this expression has too many operands; evaluate a part of it first");
  runtime::leaf_array leaves[count];

  explicit bound_tree(const E& e) { bind_leaves(e, leaves); }
};

template <class Out>
inline runtime::target_array bind_output(const Out& out) {
  return {out.data(), out.shape().data(), out.layout().data(), rank_of<Out>, dtype_of<typename Out::value_type>};
}

}  // namespace broadloom::detail
