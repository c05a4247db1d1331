// Random draws for processors with AVX-512.
#include <immintrin.h>

#include "../base/vectors.hpp"
#include "random_level.hpp"

namespace broadloom::runtime {
namespace v4 {

// With masks: GCC 12 warns of what it leaves undefined in the forms without.
struct random_level {
  static constexpr int bytes = 64;
  using wide = vec<std::uint64_t, 64>;
  static wide multiply(const wide& a, const wide& b) {
    return wide(_mm512_maskz_mul_epu32(0xff, __m512i(a), __m512i(b)));
  }
  static __m512 root(const __m512& x) { return _mm512_maskz_sqrt_ps(0xffff, x); }
  static __m512d root(const __m512d& x) { return _mm512_maskz_sqrt_pd(0xff, x); }
};

}  // namespace v4

constinit const random_kernels random_table_v4 = random_loops<v4::random_level>::table();

}  // namespace broadloom::runtime
