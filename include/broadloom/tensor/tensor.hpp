// Owning arrays, row-major: elements inside the object when the shape is static, else on the heap, 64-byte aligned.
#pragma once

#include <broadloom/core/copy_elements.hpp>
#include <broadloom/eval/assign.hpp>
#include <broadloom/expr/slice.hpp>
#include <broadloom/tensor/construction.hpp>
#include <broadloom/tensor/elements.hpp>
#include <broadloom/tensor/operand.hpp>
#include <broadloom/tensor/replace.hpp>

namespace broadloom {

// tensor<float, shape<2, 3>>: static. tensor<float, dshape<2>>: dynamic; default-constructed it has no shape yet.
// `tensor = anything` replaces the value, shape included. assign(tensor, e), `tensor(all) = e` and the in-place forms
// write into what is there, and never change the shape.
template <class E, class Shape>
class tensor : public detail::from_braces<E, Shape>, public detail::refused_calls<tensor<E, Shape>, Shape::axes_count> {
  static_assert(element<E>, "not an element type of Broadloom [errors.md#view-type]");
  static constexpr bool is_static = Shape::is_static;
  static constexpr int axes_count = Shape::axes_count;
  using detail::from_braces<E, Shape>::count;
  using detail::from_braces<E, Shape>::elements_;
  // One value, which clang does not take apart when it explains what is refused.
  template <class... Index>
  static constexpr bool takes = !detail::all_numbers<Index...> || sizeof...(Index) <= axes_count;
  template <class... Index>
  static constexpr bool is_element = detail::all_numbers<Index...> && sizeof...(Index) == axes_count;

 public:
  using value_type = E;
  using shape_type = Shape;

  // Static: all zero. Dynamic: shapeless.
  constexpr tensor() = default;
  // dtensor<float, 2> t(4, 5): zeros of these extents, one per dyn. Throws shape_error for a negative one.
  template <detail::integer... N>
    requires(!is_static && sizeof...(N) == Shape::dyn_count)
  explicit tensor(N... n) : tensor(Shape(static_cast<index>(n)...)) {}
  constexpr explicit tensor(const Shape& s) {
    if constexpr (!is_static) {
      elements_.allocate(s);
      if constexpr (detail::own_element<E> && std::is_default_constructible_v<E>)
        for (index i = 0; i < elements_.size; ++i) ::new (static_cast<void*>(elements_.data + i)) E();
      else
        runtime::zero_elements(static_cast<void*>(elements_.data),
                               static_cast<std::size_t>(elements_.size) * sizeof(E));
    }
  }
  // t({4, 5}): the same, but t({4}) has the element 4. (Two, for integers of one type and of several.)
  template <detail::integer Index, int R>
    requires(R == Shape::dyn_count && R == axes_count && R > 1)
  explicit tensor(const Index (&extents)[R]) : tensor(Shape(detail::braced_shape<R>(extents))) {}
  template <int R>
    requires(R == Shape::dyn_count && R == axes_count && R > 1)
  explicit tensor(const index (&extents)[R]) : tensor(Shape(detail::braced_shape<R>(extents))) {}
  // t({4, 5}, x): each element is x.
  template <int R, detail::number_scalar V>
    requires(R == Shape::dyn_count && R == axes_count)
  tensor(detail::braced_extents<R> extents, V x) : tensor(Shape(detail::braced_shape<R>(extents))) {
    constexpr bool fits = detail::castable(dtype_of<V>, dtype_of<E>);
    static_assert(fits,
                  "the number must be of a kind that the tensor's elements hold [errors.md#result_type_does_not_fit]");
    if constexpr (fits) *this = detail::number_as<E>(x);
  }

  // Nested braces at the tensor's own rank. Where an axis is static, of at most 256, another number of elements does
  // not compile; else shape_error is thrown when lengths differ.
  using detail::from_braces<E, Shape>::from_braces;
  template <int... N, class Error = detail::braces_error<Shape>>
    requires(axes_count > 0)
  explicit(Shape::dyn_count == axes_count) tensor(const detail::braced (&... row)[N]) = delete;

  constexpr tensor(const tensor& o) : tensor() {
    if constexpr (is_static)
      elements_ = o.elements_;
    else
      elements_.copy_from(o.elements_);
  }
  constexpr tensor(tensor&& o) noexcept {
    if constexpr (is_static)
      elements_ = o.elements_;
    else
      elements_.take(o.elements_);
  }
  constexpr tensor& operator=(const tensor& o) {
    if (this == &o) return *this;
    if constexpr (is_static)
      elements_ = o.elements_;
    else
      elements_.replace_by(o.elements_);
    return *this;
  }
  constexpr tensor& operator=(tensor&& o) noexcept {
    if (this == &o) return *this;
    if constexpr (is_static)
      elements_ = o.elements_;
    else {
      elements_.release();
      elements_.take(o.elements_);
    }
    return *this;
  }
  constexpr ~tensor() {
    if constexpr (!is_static) {
      elements_.release();
#if defined(BROADLOOM_CHECKED)
      runtime::mark_gone(const_cast<index*>(elements_.shape.data()), axes_count);
#endif
    }
  }

  // Numbers that are neither the extents nor, nested, the elements.
  template <class... N, class Error = errors_md::braces_hold_as_many_as_each_static_extent<Shape>>
    requires(sizeof...(N) > 0 && axes_count == 1 && is_static && (std::is_arithmetic_v<N> && ...) &&
             sizeof...(N) != Shape::static_extents[0])
  tensor(N...) = delete;
  template <class... N, class Error = errors_md::braces_are_nested_once_for_each_axis<axes_count>>
    requires(sizeof...(N) > 0 && axes_count > is_static && (std::is_arithmetic_v<N> && ...) &&
             !((detail::integer<N> && ...) && !is_static && sizeof...(N) == Shape::dyn_count))
  explicit tensor(N...) = delete;

  // From a tree, a view or another tensor: evaluates it, by `=` too, as assignment does. Throws shape_error where a
  // static extent differs.
  template <array X, int Native = BROADLOOM_NATIVE>
    requires(!__is_same(std::remove_cvref_t<X>, tensor) && detail::makes_elements<E, X> &&
             std::is_constructible_v<Shape, detail::shape_of<detail::node_of<X>>>)
  constexpr tensor(X&& x) {
    detail::construct_value<Native, E, Shape>(elements_, detail::as_node(static_cast<X&&>(x)), runtime::options{});
  }
  template <array X, class Error = typename detail::construction_check<E, Shape, X>::error>
    requires(!std::is_void_v<Error>)
  tensor(X&&) = delete;
  // z = sort(x): z = sort(x).values.
  template <detail::has_parts R, class Error = errors_md::this_result_has_parts_write_one_of_them_r_values<R>>
  tensor(const R&) = delete;
  template <detail::has_parts R, class Error = errors_md::this_result_has_parts_write_one_of_them_r_values<R>>
  Error operator=(const R&) BROADLOOM_REFUSED;
  // From std::vector<std::vector<float>> and the like, as deep as there are axes. Throws shape_error if lengths differ.
  template <detail::scattered C, class From = detail::nested_element<C, E, axes_count>>
    requires(element<From>)
  constexpr explicit(Shape::dyn_count < axes_count) tensor(const C& rows) {
    this->template fill_from<From>(rows);
  }
  template <detail::scattered C, class Error = detail::nested_element<C, E, axes_count>>
    requires(!element<Error>)
  tensor(const C&) = delete;
  // The elements from first up to last, as of std::vector.
  template <detail::points_to_elements It, class From = typename detail::pointed<It>::type>
    requires(axes_count == 1 && detail::castable(dtype_of<From>, dtype_of<E>))
  explicit tensor(It first, It last) {
    list<From> kept;
    for (; first != last; ++first) kept.push_back(*first);
    this->template fill_from<From>(kept);
  }
  template <detail::range_without_elements C,
            class Error = errors_md::containers_nest_as_deep_as_axes_and_hold_elements_that_fit<C, E, axes_count>>
  tensor(const C&) = delete;
  template <array X, int Native = BROADLOOM_NATIVE>
    requires(std::is_constructible_v<Shape, detail::shape_of<detail::node_of<X>>>)
  constexpr tensor(X&& x, const policy& p) {
    p.run([&] {
      detail::construct_value<Native, E, Shape>(elements_, detail::as_node(static_cast<X&&>(x)), p.options());
    });
  }

  // Replaces the value: afterwards this tensor is what eval(x) would be, whatever it was before. The memory is reused
  // where it has the size; where it has not, nothing is changed when something throws. Static extents must be those of
  // the result: the compiler checks what it knows, and shape_error is thrown, with nothing changed, for the others.
  template <array X, class Error = typename detail::replacement_check<E, Shape, X>::error,
            int Native = BROADLOOM_NATIVE>
    requires(!__is_same(std::remove_cvref_t<X>, tensor) && std::is_void_v<Error>)
  constexpr tensor& operator=(X&& x) {
    using node = detail::node_of<X>;
    using output = view<E, Shape, row_major>;
    const auto& e = detail::as_node(static_cast<X&&>(x));
    // What most trees need is here: each function that all of a tree is inlined into costs compilers a copy of it.
    if constexpr (detail::replaces_unplanned<Native, output, node>) {
      if constexpr (detail::ramp_count<node> > 0)
        if (!detail::has_ramps_in_memory(e)) {
          detail::replace_value<Native, E, Shape>(elements_, e);
          return *this;
        }
      static_assert(sizeof elements_ == sizeof(runtime::tensor_elements) + axes_count * sizeof(index));
      constexpr auto& form = detail::form_of_assignment<Native, output, node, detail::writing::copy>;
      if constexpr (form.leaves.all) {
        constexpr int ramps = form.leaves.ramps == 0 ? 0 : 3 * form.count;
        runtime::listed_leaf leaves[ramps + form.count];
        detail::list_as_they_are<0>(e, leaves + ramps);
        if constexpr (form.count > 3 && ramps == 0)
          runtime::unplanned_listed.any(&elements_, form, leaves);
        else
          detail::replace_from_listed<form>(&elements_, leaves + ramps);
      } else {
        BROADLOOM_LIST_LEAVES(axes_count, node, Shape(e.shape()), e)
        runtime::replace_elements(&elements_, leaves, extents, form);
      }
    } else if constexpr (detail::replaces_straight<Native, output, node>) {
      using form = detail::static_form<output, node, Native>;
      if (__builtin_is_constant_evaluated())
        detail::assign_serially(as_view(), e);
      else
        detail::assign_static<form>(elements_.v, e, typename form::whole_vectors{});
    } else
      detail::replace_value<Native, E, Shape>(elements_, e);
    return *this;
  }
  template <array X, class Error = typename detail::replacement_check<E, Shape, X>::error>
    requires(!std::is_void_v<Error>)
  Error operator=(X&&) BROADLOOM_REFUSED;
  // Fills the present shape.
  constexpr tensor& operator=(E x) {
    assign(*this, x);
    return *this;
  }
  template <detail::number_scalar V>
    requires(!__is_same(V, E) && std::is_convertible_v<V, E>)
  constexpr tensor& operator=(V x) {
    return *this = detail::number_as<E>(x);
  }

  // Every element x, as NumPy's fill.
  template <class X>
  constexpr void fill(X x) {
    assign(*this, x);
  }

  constexpr Shape shape() const {
    if constexpr (is_static)
      return Shape{};
    else {
      if (elements_.data == nullptr) detail::throw_shapeless();
      return elements_.shape;
    }
  }
  constexpr auto strides() const { return row_major::strides(shape()); }
  constexpr index size() const {
    if constexpr (is_static)
      return detail::checked_size(Shape::static_extents.v, axes_count);
    else
      return elements_.size;
  }
  static constexpr index rank() { return axes_count; }
  // A dynamic tensor that was default-constructed or moved from has no shape; reading it throws shape_error.
  constexpr bool has_shape() const {
    if constexpr (is_static)
      return true;
    else
      return elements_.data != nullptr;
  }
  constexpr E* data() BROADLOOM_LIFETIMEBOUND { return this->first(); }
  constexpr const E* data() const BROADLOOM_LIFETIMEBOUND { return this->first(); }

  // The element at these indices; negative ones count from the end. Throws index_error outside the shape. With ranges,
  // arrays of positions and masks among the indices, or fewer of them than axes: slice(t, i...).
  template <class... Index>
    requires(takes<Index...>)
  constexpr decltype(auto) operator()(Index&&... i) & BROADLOOM_LIFETIMEBOUND {
    if constexpr (is_element<Index...>)
      return (data()[offset(i...)]);
    else if constexpr (detail::all_numbers<Index...>)
      return detail::called_slice<Index...>::at(*this, i...);
    else
      return slice(*this, static_cast<Index&&>(i)...);
  }
  template <class... Index>
    requires(takes<Index...>)
  constexpr decltype(auto) operator()(Index&&... i) const& BROADLOOM_LIFETIMEBOUND {
    if constexpr (is_element<Index...>)
      return (data()[offset(i...)]);
    else if constexpr (detail::all_numbers<Index...>)
      return detail::called_slice<Index...>::at(*this, i...);
    else
      return slice(*this, static_cast<Index&&>(i)...);
  }
  template <class... Index>
    requires(takes<Index...>)
  constexpr auto operator()(Index&&... i) && {
    if constexpr (is_element<Index...>)
      return data()[offset(i...)];
    else if constexpr (detail::all_numbers<Index...>)
      return detail::called_slice<Index...>::at(static_cast<tensor&&>(*this), i...);
    else
      return slice(static_cast<tensor&&>(*this), static_cast<Index&&>(i)...);
  }
#if defined(__clang__)
  // Index arrays with names, which the result refers to.
  template <detail::referred... Index>
    requires(sizeof...(Index) > 0)
  constexpr auto operator()(Index&... i BROADLOOM_LIFETIMEBOUND) & BROADLOOM_LIFETIMEBOUND {
    return slice(*this, i...);
  }
  template <detail::referred... Index>
    requires(sizeof...(Index) > 0)
  constexpr auto operator()(Index&... i BROADLOOM_LIFETIMEBOUND) const& BROADLOOM_LIFETIMEBOUND {
    return slice(*this, i...);
  }
#endif
  using detail::refused_calls<tensor, Shape::axes_count>::operator();
  // The only element of a tensor of size 1.
  constexpr E item() const { return detail::only_element<0>(as_view()); }
  // A tensor of rank 0 is its number where one is wanted.
  constexpr operator E() const
    requires(axes_count == 0)
  {
    return item();
  }

  // The elements in row-major order, in place.
  constexpr E* begin() BROADLOOM_LIFETIMEBOUND { return data(); }
  constexpr E* end() BROADLOOM_LIFETIMEBOUND { return data() + size(); }
  constexpr const E* begin() const BROADLOOM_LIFETIMEBOUND { return data(); }
  constexpr const E* end() const BROADLOOM_LIFETIMEBOUND { return data() + size(); }

  // All axes in reverse order. Of an rvalue the result owns the elements.
  constexpr auto T() & BROADLOOM_LIFETIMEBOUND { return detail::reversed_axes(as_view()); }
  constexpr auto T() const& BROADLOOM_LIFETIMEBOUND { return detail::reversed_axes(as_view()); }
  constexpr auto T() && { return detail::reversed_axes(static_cast<tensor&&>(*this).as_leaf()); }

  // The whole tensor as a view of its memory.
  constexpr view<E, Shape, row_major> as_view() & BROADLOOM_LIFETIMEBOUND { return {data(), shape(), {}}; }
  constexpr view<const E, Shape, row_major> as_view() const& BROADLOOM_LIFETIMEBOUND { return {data(), shape(), {}}; }
  // The whole tensor as a tree holds it: dynamic tensors are looked up when the tree is evaluated.
  constexpr auto as_operand() const BROADLOOM_LIFETIMEBOUND {
    if constexpr (is_static)
      return as_view();
    else
      return tensor_ref<E, Shape>(elements_, shape());
  }
  // The elements moved into a leaf that owns them; this tensor is left shapeless (dynamic) or as it was (static).
  constexpr auto as_leaf() && {
    if constexpr (is_static)
      return inline_array<E, count, Shape, row_major>(elements_, 0, Shape{}, {});
    else
      return elements_.share();
  }

  // A tensor of that shape whose elements are not initialised (all zero in constant expressions).
  static constexpr tensor uninitialised(const Shape& s) {
    tensor t;
    if constexpr (!is_static) t.elements_.allocate(s);
    return t;
  }

 private:
  template <class... Index>
  constexpr index offset(const Index&... i) const {
    static_assert(detail::are_inside<Shape, Index...>(),
                  "a constant index is outside of its axis [errors.md#constant-index]");
    const Shape s = shape();
    const auto at = detail::checked_indices(s, detail::indices<axes_count>{{static_cast<index>(i)...}});
    return detail::offset_of(s.extents(), row_major::strides(s), at);
  }
};

template <array X>
tensor(X&&, const policy&)
    -> tensor<detail::value_of<detail::node_of<X>>,
              detail::deduced_shape<detail::value_of<detail::node_of<X>>, detail::shape_of<detail::node_of<X>>>>;

}  // namespace broadloom
