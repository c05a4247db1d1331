// Windows of pictures as columns (unfold), and the sums of windows where they overlap (fold).
#include <broadloom/signal/resample_call.hpp>

#include <algorithm>
#include <complex>

#include "../base/by_type.hpp"
#include "../linalg/batch.hpp"

namespace broadloom::runtime {

namespace {

// Windows of a picture: how many of each axis there are.
struct picture {
  index blocks[2], size[2];
  explicit picture(const fold_parameters& p) {
    for (int a = 0; a < 2; ++a) {
      size[a] = p.size[a];
      blocks[a] = (p.size[a] + 2 * p.padding[a] - p.dilation[a] * (p.kernel[a] - 1) - 1) / p.stride[a] + 1;
    }
  }
  index columns() const { return blocks[0] * blocks[1]; }
};

// Calls f(y, x, column, n) for each row of windows: their elements (i, j) are row y of the picture from x on, n of them
// `stride` apart, and belong to the columns from `column` on. Of those that are padding f is not called.
template <class F>
void each_row(const fold_parameters& p, const picture& s, index i, index j, const F& f) {
  const index step = p.stride[1], before = p.padding[1] - j * p.dilation[1];  // x = c * step - before
  const index first = before > 0 ? (before + step - 1) / step : 0, end = s.size[1] + before;
  const index last = end <= 0 ? 0 : std::min(s.blocks[1], (end + step - 1) / step);
  if (first >= last) return;
  for (index r = 0; r < s.blocks[0]; ++r) {
    const index y = r * p.stride[0] - p.padding[0] + i * p.dilation[0];
    if (y >= 0 && y < s.size[0]) f(y, first * step - before, r * s.blocks[1] + first, last - first);
  }
}

}  // namespace

void unfold(const fold_parameters& p, const signal_operand& x, void* to, const options& how) {
  const picture s(p);
  const bool stack = x.rank == 4;
  const index* const e = x.extents + stack;
  const index* const st = x.strides + stack;
  const index batch = stack ? x.extents[0] : 1, taps = p.kernel[0] * p.kernel[1], columns = s.columns();
  by_type(floating_and_complex_types{}, x.type, [&]<class T>() {
    in_blocks(batch * e[0], block_of(static_cast<double>(taps * columns)), how, [&](index first, index last) {
      for (index n = first; n < last; ++n) {
        const T* const from = static_cast<const T*>(x.data) + (stack ? n / e[0] * x.strides[0] : 0) + n % e[0] * st[0];
        T* const out = static_cast<T*>(to) + n * taps * columns;
        const index step = p.stride[1] * st[2];
        for (index t = 0; t < taps; ++t) {
          T* const row = out + t * columns;
          index done = 0;
          each_row(p, s, t / p.kernel[1], t % p.kernel[1], [&](index y, index c, index column, index count) {
            std::fill(row + done, row + column, T());
            const T* const x0 = from + y * st[1] + c * st[2];
            if (step == 1)
              std::copy_n(x0, count, row + column);
            else
              for (index k = 0; k < count; ++k) row[column + k] = x0[k * step];
            done = column + count;
          });
          std::fill(row + done, row + columns, T());
        }
      }
    });
  });
}

void fold(const fold_parameters& p, const signal_operand& x, void* to, const options& how) {
  const picture s(p);
  const bool stack = x.rank == 3;
  const index* const st = x.strides + stack;
  const index taps = p.kernel[0] * p.kernel[1], channels = x.extents[stack] / taps, batch = stack ? x.extents[0] : 1;
  by_type(floating_and_complex_types{}, x.type, [&]<class T>() {
    in_blocks(batch * channels, block_of(static_cast<double>(taps * s.columns())), how, [&](index first, index last) {
      for (index n = first; n < last; ++n) {
        const T* const from =
            static_cast<const T*>(x.data) + (stack ? n / channels * x.strides[0] : 0) + n % channels * taps * st[0];
        T* const out = static_cast<T*>(to) + n * p.size[0] * p.size[1];
        std::fill_n(out, p.size[0] * p.size[1], T());
        for (index t = 0; t < taps; ++t)
          each_row(p, s, t / p.kernel[1], t % p.kernel[1], [&](index y, index c, index column, index count) {
            T* const sums = out + y * p.size[1] + c;
            const T* const terms = from + t * st[0] + column * st[1];
            if (p.stride[1] == 1 && st[1] == 1)
              for (index k = 0; k < count; ++k) sums[k] += terms[k];
            else
              for (index k = 0; k < count; ++k) sums[k * p.stride[1]] += terms[k * st[1]];
          });
      }
    });
  });
}

void fold_windows(int axis, index n, index step, const signal_operand& x, void* to, const options& how) {
  const int rank = x.rank - 1;  // of the result
  index outer = 1, inner = 1;
  for (int a = 0; a < axis; ++a) outer *= x.extents[a];
  for (int a = axis + 1; a < rank; ++a) inner *= x.extents[a];
  const index windows = x.extents[axis], size = x.extents[rank];
  by_type(floating_and_complex_types{}, x.type, [&]<class T>() {
    in_blocks(outer * inner, block_of(static_cast<double>(windows * size + n)), how, [&](index first, index last) {
      for (index line = first; line < last; ++line) {
        const T* from = static_cast<const T*>(x.data);
        index rest = line % inner;
        for (int a = rank - 1; a > axis; --a) {
          from += rest % x.extents[a] * x.strides[a];
          rest /= x.extents[a];
        }
        rest = line / inner;
        for (int a = axis - 1; a >= 0; --a) {
          from += rest % x.extents[a] * x.strides[a];
          rest /= x.extents[a];
        }
        T* const out = static_cast<T*>(to) + line / inner * n * inner + line % inner;
        for (index i = 0; i < n; ++i) out[i * inner] = T();
        for (index w = 0; w < windows; ++w)
          for (index k = 0; k < size; ++k)
            out[(w * step + k) * inner] += from[w * x.strides[axis] + k * x.strides[rank]];
      }
    });
  });
}

}  // namespace broadloom::runtime
