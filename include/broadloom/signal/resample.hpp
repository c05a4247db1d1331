// Pooling (max_pool, avg_pool, adaptive ones) and interpolation of signals, pictures and volumes.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/index/sort.hpp>
#include <broadloom/signal/filtered.hpp>
#include <broadloom/signal/per_axis.hpp>
#include <broadloom/signal/resample_call.hpp>

namespace broadloom {

// max_pool2d(x, 3, {.stride = 2, .padding = 1}). A stride of 0 stands for the kernel.
template <int Axes>
struct max_pool_options {
  per_axis<Axes> stride = 0;
  per_axis<Axes> padding = 0;
  per_axis<Axes> dilation = 1;
  bool ceil_mode = false;  // windows that begin inside count, though they end outside
};
template <int Axes>
struct avg_pool_options {
  per_axis<Axes> stride = 0;
  per_axis<Axes> padding = 0;
  bool ceil_mode = false;
  bool count_include_pad = true;
  index divisor_override = 0;  // 0: the number of elements
};
// Factors of each axis, or one for all: scale_factor{2}, scale_factor{2, 1.5}.
struct scale_factor {
  double n[detail::max_signal_axes] = {};
  int count = 0;
  template <class... N>
    requires(sizeof...(N) >= 1 && sizeof...(N) <= detail::max_signal_axes && (std::is_arithmetic_v<N> && ...))
  constexpr scale_factor(N... x) : n{static_cast<double>(x)...}, count(sizeof...(N)) {}
};

namespace detail {

// The axes of a batch and of channels stay; those of a signal are known later.
template <int Axes, class X>
constexpr auto resampled_extents() {
  constexpr int rank = X::axes_count;
  auto r = X::static_extents;
  for (int a = rank - Axes; a < rank; ++a) r[a] = dyn;
  return r;
}
template <class X, int Axes>
constexpr void check_resampled() {
  constexpr int rank = rank_of<X>;
  static_assert(rank == Axes + 1 || rank == Axes + 2,
                "an array of channels and axes, or of a batch of them: max_pool2d (N, C, H, W) or (C, H, W) "
                "[errors.md#pooling-operands]");
  static_assert(is_floating(dtype_of<value_of<X>>),
                "pooling and interpolation take f32 and f64: cast to one of them [errors.md#pooling-operands]");
}

template <int Axes, int Kind>  // 0 max_pool, 1 avg_pool, 2 adaptive_avg_pool, 3 adaptive_max_pool
struct pool_f {
  runtime::pool_parameters p;
  constexpr bool operator==(const pool_f&) const = default;
  static constexpr const char* name() {
    constexpr const char* names[4][3] = {{"max_pool1d", "max_pool2d", "max_pool3d"},
                                         {"avg_pool1d", "avg_pool2d", "avg_pool3d"},
                                         {"adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"},
                                         {"adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"}};
    return names[Kind][Axes - 1];
  }
  void run(const runtime::signal_operand* in, void* to, const index* extents, const runtime::options& how) const {
    runtime::pool(p, in[0], to, extents, how);
  }
};
template <int Axes, int Kind, array X>
constexpr auto pooled(X&& x, const runtime::pool_parameters& p) {
  using F = pool_f<Axes, Kind>;
  const auto e = capture(static_cast<X&&>(x));
  using node = std::remove_const_t<decltype(e)>;
  check_resampled<node, Axes>();
  indices<rank_of<node>> out{};
  runtime::pooled_extents(F::name(), p, {e.shape().data(), rank_of<node>}, out.v);
  using shape = shape_from<resampled_extents<Axes, shape_of<node>>()>;
  return filter<value_of<node>>(F{p}, shape::unchecked(out), e);
}

template <int Axes, bool Maximum>
struct pool_function {
  using options = std::conditional_t<Maximum, max_pool_options<Axes>, avg_pool_options<Axes>>;
  template <array X>
  constexpr auto operator()(X&& x, per_axis<Axes> kernel, const options& o = {}) const {
    return pooled<Axes, Maximum ? 0 : 1>(static_cast<X&&>(x), parameters(kernel, o));
  }
  static constexpr runtime::pool_parameters parameters(const per_axis<Axes>& kernel, const options& o) {
    runtime::pool_parameters p;
    p.axes = Axes;
    p.maximum = Maximum;
    p.ceil_mode = o.ceil_mode;
    for (int a = 0; a < Axes; ++a) {
      p.kernel[a] = kernel[a];
      p.stride[a] = o.stride[a] != 0 ? o.stride[a] : kernel[a];
      p.padding[a] = o.padding[a];
      if constexpr (Maximum) p.dilation[a] = o.dilation[a];
    }
    if constexpr (!Maximum) {
      p.count_include_pad = o.count_include_pad;
      p.divisor = o.divisor_override;
    }
    return p;
  }
};
template <int Axes, bool Maximum>
struct adaptive_pool_function {
  template <array X>
  constexpr auto operator()(X&& x, per_axis<Axes> sizes) const {
    return pooled<Axes, Maximum ? 3 : 2>(static_cast<X&&>(x), parameters(sizes));
  }
  static constexpr runtime::pool_parameters parameters(const per_axis<Axes>& sizes) {
    runtime::pool_parameters p;
    p.axes = Axes;
    p.maximum = Maximum;
    p.adaptive = true;
    for (int a = 0; a < Axes; ++a) p.kernel[a] = sizes[a];
    return p;
  }
};

// The same with the places of the largest elements, computed at once.
template <int Axes, bool Adaptive>
struct max_pool_with_indices {
  template <array X>
  auto operator()(X&& x, per_axis<Axes> kernel, const max_pool_options<Axes>& o = {}) const
    requires(!Adaptive)
  {
    return of(pool_function<Axes, true>::parameters(kernel, o), static_cast<X&&>(x));
  }
  template <array X>
  auto operator()(X&& x, per_axis<Axes> sizes) const
    requires(Adaptive)
  {
    return of(adaptive_pool_function<Axes, true>::parameters(sizes), static_cast<X&&>(x));
  }

 private:
  template <class X>
  static auto of(const runtime::pool_parameters& p, X&& x) {
    using own = value_of<node_of<X>>;
    const auto e = ordered(static_cast<X&&>(x));
    using node = std::remove_const_t<decltype(e)>;
    check_resampled<node, Axes>();
    constexpr int rank = rank_of<node>;
    indices<rank> out{};
    runtime::pooled_extents(Adaptive ? "adaptive_max_pool_with_indices" : "max_pool_with_indices", p,
                            {e.shape().data(), rank}, out.v);
    using shape = shape_from<resampled_extents<Axes, shape_of<node>>()>;
    using T = value_of<node>;
    const shape s = shape::unchecked(out);
    values_and_indices<tensor<T, shape>, tensor<std::int64_t, shape>> r{tensor<T, shape>::uninitialised(s),
                                                                        tensor<std::int64_t, shape>::uninitialised(s)};
    const brought_operand<BROADLOOM_NATIVE, node> in(e, runtime::options{});
    const auto extents = e.shape().extents();
    const indices<rank> strides = in.strides();
    runtime::max_pool(p, {in.data(), compiled_dtype<T>(), rank, extents.v, strides.v}, r.values.data(),
                      r.indices.data(), out.v, runtime::options{});
    return with_values_of<own>(static_cast<decltype(r)&&>(r));
  }
};

struct interpolate_f {
  runtime::interpolation_parameters p;
  constexpr bool operator==(const interpolate_f&) const = default;
  static constexpr const char* name() { return "interpolate"; }
  void run(const runtime::signal_operand* in, void* to, const index* extents, const runtime::options& how) const {
    runtime::interpolate(p, in[0], to, extents, how);
  }
};

}  // namespace detail

// max_pool2d(x, kernel), max_pool2d(x, {3, 2}, {.stride, .padding, .dilation, .ceil_mode}): the largest element of each
// window; x is (N, C, H, W) or (C, H, W) of f32 or f64. avg_pool2d(x, kernel, {.stride, .padding, .ceil_mode,
// .count_include_pad, .divisor_override}): the means. Windows begin every `stride` elements, the kernel's extent unless
// given; padding counts as smaller than all numbers, or as 0. NaN is the largest. max_pool1d takes (N, C, L),
// max_pool3d (N, C, D, H, W). Lazy. Throws shape_error for what no window can be (torch.nn.functional).
inline constexpr detail::pool_function<1, true> max_pool1d{};
inline constexpr detail::pool_function<2, true> max_pool2d{};
inline constexpr detail::pool_function<3, true> max_pool3d{};
inline constexpr detail::pool_function<1, false> avg_pool1d{};
inline constexpr detail::pool_function<2, false> avg_pool2d{};
inline constexpr detail::pool_function<3, false> avg_pool3d{};

// adaptive_avg_pool2d(x, {h, w}), adaptive_max_pool2d: so many windows of each axis, element o over the elements from o
// H / h, rounded down, to (o + 1) H / h, rounded up (torch.nn.functional).
inline constexpr detail::adaptive_pool_function<1, false> adaptive_avg_pool1d{};
inline constexpr detail::adaptive_pool_function<2, false> adaptive_avg_pool2d{};
inline constexpr detail::adaptive_pool_function<3, false> adaptive_avg_pool3d{};
inline constexpr detail::adaptive_pool_function<1, true> adaptive_max_pool1d{};
inline constexpr detail::adaptive_pool_function<2, true> adaptive_max_pool2d{};
inline constexpr detail::adaptive_pool_function<3, true> adaptive_max_pool3d{};

// max_pool2d_with_indices(x, kernel, {...}), adaptive_max_pool2d_with_indices(x, {h, w}): {values, indices}: the same,
// and where each largest element is in its picture, row-major, i64: of equal ones the first, of NaN the last. Computed
// at once (torch.nn.functional, return_indices).
inline constexpr detail::max_pool_with_indices<1, false> max_pool1d_with_indices{};
inline constexpr detail::max_pool_with_indices<2, false> max_pool2d_with_indices{};
inline constexpr detail::max_pool_with_indices<3, false> max_pool3d_with_indices{};
inline constexpr detail::max_pool_with_indices<1, true> adaptive_max_pool1d_with_indices{};
inline constexpr detail::max_pool_with_indices<2, true> adaptive_max_pool2d_with_indices{};
inline constexpr detail::max_pool_with_indices<3, true> adaptive_max_pool3d_with_indices{};

// interpolate(x, {h, w}, resampling::linear, align_corners = false): x (N, C, H, W), (N, C, L) or (N, C, D, H, W)
// resampled to these sizes; interpolate(x, scale_factor{2}, ...): to sizes times a factor, rounded down. By the nearest
// element unless told otherwise, linearly between neighbours of each axis (PyTorch's linear, bilinear, trilinear),
// cubic (bicubic, two axes), area, or nearest_exact. With align_corners the first and the last elements lie on each
// other, else their edges do. f32 and f64. Lazy. Throws shape_error for sizes below 1
// (torch.nn.functional.interpolate).
inline constexpr struct interpolate_t {
  template <array X>
    requires(detail::rank_of<detail::node_of<X>> >= 3 && detail::rank_of<detail::node_of<X>> <= 5)
  constexpr auto operator()(X&& x, per_axis<detail::rank_of<detail::node_of<X>> - 2> sizes,
                            resampling mode = resampling::nearest, detail::plain_flag align_corners = false) const {
    return of(static_cast<X&&>(x), sizes.n, nullptr, mode, align_corners);
  }
  template <array X, class S>
    requires(__is_same(S, scale_factor) && detail::rank_of<detail::node_of<X>> >= 3 &&
             detail::rank_of<detail::node_of<X>> <= 5)
  constexpr auto operator()(X&& x, const S& by, resampling mode = resampling::nearest,
                            detail::plain_flag align_corners = false) const {
    return of(static_cast<X&&>(x), nullptr, &by, mode, align_corners);
  }

 private:
  template <class X>
  static constexpr auto of(X&& x, const index* sizes, const scale_factor* by, resampling mode, bool align_corners) {
    const auto e = detail::capture(static_cast<X&&>(x));
    using node = std::remove_const_t<decltype(e)>;
    constexpr int axes = detail::rank_of<node> - 2;
    detail::check_resampled<node, axes>();
    runtime::interpolation_parameters p;
    p.axes = axes;
    p.mode = mode;
    p.align_corners = align_corners;
    for (int a = 0; by != nullptr && a < axes; ++a) p.scale[a] = by->n[by->count == 1 ? 0 : a];
    detail::indices<detail::rank_of<node>> out{};
    runtime::interpolated_extents(p, {e.shape().data(), detail::rank_of<node>}, sizes, out.v);
    using shape = detail::shape_from<detail::resampled_extents<axes, detail::shape_of<node>>()>;
    return detail::filter<detail::value_of<node>>(detail::interpolate_f{p}, shape::unchecked(out), e);
  }
} interpolate{};

}  // namespace broadloom
