// Products of few elements, of one instruction-set level.
#include "few_products.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

using detail::load, detail::simd_vec, detail::splat, detail::store;

template <class T>
void multiply_by_vectors(const T* a, const T* b, T* to, bool fixed_order, const few_steps& s) {
  const T start = fixed_order ? T(-0.0) : T(0);  // -0 + x is x
  constexpr int size = static_cast<int>(sizeof(T));
  const auto columns = [&]<int W>(std::integral_constant<int, W>, const T* x,
                                  const T* y) __attribute__((always_inline)) {
    auto sum = broadloom::lanes::plus(
        detail::straight_lanes<T, W, 0>(&start),
        broadloom::lanes::times(detail::straight_lanes<T, W, 0>(x), detail::straight_lanes<T, W, 1>(y)));
    for (index k = 1; k < s.terms; ++k)
      sum = broadloom::lanes::plus(sum, broadloom::lanes::times(detail::straight_lanes<T, W, 0>(x + k * s.a_term),
                                                                detail::straight_lanes<T, W, 1>(y + k * s.b_term)));
    return sum;
  };
  index i = 0;
  // Terms side by side: products by vectors, of as many rows as these have lanes, which are then transposed.
  if (s.cols == 1 && s.a_term == 1 && s.b_term == 1) {
    constexpr int width = 16 / size;
    using V = simd_vec<T, width>;
    for (; i + width <= s.rows; i += width, a += width * s.a_row, to += width) {
      V sum = splat<width>(start);
      index k = 0;
      for (; k + width <= s.terms; k += width) {
        const V y = load<T, width>(b + k);
        V x[width];
#pragma GCC unroll 4
        for (int r = 0; r < width; ++r) x[r] = broadloom::lanes::times(load<T, width>(a + r * s.a_row + k), y);
        detail::transpose_lanes(x);
#pragma GCC unroll 4
        for (int r = 0; r < width; ++r) sum = broadloom::lanes::plus(sum, x[r]);
      }
      for (; k < s.terms; ++k) {
        V x{};
#pragma GCC unroll 4
        for (int r = 0; r < width; ++r) x[r] = a[r * s.a_row + k];
        sum = broadloom::lanes::plus(sum, broadloom::lanes::times(x, splat<width>(b[k])));
      }
      store<T>(to, sum);
    }
  }
  // Four sums at a time: none waits for another.
  if (s.cols == 1)
    for (; i + 4 <= s.rows; i += 4, a += 4 * s.a_row, to += 4) {
      T sum[4];
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) sum[r] = broadloom::lanes::plus(start, broadloom::lanes::times(a[r * s.a_row], b[0]));
      for (index k = 1; k < s.terms; ++k)
#pragma GCC unroll 4
        for (int r = 0; r < 4; ++r)
          sum[r] =
              broadloom::lanes::plus(sum[r], broadloom::lanes::times(a[r * s.a_row + k * s.a_term], b[k * s.b_term]));
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) to[r] = sum[r];
    }
  for (; i < s.rows; ++i, a += s.a_row) {
    index j = 0;
    if (s.b_col == 1) {
      if constexpr (BROADLOOM_LEVEL_BYTES >= 64)
        for (; j + 64 / size <= s.cols; j += 64 / size)
          store<T>(to + j, columns(std::integral_constant<int, 64 / size>{}, a, b + j));
      if constexpr (BROADLOOM_LEVEL_BYTES >= 32)
        for (; j + 32 / size <= s.cols; j += 32 / size)
          store<T>(to + j, columns(std::integral_constant<int, 32 / size>{}, a, b + j));
      for (; j + 16 / size <= s.cols; j += 16 / size)
        store<T>(to + j, columns(std::integral_constant<int, 16 / size>{}, a, b + j));
    }
    for (; j < s.cols; ++j) to[j] = columns(std::integral_constant<int, 1>{}, a, b + j * s.b_col);
    to += s.cols;
  }
}

template <class T>
struct few_product_code {
  static constexpr few_product_kernels<T> table{multiply_by_vectors<T>};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {
BROADLOOM_REAL_TABLES(few_product_kernels, few_products, few_product_code)
}  // namespace broadloom::runtime
