// view: an array over memory that somebody else owns, a leaf of the tree.
#pragma once

#include <initializer_list>
#include <utility>

#include <broadloom/core/api.hpp>
#include <broadloom/core/checked.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/expr/indexing.hpp>

namespace broadloom {

namespace errors_md {
// What moving to a named view "returns": `view = view` writes elements, so that
// std::swap and the algorithms that move views would lose data.
struct a_view_is_not_moved_or_swapped_but_written_by_assign;
}  // namespace errors_md

namespace detail {

// Whether a result may be written to an output; `error` is void, or says why
// not. Defined in eval/assignable.hpp.
template <class Out, class E>
struct assignment_check;

// The view that an array which is no node is where it lies, `type`, and how it is seen, `of(array)`; void where it
// would not outlive the call. Defined in expr/capture.hpp.
template <class A>
struct array_as_view;

// What nothing converts to, {} neither.
struct no_view {
  no_view(const no_view&) = delete;
};

// Braces in braces, one pair for each axis.
template <class E, int Rank>
struct nested_braces {
  using type = std::initializer_list<typename nested_braces<E, Rank - 1>::type>;
};
template <class E>
struct nested_braces<E, 0> {
  using type = E;
};

}  // namespace detail

// A non-owning array: pointer, shape, layout. Copying or constructing a view
// never copies elements; `view = anything` writes elements (see
// tensor/eval.hpp). The memory must outlive the view and every tree built from
// it.
template <class T, class Shape, class Layout>
class view : public detail::indexing<view<T, Shape, Layout>, std::remove_const_t<T>, Shape::axes_count> {
 public:
  using expression_tag = void;
  using leaf_tag = void;
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using shape_type = Shape;
  using layout_type = Layout;
  static_assert(element<value_type>, "not an element type of Broadloom [errors.md#view-type]");

  constexpr view(T* data, const Shape& s, const Layout& l) : data_(data), shape_(s), layout_(l) {}
  // Row-major over the memory.
  constexpr view(T* data, const Shape& s) : data_(data), shape_(s), layout_() {
    if constexpr (__is_same(Layout, dyn_strides<Shape::axes_count>))
      layout_.s = detail::row_major_strides(s.extents());
    else
      static_assert(__is_same(Layout, row_major), "this layout needs its strides [errors.md#view-type]");
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
#if defined(__clang__)
  template <class A>
    requires(!expression<A> && detail::array_as_view<A&>::refers &&
             std::is_convertible_v<typename detail::array_as_view<A&>::type, view>)
  constexpr view(A& a BROADLOOM_LIFETIMEBOUND) : view(static_cast<view>(detail::array_as_view<A&>::of(a))) {}
#endif
  template <class A>
    requires(!expression<A> && std::is_convertible_v<typename detail::array_as_view<A>::type, view>)
  constexpr view(A&& a) : view(static_cast<view>(detail::array_as_view<A>::of(a))) {}

  // Writes elements: broadcasts the right side to this view's shape, which
  // never changes.
  template <class E, class Error = typename detail::assignment_check<const view&, const E&>::error>
  constexpr const view& operator=(const E& e) const
    requires(std::is_void_v<Error>);
  // The same for a named view, which an array that converts to this type would else meet as two operators; another view
  // of this type, too.
  template <class E, class Error = typename detail::assignment_check<const view&, const E&>::error>
      constexpr view& operator=(const E& e) &
      requires(std::is_void_v<Error>) {
        static_cast<const view&>(*this) = e;
        return *this;
      } template <class E, class Error = typename detail::assignment_check<const view&, const E&>::error>
        requires(!std::is_void_v<Error>)
      Error operator=(const E& e) const BROADLOOM_REFUSED;
  constexpr const view& operator=(const view& e) const&
    requires(!std::is_const_v<T>);
  // A view of const elements. (A parameter instead of a constraint: clang has less to say of it.)
  view& operator=(const std::conditional_t<std::is_const_v<T>, view, detail::no_view>&) & = delete;
  errors_md::a_view_is_not_moved_or_swapped_but_written_by_assign operator=(view&&) & = delete;
  friend errors_md::a_view_is_not_moved_or_swapped_but_written_by_assign swap(view&, view&) = delete;

  // Every element x, as NumPy's fill.
  template <class X>
  constexpr void fill(X x) const
    requires(!std::is_const_v<T>);

  // view = {1, 2, 3}, view = {{1, 2}, {3, 4}}: a pair of braces for each axis; extents of 1 broadcast. Throws
  // shape_error for rows of different lengths.
  constexpr const view& operator=(typename detail::nested_braces<value_type, Shape::axes_count>::type rows) const
    requires(!std::is_const_v<T> && Shape::axes_count > 0);

  constexpr const Shape& shape() const { return shape_; }
  constexpr const Layout& layout() const { return layout_; }
  constexpr auto strides() const { return layout_.strides(shape_); }
  // Throws lifetime_error in a checked build where the memory was given back.
  constexpr T* data() const {
#if defined(BROADLOOM_CHECKS_VIEWS)
    // (Not size(), which throws for views of more elements than an index counts.)
    const auto extents = shape_.extents();
    for (index i = 0; i < extents.count; ++i)
      if (extents.v[i] == 0) return data_;
    return detail::checked_memory(data_);
#else
    return data_;
#endif
  }

  // The element itself; negative indices count from the end. Throws index_error
  // outside the shape. Fewer indices than axes: the part of the view there, slice(v, i...), which is writable, too.
  template <class... Index>
    requires(detail::all_numbers<Index...> && sizeof...(Index) <= Shape::axes_count)
  constexpr decltype(auto) operator()(Index... i) const {
    if constexpr (sizeof...(Index) < Shape::axes_count)
      return detail::called_slice<Index...>::at(*this, i...);
    else {
      static_assert(detail::are_inside<Shape, Index...>(),
                    "a constant index is outside of its axis [errors.md#constant-index]");
      const auto at = detail::checked_indices(shape_, detail::indices<sizeof...(Index)>{{static_cast<index>(i)...}});
      return (data()[detail::offset_of(shape_.extents(), strides(), at)]);
    }
  }
  template <class... Index, class Error = errors_md::more_indices_than_axes<sizeof...(Index), Shape::axes_count>>
    requires(detail::all_numbers<Index...> && sizeof...(Index) > Shape::axes_count)
  Error operator()(Index...) const = delete;
  // slice(v, i...): ranges, arrays of positions and masks among the indices.
  template <class... Index>
    requires(!detail::all_numbers<Index...>)
  constexpr auto operator()(Index&&... i) const {
    return detail::called_slice<Index...>::of(*this, static_cast<Index&&>(i)...);
  }

  template <int R>
  constexpr value_type element(const detail::indices<R>& at) const {
    return data()[detail::offset_of(shape_.extents(), strides(), at)];
  }

  // The same memory seen with another geometry. An empty view may have none, wherever a part of it begins.
  template <class S2, class L2>
  constexpr view<T, S2, L2> seen_as(index offset, const S2& s, const L2& l) const {
    return {data_ == nullptr ? data_ : data_ + offset, s, l};
  }

 private:
  T* data_;
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
