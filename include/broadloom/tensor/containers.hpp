// Containers of C++ as arrays of rank 1: std::vector, std::array, std::span, std::initializer_list's like, and C arrays
// of any rank, without a header of theirs.
#pragma once

#include <broadloom/core/list.hpp>
#include <broadloom/shape/axes.hpp>
#include <broadloom/tensor/foreign.hpp>

namespace broadloom {

namespace detail {

template <class C>
using container_element = std::remove_reference_t<decltype(*std::declval<C&>().data())>;

template <class>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<list<T>> = true;

// A container of contiguous numbers, such as std::vector<float>. A list is what calls return, and is compared
// as a whole.
template <class C>
concept number_container = !expression<C> && !is_shape<C> && !is_list<C> && contiguous_container<C> &&
                           !has_own_shape<C> && element<std::remove_const_t<container_element<C>>> && requires(C& c) {
                             c.begin();
                             c[0];
                           };

// std::span and its like, which refer to elements that are not their own; they name them element_type.
template <class C>
inline constexpr bool is_span = false;
template <contiguous_container C>
inline constexpr bool is_span<C> = requires { typename C::element_type; };

template <class C>
constexpr auto view_of_container(C& c) {
  using S = shape<container_extent<std::remove_const_t<C>>()>;
  return view<std::remove_reference_t<decltype(*c.data())>, S, row_major>(
      c.data(), S::unchecked({{static_cast<index>(c.size())}}), {});
}

// The elements of an array of C, whatever its rank.
template <class T>
struct c_array {
  using element = T;
  template <index... N>
  using shape_of = shape<N...>;
  template <class U>
  static constexpr U* first(U& x) {
    return &x;
  }
};
template <class T, std::size_t N>
struct c_array<T[N]> {
  using element = typename c_array<T>::element;
  template <index... M>
  using shape_of = typename c_array<T>::template shape_of<M..., static_cast<index>(N)>;
  template <class U>
  static constexpr auto* first(U& x) {
    return c_array<T>::first(x[0]);
  }
};

}  // namespace detail

// std::vector v; v + t, bl::sum(v). An lvalue is used in place and must keep its elements there; an rvalue moves
// into the tree. Fixed sizes become static extents.
template <detail::number_container C>
struct array_traits<C> {
  static constexpr auto leaf(C& c) { return detail::view_of_container(c); }
  static constexpr auto leaf(const C& c) { return detail::view_of_container(c); }
  static constexpr auto leaf(C&& c) {
    if constexpr (detail::is_span<C>)
      return detail::view_of_container(c);
    else
      return detail::owning_leaf(static_cast<C&&>(c), [](const C& kept) { return detail::view_of_container(kept); });
  }
};

// double m[2][3]: an array of shape (2, 3).
template <class T, std::size_t N>
  requires element<typename detail::c_array<T[N]>::element>
struct array_traits<T[N]> {
  using shape_type = typename detail::c_array<T[N]>::template shape_of<>;
  static constexpr auto leaf(T (&a)[N]) {
    auto* const first = detail::c_array<T[N]>::first(a);
    return view<std::remove_pointer_t<decltype(first)>, shape_type, row_major>(first, {}, {});
  }
  static constexpr auto leaf(const T (&a)[N]) {
    auto* const first = detail::c_array<T[N]>::first(a);
    return view<std::remove_pointer_t<decltype(first)>, shape_type, row_major>(first, {}, {});
  }
  static constexpr auto leaf(T (&&)[N]) = delete;
};

}  // namespace broadloom
