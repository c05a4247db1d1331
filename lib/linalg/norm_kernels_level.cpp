// The kernels of norms, of one instruction-set level.
#include "norms.hpp"

#include <broadloom/fn/lanes.hpp>

#include "../base/vectors.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct norm_code {
  static constexpr int lanes = 8, width = BROADLOOM_LEVEL_BYTES / 8, groups = lanes / width;
  using V = vec<double, BROADLOOM_LEVEL_BYTES>;
  using part = vec<T, width* static_cast<int>(sizeof(T))>;

  static double sum_of_squares(const T* x, index n) {
    V sums[groups] = {};
    index i = 0;
    for (; i + lanes <= n; i += lanes)
#pragma GCC unroll 4
      for (int g = 0; g < groups; ++g) {
        part own;
        __builtin_memcpy(&own, x + i + g * width, sizeof own);
        const V v = __builtin_convertvector(own, V);
        sums[g] = broadloom::lanes::plus(sums[g], broadloom::lanes::times(v, v));
      }
    double rest = sums[0][0];
    for (; i < n; ++i) rest += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    double total = rest;
    for (int l = 1; l < lanes; ++l) total += sums[l / width][l % width];
    return total;
  }
  static constexpr norm_kernels<T> table{sum_of_squares};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {
BROADLOOM_REAL_TABLES(norm_kernels, norms, norm_code)
}  // namespace broadloom::runtime
