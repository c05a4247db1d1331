// What compiled code is given for convolutions of up to three axes.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/signal/signal_operand.hpp>

namespace broadloom::runtime {

// Element o of an axis is the sum over k < kernel of w[k] times element o * stride + k * dilation - before of x, whose
// elements are `input_dilation` apart, with zeros between, before and behind them.
struct convolved_axis {
  index size = 1, kernel = 1, out = 1, stride = 1, dilation = 1, input_dilation = 1, before = 0;
  index x_stride = 0, w_stride = 0;
};

// x (batch, groups * channels, axes), w (groups * outputs, channels, kernel), result (batch, groups * outputs, axes).
struct convolution_call {
  dtype type;
  index batch = 1, groups = 1, channels = 1, outputs = 1;
  const void* x;
  const void* w;
  const void* bias = nullptr;  // groups * outputs elements
  void* out;                   // row-major
  index x_batch = 0, x_channel = 0, w_group = 0, w_output = 0, w_channel = 0, bias_stride = 0;
  convolved_axis axes[detail::max_signal_axes];  // the last ones are used
  options how;
};

// What the caller of conv2d and its like says.
struct convolution_parameters {
  int axes = 1;
  index stride[detail::max_signal_axes] = {1, 1, 1}, padding[detail::max_signal_axes] = {},
        dilation[detail::max_signal_axes] = {1, 1, 1}, output_padding[detail::max_signal_axes] = {};
  index groups = 1;
  bool same = false, transposed = false, has_bias = false;
  constexpr bool operator==(const convolution_parameters&) const = default;
};

// The extents of the result, in the rank of x; throws shape_error where the operands do not fit.
BROADLOOM_API void convolved_extents(const char* call, const convolution_parameters& p, const detail::shape_view& x,
                                     const detail::shape_view& w, const detail::shape_view* bias, index* to);
BROADLOOM_API void convolve(const convolution_parameters& p, const signal_operand* operands, void* to,
                            const index* extents, const options& how);
// Elements start ... of the full correlation of two lines; `turned`: of the second and the first, both from their ends.
BROADLOOM_API void convolve_lines(index start, bool turned, const signal_operand* operands, void* to, index count,
                                  const options& how);
BROADLOOM_API void convolution(const convolution_call& call);

}  // namespace broadloom::runtime
