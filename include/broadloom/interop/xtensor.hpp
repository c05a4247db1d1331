// xtensor's containers and strided views as arrays, and views as xtensor's adaptors; nothing is copied.
#pragma once

#include <xtensor/xadapt.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xtensor.hpp>

#include <broadloom/interop/strided.hpp>

namespace broadloom {

namespace detail {

template <class X>
concept xtensor_with_data = !expression<X> && xt::is_xexpression<X>::value && requires(const X& x) {
  typename X::value_type;
  *x.data();
  x.data_offset();
  x.shape();
  x.strides();
} && element<std::remove_const_t<typename X::value_type>>;

template <class X>
inline constexpr std::size_t xtensor_rank = xt::get_rank<X>::value;

// Of a type that owns its elements; an adaptor or a view of an lvalue does not.
template <class X>
inline constexpr bool xtensor_owns = false;
template <class T, std::size_t N, xt::layout_type L, class A>
inline constexpr bool xtensor_owns<xt::xtensor<T, N, L, A>> = true;
template <class T, xt::layout_type L, class A>
inline constexpr bool xtensor_owns<xt::xarray<T, L, A>> = true;
template <class T, class S, xt::layout_type L>
inline constexpr bool xtensor_owns<xt::xtensor_fixed<T, S, L>> = true;

// Extents that the type fixes: xtensor_fixed's.
template <class X, int Rank>
struct xtensor_shape {
  using type = dshape<Rank>;
};
template <class T, std::size_t... N, xt::layout_type L, bool Shared, class Tag, int Rank>
struct xtensor_shape<xt::xfixed_container<T, xt::fixed_shape<N...>, L, Shared, Tag>, Rank> {
  using type = shape<static_cast<index>(N)...>;
};

template <int Rank, class X>
auto view_of_xtensor(X& x) {
  using T = std::remove_reference_t<decltype(*x.data())>;
  using S = typename xtensor_shape<std::remove_const_t<X>, Rank>::type;
  indices<Rank> extents{}, strides{};
  for (int i = 0; i < Rank; ++i) {
    extents[i] = static_cast<index>(x.shape()[static_cast<std::size_t>(i)]);
    strides[i] = static_cast<index>(x.strides()[static_cast<std::size_t>(i)]);
  }
  // A row-major owner needs no strides.
  if constexpr (xtensor_owns<std::remove_const_t<X>> && X::static_layout == xt::layout_type::row_major)
    return view<T, S, row_major>(x.data() + x.data_offset(), S::unchecked(extents), {});
  else
    return view<T, S, dyn_strides<Rank>>(x.data() + x.data_offset(), S::unchecked(extents), dyn_strides<Rank>{strides});
}

}  // namespace detail

// xt::xtensor, xt::xtensor_fixed, their adaptors and strided views, whose rank the type says. An lvalue is seen where
// it lies; a container that is an rvalue moves into the tree.
template <detail::xtensor_with_data X>
  requires(detail::xtensor_rank<X> != SIZE_MAX)
struct array_traits<X> {
  static constexpr int rank = static_cast<int>(detail::xtensor_rank<X>);
  static auto leaf(X& x) { return detail::view_of_xtensor<rank>(x); }
  static auto leaf(const X& x) { return detail::view_of_xtensor<rank>(x); }
  static auto leaf(X&& x) {
    return detail::owning_leaf(static_cast<X&&>(x), [](const X& kept) { return detail::view_of_xtensor<rank>(kept); });
  }
};

// from_xarray<2>(x): a view of what has its rank at run time only, such as xt::xarray. Throws shape_error for another
// rank. The elements stay the caller's; an rvalue is refused.
template <int Rank>
struct from_xarray_t {
  template <detail::xtensor_with_data X>
  auto operator()(X& x) const {
    if (x.dimension() != Rank) detail::throw_wrong_rank("from_xarray", Rank, static_cast<index>(x.dimension()));
    return detail::view_of_xtensor<Rank>(x);
  }
  template <detail::xtensor_with_data X>
    requires(!std::is_reference_v<X>)
  auto operator()(X&&) const = delete;
};
template <int Rank>
inline constexpr from_xarray_t<Rank> from_xarray{};

// A view or a tensor as an xtensor adaptor over the same elements, with the rank in its type.
inline constexpr struct as_xtensor_t {
  template <detail::borrowed_array A>
  auto operator()(A&& a) const {
    const auto v = detail::as_node(static_cast<A&&>(a));
    constexpr int rank = detail::rank_of<decltype(v)>;
    std::array<std::size_t, rank> extents{};
    std::array<std::ptrdiff_t, rank> strides{};
    const auto at = v.strides();
    index reach = v.size() == 0 ? 0 : 1;
    for (int i = 0; i < rank; ++i) {
      detail::require_no_negative_stride("as_xtensor", at[i]);
      extents[static_cast<std::size_t>(i)] = static_cast<std::size_t>(v.shape()[i]);
      // xtensor gives an axis of one element a stride of 0.
      strides[static_cast<std::size_t>(i)] = v.shape()[i] == 1 ? 0 : at[i];
      if (reach > 0) reach += (v.shape()[i] - 1) * at[i];
    }
    return xt::adapt(v.data(), static_cast<std::size_t>(reach), xt::no_ownership(), extents, strides);
  }
  template <array A>
    requires(!detail::borrowed_array<A>)
  auto operator()(A&&) const = delete;
} as_xtensor{};

}  // namespace broadloom
