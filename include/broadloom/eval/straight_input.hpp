// The operands of what is computed straight-line.
#pragma once

#include <broadloom/eval/assign.hpp>

namespace broadloom::detail {

// An operand in memory: a leaf where it lies, a tree and what has strides at run time in a local array.
template <int Native, class E>
struct straight_input {
  using leaf_type = view<const value_of<E>, shape_of<E>, row_major>;
  BROADLOOM_INLINE straight_input(const E& e, const runtime::options& how) {
    assign_node<Native>(view<value_of<E>, shape_of<E>, row_major>(v, e.shape(), {}), e, how);
  }
  const value_of<E>* data() const { return v; }
  value_of<E> v[static_size<shape_of<E>>];
};
template <int Native, class E>
  requires(leaf<E> && !deferred_leaf<E> && !all_static<E>)
struct straight_input<Native, E> {
  using leaf_type = view<const value_of<E>, shape_of<E>, row_major>;
  BROADLOOM_INLINE straight_input(const E& e, const runtime::options&) {
    constexpr int rank = shape_of<E>::axes_count;
    const auto strides = e.strides();
    const auto* const from = e.data();
#pragma GCC unroll 64
    for (index k = 0; k < static_size<shape_of<E>>; ++k) {
      index at = 0, rest = k;
#pragma GCC unroll 8
      for (int i = rank - 1; i >= 0; --i) {
        at += rest % shape_of<E>::static_extents[i] * strides[i];
        rest /= shape_of<E>::static_extents[i];
      }
      v[k] = from[at];
    }
  }
  const value_of<E>* data() const { return v; }
  value_of<E> v[static_size<shape_of<E>>];
};
template <int Native, class E>
  requires(leaf<E> && !deferred_leaf<E> && all_static<E>)
struct straight_input<Native, E> {
  using leaf_type = E;
  BROADLOOM_INLINE straight_input(const E& e, const runtime::options&) : p(e.data()) {}
  const value_of<E>* data() const { return p; }
  const value_of<E>* p;
};

}  // namespace broadloom::detail
