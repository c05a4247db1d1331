// Products of few elements whose sizes are known when the program runs, computed in the caller.
#pragma once

#include <broadloom/linalg/straight.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// At most this many multiplications.
inline constexpr index max_few_products = 512;
// Of a dot product, whose sums wait for each other.
inline constexpr index max_few_terms = 16;
// rows x terms elements of `a` and terms x cols of `b`, their steps along each axis; each result is a sum in the order
// of the index; no products are fused. The sum begins with the first product where the order is fixed, so that products
// of -0 give -0, else with 0, as in any other order.
struct few_steps {
  index rows, terms, cols, a_row, a_term, b_term, b_col;
};
template <int Native, class T>
[[gnu::noinline]] void multiply_few(const T* a, const T* b, T* to, bool fixed_order, const few_steps& s) {
  const T start = fixed_order ? T(-0.0) : T(0);  // -0 + x is x
  constexpr int w = native_bytes(Native) / static_cast<int>(sizeof(T));
  const auto columns = [&]<int W>(std::integral_constant<int, W>, const T* x,
                                  const T* y) __attribute__((always_inline)) {
    auto sum = lanes::plus(straight_lanes<T, W, 0>(&start),
                           lanes::times(straight_lanes<T, W, 0>(x), straight_lanes<T, W, 1>(y)));
    for (index k = 1; k < s.terms; ++k)
      sum = lanes::plus(
          sum, lanes::times(straight_lanes<T, W, 0>(x + k * s.a_term), straight_lanes<T, W, 1>(y + k * s.b_term)));
    return sum;
  };
  index i = 0;
  // Terms side by side: products by vectors, of as many rows as these have lanes, which are then transposed.
  if (s.cols == 1 && s.a_term == 1 && s.b_term == 1) {
    constexpr int width = 16 / static_cast<int>(sizeof(T));
    using V = simd_vec<T, width>;
    for (; i + width <= s.rows; i += width, a += width * s.a_row, to += width) {
      V sum = splat<width>(start);
      index k = 0;
      for (; k + width <= s.terms; k += width) {
        const V y = load<T, width>(b + k);
        V x[width];
#pragma GCC unroll 4
        for (int r = 0; r < width; ++r) x[r] = lanes::times(load<T, width>(a + r * s.a_row + k), y);
        transpose_lanes(x);
#pragma GCC unroll 4
        for (int r = 0; r < width; ++r) sum = lanes::plus(sum, x[r]);
      }
      for (; k < s.terms; ++k) {
        V x{};
#pragma GCC unroll 4
        for (int r = 0; r < width; ++r) x[r] = a[r * s.a_row + k];
        sum = lanes::plus(sum, lanes::times(x, splat<width>(b[k])));
      }
      store<T>(to, sum);
    }
  }
  // Four sums at a time: none waits for another.
  if (s.cols == 1)
    for (; i + 4 <= s.rows; i += 4, a += 4 * s.a_row, to += 4) {
      T sum[4];
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) sum[r] = lanes::plus(start, lanes::times(a[r * s.a_row], b[0]));
      for (index k = 1; k < s.terms; ++k)
#pragma GCC unroll 4
        for (int r = 0; r < 4; ++r)
          sum[r] = lanes::plus(sum[r], lanes::times(a[r * s.a_row + k * s.a_term], b[k * s.b_term]));
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) to[r] = sum[r];
    }
  for (; i < s.rows; ++i, a += s.a_row) {
    index j = 0;
    if (s.b_col == 1)
      for (; j + w <= s.cols; j += w) store<T>(to + j, columns(std::integral_constant<int, w>{}, a, b + j));
    for (; j < s.cols; ++j) to[j] = columns(std::integral_constant<int, 1>{}, a, b + j * s.b_col);
    to += s.cols;
  }
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
