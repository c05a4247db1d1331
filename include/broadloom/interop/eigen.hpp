// Eigen's matrices, arrays, maps, references and blocks as arrays, and views as Eigen's maps; nothing is copied.
#pragma once

#include <Eigen/Core>

#include <broadloom/interop/strided.hpp>

namespace broadloom {

namespace detail {

// An object of Eigen whose elements lie in memory: a Matrix, Array, Map, Ref or Block of these, a transpose.
template <class D>
concept eigen_dense =
    requires { typename D::PlainObject; } && std::is_base_of_v<Eigen::DenseBase<D>, D> &&
    (int(Eigen::internal::traits<D>::Flags) & int(Eigen::DirectAccessBit)) != 0 && element<typename D::Scalar>;

template <class D>
inline constexpr bool eigen_owns = std::is_base_of_v<Eigen::PlainObjectBase<D>, D>;

constexpr index eigen_extent(int n) { return n == Eigen::Dynamic ? dyn : n; }

// A vector of Eigen's has rank 1, anything else rank 2; column-major elements are read as they lie.
template <class D>
struct eigen_geometry {
  static constexpr bool is_vector = bool(D::IsVectorAtCompileTime);
  static constexpr index rows = eigen_extent(D::RowsAtCompileTime), columns = eigen_extent(D::ColsAtCompileTime);
  static constexpr index inner = eigen_extent(Eigen::internal::inner_stride_at_compile_time<D>::ret),
                         outer = eigen_extent(Eigen::internal::outer_stride_at_compile_time<D>::ret);
  static constexpr bool by_rows = bool(D::IsRowMajor);

  template <class X, class T>
  static constexpr auto view_of(X& x, T* data) {
    if constexpr (is_vector) {
      using S = shape<eigen_extent(D::SizeAtCompileTime)>;
      const auto s = S::unchecked({{static_cast<index>(x.size())}});
      if constexpr (inner == 1)
        return view<T, S, row_major>(data, s, {});
      else
        return strided<inner>(data, s, static_cast<index>(x.innerStride()));
    } else {
      using S = shape<rows, columns>;
      const auto s = S::unchecked({{static_cast<index>(x.rows()), static_cast<index>(x.cols())}});
      if constexpr (by_rows && inner == 1 && eigen_owns<D>)
        return view<T, S, row_major>(data, s, {});
      else if constexpr (by_rows)
        return strided<outer, inner>(data, s, static_cast<index>(x.outerStride()), static_cast<index>(x.innerStride()));
      else
        return strided<inner, outer>(data, s, static_cast<index>(x.innerStride()), static_cast<index>(x.outerStride()));
    }
  }
};

}  // namespace detail

// Eigen::MatrixXf m; m + t, bl::sum(m), bl::from(m) += 1. An lvalue and what only refers to elements (a map, a block)
// is used in place; a matrix that is an rvalue moves into the tree.
template <detail::eigen_dense D>
struct array_traits<D> {
  static auto leaf(D& x) { return detail::eigen_geometry<D>::view_of(x, x.data()); }
  static auto leaf(const D& x) {
    if constexpr (detail::eigen_owns<D>)
      return detail::eigen_geometry<D>::view_of(x, x.data());
    else  // a map of writable elements is writable when it is const, as a span is
      return leaf(const_cast<D&>(x));
  }
  static auto leaf(D&& x) {
    if constexpr (detail::eigen_owns<D>)
      return detail::owning_leaf(static_cast<D&&>(x),
                                 [](const D& kept) { return detail::eigen_geometry<D>::view_of(kept, kept.data()); });
    else
      return leaf(x);
  }
};

namespace detail {

// An object of Eigen's Geometry is the array of its only member.
template <class X, class Part>
struct array_of_part {
  static auto leaf(X& x) { return array_traits<std::remove_cvref_t<decltype(Part::of(x))>>::leaf(Part::of(x)); }
  static auto leaf(const X& x) { return array_traits<std::remove_cvref_t<decltype(Part::of(x))>>::leaf(Part::of(x)); }
  static auto leaf(X&& x) {
    using part = std::remove_cvref_t<decltype(Part::of(x))>;
    return array_traits<part>::leaf(static_cast<part&&>(Part::of(x)));
  }
};
struct eigen_coefficients {
  static auto& of(auto& x) { return x.coeffs(); }
};
struct eigen_matrix {
  static auto& of(auto& x) { return x.matrix(); }
};

}  // namespace detail

// Eigen::Quaternion: its coefficients, x, y, z, w, as <broadloom/geometry.hpp> has quaternions. Eigen::Transform, such
// as Isometry3d: its matrix. Include <Eigen/Geometry> for them.
template <class T, int Options>
struct array_traits<Eigen::Quaternion<T, Options>>
    : detail::array_of_part<Eigen::Quaternion<T, Options>, detail::eigen_coefficients> {};
template <class T, int Dim, int Mode, int Options>
struct array_traits<Eigen::Transform<T, Dim, Mode, Options>>
    : detail::array_of_part<Eigen::Transform<T, Dim, Mode, Options>, detail::eigen_matrix> {};

// A view, tensor or column of rank 1 or 2 as an Eigen::Map of the same elements: Map<Matrix<T, Rows, Columns, ...>>, a
// column vector for rank 1. Static extents and strides stay static. Throws shape_error for a negative stride, which
// Eigen has not.
inline constexpr struct as_eigen_t {
  template <array A>
    requires detail::borrowed_array<A>
  auto operator()(A&& a) const {
    return map<Eigen::Matrix>(detail::as_node(static_cast<A&&>(a)));
  }
  template <array A>
    requires(!detail::borrowed_array<A>)
  auto operator()(A&&) const = delete;

 private:
  static constexpr int extent(index n) { return detail::is_dyn(n) ? Eigen::Dynamic : static_cast<int>(n); }

  template <template <class, int, int, int, int, int> class Plain, class V>
  static auto map(const V& v) {
    using T = typename V::element_type;
    using value = typename V::value_type;
    using S = typename V::shape_type;
    static_assert(S::axes_count == 1 || S::axes_count == 2,
                  "as_eigen takes views of rank 1 or 2 [errors.md#views-of-other-libraries]");
    const auto strides = v.strides();
    for (index s : strides) detail::require_no_negative_stride("as_eigen", s);
    constexpr bool contiguous = __is_same(typename V::layout_type, row_major);
    if constexpr (S::axes_count == 1) {
      using plain = Plain<value, extent(S::static_extents[0]), 1, Eigen::ColMajor, extent(S::static_extents[0]), 1>;
      using matrix = std::conditional_t<std::is_const_v<T>, const plain, plain>;
      if constexpr (contiguous)
        return Eigen::Map<matrix>(v.data(), v.shape()[0]);
      else
        return Eigen::Map<matrix, 0, Eigen::InnerStride<>>(v.data(), v.shape()[0], Eigen::InnerStride<>(strides[0]));
    } else {
      constexpr int rows = extent(S::static_extents[0]), columns = extent(S::static_extents[1]);
      // Eigen wants a matrix of one column column-major; with explicit strides the order is only a name.
      constexpr int order = columns == 1 && rows != 1 ? Eigen::ColMajor : Eigen::RowMajor;
      using plain = Plain<value, rows, columns, order, rows, columns>;
      using matrix = std::conditional_t<std::is_const_v<T>, const plain, plain>;
      if constexpr (contiguous)
        return Eigen::Map<matrix>(v.data(), v.shape()[0], v.shape()[1]);
      else {
        using stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
        const index outer_stride = order == Eigen::RowMajor ? strides[0] : strides[1];
        const index inner_stride = order == Eigen::RowMajor ? strides[1] : strides[0];
        return Eigen::Map<matrix, 0, stride>(v.data(), v.shape()[0], v.shape()[1], stride(outer_stride, inner_stride));
      }
    }
  }
} as_eigen{};

}  // namespace broadloom
