// Lengths of vectors and distances between them: vector_norm, cdist.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/expr/views.hpp>
#include <broadloom/fn/complex.hpp>
#include <broadloom/reduce/norm.hpp>

namespace broadloom {

namespace runtime {

[[noreturn]] BROADLOOM_API void throw_row_lengths(index left, index right);

}  // namespace runtime

// vector_norm(x, p, axes ...): norm(x, p, axes ...), of complex elements that of their absolute values: the p-norm of
// all elements, or along axes; p is 2 unless given (torch.linalg.vector_norm, numpy.linalg.vector_norm).
inline constexpr struct vector_norm_t {
  template <array X, class... O>
  constexpr auto operator()(X&& x, const O&... o) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    if constexpr (detail::is_complex_type<detail::value_of<decltype(e)>>)
      return norm(abs(e), o...);
    else
      return norm(e, o...);
  }
} vector_norm{};

// cdist(x, y, p = 2_c): the distance of each row of x to each row of y in the p-norm: (..., m, k) and (..., n, k) give
// (..., m, n); leading axes broadcast. p is a constant or a number of at least 0, inf among them, as in norm:
// differences are formed, so that no digits cancel (torch.cdist with donot_use_mm_for_euclid_dist, SciPy's cdist). A
// floating array. Throws shape_error where rows have other lengths. Lazy, fused with what it is used in.
inline constexpr struct cdist_t {
  template <array X, array Y, detail::norm_order P = std::integral_constant<int, 2>>
  constexpr auto operator()(X&& x, Y&& y, P p = {}) const {
    static_assert(detail::rank_of<detail::node_of<X>> >= 2 && detail::rank_of<detail::node_of<Y>> >= 2,
                  "cdist only supports at least 2D tensors");
    using second_last = boost::hana::integral_constant<index, -2>;
    using third_last = boost::hana::integral_constant<index, -3>;
    const auto rows = unsqueeze(detail::capture(static_cast<X&&>(x)), second_last{});
    const auto others = unsqueeze(detail::capture(static_cast<Y&&>(y)), third_last{});
    constexpr int left = detail::rank_of<decltype(rows)>, right = detail::rank_of<decltype(others)>;
    if (rows.shape()[left - 1] != others.shape()[right - 1])
      runtime::throw_row_lengths(rows.shape()[left - 1], others.shape()[right - 1]);
    return norm(sub(rows, others), p, axes<-1>);
  }
} cdist{};

}  // namespace broadloom
