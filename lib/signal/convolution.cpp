// Convolutions: sums of shifted rows, or products of matrices of shifted elements where there are enough outputs.
#include <broadloom/signal/convolution_call.hpp>
#include <broadloom/signal/filtered.hpp>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include <broadloom/core/complex.hpp>

#include "../base/by_type.hpp"
#include "../base/limits.hpp"
#include "../base/scope.hpp"
#include "../base/tuned.hpp"
#include "../base/unsigned_form.hpp"
#include "../linalg/batch.hpp"
#include "../linalg/product.hpp"
#include "taps.hpp"

namespace broadloom::runtime {

namespace {

// Of complex numbers, whose operator looks for infinities.
template <class T>
void set_taps(T* out, index n, T start, const T* x, index step, const T* factors, const index* offsets, index count) {
  for (index i = 0; i < n; ++i) {
    T sum = start;
    for (index t = 0; t < count; ++t) {
      const T a = factors[t], b = x[offsets[t] + i * step];
      sum += T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    }
    out[i] = sum;
  }
}

// Below so many outputs of a group a product of matrices gains less than the copies it needs.
constexpr index least_outputs = 4;
// From so many on the copies are read often enough that it is as fast as sums of rows, or faster.
constexpr index many_outputs = 32;
constexpr index columns_bytes = 1 << 18;
// Products of matrices divide longer sums.
constexpr index most_summed = 384;

template <class T>
class convolver {
 public:
  explicit convolver(const convolution_call& c) : c_(c) {
    for (int a = 0; a < 3; ++a) {
      const convolved_axis& x = c.axes[a];
      // What the windows cover.
      extent_[a] = x.out == 0 ? 0 : (x.out - 1) * x.stride + (x.kernel - 1) * x.dilation + 1;
      taps_ *= x.kernel;
      positions_ *= x.out;
      padded_ = padded_ || x.before != 0 || x.input_dilation != 1 || extent_[a] > x.size;
    }
    padded_ = padded_ || c.axes[2].x_stride != 1;
    depth_ = c.channels * taps_;
  }

  void run() {
    const index out_channels = c_.groups * c_.outputs;
    if (c_.batch * out_channels * positions_ == 0) return;
    if (depth_ == 0) return fill();
    // Factors of an output lie together: (channel, axes).
    const buffer<T> factors(out_channels * depth_);
    factors_ = factors.data();
    copy_factors(factors.data());
    const index lines = c_.axes[0].out * c_.axes[1].out, width = c_.axes[2].out;
    const bool by_rows = sums_rows(), by_product = c_.outputs >= least_outputs && !by_rows;
    const index images = c_.batch * c_.groups;
    const index vectors =
        (width * static_cast<index>(sizeof(T)) + limits::line_bytes - 1) / limits::line_bytes * lines * depth_;
    options how = c_.how;
    how.threads =
        threads_for(how.threads, static_cast<double>(images * c_.outputs * vectors) * limits::work::of_vector);
    // Lines of an image that are computed at a time, the same for any number of threads.
    const index line_bytes = width * static_cast<index>(sizeof(T)) * (by_product ? depth_ : 1);
    index block = std::max<index>(1, columns_bytes / std::max<index>(1, line_bytes));
    if (!by_product) block = std::max<index>(1, std::min(block, (1 << 16) / std::max<index>(1, width * depth_)));
    block = std::min(block, lines);
    const index blocks = (lines + block - 1) / block;
    // Of a long line so many elements.
    index chunk = by_product ? columns_bytes / static_cast<index>(sizeof(T)) / depth_ : (1 << 16) / depth_;
    chunk = block > 1 ? width : std::min(width, std::max<index>(chunk, by_product ? 64 : 1024));
    const index chunks = (width + chunk - 1) / chunk;
    const index volume = c_.channels * extent_[0] * extent_[1] * extent_[2];
    // A group's image with its zeros.
    std::vector<index> offsets(static_cast<std::size_t>(depth_));
    const auto with_images = [&](const T* x, index channel, const index* strides, index first, index last) {
      index at = 0;
      for (index ch = 0; ch < c_.channels; ++ch)
        for (index i = 0; i < c_.axes[0].kernel; ++i)
          for (index j = 0; j < c_.axes[1].kernel; ++j)
            for (index k = 0; k < c_.axes[2].kernel; ++k)
              offsets[static_cast<std::size_t>(at++)] = ch * channel + i * c_.axes[0].dilation * strides[0] +
                                                        j * c_.axes[1].dilation * strides[1] +
                                                        k * c_.axes[2].dilation * strides[2];
      work_memory<T> memory(by_product ? depth_ * block * chunk : 1, (last - first) * blocks * chunks, how);
      in_blocks((last - first) * blocks * chunks, 1, how, [&](index from, index until) {
        const typename work_memory<T>::slot slot(memory);
        for (index n = from; n < until; ++n) {
          const index img = first + n / (blocks * chunks), b = n / chunks % blocks, part = n % chunks;
          const T* const origin = padded_ ? x + (img - first) * volume : image_of(img);
          lines_of(img, origin, strides, offsets.data(), b * block, std::min(lines, (b + 1) * block), part * chunk,
                   std::min(width, (part + 1) * chunk), by_product ? slot.data() : nullptr, by_rows);
        }
      });
    };
    if (!padded_) {
      const index strides[3] = {c_.axes[0].x_stride, c_.axes[1].x_stride, 1};
      return with_images(nullptr, c_.x_channel, strides, 0, images);
    }
    const index strides[3] = {extent_[1] * extent_[2], extent_[2], 1};
    // As many images with their zeros as 16 MB hold, at least one.
    const index at_once =
        std::clamp<index>((index{1} << 24) / std::max<index>(1, volume * static_cast<index>(sizeof(T))), 1, images);
    const buffer<T> copies(volume * at_once);
    for (index first = 0; first < images; first += at_once) {
      const index last = std::min(images, first + at_once);
      in_blocks((last - first) * c_.channels, 1, how, [&](index from, index until) {
        for (index n = from; n < until; ++n)
          copy_channel(copies.data() + n * extent_[0] * extent_[1] * extent_[2],
                       image_of(first + n / c_.channels) + n % c_.channels * c_.x_channel);
      });
      with_images(copies.data(), extent_[0] * extent_[1] * extent_[2], strides, first, last);
    }
  }

 private:
  // Whether vectors of outputs that lie together are summed where x lies, with the bits of a product of matrices: that
  // would need a copy of x for each factor of an output.
  bool sums_rows() const {
    if constexpr (!detail::is_complex_type<T>) {
      const tap_kernels<unsigned_if_integer<T>>& k = taps<unsigned_if_integer<T>>();
      return k.set_rows != nullptr && c_.outputs >= least_outputs && c_.outputs < many_outputs &&
             depth_ <= most_summed && c_.axes[2].stride == 1 && c_.axes[2].out >= k.lanes &&
             (std::is_integral_v<T> || products_in_force(c_.how) == product_order::free);
    }
    return false;
  }
  const T* image_of(index image) const {
    return static_cast<const T*>(c_.x) + image / c_.groups * c_.x_batch +
           image % c_.groups * c_.channels * c_.x_channel;
  }
  T bias_of(index output) const {
    return c_.bias != nullptr ? static_cast<const T*>(c_.bias)[output * c_.bias_stride] : T();
  }
  void fill() const {
    const index outputs = c_.groups * c_.outputs;
    for (index n = 0; n < c_.batch * outputs; ++n)
      std::fill_n(static_cast<T*>(c_.out) + n * positions_, positions_, bias_of(n % outputs));
  }
  void copy_factors(T* to) const {
    const convolved_axis* const a = c_.axes;
    for (index g = 0; g < c_.groups; ++g)
      for (index o = 0; o < c_.outputs; ++o)
        for (index ch = 0; ch < c_.channels; ++ch)
          for (index i = 0; i < a[0].kernel; ++i)
            for (index j = 0; j < a[1].kernel; ++j)
              for (index k = 0; k < a[2].kernel; ++k)
                *to++ = static_cast<const T*>(c_.w)[g * c_.w_group + o * c_.w_output + ch * c_.w_channel +
                                                    i * a[0].w_stride + j * a[1].w_stride + k * a[2].w_stride];
  }
  // A channel with zeros around it, and between its elements if a transposed convolution has strides.
  void copy_channel(T* to, const T* from) const {
    const index volume = extent_[0] * extent_[1] * extent_[2];
    std::fill_n(to, volume, T());
    index first[3], last[3];  // elements of x that are covered
    for (int a = 0; a < 3; ++a) {
      const convolved_axis& x = c_.axes[a];
      first[a] = x.before >= 0 ? 0 : (-x.before + x.input_dilation - 1) / x.input_dilation;
      last[a] = extent_[a] <= x.before ? 0 : std::min(x.size, (extent_[a] - 1 - x.before) / x.input_dilation + 1);
    }
    for (index i = first[0]; i < last[0]; ++i)
      for (index j = first[1]; j < last[1]; ++j) {
        T* const line = to + ((c_.axes[0].before + i * c_.axes[0].input_dilation) * extent_[1] + c_.axes[1].before +
                              j * c_.axes[1].input_dilation) *
                                 extent_[2];
        const T* const x = from + i * c_.axes[0].x_stride + j * c_.axes[1].x_stride;
        const convolved_axis& a = c_.axes[2];
        if (a.x_stride == 1 && a.input_dilation == 1 && last[2] > first[2])
          std::copy(x + first[2], x + last[2], line + a.before + first[2]);
        else
          for (index k = first[2]; k < last[2]; ++k) line[a.before + k * a.input_dilation] = x[k * a.x_stride];
      }
  }
  // Lines [first, last) of the outputs of an image, and of these the elements [left, right).
  void lines_of(index image, const T* x, const index* strides, const index* offsets, index first, index last,
                index left, index right, T* columns, bool by_rows) const {
    const index rows = c_.axes[1].out, width = c_.axes[2].out, count = right - left,
                step = c_.axes[2].stride * strides[2];
    const index output = image % c_.groups * c_.outputs;
    T* const out = static_cast<T*>(c_.out) + (image / c_.groups * c_.groups * c_.outputs + output) * positions_;
    const auto origin = [&](index line) {
      return x + line / rows * c_.axes[0].stride * strides[0] + line % rows * c_.axes[1].stride * strides[1] +
             left * step;
    };
    if (columns != nullptr) {
      const index all = (last - first) * count;
      for (index t = 0; t < depth_; ++t)
        for (index line = first; line < last; ++line) {
          const T* const from = origin(line) + offsets[t];
          T* const to = columns + t * all + (line - first) * count;
          if (step == 1)
            std::copy_n(from, count, to);
          else
            for (index k = 0; k < count; ++k) to[k] = from[k * step];
        }
      T* const c = out + first * width + left;
      for (index o = 0; o < c_.outputs && c_.bias != nullptr; ++o)
        std::fill_n(c + o * positions_, all, bias_of(output + o));
      product_problem<T> p;
      p.a = {factors_ + output * depth_, c_.outputs, depth_, depth_, 1};
      p.b = {columns, depth_, all, all, 1};
      p.c = c;
      p.ldc = positions_;
      p.accumulate = c_.bias != nullptr;
      p.how = c_.how;
      p.how.threads = 1;
      if constexpr (std::is_integral_v<T>)
        return multiply_integers(p);
      else
        return multiply(p);
    }
    if constexpr (!detail::is_complex_type<T>)
      if (by_rows) {
        using U = unsigned_if_integer<T>;
        const U* const bias = static_cast<const U*>(c_.bias);
        for (index line = first; line < last; ++line)
          taps<U>().set_rows({reinterpret_cast<U*>(out + line * width + left), positions_, c_.outputs, count,
                              reinterpret_cast<const U*>(origin(line)),
                              reinterpret_cast<const U*>(factors_ + output * depth_), offsets, depth_,
                              bias != nullptr ? bias + output * c_.bias_stride : nullptr, c_.bias_stride});
        return;
      }
    for (index o = 0; o < c_.outputs; ++o)
      for (index line = first; line < last; ++line) {
        T* const to = out + o * positions_ + line * width + left;
        set_line(to, count, bias_of(output + o), origin(line), step, factors_ + (output + o) * depth_, offsets);
      }
  }
  void set_line(T* to, index n, T start, const T* x, index step, const T* factors, const index* offsets) const {
    if constexpr (detail::is_complex_type<T>)
      set_taps(to, n, start, x, step, factors, offsets, depth_);
    else {
      using U = unsigned_if_integer<T>;
      taps<U>().set(reinterpret_cast<U*>(to), n, static_cast<U>(start), reinterpret_cast<const U*>(x), step,
                    reinterpret_cast<const U*>(factors), offsets, depth_);
    }
  }

  const convolution_call& c_;
  index extent_[3], taps_ = 1, positions_ = 1, depth_ = 0;
  bool padded_ = false;
  const T* factors_ = nullptr;
};

}  // namespace

void convolve(const convolution_parameters& p, const signal_operand* in, void* to, const index* extents,
              const options& how) {
  const signal_operand &x = in[0], &w = in[1];
  const int axes = p.axes, loops = x.rank - axes;  // 1: no batch
  convolution_call c{};
  c.type = x.type;
  c.x = x.data;
  c.w = w.data;
  c.out = to;
  c.how = how;
  c.batch = loops > 1 ? x.extents[0] : 1;
  c.x_batch = loops > 1 ? x.strides[0] : 0;
  c.x_channel = x.strides[loops - 1];
  c.groups = p.groups;
  c.channels = x.extents[loops - 1] / p.groups;
  c.outputs = extents[loops - 1] / p.groups;
  // The weights of a transposed one are (groups * channels, outputs, kernel).
  c.w_output = w.strides[p.transposed ? 1 : 0];
  c.w_channel = w.strides[p.transposed ? 0 : 1];
  c.w_group = w.strides[0] * (p.transposed ? c.channels : c.outputs);
  if (p.has_bias) {
    c.bias = in[2].data;
    c.bias_stride = in[2].strides[0];
  }
  index turned = 0;
  for (int a = 0; a < axes; ++a) {
    convolved_axis& o = c.axes[detail::max_signal_axes - axes + a];
    o.size = x.extents[loops + a];
    o.kernel = w.extents[2 + a];
    o.out = extents[loops + a];
    o.x_stride = x.strides[loops + a];
    o.w_stride = w.strides[2 + a];
    o.dilation = p.dilation[a];
    if (p.transposed) {
      // The adjoint: elements `stride` apart, and the kernel from its end.
      o.input_dilation = p.stride[a];
      o.before = p.dilation[a] * (o.kernel - 1) - p.padding[a];
      turned += (o.kernel - 1) * o.w_stride;
      o.w_stride = -o.w_stride;
    } else {
      o.stride = p.stride[a];
      o.before = p.same ? p.dilation[a] * (o.kernel - 1) / 2 : p.padding[a];
    }
  }
  c.w = static_cast<const char*>(w.data) + turned * static_cast<index>(size_of(x.type));
  convolution(c);
}

void convolve_lines(index start, bool turned, const signal_operand* in, void* to, index count, const options& how) {
  const signal_operand &x = in[turned ? 1 : 0], &w = in[turned ? 0 : 1];
  const auto size = static_cast<index>(size_of(x.type));
  convolution_call c{};
  c.type = x.type;
  c.out = to;
  c.how = how;
  c.channels = 1;
  convolved_axis& a = c.axes[detail::max_signal_axes - 1];
  const auto from = [&](const signal_operand& o, bool back) -> const void* {
    return static_cast<const char*>(o.data) + (back ? (o.extents[0] - 1) * o.strides[0] * size : 0);
  };
  c.x = from(x, turned);
  c.w = from(w, turned);
  a.x_stride = turned ? -x.strides[0] : x.strides[0];
  a.w_stride = turned ? -w.strides[0] : w.strides[0];
  a.size = x.extents[0];
  a.kernel = w.extents[0];
  a.out = count;
  a.before = a.kernel - 1 - start;
  convolution(c);
}

void convolution(const convolution_call& c) {
  by_type(number_types{}, c.type, [&]<class T>() { convolver<T>(c).run(); });
}

}  // namespace broadloom::runtime
