// Layers of neural networks beside convolutions and softmax: batch_norm, group_norm, the weights' gradient of a
// convolution, and the cells of recurrent networks. Not part of signal.hpp.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/index/rearrange.hpp>
#include <broadloom/linalg/products.hpp>
#include <broadloom/reduce/statistics.hpp>
#include <broadloom/signal/convolution.hpp>

namespace broadloom {

namespace detail {

// A number for each channel, as an array that broadcasts with (N, C, ...), of R axes.
template <int R, class E>
constexpr auto along_channels(const E& e) {
  static_assert(rank_of<E> >= 1 && R >= 2,
                "the array has the axes (N, C, ...), and each parameter one, a number for "
                "each channel [errors.md#normalisation-operands]");
  if constexpr (R - 1 <= rank_of<E>)
    return e;
  else
    return along_channels<R>(unsqueeze(e, integer_constant<-1>{}));
}

}  // namespace detail

// batch_norm(x, mean, var, eps = 1e-5), batch_norm(x, mean, var, weight, bias, eps = 1e-5): (x - mean) / sqrt(var +
// eps) * weight + bias, where x is (N, C, ...) and the others have a number for each channel. With the statistics of
// the batch itself: mean(x, {0, 2, 3}) and var(x, {0, 2, 3}, correction{0}). Lazy (PyTorch's batch_norm).
inline constexpr struct batch_norm_t {
  template <array X, array M, array V>
  constexpr auto operator()(X&& x, M&& m, V&& v, double eps = 1e-5) const {
    return of(detail::capture(static_cast<X&&>(x)), detail::capture(static_cast<M&&>(m)),
              let(rsqrt(add(static_cast<V&&>(v), eps))));
  }
  template <array X, array M, array V, array W, array B>
  constexpr auto operator()(X&& x, M&& m, V&& v, W&& weight, B&& bias, double eps = 1e-5) const {
    constexpr int rank = detail::rank_of<detail::node_of<X>>;
    return add(of(detail::capture(static_cast<X&&>(x)), detail::capture(static_cast<M&&>(m)),
                  let(mul(static_cast<W&&>(weight), rsqrt(add(static_cast<V&&>(v), eps))))),
               detail::along_channels<rank>(detail::capture(static_cast<B&&>(bias))));
  }

 private:
  template <class E, class M, class S>
  static constexpr auto of(const E& e, const M& m, const S& scale) {
    constexpr int rank = detail::rank_of<E>;
    return mul(sub(e, detail::along_channels<rank>(m)), detail::along_channels<rank>(scale));
  }
} batch_norm{};

// group_norm(x, groups, eps = 1e-5), group_norm(x, groups, weight, bias, eps = 1e-5): x (N, C, ...) with the mean and
// the variance of each sample's group of channels taken away, then times weight plus bias, of a number for each
// channel. Throws shape_error unless the channels fall into so many groups (PyTorch's group_norm).
inline constexpr struct group_norm_t {
  template <array X, detail::integer G>
  auto operator()(X&& x, G groups, double eps = 1e-5) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    const auto s = e.shape();
    constexpr int rank = detail::rank_of<decltype(e)>;
    static_assert(rank >= 2,
                  "the array has the axes (N, C, ...), and each parameter one, a number for each channel "
                  "[errors.md#normalisation-operands]");
    const auto n = static_cast<index>(groups);
    if (n <= 0 || s[1] % n != 0)
      detail::refuse("Expected number of channels in input to be divisible by num_groups", "group_norm", s);
    index rest = s[1] / n;
    for (int a = 2; a < rank; ++a) rest *= s[a];
    const auto grouped = detail::shared_tree(reshape(e, s[0], n, rest));
    using last = detail::integer_constant<2>;
    const auto scale = let(rsqrt(add(var(grouped, last{}, correction{0}, keepdim), eps)));
    return reshape(mul(sub(grouped, mean(grouped, last{}, keepdim)), scale), s);
  }
  template <array X, detail::integer G, array W, array B>
  auto operator()(X&& x, G groups, W&& weight, B&& bias, double eps = 1e-5) const {
    constexpr int rank = detail::rank_of<detail::node_of<X>>;
    return add(mul((*this)(static_cast<X&&>(x), groups, eps),
                   detail::along_channels<rank>(detail::capture(static_cast<W&&>(weight)))),
               detail::along_channels<rank>(detail::capture(static_cast<B&&>(bias))));
  }
} group_norm{};

namespace detail {

// The first elements of the last axes.
template <int Axes, int From, class E>
constexpr auto cut_to(const E& e, const index* kernel) {
  if constexpr (From == Axes)
    return e;
  else
    return cut_to<Axes, From + 1>(narrow(e, rank_of<E> - Axes + From, index{0}, kernel[From]), kernel);
}

// A convolution's terms with the batch in place of the channels: x (C, N, ...), the gradient (O, N, ...) as weights,
// stride and dilation exchanged.
template <int Axes>
struct convolution_weight {
  static constexpr int rank = Axes + 2;

  template <array X, array G>
  auto operator()(X&& x, braced_extents<Axes> kernel, G&& gradient, const conv_options<Axes>& o = {}) const {
    using T = promoted<X, G>;
    static_assert(rank_of<node_of<X>> == rank && rank_of<node_of<G>> == rank,
                  "the weights' gradient wants arrays (N, C, ...) and (N, O, ...) [errors.md#convolution-operands]");
    const dtensor<T, rank> f(argument<T>(static_cast<G&&>(gradient)));
    index sizes[Axes];
    for (int a = 0; a < Axes; ++a) sizes[a] = kernel[a];
    if (!o.padding.same) return of<T>(dtensor<T, rank>(argument<T>(static_cast<X&&>(x))), sizes, f, o);
    // What is odd goes behind.
    index around[2 * Axes];
    for (int a = 0; a < Axes; ++a) {
      const index all = o.dilation[a] * (sizes[a] - 1), k = 2 * (Axes - 1 - a);
      around[k] = all / 2;
      around[k + 1] = all - all / 2;
    }
    conv_options<Axes> padded = o;
    padded.padding = {};
    return of<T>(dtensor<T, rank>(pad(argument<T>(static_cast<X&&>(x)), around)), sizes, f, padded);
  }

 private:
  template <class T>
  static auto of(const dtensor<T, rank>& x, const index (&kernel)[Axes], const dtensor<T, rank>& gradient,
                 const conv_options<Axes>& o) {
    const auto s = x.shape(), t = gradient.shape();
    bool fits = s[0] == t[0] && o.groups > 0 && s[1] % o.groups == 0 && t[1] % o.groups == 0;
    indices<rank> extents{{t[1], o.groups > 0 ? s[1] / o.groups : 0}};
    for (int a = 0; a < Axes; ++a) {
      const index span = s[2 + a] + 2 * o.padding.n[a] - o.dilation[a] * (kernel[a] - 1) - 1;
      fits = fits && kernel[a] > 0 && o.stride[a] > 0 && o.dilation[a] > 0 && o.padding.n[a] >= 0 && span >= 0 &&
             span / o.stride[a] + 1 == t[2 + a];
      extents[2 + a] = kernel[a];
    }
    if (!fits)
      refuse("the gradient has not the shape that the convolution with such weights gives", "conv_weight", s, t);
    dtensor<T, rank> r(dshape<rank>::unchecked(extents));
    if (x.size() == 0 || gradient.size() == 0) return r;
    conv_options<Axes> swapped;
    swapped.stride = o.dilation;
    swapped.dilation = o.stride;
    swapped.padding = o.padding;
    const index in = s[1] / o.groups, out = t[1] / o.groups;
    for (index g = 0; g < o.groups; ++g) {
      const auto part = narrow(transpose(x, 0, 1), 0, g * in, in),
                 taps = narrow(transpose(gradient, 0, 1), 0, g * out, out);
      const dtensor<T, rank> whole(convolution_function<Axes, false>{}(part, taps, swapped));
      assign(narrow(r.as_view(), 0, g * out, out), transpose(cut_to<Axes, 0>(whole.as_view(), kernel), 0, 1));
    }
    return r;
  }
};

}  // namespace detail

// conv2d_weight(x, {height, width}, gradient, options): the gradient of conv2d(x, w, options) with respect to weights
// w of that kernel, from the gradient with respect to the result: (O, C / groups, height, width). x is (N, C, ...),
// the gradient (N, O, ...). That with respect to x is conv_transpose2d(gradient, w, ...). Throws shape_error where the
// shapes are none of a convolution (PyTorch's torch.nn.grad.conv2d_weight). They evaluate.
inline constexpr detail::convolution_weight<1> conv1d_weight{};
inline constexpr detail::convolution_weight<2> conv2d_weight{};
inline constexpr detail::convolution_weight<3> conv3d_weight{};

// The output and the cell of an LSTM.
template <class H, class C>
struct lstm_state {
  H h;
  C c;
};

namespace detail {

// x w^T + b, evaluated.
template <class X, class W, class... B>
auto evaluated_linear(const X& x, const W& w, const B&... bias) {
  static_assert(
      rank_of<W> == 2 && rank_of<X> >= 1 && ((rank_of<B> == 1) && ...),
      "a cell wants x (N, inputs), h (N, H), weights of two axes and biases of one [errors.md#cell-operands]");
  if constexpr (sizeof...(B) == 0)
    return eval(matmul(x, transpose(w)));
  else
    return eval(add(matmul(x, transpose(w)), bias...));
}
template <class G>
auto gate(const G& gates, int k, int of) {
  const index n = gates.shape()[rank_of<node_of<G>> - 1] / of;
  return narrow(gates, integer_constant<-1>{}, k * n, n);
}
// As many rows of the weights as there are gates for each element of h.
template <class G, class H>
void check_gates(const char* call, const G& gates, const H& h, int of) {
  const auto s = gates.shape(), t = h.shape();
  if (s[rank_of<G> - 1] != of * t[rank_of<H> - 1])
    refuse("the weights have not so many rows for each element of h as the cell has gates", call, s, t);
}

}  // namespace detail

// lstm_cell(x, h, c, w_ih, w_hh) and with b_ih, b_hh behind: a step of an LSTM, {h, c} of x (N, inputs), h and c (N,
// H), weights (4H, inputs) and (4H, H) and biases (4H), in the order i, f, g, o (PyTorch's lstm_cell). It evaluates.
inline constexpr struct lstm_cell_t {
  template <array X, array H, array C, array W, array V>
  auto operator()(X&& x, H&& h, C&& c, W&& w_ih, V&& w_hh) const {
    return step(detail::evaluated_linear(detail::capture(x), detail::capture(w_ih)),
                detail::evaluated_linear(detail::capture(h), detail::capture(w_hh)), detail::capture(h),
                detail::capture(c));
  }
  template <array X, array H, array C, array W, array V, array B, array D>
  auto operator()(X&& x, H&& h, C&& c, W&& w_ih, V&& w_hh, B&& b_ih, D&& b_hh) const {
    return step(detail::evaluated_linear(detail::capture(x), detail::capture(w_ih), detail::capture(b_ih)),
                detail::evaluated_linear(detail::capture(h), detail::capture(w_hh), detail::capture(b_hh)),
                detail::capture(h), detail::capture(c));
  }

 private:
  template <class Input, class R, class H, class C>
  static auto step(const Input& of_input, const R& recurrent, const H& h, const C& c) {
    const auto gates = eval(add(of_input, recurrent));
    detail::check_gates("lstm_cell", gates.as_view(), h, 4);
    const auto next = eval(add(mul(sigmoid(detail::gate(gates, 1, 4)), c),
                               mul(sigmoid(detail::gate(gates, 0, 4)), tanh(detail::gate(gates, 2, 4)))));
    const auto out = eval(mul(sigmoid(detail::gate(gates, 3, 4)), tanh(next)));
    return lstm_state<std::remove_const_t<decltype(out)>, std::remove_const_t<decltype(next)>>{out, next};
  }
} lstm_cell{};

// gru_cell(x, h, w_ih, w_hh) and with b_ih, b_hh behind: a step of a GRU, the next h of x (N, inputs), h (N, H),
// weights (3H, inputs) and (3H, H) and biases (3H), in the order r, z, n (PyTorch's gru_cell). It evaluates.
inline constexpr struct gru_cell_t {
  template <array X, array H, array W, array V>
  auto operator()(X&& x, H&& h, W&& w_ih, V&& w_hh) const {
    return step(detail::evaluated_linear(detail::capture(x), detail::capture(w_ih)),
                detail::evaluated_linear(detail::capture(h), detail::capture(w_hh)), detail::capture(h));
  }
  template <array X, array H, array W, array V, array B, array D>
  auto operator()(X&& x, H&& h, W&& w_ih, V&& w_hh, B&& b_ih, D&& b_hh) const {
    return step(detail::evaluated_linear(detail::capture(x), detail::capture(w_ih), detail::capture(b_ih)),
                detail::evaluated_linear(detail::capture(h), detail::capture(w_hh), detail::capture(b_hh)),
                detail::capture(h));
  }

 private:
  template <class Input, class R, class H>
  static auto step(const Input& of_input, const R& recurrent, const H& h) {
    detail::check_gates("gru_cell", of_input.as_view(), h, 3);
    detail::check_gates("gru_cell", recurrent.as_view(), h, 3);
    const auto reset = sigmoid(add(detail::gate(of_input, 0, 3), detail::gate(recurrent, 0, 3)));
    const auto keep = sigmoid(add(detail::gate(of_input, 1, 3), detail::gate(recurrent, 1, 3)));
    const auto fresh = eval(tanh(add(detail::gate(of_input, 2, 3), mul(reset, detail::gate(recurrent, 2, 3)))));
    return eval(add(fresh, mul(keep, sub(h, fresh))));
  }
} gru_cell{};

}  // namespace broadloom
