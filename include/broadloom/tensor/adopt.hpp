// adopt(std::move(x), shape): an array of elements that a std::vector, a std::unique_ptr or another owner has
// allocated.
#pragma once

#include <broadloom/tensor/from.hpp>

namespace broadloom {

namespace detail {

// std::unique_ptr<T[], Deleter> and its like.
template <class P>
concept owning_pointer = requires(const P& p) {
  typename P::deleter_type;
  typename P::element_type;
  { p.get() } -> std::convertible_to<const volatile typename P::element_type*>;
  p[0];
} && element<std::remove_const_t<typename P::element_type>>;

template <class C>
concept element_owner = (number_container<C> && !is_span<C>) || owning_pointer<C>;

template <class C>
constexpr auto* owned_elements(C& owner) {
  if constexpr (owning_pointer<C>)
    return owner.get();
  else
    return owner.data();
}

}  // namespace detail

// A row-major array whose elements belong to `Owner`, which it holds and, at the end, destroys. An lvalue takes part in
// expressions in place, an rvalue moves into the tree; assign(x, e), x(all) = e and the in-place forms write.
// Moved from, it has no elements and must not be read.
template <class Owner, class Shape>
class adopted {
  static constexpr int axes_count = Shape::axes_count;

 public:
  using element_type = std::remove_pointer_t<decltype(detail::owned_elements(std::declval<Owner&>()))>;
  using value_type = std::remove_const_t<element_type>;
  using shape_type = Shape;

  constexpr adopted(Owner&& owner, const Shape& s) : owner_(static_cast<Owner&&>(owner)), shape_(s) {}

  constexpr const Shape& shape() const { return shape_; }
  constexpr auto strides() const { return row_major::strides(shape_); }
  constexpr index size() const { return shape_.size(); }
  static constexpr index rank() { return axes_count; }
  constexpr auto* data() { return detail::owned_elements(owner_); }
  constexpr const value_type* data() const { return detail::owned_elements(owner_); }
  constexpr auto* begin() { return data(); }
  constexpr auto* end() { return data() + size(); }
  constexpr auto* begin() const { return data(); }
  constexpr auto* end() const { return data() + size(); }

  // As of a tensor: an element, or slice(x, i...).
  template <class... Index>
  constexpr decltype(auto) operator()(Index&&... i) & {
    return as_view()(static_cast<Index&&>(i)...);
  }
  template <class... Index>
  constexpr decltype(auto) operator()(Index&&... i) const& {
    return as_view()(static_cast<Index&&>(i)...);
  }
  constexpr auto T() & { return as_view().T(); }
  constexpr auto T() const& { return as_view().T(); }

  constexpr view<element_type, Shape, row_major> as_view() & { return {data(), shape_, {}}; }
  constexpr view<const value_type, Shape, row_major> as_view() const& { return {data(), shape_, {}}; }
  // The owner given back; this array must not be read any more.
  constexpr Owner release() && { return static_cast<Owner&&>(owner_); }

 private:
  Owner owner_;
  [[no_unique_address]] Shape shape_;
};

template <class Owner, class Shape>
struct array_traits<adopted<Owner, Shape>> {
  using array_type = adopted<Owner, Shape>;
  static constexpr auto leaf(array_type& a) { return a.as_view(); }
  static constexpr auto leaf(const array_type& a) { return a.as_view(); }
  static auto leaf(array_type&& a) {
    return detail::owning_leaf(static_cast<array_type&&>(a), [](const array_type& kept) { return kept.as_view(); });
  }
};

// adopt(std::move(v), shape), adopt(std::move(v), n, m), adopt(std::move(v), {n, m}): an array over the elements of a
// std::vector, std::array or the like, or of a std::unique_ptr<T[], Deleter>, which moves in: nothing is copied.
// adopt(std::move(v)) has rank 1. Of a pointer the caller knows how many elements there are. Throws shape_error when a
// container holds fewer elements than the shape has, and leaves it as it was. An lvalue is refused.
inline constexpr struct adopt_t : detail::refuses_other_arguments<adopt_t> {
  static constexpr detail::text call{"adopt(std::move(v), {n, m})"};
  using detail::refuses_other_arguments<adopt_t>::operator();
  template <detail::element_owner C, shape_type S>
    requires(!std::is_reference_v<C>)
  constexpr auto operator()(C&& owner, const S& s) const {
    using T = std::remove_pointer_t<decltype(detail::owned_elements(owner))>;
    detail::check_count("adopt", s, sizeof(T));
    if constexpr (detail::number_container<C>) static_cast<void>(from(owner, s));
    return adopted<C, S>(static_cast<C&&>(owner), s);
  }
  template <detail::element_owner C, int R>
    requires(!std::is_reference_v<C>)
  constexpr auto operator()(C&& owner, detail::braced_extents<R> s) const {
    return (*this)(static_cast<C&&>(owner), detail::braced_shape<R>(s));
  }
  template <detail::element_owner C, detail::integer_like... N>
    requires(!std::is_reference_v<C> && sizeof...(N) > 0)
  constexpr auto operator()(C&& owner, N... n) const {
    return (*this)(static_cast<C&&>(owner), make_shape(n...));
  }
  template <detail::number_container C>
    requires(!std::is_reference_v<C> && detail::element_owner<C>)
  constexpr auto operator()(C&& owner) const {
    return (*this)(static_cast<C&&>(owner), detail::view_of_container(owner).shape());
  }
  template <class C, class... S, class Error = errors_md::write_adopt_of_std_move_v_or_from_v_to_look_at_it>
    requires detail::element_owner<std::remove_const_t<C>>
  Error operator()(C&, const S&...) const = delete;
} adopt{};

}  // namespace broadloom
