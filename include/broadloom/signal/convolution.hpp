// Convolutions: conv1d, conv2d, conv3d, their transposes, and convolve and correlate of two lines.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/complex.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/signal/convolution_call.hpp>
#include <broadloom/signal/filtered.hpp>
#include <broadloom/signal/per_axis.hpp>

namespace broadloom {

// Which part of a convolution: all of it, as many elements as the longer operand in the middle, or those for which no
// element is missing.
enum class conv_mode : unsigned char { full, same, valid };

// Zeros at both ends of each axis: 1, {1, 2}, or conv_mode::same, conv_mode::valid.
template <int Axes>
struct conv_padding {
  per_axis<Axes> n = 0;
  bool same = false;

  constexpr conv_padding() = default;
  template <detail::integer_like... N>
    requires(sizeof...(N) == 1 || sizeof...(N) == Axes)
  constexpr conv_padding(N... x) : n(x...) {}
  constexpr conv_padding(conv_mode m) : same(m == conv_mode::same) {}
};

// conv2d(x, w, {.stride = 2, .padding = {1, 0}}).
template <int Axes>
struct conv_options {
  per_axis<Axes> stride = 1;
  conv_padding<Axes> padding = {};
  per_axis<Axes> dilation = 1;
  index groups = 1;
};
template <int Axes>
struct conv_transpose_options {
  per_axis<Axes> stride = 1;
  per_axis<Axes> padding = 0;
  per_axis<Axes> output_padding = 0;
  index groups = 1;
  per_axis<Axes> dilation = 1;
};

namespace detail {

template <int Axes, bool Transposed>
struct convolution_f {
  runtime::convolution_parameters p;

  constexpr bool operator==(const convolution_f&) const = default;
  static constexpr const char* name() {
    constexpr const char* names[] = {"conv1d",           "conv2d",           "conv3d",
                                     "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"};
    return names[Axes - 1 + 3 * Transposed];
  }
  void run(const runtime::signal_operand* in, void* to, const index* extents, const runtime::options& how) const {
    runtime::convolve(p, in, to, extents, how);
  }
};

// The extents that the compiler knows: with options those of the axes depend on them.
template <int Axes, bool Transposed, bool WithOptions, class X, class W>
constexpr auto convolution_extents() {
  constexpr int rank = X::axes_count, loops = rank - Axes;
  indices<rank> r{};
  if constexpr (loops > 1) r[0] = X::static_extents[0];
  r[loops - 1] = Transposed ? (WithOptions ? dyn : W::static_extents[1]) : W::static_extents[0];
  for (int a = 0; a < Axes; ++a) {
    const index n = X::static_extents[loops + a], k = W::static_extents[2 + a];
    const index out = Transposed ? n + k - 1 : n - k + 1;
    r[loops + a] = WithOptions || is_dyn(n) || is_dyn(k) || out < 0 ? dyn : out;
  }
  return r;
}

template <int Axes, bool Transposed, bool WithOptions, class X, class W, class... B>
constexpr auto convolved(const runtime::convolution_parameters& p, const X& x, const W& w, const B&... bias) {
  using F = convolution_f<Axes, Transposed>;
  constexpr int rank = rank_of<X>;
  // (One at a time, so that there is one error.)
  constexpr bool fits = (rank == Axes + 2 || rank == Axes + 1) && rank_of<W> == Axes + 2;
  static_assert(rank == Axes + 2 || rank == Axes + 1,
                "a convolution wants an array of channels and axes, or of a batch of them: conv2d (N, C, H, W) or (C, "
                "H, W) [errors.md#convolution-operands]");
  static_assert(
      fits || rank < Axes + 1 || rank > Axes + 2,
      "weights have the axes (outputs, channels, kernel): conv2d (O, C, KH, KW) [errors.md#convolution-operands]");
  static_assert(((rank_of<B> == 1) && ...), "the bias has one axis [errors.md#convolution-operands]");
  if constexpr (!fits)
    return x;
  else {
    using shape = shape_from<convolution_extents<Axes, Transposed, WithOptions, shape_of<X>, shape_of<W>>()>;
    const shape_view xs{x.shape().data(), rank}, ws{w.shape().data(), rank_of<W>};
    indices<rank> out{};
    if constexpr (sizeof...(B) == 0)
      runtime::convolved_extents(F::name(), p, xs, ws, nullptr, out.v);
    else {
      const shape_view bs{bias.shape().data()..., 1};
      runtime::convolved_extents(F::name(), p, xs, ws, &bs, out.v);
    }
    return filter<value_of<X>>(F{p}, shape::unchecked(out), x, w, bias...);
  }
}

template <int Axes, bool Transposed>
struct convolution_function : refuses_other_arguments<convolution_function<Axes, Transposed>> {
  static constexpr text call{"conv2d(x, weights, bias, {.stride = 2})"};
  using refuses_other_arguments<convolution_function<Axes, Transposed>>::operator();
  using options = std::conditional_t<Transposed, conv_transpose_options<Axes>, conv_options<Axes>>;

  template <array X, array W>
  constexpr auto operator()(X&& x, W&& w) const {
    return of<false>(options{}, static_cast<X&&>(x), static_cast<W&&>(w));
  }
  template <array X, array W>
  constexpr auto operator()(X&& x, W&& w, const options& o) const {
    return of<true>(o, static_cast<X&&>(x), static_cast<W&&>(w));
  }
  template <array X, array W, array B>
  constexpr auto operator()(X&& x, W&& w, B&& bias) const {
    return of<false>(options{}, static_cast<X&&>(x), static_cast<W&&>(w), static_cast<B&&>(bias));
  }
  template <array X, array W, array B>
  constexpr auto operator()(X&& x, W&& w, B&& bias, const options& o) const {
    return of<true>(o, static_cast<X&&>(x), static_cast<W&&>(w), static_cast<B&&>(bias));
  }

 private:
  template <bool WithOptions, class... A>
  static constexpr auto of(const options& o, A&&... a) {
    runtime::convolution_parameters p;
    p.axes = Axes;
    p.groups = o.groups;
    p.transposed = Transposed;
    p.has_bias = sizeof...(A) == 3;
    for (int i = 0; i < Axes; ++i) {
      p.stride[i] = o.stride[i];
      p.dilation[i] = o.dilation[i];
      if constexpr (Transposed) {
        p.padding[i] = o.padding[i];
        p.output_padding[i] = o.output_padding[i];
      } else
        p.padding[i] = o.padding.n[i];
    }
    if constexpr (!Transposed) p.same = o.padding.same;
    using T = promoted<A...>;
    static_assert(!__is_same(T, bool),
                  "convolutions are not defined for bool: cast to numbers [errors.md#convolution-operands]");
    return convolved<Axes, Transposed, WithOptions>(p, argument<T>(static_cast<A&&>(a))...);
  }
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_empty_line(const char* call, const shape_view& a,
                                                                    const shape_view& v) {
  throw_error(error_kind::empty_line, {call, &a, &v});
}

template <bool Correlate>
struct lines_f {
  index start;
  bool turned;
  constexpr bool operator==(const lines_f&) const = default;
  static constexpr const char* name() { return Correlate ? "correlate" : "convolve"; }
  void run(const runtime::signal_operand* in, void* to, const index* extents, const runtime::options& how) const {
    runtime::convolve_lines(start, turned, in, to, extents[0], how);
  }
};

struct reverse_edit {
  static constexpr int added = 0;
  static constexpr int axes(int, int) { return -1; }
  template <int R>
  static constexpr auto apply(geometry<R> g) {
    if (g.extents[0] > 0 && !is_dyn(g.extents[0])) g.offset += (g.extents[0] - 1) * g.strides[0];
    g.strides[0] = -g.strides[0];
    return g;
  }
};

constexpr index lines_extent(index n, index m, conv_mode mode) {
  if (is_dyn(n) || is_dyn(m) || n == 0 || m == 0) return dyn;
  const index longer = n < m ? m : n, shorter = n < m ? n : m;
  return mode == conv_mode::full ? n + m - 1 : mode == conv_mode::same ? longer : longer - shorter + 1;
}

template <bool Correlate>
struct lines_function : refuses_other_arguments<lines_function<Correlate>> {
  static constexpr text call{"convolve(x, v, conv_mode::same)"};
  using refuses_other_arguments<lines_function<Correlate>>::operator();
  template <array A, array V>
  constexpr auto operator()(A&& a, V&& v) const {
    constexpr auto usual = Correlate ? conv_mode::valid : conv_mode::full;
    using known = shape_from<indices<1>{
        {lines_extent(shape_of<node_of<A>>::static_extents[0], shape_of<node_of<V>>::static_extents[0], usual)}}>;
    return of<known>(static_cast<A&&>(a), static_cast<V&&>(v), usual);
  }
  template <array A, array V>
  constexpr auto operator()(A&& a, V&& v, conv_mode mode) const {
    return of<shape<dyn>>(static_cast<A&&>(a), static_cast<V&&>(v), mode);
  }

 private:
  template <class Known, class A, class V>
  static constexpr auto of(A&& a, V&& v, conv_mode mode) {
    static_assert(rank_of<node_of<A>> == 1 && rank_of<node_of<V>> == 1,
                  "convolve and correlate take arrays of one axis [errors.md#convolution-operands]");
    using T = promoted<A, V>;
    static_assert(!__is_same(T, bool),
                  "convolutions are not defined for bool: cast to numbers [errors.md#convolution-operands]");
    const auto x = argument<T>(static_cast<A&&>(a));
    const auto y = argument<T>(static_cast<V&&>(v));
    const index n = x.shape()[0], m = y.shape()[0];
    if (n == 0 || m == 0)
      throw_empty_line(Correlate ? "correlate" : "convolve", {x.shape().data(), 1}, {y.shape().data(), 1});
    const index longer = n < m ? m : n, shorter = n < m ? n : m;
    const index start = mode == conv_mode::full    ? 0
                        : mode == conv_mode::valid ? shorter - 1
                        : Correlate && n < m       ? n / 2
                                                   : shorter - 1 - shorter / 2;
    const auto extents = Known::unchecked({{lines_extent(n, m, mode)}});
    (void)longer;
    const lines_f<Correlate> f{start, n < m};
    if constexpr (!Correlate)
      return filter<T>(f, extents, x, transform(axis_op<reverse_edit>{}, y));
    else if constexpr (is_complex_type<T>)
      return filter<T>(f, extents, x, conj(y));
    else
      return filter<T>(f, extents, x, y);
  }
};

}  // namespace detail

// conv2d(x, w), conv2d(x, w, bias), either with options behind: the sums over channels and kernel of w[o, c, i, j] x[n,
// c, h + i, w + j]. x is (N, C, H, W) or (C, H, W), w (O, C / groups, KH, KW), bias (O); the result (N, O, ...) or (O,
// ...) with (H + 2 padding - dilation (KH - 1) - 1) / stride + 1 in place of H. Options as {.stride = 2, .padding = 1,
// .dilation = {1, 2}, .groups = 2}; padding may be conv_mode::same. conv1d takes (N, C, L), conv3d (N, C, D, H, W).
// Element types are promoted, integers stay integers. Lazy; without options static extents stay static. Throws
// shape_error where channels, groups, bias or sizes do not fit (torch.nn.functional).
inline constexpr detail::convolution_function<1, false> conv1d{};
inline constexpr detail::convolution_function<2, false> conv2d{};
inline constexpr detail::convolution_function<3, false> conv3d{};

// conv_transpose2d(x, w), ..., w being (C, O / groups, KH, KW): the adjoint of conv2d as a function of x, plus bias.
// The options are {.stride, .padding, .output_padding, .groups, .dilation}; H becomes (H - 1) stride - 2 padding +
// dilation (KH - 1) + output_padding + 1 (torch.nn.functional).
inline constexpr detail::convolution_function<1, true> conv_transpose1d{};
inline constexpr detail::convolution_function<2, true> conv_transpose2d{};
inline constexpr detail::convolution_function<3, true> conv_transpose3d{};

// convolve(a, v, mode = conv_mode::full): the sums of a[j] v[i - j], of lines of one axis. correlate(a, v, mode =
// conv_mode::valid): those of a[i + j] conj(v[j]). Throw shape_error for no elements (NumPy's convolve, correlate).
inline constexpr detail::lines_function<false> convolve{};
inline constexpr detail::lines_function<true> correlate{};

}  // namespace broadloom
