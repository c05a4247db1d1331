// Distances between the rows of two matrices, a strip of rows of the second at a time.
#include "distances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <broadloom/linalg/distances.hpp>

#include "stack.hpp"

namespace broadloom::runtime {

namespace {

// The distance of two rows whose squared differences left the range: that of multiples by a power of two.
template <class T>
T scaled_distance(const matrix<T>& x, index i, const matrix<T>& y, index j, T plain) {
  T largest = 0;
  for (index k = 0; k < x.cols; ++k) {
    const T d = std::abs(x(i, k) - y(j, k));
    if (!(d <= std::numeric_limits<T>::max())) return plain;
    largest = std::max(largest, d);
  }
  if (largest == 0) return plain;
  const int exponent = std::ilogb(largest);
  T sum = 0;
  for (index k = 0; k < x.cols; ++k) {
    const T d = std::ldexp(x(i, k) - y(j, k), -exponent);
    sum += d * d;
  }
  return std::ldexp(std::sqrt(sum), exponent);
}

template <class T>
void run_distances(const stack_call& c) {
  // Below it, squares of differences may have been subnormal.
  constexpr T least = sizeof(T) == 4 ? T(0x1p-48) : T(0x1p-480);
  const auto& kernel = distances<T>();
  const index m = c.sizes[0], depth = c.sizes[1], n = c.sizes[2], width = kernel.columns;
  if (m == 0 || n == 0) return;
  const index strips = (n + width - 1) / width, count = c.count() * strips;
  const index block = block_of(static_cast<double>(3 * m * width) * static_cast<double>(depth + 8));
  work_memory<T> all(width * std::max<index>(depth, 1), blocks_of(count, block), c.how);
  in_blocks(count, block, c.how, [&](index first, index last) {
    const typename work_memory<T>::slot memory(all);
    T* const packed = memory.data();
    for (index number = first; number < last; ++number) {
      const index which = number / strips, at = number % strips * width, own = std::min(width, n - at);
      const auto x = matrix_of<T>(c, 0, which, m, depth), y = matrix_of<T>(c, 1, which, n, depth);
      for (index k = 0; k < depth; ++k)
        for (index j = 0; j < width; ++j) packed[k * width + j] = j < own ? y(at + j, k) : T(0);
      T* const to = result_of<T>(c, 0, which, m * n) + at;
      kernel.euclid(to, n, x.data, x.row_stride, x.col_stride, packed, depth, m, own);
      for (index i = 0; i < m; ++i)
        for (index j = 0; j < own; ++j)
          if (T& r = to[i * n + j]; r < least || r == std::numeric_limits<T>::infinity())
            r = scaled_distance(x, i, y, at + j, r);
    }
  });
}

}  // namespace

void euclidean_distances(const stack_call& c) {
  by_type(floating_types{}, c.type, [&]<class T>() { run_distances<T>(c); });
}

}  // namespace broadloom::runtime
