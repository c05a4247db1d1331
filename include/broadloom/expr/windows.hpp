// Sliding windows as a view: windows share the elements where they overlap, nothing is copied.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/views.hpp>

namespace broadloom {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_windows(index axis, index extent, index size, index step) {
  throw_error(error_kind::windows, {axis, extent, size, step});
}

struct windows_edit {
  static constexpr int added = 1;
  static constexpr int axes(int k, int rank) { return k == 0 ? rank : -1; }
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R + 1>& to, index axis, index size, index step) {
    const int a = normal_axis(axis, R);
    const index n = x[a];
    if ((size < 0 && size != known_later) || (step < 1 && step != known_later) || (!is_dyn(n) && size > n))
      return false;
    for (int i = 0; i < R; ++i) to[i] = x[i];
    to[R] = size != known_later ? size : n == 0 ? 0 : dyn;
    // The most and the fewest windows that there can be.
    constexpr index large = -(known_later + 1);
    const bool later = size == known_later;
    const index m = is_dyn(n) ? 0 : n, most = (m - (later ? 0 : size)) / (step == known_later ? 1 : step) + 1,
                fewest = (m - (later ? m : size)) / (step == known_later ? large : step) + 1;
    to[a] = !is_dyn(n) && most == fewest ? most : dyn;
    return true;
  }
  template <int R>
  static constexpr auto apply(const geometry<R>& g, index axis, index size, index step) {
    const int a = normal_axis(axis, R, "windows");
    const index n = g.extents[a];
    if (size < 0 || step <= 0 || (!is_dyn(n) && size > n)) throw_windows(a, n, size, step);
    geometry<R + 1> r{{}, {}, g.offset};
    for (int i = 0; i < R; ++i) {
      r.extents[i] = g.extents[i];
      r.strides[i] = g.strides[i];
    }
    r.extents[a] = is_dyn(n) ? dyn : (n - size) / step + 1;
    r.strides[a] = r.extents[a] == 1 ? g.strides[a] : g.strides[a] * step;  // there is no second one, at no distance
    r.extents[R] = size;
    r.strides[R] = g.strides[a];
    return r;
  }
};

}  // namespace detail

// windows(x, axis, size, step = 1): the windows of that many elements, one every `step` along the axis (PyTorch's
// unfold, NumPy's sliding_window_view). Shape: x's with (n - size) / step + 1 on the axis, and `size` as a last axis
// more. Read only: windows overlap. Throws index_error for a wrong axis, shape_error for a
// size above the extent or a step below 1.
inline constexpr struct windows_t : detail::takes_axis_names<windows_t> {
  static constexpr detail::text call{"windows(x, axis, size, step)"};
  using takes_axis_names::operator();
#if defined(__clang__)
  template <detail::referred A, detail::integer_like Index, detail::integer_like N,
            detail::integer_like S = boost::hana::integral_constant<index, 1>>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, Index axis, N size, S step = {}) const {
    return (*this)(detail::capture(a), axis, size, step);
  }
#endif
  template <array A, detail::integer_like Index, detail::integer_like N,
            detail::integer_like S = boost::hana::integral_constant<index, 1>>
  constexpr auto operator()(A&& a, Index axis, N size, S step = {}) const {
    return detail::edit_axes<detail::windows_edit>(detail::capture(static_cast<A&&>(a)), axis, size, step);
  }
} windows{};

}  // namespace broadloom
