// The kernels of norms, of one instruction-set level.
#include "norms.hpp"

#include <broadloom/fn/lanes.hpp>

#include "../base/vectors.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct norm_code {
  // Floats become doubles four at a time: eight take some processors twice as long as twice four.
  static constexpr int bytes = sizeof(T) == 4 && BROADLOOM_LEVEL_BYTES > 32 ? 32 : BROADLOOM_LEVEL_BYTES;
  // Four sums for each of eight lanes: an addition waits for the one before it in its lane.
  static constexpr int lanes = 8, width = bytes / 8, groups = lanes / width, ways = 4;
  using V = vec<double, bytes>;

  static V load(const double* x) {
    V v;
    __builtin_memcpy(&v, x, sizeof v);
    return v;
  }
  static V load(const float* x) {
#if defined(__AVX__)
    return _mm256_cvtps_pd(_mm_loadu_ps(x));
#else
    return V{x[0], x[1]};
#endif
  }
  [[gnu::always_inline]] static inline void add_squares(const T* x, V* sums) {
#pragma GCC unroll 4
    for (int g = 0; g < groups; ++g) {
      const V v = load(x + g * width);
      if constexpr (sizeof(T) == 4)
        sums[g] += v * v;  // exact products: fused or not
      else
        sums[g] = broadloom::lanes::plus(sums[g], broadloom::lanes::times(v, v));
    }
  }
  static double sum_of_squares(const T* x, index n) {
    V sums[ways][groups] = {};
    index i = 0;
    for (; i + ways * lanes <= n; i += ways * lanes)
#pragma GCC unroll 4
      for (int k = 0; k < ways; ++k) add_squares(x + i + k * lanes, sums[k]);
    for (; i + lanes <= n; i += lanes) add_squares(x + i, sums[0]);
#pragma GCC unroll 4
    for (int g = 0; g < groups; ++g) sums[0][g] = (sums[0][g] + sums[1][g]) + (sums[2][g] + sums[3][g]);
    double rest = sums[0][0][0];
    for (; i < n; ++i) rest += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    double total = rest;
    for (int l = 1; l < lanes; ++l) total += sums[0][l / width][l % width];
    return total;
  }
  static constexpr norm_kernels<T> table{sum_of_squares};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {
BROADLOOM_REAL_TABLES(norm_kernels, norms, norm_code)
}  // namespace broadloom::runtime
