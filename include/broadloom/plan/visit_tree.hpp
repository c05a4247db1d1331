// A tree described node by node, to a visitor that does not know its type.
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/map.hpp>

namespace broadloom::detail {

// Visits a tree from the left: a function comes before its arguments, and close() after them.
class tree_visitor {
 public:
  virtual void number(double x) = 0;
  virtual void callable() = 0;
  virtual void array(dtype type, const index* extents, index rank) = 0;
  virtual void result(const char* name, dtype type, const index* extents, index rank) = 0;  // of what has no tree
  virtual void open(const char* name) = 0;
  virtual void close() = 0;
  // A tree that copies of a `let` share, known by its address. Returns whether to visit it: once is enough.
  virtual bool open_shared(const char* name, const void* tree) = 0;

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
  to.array(dtype_of<typename E::value_type>, x.v, x.count);
}
template <class F, class Shape, class... Args>
void visit_tree(const map<F, Shape, Args...>& e, tree_visitor& to);
template <deferred_leaf E>
void visit_tree(const E& e, tree_visitor& to) {
  using source = typename E::source_type;
  if constexpr (requires { e.source().visit(to); }) {
    e.source().visit(to);
  } else if constexpr (requires { e.source().tree(); }) {
    to.open(source::name());
    visit_tree(e.source().tree(), to);
    to.close();
  } else {
    to.result(source::name(), dtype_of<typename E::value_type>, e.source().shape().data(),
              source::shape_type::axes_count);
  }
}
template <class F, class Shape, class... Args>
void visit_tree(const map<F, Shape, Args...>& e, tree_visitor& to) {
  to.open(F::name());
  unpack(e.args(), [&](const Args&... a) { (visit_tree(a, to), ...); });
  to.close();
}

}  // namespace broadloom::detail
