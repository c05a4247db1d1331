// The kernels that add products in one fixed order, of one instruction-set level.
#include <complex>

#include <broadloom/fn/lanes.hpp>

#include "../base/vectors.hpp"
#include "ordered.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct ordered_code {
  using R = detail::real_of<T>;
  static constexpr bool is_complex = detail::is_complex_type<T>;
  static constexpr int lanes = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(R)), rows_at_once = 4;
  using V = vec<R, BROADLOOM_LEVEL_BYTES>;

  [[gnu::always_inline]] static V read(const R* p) {
    V x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
  }
  [[gnu::always_inline]] static void write(R* p, const V& x) { __builtin_memcpy(p, &x, sizeof x); }

  // Two vectors of columns, or one of complex ones: the real parts, then the imaginary parts.
  template <int Rows>
  static void tile(R* sums, const T* a, index a_row, index a_col, const R* b, index depth) {
    using broadloom::lanes::minus, broadloom::lanes::plus, broadloom::lanes::times;
    V first[Rows], second[Rows];
    for (int i = 0; i < Rows; ++i) {
      first[i] = read(sums + i * 2 * lanes);
      second[i] = read(sums + i * 2 * lanes + lanes);
    }
    for (index k = 0; k < depth; ++k, a += a_col, b += 2 * lanes) {
      const V x = read(b), y = read(b + lanes);
#pragma GCC unroll 4
      for (int i = 0; i < Rows; ++i) {
        if constexpr (is_complex) {
          const R* const parts = reinterpret_cast<const R*>(a + i * a_row);
          const V re = parts[0] - V{}, im = parts[1] - V{};
          first[i] = plus(first[i], minus(times(re, x), times(im, y)));
          second[i] = plus(second[i], plus(times(re, y), times(im, x)));
        } else {
          const V left = a[i * a_row] - V{};
          first[i] = plus(first[i], times(left, x));
          second[i] = plus(second[i], times(left, y));
        }
      }
    }
    for (int i = 0; i < Rows; ++i) {
      write(sums + i * 2 * lanes, first[i]);
      write(sums + i * 2 * lanes + lanes, second[i]);
    }
  }
  static void add(R* sums, const T* a, index a_row, index a_col, const R* b, index depth, index rows) {
    for (; rows >= rows_at_once; rows -= rows_at_once, a += rows_at_once * a_row, sums += rows_at_once * 2 * lanes)
      tile<rows_at_once>(sums, a, a_row, a_col, b, depth);
    switch (rows) {
      case 1: return tile<1>(sums, a, a_row, a_col, b, depth);
      case 2: return tile<2>(sums, a, a_row, a_col, b, depth);
      case 3: return tile<3>(sums, a, a_row, a_col, b, depth);
      default: return;
    }
  }

  static constexpr ordered_kernels<T> table{is_complex ? lanes : 2 * lanes, 2 * lanes, add};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(ordered_kernels, ordered, ordered_code)
BROADLOOM_COMPLEX_TABLES(ordered_kernels, ordered, ordered_code)

}  // namespace broadloom::runtime
