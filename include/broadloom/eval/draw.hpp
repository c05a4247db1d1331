// draw(e): a picture of an expression as SVG: its tree with types and shapes, axes aligned at the last one. Not
// included by broadloom.hpp.
#pragma once

#include <string>

#include <broadloom/core/api.hpp>
#include <broadloom/expr/capture.hpp>
#include <broadloom/plan/visit_tree.hpp>

namespace broadloom {

namespace detail {

BROADLOOM_API std::string tree_picture(const void* tree, show_tree* show);

}  // namespace detail

// draw(e): the text of an SVG picture, for a file or a page. A line for each node of the tree with its element type and
// its shape, a box for each axis, aligned at the last one. Hatched boxes are axes along which elements are repeated to
// fit the node above: extents of 1, axes that are not there, strides of 0. Of a `let` that is mentioned again only the
// name is drawn. Readable on light and dark pages, without scripts. Nothing is computed.
inline constexpr struct draw_t {
  template <array E>
  std::string operator()(E&& e) const {
    const auto& tree = detail::as_node(static_cast<E&&>(e));
    return detail::tree_picture(&tree, detail::shows<std::remove_cvref_t<decltype(tree)>>);
  }
} draw{};

}  // namespace broadloom
