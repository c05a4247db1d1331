// A tree described node by node, to a visitor that does not know its type.
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/map.hpp>

namespace broadloom::detail {

// Visits a tree from the left: a function comes before its arguments, and close() after them. Types and extents are
// those of the result; of a view of a result they are the view's.
class tree_visitor {
 public:
  virtual void number(double x) = 0;
  virtual void callable() = 0;
  // The strides are in elements.
  virtual void array(dtype type, const void* address, const index* extents, const index* strides, index rank) = 0;
  virtual void result(const char* name, dtype type, const index* extents, index rank) = 0;  // of what has no tree
  // The arguments of a pointwise function broadcast to its shape.
  virtual void open(const char* name, bool pointwise, dtype type, const index* extents, index rank) = 0;
  virtual void close() = 0;
  // A tree that copies of a `let` share, known by its address. Returns whether to visit it: once is enough.
  virtual bool open_shared(const char* name, const void* tree, dtype type, const index* extents, index rank) = 0;

 protected:
  ~tree_visitor() = default;
};

template <class T>
void visit_tree(const scalar<T>& e, tree_visitor& to) {
  if constexpr (requires { static_cast<double>(e.value()); })
    to.number(static_cast<double>(e.value()));
  else
    to.callable();
}
template <leaf E>
void visit_tree(const E& e, tree_visitor& to) {
  const auto x = e.shape().extents();
  const auto strides = e.strides();
  to.array(dtype_of<typename E::value_type>, e.data(), x.v, strides.v, x.count);
}
template <class F, class Shape, class... Args>
void visit_tree(const map<F, Shape, Args...>& e, tree_visitor& to);
template <deferred_leaf E>
void visit_tree(const E& e, tree_visitor& to) {
  using source = typename E::source_type;
  constexpr dtype type = dtype_of<typename E::value_type>;
  const auto x = e.shape().extents();
  if constexpr (requires { e.source().visit(to, x.v, x.count); }) {
    e.source().visit(to, x.v, x.count);
  } else if constexpr (requires { e.source().tree(); }) {
    to.open(source::name(), false, type, x.v, x.count);
    visit_tree(e.source().tree(), to);
    to.close();
  } else {
    to.result(source::name(), type, x.v, x.count);
  }
}
template <class F, class Shape, class... Args>
void visit_tree(const map<F, Shape, Args...>& e, tree_visitor& to) {
  const auto x = e.shape().extents();
  to.open(F::name(), true, dtype_of<typename map<F, Shape, Args...>::value_type>, x.v, x.count);
  unpack(e.args(), [&](const Args&... a) { (visit_tree(a, to), ...); });
  to.close();
}

// The same for a tree whose type is behind a function.
using show_tree = void(const void* tree, tree_visitor& to);
template <class E>
void shows(const void* tree, tree_visitor& to) {
  visit_tree(*static_cast<const E*>(tree), to);
}

}  // namespace broadloom::detail
