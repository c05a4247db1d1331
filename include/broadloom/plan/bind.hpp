// Binding: the leaves of a tree, from left to right, as pointers for compiled code. The pointers are valid during the
// call.
#pragma once

#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/expr/tensor_ref.hpp>
#include <broadloom/plan/bound_lets.hpp>
#include <broadloom/plan/bound_sources.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/program.hpp>

namespace broadloom::detail {

static_assert(max_operands == runtime::first_stage - 1);

template <class T>
inline runtime::leaf_array* bind_leaves(const scalar<T>& e, runtime::leaf_array* to) {
  *to = {&e.value(), nullptr, nullptr, 0, compiled_dtype<T>(), true, nullptr, 0};
  return to + 1;
}
template <leaf E>
inline runtime::leaf_array* bind_leaves(const E& e, runtime::leaf_array* to) {
  *to = {e.data(),
         e.shape().data(),
         e.layout().data(),
         rank_of<E>,
         compiled_dtype<typename E::value_type>(),
         false,
         nullptr,
         0};
  return to + 1;
}
template <deferred_leaf E>
inline runtime::leaf_array* bind_leaves(const E& e, runtime::leaf_array* to) {
  *to = {&e.source(),
         e.shape().data(),
         e.layout().data(),
         rank_of<E>,
         compiled_dtype<typename E::value_type>(),
         false,
         &unbound_source<typename E::source_type>,
         e.offset()};
  return to + 1;
}
template <class T, class Own, class Shape, class Layout>
inline runtime::leaf_array* bind_leaves(const deferred<ramp_source<T, Own>, Shape, Layout>& e,
                                        runtime::leaf_array* to) {
  const bool in_memory = e.source().shape()[0] <= runtime::ramp_in_memory;
  const T* const data =
      in_memory ? static_cast<const T*>(runtime::ramp_elements(compiled_dtype<T>())) + e.offset() : nullptr;
  *to = {data,
         e.shape().data(),
         e.layout().data(),
         rank_of<decltype(e)>,
         compiled_dtype<T>(),
         false,
         in_memory ? nullptr : &runtime::any_ramp,
         in_memory ? 0 : e.offset()};
  return to + 1;
}
template <class F, class Shape, class... Args>
inline runtime::leaf_array* bind_leaves(const map<F, Shape, Args...>& e, runtime::leaf_array* to) {
  return unpack(e.args(), [to](const Args&... a) {
    auto* next = to;
    ((next = bind_leaves(a, next)), ...);
    return next;
  });
}

// All leaves of a tree. It refers to the tree and to itself, and is not copied. `lets` are those of the whole
// evaluation.
template <class E, int Native>
struct bound_tree {
  static constexpr int count = operand_limit<operand_count<E>>::count;
  runtime::leaf_array leaves[count];

  explicit bound_tree(const E& e) { bind_leaves(e, leaves); }
  bound_tree(const E& e, bound_lets&) : bound_tree(e) {}
  bound_tree(const bound_tree&) = delete;
  bound_tree& operator=(const bound_tree&) = delete;
};
template <class E, int Native>
  requires(deferred_count<E> > 0)
struct bound_tree<E, Native> {
  static constexpr int count = operand_limit<operand_count<E>>::count;
  runtime::leaf_array leaves[count];
  bound_sources<Native, typename sources_of<source_list<>, E>::type> sources;

  bound_tree(const E& e, bound_lets& lets) : sources((bind_leaves(e, leaves), leaves), count, lets) {}
  bound_tree(const bound_tree&) = delete;
  bound_tree& operator=(const bound_tree&) = delete;
};

// The tree of a whole evaluation.
template <class E, int Native>
struct whole_tree : bound_tree<E, Native> {
  using bound_tree<E, Native>::bound_tree;
};
template <class E, int Native>
  requires(deferred_count<E> > 0)
struct whole_tree<E, Native> : bound_lets, bound_tree<E, Native> {
  explicit whole_tree(const E& e) : bound_tree<E, Native>(e, static_cast<bound_lets&>(*this)) {}
};

template <class Out>
inline runtime::target_array bind_output(const Out& out) {
  return {out.data(), out.shape().data(), out.layout().data(), rank_of<Out>,
          compiled_dtype<typename Out::value_type>()};
}

}  // namespace broadloom::detail
