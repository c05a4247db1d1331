// draw(e): a picture of an expression as SVG: its tree with types and shapes, axes aligned at the last one. Not
// included by broadloom.hpp.
#pragma once

#include <string>

#include <broadloom/core/api.hpp>
#include <broadloom/core/list.hpp>
#include <broadloom/expr/capture.hpp>
#include <broadloom/plan/visit_tree.hpp>

namespace broadloom {

namespace detail {

// A line of a picture. Not inside the class below, which is exported with all that is in it.
struct drawn_node {
  std::string name, type;
  int depth = 0, parent = -1, mentions = -1;  // mentions: the node that this one repeats
  bool has_shape = false, is_pointwise = false;
  list<index> extents;
  const void* address = nullptr;  // of an array's elements
  const void* shared = nullptr;   // the tree that copies of a `let` share
  std::string signature;          // of all below: equal ones are the same as far as a picture tells
  unsigned repeated = 0;          // a bit for each axis from the first: its stride is 0
};

// Collects the lines of a picture: a node each, below its parent. A visitor is not told the shapes of functions: those
// behind a `let` that keeps its tree apart have no boxes.
class BROADLOOM_API tree_picture final : public tree_visitor {
 public:
  void number(double x) override;
  void callable() override;
  void array(dtype type, const index* extents, index rank) override;
  void result(const char* name, dtype type, const index* extents, index rank) override;
  void open(const char* name) override;
  void close() override;
  bool open_shared(const char* name, const void* tree) override;

  // An array with its strides: those of 0 repeat its elements.
  void array(dtype type, const void* address, const index* extents, const index* strides, index rank);
  // The type and shape of the node that is opened next.
  void expect(dtype type, const index* extents, index rank);
  // A function whose arguments broadcast to its shape; open() says nothing of them.
  void open_pointwise(const char* name, dtype type, const index* extents, index rank);

  std::string svg();

 private:
  using node = drawn_node;
  int add(const std::string& name);
  void fold_repeated(int at);  // a `let` that is drawn already
  void number_mentions();
  void set_shape(int at, dtype type, const index* extents, index rank);

  list<node> nodes_;
  int parent_ = -1, depth_ = 0;
  bool expected_ = false;
  dtype expected_type_ = dtype::f32;
  list<index> expected_extents_;
};

template <class T>
void draw_tree(const scalar<T>& e, tree_picture& to) {
  visit_tree(e, to);
}
template <leaf E>
void draw_tree(const E& e, tree_picture& to) {
  const auto x = e.shape().extents();
  const auto s = e.strides();
  index strides[E::shape_type::axes_count + 1] = {};
  for (int i = 0; i < x.count; ++i) strides[i] = s[i];
  const void* address = nullptr;
  if constexpr (requires { e.data(); }) address = e.data();
  to.array(dtype_of<typename E::value_type>, address, x.v, strides, x.count);
}
template <class F, class Shape, class... Args>
void draw_tree(const map<F, Shape, Args...>& e, tree_picture& to);
template <deferred_leaf E>
void draw_tree(const E& e, tree_picture& to) {
  using source = typename E::source_type;
  constexpr dtype type = dtype_of<typename E::value_type>;
  const auto x = e.shape().extents();
  if constexpr (requires { e.source().visit(to); }) {
    to.expect(type, x.v, x.count);
    e.source().visit(to);
  } else if constexpr (requires { e.source().tree(); }) {
    to.expect(type, x.v, x.count);
    to.open(source::name());
    draw_tree(e.source().tree(), to);
    to.close();
  } else {
    to.result(source::name(), type, x.v, x.count);
  }
}
template <class F, class Shape, class... Args>
void draw_tree(const map<F, Shape, Args...>& e, tree_picture& to) {
  const auto x = e.shape().extents();
  using T = typename map<F, Shape, Args...>::value_type;
  to.open_pointwise(F::name(), dtype_of<T>, x.v, x.count);
  unpack(e.args(), [&](const Args&... a) { (draw_tree(a, to), ...); });
  to.close();
}

}  // namespace detail

// draw(e): the text of an SVG picture, for a file or a page. A line for each node of the tree with its element type and
// its shape, a box for each axis, aligned at the last one. Hatched boxes are axes along which elements are repeated to
// fit the node above: extents of 1, axes that are not there, strides of 0. Of a `let` that is mentioned again only the
// name is drawn. Functions behind a `let` of a large tree, or of a callable, have no boxes: their shapes are not kept.
// Readable on light and dark pages, without scripts. Nothing is computed.
inline constexpr struct draw_t {
  template <array E>
  std::string operator()(E&& e) const {
    detail::tree_picture picture;
    detail::draw_tree(detail::as_node(static_cast<E&&>(e)), picture);
    return picture.svg();
  }
} draw{};

}  // namespace broadloom
