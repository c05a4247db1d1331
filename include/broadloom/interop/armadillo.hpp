// Armadillo's vectors, matrices and cubes as arrays, and views as Armadillo's; nothing is copied.
#pragma once

#include <armadillo>

#include <broadloom/interop/strided.hpp>

namespace broadloom {

namespace detail {

// Arrays of Armadillo lie column by column: the first axis is the fastest. A cube's axes are rows, columns, slices.
template <class M, class T>
constexpr auto view_of_arma(M& m, T* data) {
  using plain = std::remove_const_t<M>;
  if constexpr (requires { m.n_slices; })
    return strided<dyn, dyn, dyn>(data,
                                  dshape<3>::unchecked({{static_cast<index>(m.n_rows), static_cast<index>(m.n_cols),
                                                         static_cast<index>(m.n_slices)}}),
                                  index{1}, static_cast<index>(m.n_rows), static_cast<index>(m.n_elem_slice));
  else if constexpr (plain::is_col || plain::is_row)
    return view<T, dshape<1>, row_major>(data, dshape<1>::unchecked({{static_cast<index>(m.n_elem)}}), {});
  else
    return strided<dyn, dyn>(data, dshape<2>::unchecked({{static_cast<index>(m.n_rows), static_cast<index>(m.n_cols)}}),
                             index{1}, static_cast<index>(m.n_rows));
}

// An object of Armadillo that owns its elements: Mat, Col, Row, Cube and their fixed forms.
template <class M>
concept arma_dense = (arma::is_Mat<M>::value || arma::is_Cube<M>::value) && requires(const M& m) {
  typename M::elem_type;
  m.memptr();
} && element<typename M::elem_type>;

}  // namespace detail

// arma::mat m; m + t, bl::sum(m). A vector has rank 1, a cube rank 3. An lvalue is used in place; an rvalue moves
// into the tree.
template <detail::arma_dense M>
struct array_traits<M> {
  static auto leaf(M& m) { return detail::view_of_arma(m, m.memptr()); }
  static auto leaf(const M& m) { return detail::view_of_arma(m, m.memptr()); }
  static auto leaf(M&& m) {
    return detail::owning_leaf(static_cast<M&&>(m), [](const M& kept) { return leaf(kept); });
  }
};

// A view as an Armadillo object over the same elements, which the caller keeps: Col for rank 1, Mat for rank 2, Cube
// for rank 3. Throws shape_error where the elements do not lie as Armadillo's do, the first axis fastest and without
// gaps; a row-major matrix goes in as its transpose, as_arma(t.T()). Armadillo's object cannot be resized.
inline constexpr struct as_arma_t {
  template <detail::borrowed_array A>
  auto operator()(A&& a) const {
    const auto v = detail::as_node(static_cast<A&&>(a));
    using V = decltype(v);
    using T = detail::value_of<V>;
    constexpr int rank = detail::rank_of<V>;
    static_assert(rank >= 1 && rank <= 3, "as_arma takes views of rank 1, 2 or 3 [errors.md#views-of-other-libraries]");
    static_assert(
        !std::is_const_v<typename std::remove_const_t<V>::element_type>,
        "as_arma takes writable views: Armadillo knows no const elements [errors.md#views-of-other-libraries]");
    const auto x = v.shape().extents();
    const auto at = v.strides();
    index next = 1;
    for (int i = 0; i < rank; ++i) {
      if (x[i] > 1 && at[i] != next)
        detail::throw_not_representable("as_arma",
                                        "the first axis must be the fastest, without gaps; try the transpose");
      next *= x[i];
    }
    const auto n = [&](int i) { return static_cast<arma::uword>(x[i]); };
    if constexpr (rank == 1)
      return arma::Col<T>(v.data(), n(0), false, true);
    else if constexpr (rank == 2)
      return arma::Mat<T>(v.data(), n(0), n(1), false, true);
    else
      return arma::Cube<T>(v.data(), n(0), n(1), n(2), false, true);
  }
  template <array A>
    requires(!detail::borrowed_array<A>)
  auto operator()(A&&) const = delete;
} as_arma{};

}  // namespace broadloom
