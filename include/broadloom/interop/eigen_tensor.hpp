// Eigen's tensors (unsupported/Eigen/CXX11/Tensor) as arrays, and views as Eigen's TensorMap; nothing is copied. A
// header of its own, as Eigen's takes seconds to compile.
#pragma once

#include <unsupported/Eigen/CXX11/Tensor>

#include <broadloom/interop/strided.hpp>

namespace broadloom {

namespace detail {

// What an object of Eigen's says about where its elements lie.
template <class>
struct eigen_tensor_kind {
  static constexpr bool is_one = false;
};
template <class T, int Rank, int Options, class Index>
struct eigen_tensor_kind<Eigen::Tensor<T, Rank, Options, Index>> {
  static constexpr bool is_one = true, owns = true, by_rows = (Options & Eigen::RowMajor) != 0;
  using shape_type = dshape<Rank>;
};
template <class T, std::ptrdiff_t... Extents, int Options, class Index>
struct eigen_tensor_kind<Eigen::TensorFixedSize<T, Eigen::Sizes<Extents...>, Options, Index>> {
  static constexpr bool is_one = true, owns = true, by_rows = (Options & Eigen::RowMajor) != 0;
  using shape_type = shape<index{Extents}...>;
};
template <class Plain, int Options, template <class> class Pointer>
struct eigen_tensor_kind<Eigen::TensorMap<Plain, Options, Pointer>> : eigen_tensor_kind<std::remove_const_t<Plain>> {
  static constexpr bool owns = false;
};

template <class D>
concept eigen_tensor = eigen_tensor_kind<D>::is_one && element<std::remove_const_t<typename D::Scalar>>;

// The strides of elements whose first axis is the fastest.
template <int Rank>
constexpr indices<Rank> by_columns_strides(const indices<Rank>& extents) {
  indices<Rank> reversed{}, strides{};
  for (int i = 0; i < Rank; ++i) reversed[i] = extents[Rank - 1 - i];
  const auto s = row_major_strides(reversed);
  for (int i = 0; i < Rank; ++i) strides[i] = s[Rank - 1 - i];
  return strides;
}
template <class S, std::size_t... At>
auto static_strides_by_columns(std::index_sequence<At...>)
    -> static_strides<by_columns_strides<S::axes_count>(S::static_extents)[int(At)]...>;

template <class D, class X, class T>
auto view_of_eigen_tensor(X& x, T* data) {
  using S = typename eigen_tensor_kind<D>::shape_type;
  constexpr int rank = S::axes_count;
  indices<rank> extents{};
  for (int i = 0; i < rank; ++i) extents[i] = static_cast<index>(x.dimension(static_cast<unsigned>(i)));
  const auto s = S::unchecked(extents);
  if constexpr (eigen_tensor_kind<D>::by_rows || rank < 2)
    return view<T, S, row_major>(data, s, {});
  else if constexpr (S::is_static)
    return view<T, S, decltype(static_strides_by_columns<S>(std::make_index_sequence<std::size_t(rank)>()))>(data, s,
                                                                                                             {});
  else
    return view<T, S, dyn_strides<rank>>(data, s, {by_columns_strides(extents)});
}

}  // namespace detail

// Eigen::Tensor<float, 3> t; t + x, bl::sum(t), bl::from(t) += 1: row-major or column-major, read as it lies. An lvalue
// and a map are used in place; a tensor that is an rvalue moves into the tree.
template <detail::eigen_tensor D>
struct array_traits<D> {
  static auto leaf(D& x) { return detail::view_of_eigen_tensor<D>(x, x.data()); }
  static auto leaf(const D& x) {
    if constexpr (detail::eigen_tensor_kind<D>::owns)
      return detail::view_of_eigen_tensor<D>(x, x.data());
    else  // a map of writable elements is writable when it is const, as a span is
      return leaf(const_cast<D&>(x));
  }
  static auto leaf(D&& x) {
    if constexpr (detail::eigen_tensor_kind<D>::owns)
      return detail::owning_leaf(static_cast<D&&>(x),
                                 [](const D& kept) { return detail::view_of_eigen_tensor<D>(kept, kept.data()); });
    else
      return leaf(x);
  }
};

// A view or tensor as an Eigen::TensorMap of the same elements, of an Eigen::TensorFixedSize where all extents are
// static. A TensorMap has no strides: throws shape_error where the elements do not lie row by row, or column by column
// for as_eigen_tensor_in<Eigen::ColMajor>.
template <int Order>
struct as_eigen_tensor_t {
  template <array A>
    requires detail::borrowed_array<A>
  auto operator()(A&& a) const {
    return map(detail::as_node(static_cast<A&&>(a)));
  }
  template <array A>
    requires(!detail::borrowed_array<A>)
  auto operator()(A&&) const = delete;

 private:
  template <class V>
  static auto map(const V& v) {
    using T = typename V::element_type;
    using S = typename V::shape_type;
    constexpr int rank = S::axes_count;
    detail::indices<rank> extents{};
    for (int i = 0; i < rank; ++i) extents[i] = v.shape()[i];
    const auto wanted =
        Order == Eigen::RowMajor ? detail::row_major_strides(extents) : detail::by_columns_strides(extents);
    const auto strides = v.strides();
    bool same = true, empty = false;
    for (int i = 0; i < rank; ++i) {
      same = same && (extents[i] == 1 || strides[i] == wanted[i]);
      empty = empty || extents[i] == 0;
    }
    if (!same && !empty)
      detail::throw_not_representable(
          "as_eigen_tensor", Order == Eigen::RowMajor
                                 ? "the elements do not lie row by row, and a TensorMap has no strides; copy the "
                                   "view first, as by bl::eval"
                                 : "the elements do not lie column by column, and a TensorMap has no strides");
    return of<T>(v.data(), extents, static_cast<const S*>(nullptr));
  }

  template <class T, class Plain>
  using map_of = Eigen::TensorMap<std::conditional_t<std::is_const_v<T>, const Plain, Plain>>;

  template <class T, index... N>
    requires((!detail::is_dyn(N)) && ...)
  static auto of(T* data, const detail::indices<sizeof...(N)>&, const shape<N...>*) {
    using sizes = Eigen::Sizes<std::ptrdiff_t{N}...>;
    return map_of<T, Eigen::TensorFixedSize<std::remove_const_t<T>, sizes, Order>>(data, sizes());
  }
  template <class T, int Rank, class S>
  static auto of(T* data, const detail::indices<Rank>& extents, const S*) {
    Eigen::array<Eigen::DenseIndex, std::size_t(Rank)> dimensions{};
    for (int i = 0; i < Rank; ++i) dimensions[static_cast<std::size_t>(i)] = extents[i];
    return map_of<T, Eigen::Tensor<std::remove_const_t<T>, Rank, Order>>(data, dimensions);
  }
};
template <int Order>
inline constexpr as_eigen_tensor_t<Order> as_eigen_tensor_in{};
inline constexpr as_eigen_tensor_t<Eigen::RowMajor> as_eigen_tensor{};

}  // namespace broadloom
