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

// Collects the lines of a picture: a node each, below its parent.
class BROADLOOM_API tree_picture final : public tree_visitor {
 public:
  void number(double x) override;
  void callable() override;
  void array(dtype type, const void* address, const index* extents, const index* strides, index rank) override;
  void result(const char* name, dtype type, const index* extents, index rank) override;
  void open(const char* name, bool pointwise, dtype type, const index* extents, index rank) override;
  void close() override;
  bool open_shared(const char* name, const void* tree, dtype type, const index* extents, index rank) override;

  std::string svg();

 private:
  using node = drawn_node;
  int add(const std::string& name);
  void fold_repeated(int at);  // a `let` that is drawn already
  void number_mentions();
  void set_shape(int at, dtype type, const index* extents, index rank);

  list<node> nodes_;
  int parent_ = -1, depth_ = 0;
};

}  // namespace detail

// draw(e): the text of an SVG picture, for a file or a page. A line for each node of the tree with its element type and
// its shape, a box for each axis, aligned at the last one. Hatched boxes are axes along which elements are repeated to
// fit the node above: extents of 1, axes that are not there, strides of 0. Of a `let` that is mentioned again only the
// name is drawn. Readable on light and dark pages, without scripts. Nothing is computed.
inline constexpr struct draw_t {
  template <array E>
  std::string operator()(E&& e) const {
    detail::tree_picture picture;
    detail::visit_tree(detail::as_node(static_cast<E&&>(e)), picture);
    return picture.svg();
  }
} draw{};

}  // namespace broadloom
