// Sums of strips of complex numbers: real and imaginary parts are added as they lie in memory, in lanes of 64 bytes.
#include "../base/limits.hpp"
#include "../base/vectors.hpp"
#include "complex_strips.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {
namespace {

template <class R>
struct sums {
  static constexpr int width = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(R)), parts = 64 / BROADLOOM_LEVEL_BYTES;
  static constexpr index lanes = 64 / static_cast<index>(sizeof(R)), length = 2 * limits::strip, in_cache = 16;
  using V = vec<R, BROADLOOM_LEVEL_BYTES>;

  static V at(const R* p) { return *reinterpret_cast<const vec_in_memory<R, BROADLOOM_LEVEL_BYTES>*>(p); }

  template <int Strips>
  static void side_by_side(const R* x, R* to) {
    V sum[Strips * parts];
#pragma GCC unroll 16
    for (int k = 0; k < Strips * parts; ++k) sum[k] = at(x + k / parts * length + k % parts * width);
    for (index i = lanes; i < length; i += lanes)
#pragma GCC unroll 16
      for (int k = 0; k < Strips * parts; ++k) sum[k] += at(x + k / parts * length + i + k % parts * width);
    for (int s = 0; s < Strips; ++s) {
      // Halves of the lanes, down to one number.
      using quarter = vec<R, 16>;
      quarter q[4];
      __builtin_memcpy(q, sum + s * parts, sizeof q);
      const quarter r = (q[0] + q[2]) + (q[1] + q[3]);
      to[2 * s] = sizeof(R) == 4 ? r[0] + r[2 % (16 / sizeof(R))] : r[0];
      to[2 * s + 1] = sizeof(R) == 4 ? r[1] + r[3 % (16 / sizeof(R))] : r[1];
    }
  }
  static void run(const void* from, index strips, void* results) {
    const R* const x = static_cast<const R*>(from);
    R* const to = static_cast<R*>(results);
    index s = 0;
    // Two side by side in cache: in one, each vector waits for the one before it. Memory is read in one stream.
    if (BROADLOOM_LEVEL_BYTES == 16 || strips <= in_cache)
      for (; s + 2 <= strips; s += 2) side_by_side<2>(x + s * length, to + 2 * s);
    for (; s < strips; ++s) side_by_side<1>(x + s * length, to + 2 * s);
  }
};

}  // namespace
}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

constinit const complex_strips BROADLOOM_OF_LEVEL(complex_strips_of) = {
    {BROADLOOM_LEVEL::sums<float>::run, BROADLOOM_LEVEL::sums<double>::run}};

}  // namespace broadloom::runtime
