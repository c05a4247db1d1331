// Positions of what is not zero among all elements: flatnonzero; slices where a condition holds: compress. They
// evaluate: how many there are decides their shapes.
#pragma once

#include <broadloom/index/nonzero.hpp>
#include <broadloom/index/select.hpp>
#include <broadloom/tensor/reshape.hpp>

namespace broadloom {

// flatnonzero(x): the positions, among all elements in row-major order, of those that are not zero: i64 (NumPy's).
inline constexpr struct flatnonzero_t {
  template <array X>
  auto operator()(X&& x) const {
    auto at = where(reshape(detail::capture(static_cast<X&&>(x)), index{-1}));
    return static_cast<index_array&&>(at[0]);
  }
} flatnonzero{};

// compress(condition, x, axis): x's slices along the axis where the condition, of rank 1 and at most as long, is not
// zero. compress(condition, x): elements among all of them. Throws index_error where the condition is longer and holds
// behind the end (NumPy's compress).
inline constexpr struct compress_t {
  template <array C, array X, detail::integer_like A>
  auto operator()(C&& condition, X&& x, A axis) const {
    static_assert(detail::rank_of<detail::node_of<C>> == 1,
                  "compress: the condition has one axis [errors.md#sorter-and-edges]");
    const auto at = where(detail::capture(static_cast<C&&>(condition)));
    return eval(take(detail::capture(static_cast<X&&>(x)), at[0], axis));
  }
  template <array C, array X>
  auto operator()(C&& condition, X&& x) const {
    static_assert(detail::rank_of<detail::node_of<C>> == 1,
                  "compress: the condition has one axis [errors.md#sorter-and-edges]");
    const auto at = where(detail::capture(static_cast<C&&>(condition)));
    return eval(take(detail::capture(static_cast<X&&>(x)), at[0]));
  }
} compress{};

}  // namespace broadloom
