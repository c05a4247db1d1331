// Windows and their sums: unfold and fold of pictures, fold_windows of the windows of an axis.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/signal/filtered.hpp>
#include <broadloom/signal/per_axis.hpp>
#include <broadloom/signal/resample_call.hpp>

namespace broadloom {

// unfold(x, 3, {.padding = 1}).
struct fold_options {
  per_axis<2> dilation = 1;
  per_axis<2> padding = 0;
  per_axis<2> stride = 1;
};

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_fold_windows(index n, index step, int axis,
                                                                      const shape_view& x) {
  throw_error(error_kind::uneven_windows, {n, step, axis, &x});
}

template <bool Back>
struct fold_f {
  runtime::fold_parameters p;
  constexpr bool operator==(const fold_f&) const = default;
  static constexpr const char* name() { return Back ? "fold" : "unfold"; }
  void run(const runtime::signal_operand* in, void* to, const index*, const runtime::options& how) const {
    Back ? runtime::fold(p, in[0], to, how) : runtime::unfold(p, in[0], to, how);
  }
};
struct fold_windows_f {
  int axis;
  index n, step;
  constexpr bool operator==(const fold_windows_f&) const = default;
  static constexpr const char* name() { return "fold_windows"; }
  void run(const runtime::signal_operand* in, void* to, const index*, const runtime::options& how) const {
    runtime::fold_windows(axis, n, step, in[0], to, how);
  }
};

template <class T>
constexpr void check_folded() {
  static_assert(is_floating(dtype_of<T>) || is_complex(dtype_of<T>),
                "fold and unfold take floating and complex elements: cast to one of them [errors.md#fold]");
}

template <bool Back, array X>
constexpr auto folded(X&& x, runtime::fold_parameters p, per_axis<2> kernel, const fold_options& o) {
  const auto e = capture(static_cast<X&&>(x));
  using node = std::remove_const_t<decltype(e)>;
  constexpr int rank = rank_of<node>, result = Back ? rank + 1 : rank - 1;
  static_assert(rank == (Back ? 3 : 4) || rank == (Back ? 2 : 3),
                "unfold takes (N, C, H, W) or (C, H, W), fold (N, C KH KW, L) or (C KH KW, L) [errors.md#fold]");
  check_folded<value_of<node>>();
  for (int a = 0; a < 2; ++a) {
    p.kernel[a] = kernel[a];
    p.dilation[a] = o.dilation[a];
    p.padding[a] = o.padding[a];
    p.stride[a] = o.stride[a];
    if constexpr (!Back) p.size[a] = e.shape()[rank - 2 + a];
  }
  indices<result> out{};
  runtime::folded_extents(Back, p, {e.shape().data(), rank}, out.v);
  constexpr auto known = [] {
    indices<result> r = all_dyn<result>();
    if constexpr (result == (Back ? 4 : 3)) r[0] = shape_of<node>::static_extents[0];
    return r;
  }();
  return filter<value_of<node>>(fold_f<Back>{p}, shape_from<known>::unchecked(out), e);
}

}  // namespace detail

// unfold(x, kernel, {.dilation, .padding, .stride}): the windows of pictures (N, C, H, W) or (C, H, W) as columns: (N,
// C KH KW, L) for L windows. fold(x, {h, w}, kernel, {...}): the sums of such columns where windows overlap, (N, C, h,
// w): the adjoint of unfold. Floating and complex elements. Lazy. Throw shape_error for sizes that do not fit
// (torch.nn.functional).
inline constexpr struct unfold_t {
  template <array X>
  constexpr auto operator()(X&& x, per_axis<2> kernel, const fold_options& o = {}) const {
    return detail::folded<false>(static_cast<X&&>(x), {}, kernel, o);
  }
} unfold{};
inline constexpr struct fold_t {
  template <array X>
  constexpr auto operator()(X&& x, per_axis<2> sizes, per_axis<2> kernel, const fold_options& o = {}) const {
    return detail::folded<true>(static_cast<X&&>(x), {.size = {sizes[0], sizes[1]}}, kernel, o);
  }
} fold{};

// fold_windows(w, axis, n, step = 1): the adjoint of windows(x, axis, size, step): an axis of n elements, each the sum
// of the elements of w's last axis, the windows, that windows would take from it. Shape: w's without the last axis,
// with n on `axis`; a constant n is static. Lazy. Throws index_error for a wrong axis, shape_error where the windows do
// not end within n.
inline constexpr struct fold_windows_t {
  template <array W, detail::integer_like A, detail::integer_like N,
            detail::integer_like S = detail::integer_constant<1>>
  constexpr auto operator()(W&& w, A axis, N n, S step = {}) const {
    const auto e = detail::capture(static_cast<W&&>(w));
    using node = std::remove_const_t<decltype(e)>;
    constexpr int rank = detail::rank_of<node> - 1;
    static_assert(rank >= 1, "fold_windows takes windows, on a last axis of their own [errors.md#fold]");
    detail::check_folded<detail::value_of<node>>();
    const int a = detail::normal_axis(static_cast<index>(axis), rank, "fold_windows");
    const auto length = static_cast<index>(n), each = static_cast<index>(step);
    const index count = e.shape()[a], size = e.shape()[rank];
    if (each < 1 || length < 0 || (count > 0 && (size > length || count - 1 > (length - size) / each)))
      detail::throw_fold_windows(length, each, a, {e.shape().data(), rank + 1});
    detail::indices<rank> out{};
    for (int i = 0; i < rank; ++i) out[i] = i == a ? length : e.shape()[i];
    constexpr auto known = [] {
      detail::common_extents<rank> r;
      detail::for_each_axis<A>(rank, [&](int k) {
        detail::indices<rank> x{};
        for (int i = 0; i < rank; ++i)
          x[i] = i == k ? detail::extent_of<N>() : detail::shape_of<node>::static_extents[i];
        r.add(x);
      });
      return r.extents;
    }();
    return detail::filter<detail::value_of<node>>(detail::fold_windows_f{a, length, each},
                                                  detail::shape_from<known>::unchecked(out), e);
  }
} fold_windows{};

}  // namespace broadloom
