// Arrays as leaves: a view over memory somebody else owns, and arrays that live
// inside the tree.
#pragma once

#include <utility>

#include <broadloom/core/checked.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/native.hpp>
#include <broadloom/core/shared.hpp>
#include <broadloom/core/text.hpp>
#include <broadloom/expr/expression.hpp>
#include <broadloom/expr/iterator.hpp>

namespace broadloom {

// What moving to a named view "returns": `view = view` writes elements, so that
// std::swap and the algorithms that move views would lose data.
struct a_view_is_not_moved_or_swapped_but_written_by_assign;

// What asking an expression for an element "returns" where it would be computed
// with all that a reduction, a product or a `let` is made of, once for each
// element.
template <auto Text, class Element>
struct elements_are_read_after_eval;

namespace detail {

// Elements may be read of what computes single ones, and, in constant
// expressions, of all static shapes.
template <class E>
inline constexpr bool may_read_elements = has_single_elements<E> || shape_of<E>::is_static || rank_of<E> == 0;
inline constexpr text element_text{
    "bl::eval(e)(i, j): an element by itself would compute a reduction, "
    "product or let anew"};
[[gnu::error(
    "bl::eval(e)(i, j): only constant expressions compute an element "
    "by itself behind a barrier")]] void
an_element_by_itself();
// Whether a result may be written to an output; `error` is void, or says why
// not. Defined in eval/assignable.hpp.
template <class Out, class E>
struct assignment_check;

// The view that an array which is no node is where it lies, `type`, and how it is seen, `of(array)`; void where it
// would not outlive the call. Defined in expr/capture.hpp.
template <class A>
struct array_as_view;

// Why e(i, j) is refused, where it is.
template <class E, class... I>
struct element_refusal {
  using error = elements_are_read_after_eval<element_text, value_of<E>>;
};
template <class E, class... I>
  requires(sizeof...(I) > rank_of<E>)
struct element_refusal<E, I...> {
  using error = more_indices_than_axes<sizeof...(I), rank_of<E>>;
};

// Gives a node of elements of type V and so many axes e(i, j), e.size(), e.rank(), iterators and the lazy views as
// members.
template <class Self, class V, int Axes>
struct indexing : refused_uses<Self, Axes> {
  // The element at these indices, one per axis; negative ones count from the
  // end. Throws index_error outside the shape. What reads the result of a
  // reduction, a product or another barrier is evaluated first, eval(e)(i, j):
  // an element by itself does not compile, but in a constant expression, of a
  // static shape. Fewer indices than axes: the part of `e` there, slice(e,
  // i...), with the other axes whole.
  template <class... I, int Native = BROADLOOM_NATIVE>
    requires(all_numbers<I...> && (sizeof...(I) == Axes ? may_read_elements<Self> : sizeof...(I) < Axes))
  [[gnu::always_inline]] constexpr auto operator()(I... i) const {
    if constexpr (sizeof...(I) < Axes)
      return called_slice<I...>::at(self(), i...);
    else if constexpr (Axes == 0)
      return item<Native>();
    else {
      if constexpr (!has_single_elements<Self>)
        if (!__builtin_is_constant_evaluated()) an_element_by_itself();
      return self().element(checked_indices(self().shape(), indices<sizeof...(I)>{{static_cast<index>(i)...}}));
    }
  }
  template <class... I, class Error = typename element_refusal<Self, I...>::error>
    requires(all_numbers<I...> && (sizeof...(I) > Axes || (sizeof...(I) == Axes && !may_read_elements<Self>)))
  Error operator()(I...) const = delete;
  // slice(e, i...): ranges, arrays of positions and masks among the indices.
  template <class... I>
    requires(!all_numbers<I...>)
  constexpr auto operator()(I&&... i) const {
    return called_slice<I...>::of(self(), static_cast<I&&>(i)...);
  }
  // The only element of a node of size 1: what eval gives. Throws shape_error
  // where there are more or none.
  template <int Native = BROADLOOM_NATIVE>
  constexpr auto item() const {
    return only_element<Native>(self());
  }
  // A node of rank 0 is its number where one is wanted, float m = bl::mean(x): what item() gives. From there on C++'s
  // own conversions apply, and their warnings.
  [[gnu::always_inline]] constexpr operator V() const
    requires(Axes == 0)
  {
    return item();
  }
  static constexpr index rank() { return Axes; }
  constexpr index size() const { return self().shape().size(); }
  // The elements in row-major order: random access, contiguous where the type says that they lie so. An expression is
  // evaluated first: for (float x : bl::eval(e)).
  template <class S = Self>
    requires has_memory<S>
  constexpr auto begin() const {
    return iterator_at(self(), 0);
  }
  template <class S = Self>
    requires has_memory<S>
  constexpr auto end() const {
    return iterator_at(self(), size());
  }
  using refused_uses<Self, Axes>::begin;
  using refused_uses<Self, Axes>::end;
  // All axes in reverse order (NumPy's .T).
  constexpr auto T() const { return reversed_axes(self()); }

 private:
  constexpr const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace detail

// A non-owning array: pointer, shape, layout. Copying or constructing a view
// never copies elements; `view = anything` writes elements (see
// tensor/eval.hpp). The memory must outlive the view and every tree built from
// it.
template <class T, class Shape, class Layout = dyn_strides<Shape::axes_count>>
class view : public detail::indexing<view<T, Shape, Layout>, std::remove_const_t<T>, Shape::axes_count> {
 public:
  using expression_tag = void;
  using leaf_tag = void;
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using shape_type = Shape;
  using layout_type = Layout;
  static_assert(element<value_type>, "not an element type of Broadloom");

  constexpr view(T* data, const Shape& s, const Layout& l) : data_(data), shape_(s), layout_(l) {}
  // Row-major over the memory.
  constexpr view(T* data, const Shape& s) : data_(data), shape_(s), layout_() {
    if constexpr (__is_same(Layout, dyn_strides<Shape::axes_count>))
      layout_.s = detail::row_major_strides(s.extents());
    else
      static_assert(__is_same(Layout, row_major), "this layout needs its strides");
  }
  constexpr view(const view&) = default;
  // The same elements under a less static type: view<const float, dshape<2>> v
  // = a_view_of_floats.
  template <class U, class S, class L>
    requires(std::is_convertible_v<U (*)[], T (*)[]> && std::is_constructible_v<Shape, S> &&
             (__is_same(Layout, L) || __is_same(Layout, dyn_strides<Shape::axes_count>)))
  constexpr explicit(!std::is_convertible_v<S, Shape>) view(const view<U, S, L>& v)
      : data_(v.data()), shape_(v.shape()), layout_() {
    if constexpr (__is_same(Layout, dyn_strides<Shape::axes_count>)) layout_.s = v.strides();
  }

  // All of an array that the caller keeps, so that a parameter of this type takes any of this element type and rank:
  // void f(view<const float, dshape<2>>) a tensor, a transposed one, a slice, an array of another library.
  template <class A>
    requires(!expression<A> && std::is_convertible_v<typename detail::array_as_view<A>::type, view>)
  constexpr view(A&& a) : view(static_cast<view>(detail::array_as_view<A>::of(a))) {}

  // Writes elements: broadcasts the right side to this view's shape, which
  // never changes.
  template <class E, class Error = typename detail::assignment_check<const view&, const E&>::error>
  constexpr const view& operator=(const E& e) const
    requires(std::is_void_v<Error>);
  template <class E, class Error = typename detail::assignment_check<const view&, const E&>::error>
  Error operator=(const E& e) const
    requires(!std::is_void_v<Error>)
  = delete;
  constexpr const view& operator=(const view& e) const&
    requires(!std::is_const_v<T>);
  constexpr view& operator=(const view& e) & requires(!std::is_const_v<T>);
  view& operator=(const view&) & requires(std::is_const_v<T>) = delete;
  a_view_is_not_moved_or_swapped_but_written_by_assign operator=(view&&) & = delete;
  friend a_view_is_not_moved_or_swapped_but_written_by_assign swap(view&, view&) = delete;

  constexpr const Shape& shape() const { return shape_; }
  constexpr const Layout& layout() const { return layout_; }
  constexpr auto strides() const { return layout_.strides(shape_); }
  // Throws lifetime_error in a checked build where the memory was given back.
  constexpr T* data() const {
#if defined(BROADLOOM_CHECKED)
    return shape_.size() == 0 ? data_ : detail::checked_memory(data_);
#else
    return data_;
#endif
  }

  // The element itself; negative indices count from the end. Throws index_error
  // outside the shape. Fewer indices than axes: the part of the view there, slice(v, i...), which is writable, too.
  template <class... I>
    requires(detail::all_numbers<I...> && sizeof...(I) <= Shape::axes_count)
  constexpr decltype(auto) operator()(I... i) const {
    if constexpr (sizeof...(I) < Shape::axes_count)
      return detail::called_slice<I...>::at(*this, i...);
    else {
      const auto at = detail::checked_indices(shape_, detail::indices<sizeof...(I)>{{static_cast<index>(i)...}});
      return (data()[detail::offset_of(shape_.extents(), strides(), at)]);
    }
  }
  template <class... I, class Error = more_indices_than_axes<sizeof...(I), Shape::axes_count>>
    requires(detail::all_numbers<I...> && sizeof...(I) > Shape::axes_count)
  Error operator()(I...) const = delete;
  // slice(v, i...): ranges, arrays of positions and masks among the indices.
  template <class... I>
    requires(!detail::all_numbers<I...>)
  constexpr auto operator()(I&&... i) const {
    return detail::called_slice<I...>::of(*this, static_cast<I&&>(i)...);
  }

  template <int R>
  constexpr value_type element(const detail::indices<R>& at) const {
    return data()[detail::offset_of(shape_.extents(), strides(), at)];
  }

  // The same memory seen with another geometry.
  template <class S2, class L2>
  constexpr view<T, S2, L2> seen_as(index offset, const S2& s, const L2& l) const {
    return {data_ + offset, s, l};
  }

 private:
  T* data_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] Layout layout_;
};

// dview<const float, 2>: a view of rank 2 whose extents and strides are known at run time.
template <class T, int Rank>
using dview = view<T, dshape<Rank>>;

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

namespace detail {

template <class T>
concept leaf = expression<T> && requires { typename std::remove_cvref_t<T>::leaf_tag; };

}  // namespace detail
}  // namespace broadloom

// Its iterators do not refer to it.
template <class T, class Shape, class Layout>
inline constexpr bool std::ranges::enable_borrowed_range<broadloom::view<T, Shape, Layout>> = true;
