// Copies with one part written over: select_scatter, slice_scatter, diagonal_scatter; and a diagonal filled in place:
// fill_diagonal_. They evaluate.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/flag.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/slice.hpp>
#include <broadloom/index/operand.hpp>

namespace broadloom {

namespace detail {

// A range of one axis, as (first, extent, step) that fit it.
struct stepped_edit {
  static constexpr int added = 0;
  static constexpr int axes(int k, int rank) { return k == 0 ? rank : -1; }
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R>& to, index axis, index, index, index) {
    to = x;
    to[normal_axis(axis, R)] = dyn;
    return true;
  }
  template <int R>
  static constexpr auto apply(geometry<R> g, index axis, index first, index extent, index step) {
    const int a = normal_axis(axis, R, "slice_scatter");
    if (extent > 0) g.offset += first * g.strides[a];
    if (extent > 1) g.strides[a] *= step;
    g.extents[a] = extent;
    return g;
  }
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_part_shape(const char* call, const shape_view& part,
                                                                    const shape_view& source) {
  throw_error(error_kind::part_shape, {call, &part, &source});
}
BROADLOOM_API void check_fill_diagonal(const shape_view& x);

// A copy of x after part(copy) was written with source, whose extents must be the part's.
template <class X, class S, class F>
auto with_part(const char* call, X&& x, S&& source, F part) {
  auto r = eval(capture(static_cast<X&&>(x)));
  const auto to = part(as_node(r));
  const auto from = capture(static_cast<S&&>(source));
  constexpr int rank = rank_of<decltype(to)>;
  static_assert(rank == rank_of<decltype(from)>,
                "the source has as many axes as the part that it is written to [errors.md#rank-of-the-source]");
  for (int a = 0; a < rank; ++a)
    if (to.shape()[a] != from.shape()[a])
      throw_part_shape(call, {to.shape().data(), rank}, {from.shape().data(), rank});
  assign(to, from);
  return r;
}

}  // namespace detail

// select_scatter(x, source, axis, i): a copy of x whose slice at index i of the axis is source, which has the slice's
// shape. Throws shape_error for another one, index_error for an index out of bounds (PyTorch's select_scatter).
inline constexpr struct select_scatter_t {
  template <array X, array S, detail::integer_like A, detail::integer_like Index>
  auto operator()(X&& x, S&& source, A axis, Index at) const {
    return detail::with_part("select_scatter", static_cast<X&&>(x), static_cast<S&&>(source),
                             [&](const auto& r) { return detail::edit_axes<detail::select_edit>(r, axis, at); });
  }
} select_scatter{};

// slice_scatter(x, source, axis = 0, range(start, stop, step)): a copy of x whose part along the axis is source, which
// has the part's shape. The range is that of slice: clamped, negative bounds count from the end, `none` leaves one out,
// and the whole axis where it is not given. slice_scatter(x, source, axis, start, stop, step = 1) is the same. Throws
// shape_error for another shape (PyTorch's slice_scatter, whose step is positive).
inline constexpr struct slice_scatter_t {
  template <array X, array S, detail::integer_like A = boost::hana::integral_constant<index, 0>>
  auto operator()(X&& x, S&& source, A axis = {}, const range_t& part = {{}, {}, 1}) const {
    return detail::with_part("slice_scatter", static_cast<X&&>(x), static_cast<S&&>(source), [&]<class R>(const R& r) {
      if (part.step == 0) detail::throw_zero_step();
      const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<R>, "slice_scatter");
      const auto p = detail::places_of_range(part, r.shape()[a]);
      return detail::edit_axes<detail::stepped_edit>(r, axis, p.first, p.extent, part.step);
    });
  }
  template <array X, array S, detail::integer_like A, detail::bound_like B, detail::bound_like C>
  auto operator()(X&& x, S&& source, A axis, B start, C stop, index step = 1) const {
    return (*this)(static_cast<X&&>(x), static_cast<S&&>(source), axis,
                   range_t{detail::as_bound(start), detail::as_bound(stop), step});
  }
} slice_scatter{};

// diagonal_scatter(x, source, shift = 0, first = 0, second = 1): a copy of x whose diagonal(x, shift, first, second) is
// source, which has that shape. Throws shape_error for another one (PyTorch's diagonal_scatter).
inline constexpr struct diagonal_scatter_t {
  template <array X, array S, detail::integer_like N = boost::hana::integral_constant<index, 0>,
            detail::integer_like A = boost::hana::integral_constant<index, 0>,
            detail::integer_like B = boost::hana::integral_constant<index, 1>>
  auto operator()(X&& x, S&& source, N shift = {}, A first = {}, B second = {}) const {
    return detail::with_part("diagonal_scatter", static_cast<X&&>(x), static_cast<S&&>(source), [&](const auto& r) {
      return detail::edit_axes<detail::diagonal_edit>(r, shift, first, second);
    });
  }
} diagonal_scatter{};

// fill_diagonal_(out, value, wrap = false): out's elements whose indices along all axes are equal become value. out has
// two axes or more, of equal extents if there are more than two. With wrap, the diagonal of a tall matrix begins again
// below one row that is left out. Throws shape_error for unequal extents (PyTorch's and NumPy's fill_diagonal).
inline constexpr struct fill_diagonal_in_place_t {
  template <array Out, detail::number_scalar V>
    requires detail::writable<Out&>
  decltype(auto) operator()(Out&& out, V value, detail::plain_flag wrap = false) const {
    const auto to = detail::as_node(out);
    using node = std::remove_const_t<decltype(to)>;
    constexpr int rank = detail::rank_of<node>;
    static_assert(rank >= 2, "fill_diagonal_: dimensions must larger than 1 [errors.md#too-few-axes]");
    using T = detail::value_of<node>;
    const auto& s = to.shape();
    if constexpr (rank > 2) detail::check_fill_diagonal({s.data(), rank});
    detail::check_writable(to.layout(), s);
    const auto strides = to.strides();
    T* const data = to.data();
    const T x = detail::number_as<T>(value);
    const index rows = s[0], columns = s[1];
    if (rows == 0 || columns == 0) return static_cast<Out&&>(out);
    index step = 0;
    for (int a = 0; a < rank; ++a) step += strides[a];
    const index block = columns < __PTRDIFF_MAX__ ? columns + 1 : columns;  // rows from one diagonal to the next
    for (index row = 0; row < rows; row += block) {
      const index n = rows - row < columns ? rows - row : columns;
      for (index k = 0; k < n; ++k) data[row * strides[0] + k * step] = x;
      if (!wrap || rank > 2 || rows - row <= block) break;
    }
    return static_cast<Out&&>(out);
  }
} fill_diagonal_{};

}  // namespace broadloom
