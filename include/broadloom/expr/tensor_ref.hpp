// A dynamic tensor as an operand: the tree refers to the tensor itself and reads its elements when it is evaluated, so
// it follows assignments to the tensor. It is refused if the tensor has another shape by then.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/view.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

namespace detail {

// The memory of a dynamic tensor. A tensor without a shape has no elements, and extents that no shape has.
template <class T, class Shape>
struct tensor_elements {
  T* data = nullptr;
  index size = 0;
  Shape shape = Shape::unchecked(all_dyn<Shape::axes_count>());
};

// `now` has negative extents where the tensor has no shape any more.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_shape_changed(const index* built, const index* now,
                                                                       index rank) {
  throw_error(error_kind::shape_changed, {built, now, rank});
}

// The elements, if they still have this shape.
template <class T, class Shape>
[[gnu::always_inline]] constexpr const T* present_elements(const tensor_elements<T, Shape>& e, const Shape& built) {
  if (!same_extents(e.shape, built)) {
    const auto was = built.extents();  // copied: the tree itself need not be in memory
    throw_shape_changed(was.v, e.shape.data(), Shape::axes_count);
  }
  return e.data;
}

}  // namespace detail

// Part of a tensor that a tree refers to: a view of a whole expression makes this of the tensor's leaf.
template <class T, class Whole, class Shape, class Layout>
class tensor_ref_view : public detail::indexing<tensor_ref_view<T, Whole, Shape, Layout>, T, Shape::axes_count> {
 public:
  using expression_tag = void;
  using leaf_tag = void;
  using value_type = T;
  using shape_type = Shape;
  using layout_type = Layout;

  constexpr tensor_ref_view(const detail::tensor_elements<T, Whole>& of, const Whole& whole, index offset,
                            const Shape& s, const Layout& l)
      : of_(&of), offset_(offset), whole_(whole), shape_(s), layout_(l) {}

  constexpr const Shape& shape() const { return shape_; }
  constexpr const Layout& layout() const { return layout_; }
  constexpr auto strides() const { return layout_.strides(shape_); }
  // Throws shape_error if the tensor's shape is no longer the one it had when this was built.
  constexpr const T* data() const { return detail::present_elements(*of_, whole_) + offset_; }

  template <int R>
  constexpr T element(const detail::indices<R>& at) const {
    return data()[detail::offset_of(shape_.extents(), strides(), at)];
  }
  template <class S2, class L2>
  constexpr tensor_ref_view<T, Whole, S2, L2> seen_as(index offset, const S2& s, const L2& l) const {
    return {*of_, whole_, offset_ + offset, s, l};
  }

 private:
  const detail::tensor_elements<T, Whole>* of_;
  index offset_;
  [[no_unique_address]] Whole whole_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] Layout layout_;
};

// A whole tensor that a tree refers to. The tensor must outlive the tree; it may be assigned meanwhile.
template <class T, class Shape>
class tensor_ref : public detail::indexing<tensor_ref<T, Shape>, T, Shape::axes_count> {
 public:
  using expression_tag = void;
  using leaf_tag = void;
  using value_type = T;
  using shape_type = Shape;
  using layout_type = row_major;

  constexpr tensor_ref(const detail::tensor_elements<T, Shape>& of, const Shape& s) : of_(&of), shape_(s) {}

  constexpr const Shape& shape() const { return shape_; }
  static constexpr row_major layout() { return {}; }
  constexpr auto strides() const { return row_major::strides(shape_); }
  // Whether the elements are there, with the shape that the tensor had when this was built.
  constexpr bool is_at(const void* data) const { return detail::same_extents(of_->shape, shape_) && of_->data == data; }
  // Throws shape_error if the tensor's shape is no longer the one it had when this was built.
  constexpr const T* data() const { return detail::present_elements(*of_, shape_); }
  constexpr const detail::tensor_elements<T, Shape>& elements() const { return *of_; }

  template <int R>
  constexpr T element(const detail::indices<R>& at) const {
    return data()[detail::offset_of(shape_.extents(), strides(), at)];
  }
  template <class S2, class L2>
  constexpr tensor_ref_view<T, Shape, S2, L2> seen_as(index offset, const S2& s, const L2& l) const {
    return {*of_, shape_, offset, s, l};
  }

 private:
  const detail::tensor_elements<T, Shape>* of_;
  Shape shape_;
};

}  // namespace broadloom
