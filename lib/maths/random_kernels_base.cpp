// Random draws for processors of which nothing more is known.
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "../base/vectors.hpp"
#include "random_level.hpp"

namespace broadloom::runtime {
namespace base {

struct random_level {
  static constexpr int bytes = 16;
  using wide = vec<std::uint64_t, 16>;
  using f64s = vec<double, 16>;
  using f32s = vec<float, 16>;
#if defined(__x86_64__)
  static wide multiply(const wide& a, const wide& b) { return wide(_mm_mul_epu32(__m128i(a), __m128i(b))); }
  static f32s root(const f32s& x) { return _mm_sqrt_ps(x); }
  static f64s root(const f64s& x) { return _mm_sqrt_pd(x); }
#else
  static wide multiply(const wide& a, const wide& b) {
    return wide{(a[0] & 0xffffffff) * (b[0] & 0xffffffff), (a[1] & 0xffffffff) * (b[1] & 0xffffffff)};
  }
  static f32s root(const f32s& x) {
    return f32s{__builtin_sqrtf(x[0]), __builtin_sqrtf(x[1]), __builtin_sqrtf(x[2]), __builtin_sqrtf(x[3])};
  }
  static f64s root(const f64s& x) { return f64s{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])}; }
#endif
};

}  // namespace base

constinit const random_kernels random_table_base = random_loops<base::random_level>::table();

}  // namespace broadloom::runtime
