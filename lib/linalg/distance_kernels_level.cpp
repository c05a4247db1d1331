// The kernels of distances, of one instruction-set level.

#include <broadloom/fn/lanes.hpp>

#include "../base/vectors.hpp"
#include "distances.hpp"
#include "vector_root.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct distance_code {
  static constexpr int lanes = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T)), columns = 2 * lanes;
  using V = vec<T, BROADLOOM_LEVEL_BYTES>;

  // Sums of squares of so many rows and two vectors of columns.
  template <int Rows>
  static void tile(T* to, index to_row, const T* x, index x_row, index x_col, const T* packed, index depth,
                   index width) {
    using broadloom::lanes::minus, broadloom::lanes::plus, broadloom::lanes::times;
    V first[Rows] = {}, second[Rows] = {};
    for (index k = 0; k < depth; ++k, x += x_col, packed += columns) {
      V a, b;
      __builtin_memcpy(&a, packed, sizeof a);
      __builtin_memcpy(&b, packed + lanes, sizeof b);
#pragma GCC unroll 4
      for (int i = 0; i < Rows; ++i) {
        const V left = x[i * x_row] - V{};
        const V p = minus(left, a), q = minus(left, b);
        first[i] = plus(first[i], times(p, p));
        second[i] = plus(second[i], times(q, q));
      }
    }
    for (int i = 0; i < Rows; ++i) {
      const V p = vector_root<T>(first[i]), q = vector_root<T>(second[i]);
      T* const own = to + i * to_row;
      if (width == columns) {
        __builtin_memcpy(own, &p, sizeof p);
        __builtin_memcpy(own + lanes, &q, sizeof q);
      } else
        for (int l = 0; l < static_cast<int>(width); ++l) own[l] = l < lanes ? p[l] : q[l - lanes];
    }
  }
  static void euclid(T* to, index to_row, const T* x, index x_row, index x_col, const T* packed, index depth,
                     index rows, index width) {
    for (; rows >= 4; rows -= 4, x += 4 * x_row, to += 4 * to_row)
      tile<4>(to, to_row, x, x_row, x_col, packed, depth, width);
    for (; rows > 0; --rows, x += x_row, to += to_row) tile<1>(to, to_row, x, x_row, x_col, packed, depth, width);
  }
  static constexpr distance_kernels<T> table{columns, euclid};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(distance_kernels, distances, distance_code)

}  // namespace broadloom::runtime
