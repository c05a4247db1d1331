// Random draws for processors with AVX2.
#include <immintrin.h>

#include "../base/vectors.hpp"
#include "random_level.hpp"

namespace broadloom::runtime {
namespace v3 {

struct random_level {
  static constexpr int bytes = 32;
  using wide = vec<std::uint64_t, 32>;
  static wide multiply(const wide& a, const wide& b) { return wide(_mm256_mul_epu32(__m256i(a), __m256i(b))); }
  static __m256 root(const __m256& x) { return _mm256_sqrt_ps(x); }
  static __m256d root(const __m256d& x) { return _mm256_sqrt_pd(x); }
};

}  // namespace v3

constinit const random_kernels random_table_v3 = random_loops<v3::random_level>::table();

}  // namespace broadloom::runtime
