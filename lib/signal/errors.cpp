// The errors of functions on signals, and what their parameters mean.
#include <cmath>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/signal/convolution.hpp>
#include <broadloom/signal/fourier.hpp>

#include "../base/list_text.hpp"

namespace broadloom::detail {

double transform_scale(index n, bool inverse, fft_norm norm) {
  const auto count = static_cast<double>(n);
  if (norm == fft_norm::ortho) return 1 / std::sqrt(count);
  return inverse == (norm == fft_norm::backward) ? 1 / count : 1;
}

}  // namespace broadloom::detail

namespace broadloom::runtime {

namespace {

using detail::list;

std::string text(index n) { return std::to_string(n); }

class checked_convolution {
 public:
  checked_convolution(const char* call, const convolution_parameters& p, const detail::shape_view& x,
                      const detail::shape_view& w, const detail::shape_view* bias)
      : call_(call), p_(p), x_(x), w_(w), bias_(bias), loops_(static_cast<int>(x.rank) - p.axes) {}

  void extents(index* to) const {
    const index channels = x_.extents[loops_ - 1];
    for (int a = 0; a < p_.axes; ++a) {
      if (p_.stride[a] < 1) fail("non-positive stride is not supported");
      if (p_.padding[a] < 0) fail("negative padding is not supported");
      if (p_.dilation[a] < 1)
        fail("dilation should be greater than zero, but got " + list(p_.dilation, p_.axes, '[', ']'));
      if (w_.extents[2 + a] < 1)
        fail("kernel size should be greater than zero, but got " + list(w_.extents + 2, p_.axes, '[', ']'));
      if (p_.same && p_.stride[a] != 1) fail("padding='same' is not supported for strided convolutions");
    }
    if (p_.groups < 1) fail("non-positive groups is not supported");
    const std::string given = "Given groups=" + text(p_.groups) + ", ";
    if (w_.extents[0] < p_.groups)
      fail(given + "expected weight to be at least " + text(p_.groups) + " at dimension 0, but got weight of size " +
           list(w_) + " instead");
    if (w_.extents[0] % p_.groups != 0)
      fail(given + "expected weight to be divisible by " + text(p_.groups) +
           " at dimension 0, but got weight of size " + list(w_) + " instead");
    const index wanted = p_.transposed ? w_.extents[0] : w_.extents[1] * p_.groups;
    if (channels != wanted)
      fail(given + (p_.transposed ? "transposed=1, " : "") + "weight of size " + list(w_) + ", expected input" +
           list(x_) + " to have " + text(wanted) + " channels, but got " + text(channels) + " channels instead");
    const index outputs = p_.transposed ? w_.extents[1] * p_.groups : w_.extents[0];
    if (bias_ != nullptr && bias_->extents[0] != outputs)
      fail("Given weight of size " + list(w_) + ", expected bias to be 1-dimensional with " + text(outputs) +
           " elements, but got bias of size " + list(*bias_) + " instead");
    if (loops_ > 1) to[0] = x_.extents[0];
    to[loops_ - 1] = outputs;
    for (int a = 0; a < p_.axes; ++a) to[loops_ + a] = p_.transposed ? larger(a) : smaller(a);
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    std::string s = sentence + "\n  in " + call_ + ": x " + list(x_.extents, x_.rank, '(', ')') + ", weight " +
                    list(w_.extents, w_.rank, '(', ')');
    if (bias_ != nullptr) s += ", bias " + list(bias_->extents, bias_->rank, '(', ')');
    throw shape_error(s);
  }
  index covered(int a) const {
    return detail::checked_add(call_, detail::checked_mul(call_, p_.dilation[a], w_.extents[2 + a] - 1), 1);
  }
  index smaller(int a) const {
    const index n = x_.extents[loops_ + a];
    if (p_.same) return n;
    const index padded = detail::checked_add(call_, n, detail::checked_mul(call_, 2, p_.padding[a]));
    if (covered(a) > padded) {
      std::string size, kernel;
      for (int i = 0; i < p_.axes; ++i) {
        size += (i > 0 ? " x " : "") + text(x_.extents[loops_ + i] + 2 * p_.padding[i]);
        kernel += (i > 0 ? " x " : "") + text(covered(i));
      }
      fail("Calculated padded input size per channel: (" + size + "). Kernel size: (" + kernel +
           "). Kernel size can't be greater than actual input size");
    }
    return (padded - covered(a)) / p_.stride[a] + 1;
  }
  index larger(int a) const {
    if (p_.output_padding[a] < 0) fail("negative output_padding is not supported");
    if (p_.output_padding[a] >= p_.stride[a] && p_.output_padding[a] >= p_.dilation[a])
      fail("output padding must be smaller than either stride or dilation, but got output_padding: " +
           list(p_.output_padding, p_.axes) + " stride: " + list(p_.stride, p_.axes) +
           " dilation: " + list(p_.dilation, p_.axes));
    const index n = x_.extents[loops_ + a];
    const index dilated = detail::checked_mul(call_, n - 1, p_.stride[a]);
    const index out = detail::checked_add(call_, dilated, covered(a) + p_.output_padding[a] - 2 * p_.padding[a]);
    if (out < 1)
      fail("Given input size per channel: " + list(x_.extents + loops_, p_.axes) +
           ". Calculated output size per channel: " + text(out) + " at axis " + text(loops_ + a) +
           ". Output size is too small");
    return out;
  }

  const char* call_;
  const convolution_parameters& p_;
  const detail::shape_view &x_, &w_;
  const detail::shape_view* bias_;
  int loops_;
};

}  // namespace

void convolved_extents(const char* call, const convolution_parameters& p, const detail::shape_view& x,
                       const detail::shape_view& w, const detail::shape_view* bias, index* to) {
  checked_convolution(call, p, x, w, bias).extents(to);
}

}  // namespace broadloom::runtime
