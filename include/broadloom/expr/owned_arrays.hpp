// Arrays that were moved into the tree, which owns them: shared_array, inline_array.
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/shared.hpp>
#include <broadloom/expr/indexing.hpp>

namespace broadloom {

// A dynamic array that was moved into a tree: shared and immutable, so that
// copying the tree copies no elements.
template <class T, class Shape, class Layout>
class shared_array : public detail::indexing<shared_array<T, Shape, Layout>, T, Shape::axes_count> {
 public:
  using expression_tag = void;
  using leaf_tag = void;
  using value_type = T;
  using shape_type = Shape;
  using layout_type = Layout;

  shared_array(const detail::shared_handle& h, const T* data, const Shape& s, const Layout& l)
      : handle_(h), data_(data), shape_(s), layout_(l) {}

  const Shape& shape() const { return shape_; }
  const Layout& layout() const { return layout_; }
  auto strides() const { return layout_.strides(shape_); }
  const T* data() const { return data_; }

  template <int R>
  T element(const detail::indices<R>& at) const {
    return data_[detail::offset_of(shape_.extents(), strides(), at)];
  }
  template <class S2, class L2>
  shared_array<T, S2, L2> seen_as(index offset, const S2& s, const L2& l) const {
    return {handle_, data_ + offset, s, l};
  }

 private:
  detail::shared_handle handle_;
  const T* data_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] Layout layout_;
};

// A static array that was moved into a tree: its elements are inside the node.
template <class T, int Count, class Shape, class Layout>
class inline_array : public detail::indexing<inline_array<T, Count, Shape, Layout>, T, Shape::axes_count> {
 public:
  using expression_tag = void;
  using leaf_tag = void;
  using value_type = T;
  using shape_type = Shape;
  using layout_type = Layout;

  constexpr inline_array(const detail::fixed_array<T, Count>& elements, index offset, const Shape& s, const Layout& l)
      : elements_(elements), offset_(offset), shape_(s), layout_(l) {}

  constexpr const Shape& shape() const { return shape_; }
  constexpr const Layout& layout() const { return layout_; }
  constexpr auto strides() const { return layout_.strides(shape_); }
  constexpr const T* data() const { return elements_.v + offset_; }  // valid until the node moves: formed at bind only

  template <int R>
  constexpr T element(const detail::indices<R>& at) const {
    return elements_.v[offset_ + detail::offset_of(shape_.extents(), strides(), at)];
  }
  template <class S2, class L2>
  constexpr inline_array<T, Count, S2, L2> seen_as(index offset, const S2& s, const L2& l) const {
    return {elements_, offset_ + offset, s, l};
  }

 private:
  detail::fixed_array<T, Count> elements_;
  index offset_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] Layout layout_;
};

}  // namespace broadloom
