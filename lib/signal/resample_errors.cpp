// The extents of pooled, interpolated and folded signals, and the errors of what cannot be.
#include <cmath>
#include <string>

#include <broadloom/core/checked_arithmetic.hpp>
#include <broadloom/core/error.hpp>
#include <broadloom/signal/fold.hpp>

#include "../base/list_text.hpp"

namespace broadloom {

namespace runtime {

namespace {

using detail::list;
std::string text(index n) { return std::to_string(n); }

[[noreturn]] void fail(const std::string& sentence, const char* call, const detail::shape_view& x) {
  throw shape_error(sentence + "\n  in " + call + ": " + list(x.extents, x.rank, '(', ')'));
}

void check_each(const char* what, const index* n, int axes, index least, const char* call,
                const detail::shape_view& x) {
  for (int a = 0; a < axes; ++a)
    if (n[a] < least)
      fail(std::string(what) + " should be " + (least > 0 ? "greater than zero" : "non-negative") + ", but got " +
               list(n, axes),
           call, x);
}

}  // namespace

void pooled_extents(const char* call, const pool_parameters& p, const detail::shape_view& x, index* to) {
  const int loops = static_cast<int>(x.rank) - p.axes;
  for (int a = 0; a < loops; ++a) to[a] = x.extents[a];
  for (int a = 0; a < p.axes; ++a)
    if (x.extents[loops + a] == 0) fail("an axis to be pooled has no elements: axis " + text(loops + a), call, x);
  if (p.adaptive) {
    check_each("output size", p.kernel, p.axes, 0, call, x);
    for (int a = 0; a < p.axes; ++a) to[loops + a] = p.kernel[a];
    return;
  }
  check_each("kernel size", p.kernel, p.axes, 1, call, x);
  check_each("stride", p.stride, p.axes, 1, call, x);
  check_each("padding", p.padding, p.axes, 0, call, x);
  check_each("dilation", p.dilation, p.axes, 1, call, x);
  for (int a = 0; a < p.axes; ++a) {
    if (p.padding[a] > p.kernel[a] / 2)
      fail("pad should be at most half of kernel size, but got pad=" + text(p.padding[a]) +
               " and kernel_size=" + text(p.kernel[a]),
           call, x);
    const index n = x.extents[loops + a];
    const index covered = detail::checked_add(call, detail::checked_mul(call, p.dilation[a], p.kernel[a] - 1), 1);
    const index padded = detail::checked_add(call, n, 2 * p.padding[a]) - covered;
    const index more = p.ceil_mode ? p.stride[a] - 1 : 0;
    index out = padded + more < 0 ? 0 : (padded + more) / p.stride[a] + 1;
    if (p.ceil_mode && (out - 1) * p.stride[a] >= n + p.padding[a]) --out;
    if (out < 1)
      fail("Kernel size can't be greater than actual input size: axis " + text(loops + a) + " has " + text(n) +
               " elements, the kernel covers " + text(covered) + " with padding " + text(p.padding[a]),
           call, x);
    to[loops + a] = out;
  }
}

void interpolated_extents(const interpolation_parameters& p, const detail::shape_view& x, const index* sizes,
                          index* to) {
  constexpr const char* call = "interpolate";
  if (p.align_corners && p.mode != resampling::linear && p.mode != resampling::cubic)
    fail("align_corners option can only be set with the interpolating modes: linear | cubic", call, x);
  if (p.mode == resampling::cubic && p.axes != 2) fail("cubic interpolation takes two axes: (N, C, H, W)", call, x);
  for (int a = 0; a < 2; ++a) to[a] = x.extents[a];
  for (int a = 0; a < p.axes; ++a) {
    const index n = x.extents[2 + a];
    const double out =
        sizes != nullptr ? static_cast<double>(sizes[a]) : std::floor(static_cast<double>(n) * p.scale[a]);
    if (n < 1 || !(out >= 1) || out > 9e15)
      fail("Input and output sizes should be greater than 0, but got input " + text(n) + " output " +
               (out > 9e15 || out != out ? std::string("beyond all sizes") : text(static_cast<index>(out))) +
               " on axis " + text(2 + a),
           call, x);
    to[2 + a] = sizes != nullptr ? sizes[a] : static_cast<index>(out);
  }
}

void folded_extents(bool back, const fold_parameters& p, const detail::shape_view& x, index* to) {
  const char* const call = back ? "fold" : "unfold";
  check_each("kernel size", p.kernel, 2, 1, call, x);
  check_each("dilation", p.dilation, 2, 1, call, x);
  check_each("padding", p.padding, 2, 0, call, x);
  check_each("stride", p.stride, 2, 1, call, x);
  if (back) check_each("output size", p.size, 2, 1, call, x);
  index blocks[2];
  for (int a = 0; a < 2; ++a) {
    const index covered = detail::checked_add(call, detail::checked_mul(call, p.dilation[a], p.kernel[a] - 1), 1);
    const index padded = detail::checked_add(call, p.size[a], detail::checked_mul(call, 2, p.padding[a]));
    blocks[a] = padded < covered ? 0 : (padded - covered) / p.stride[a] + 1;
  }
  const std::string given = "kernel_size=" + list(p.kernel, 2, '(', ')') +
                            ", dilation=" + list(p.dilation, 2, '(', ')') +
                            ", padding=" + list(p.padding, 2, '(', ')') + ", stride=" + list(p.stride, 2, '(', ')');
  if (blocks[0] < 1 || blocks[1] < 1)
    fail("Given spatial size " + list(p.size, 2, '(', ')') + ", " + given +
             ", calculated shape of the array of sliding blocks as " + list(blocks, 2, '(', ')') +
             ", but its components must be at least one.",
         call, x);
  const index taps = detail::checked_mul(call, p.kernel[0], p.kernel[1]),
              columns = detail::checked_mul(call, blocks[0], blocks[1]);
  const int stack = static_cast<int>(x.rank) - (back ? 2 : 3);
  if (stack > 0) to[0] = x.extents[0];
  if (!back) {
    to[stack] = detail::checked_mul(call, x.extents[stack], taps);
    to[stack + 1] = columns;
    return;
  }
  if (x.extents[stack] % taps != 0)
    fail("Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)=" +
             text(x.extents[stack]) + " and kernel_size=" + list(p.kernel, 2, '(', ')') + ".",
         call, x);
  if (x.extents[stack + 1] != columns)
    fail("Given output_size=" + list(p.size, 2, '(', ')') + ", " + given +
             ", expected size of input's dimension 2 to match the calculated number of sliding blocks " +
             text(blocks[0]) + " * " + text(blocks[1]) + " = " + text(columns) +
             ", but got input.size(2)=" + text(x.extents[stack + 1]) + ".",
         call, x);
  to[stack] = x.extents[stack] / taps;
  to[stack + 1] = p.size[0];
  to[stack + 2] = p.size[1];
}

}  // namespace runtime
}  // namespace broadloom
