// What the hand-written reductions of rows share: sums and extremes of vectors and of their lanes.
#pragma once
#include <algorithm>

#include "hand_parallel.hpp"

namespace hand {

BENCH_INLINE float across(vf x) {
#if defined(__AVX512F__)
  return _mm512_reduce_add_ps(__m512(x));
#else
  float s = 0;
  for (int k = 0; k < nf; ++k) s += x[k];
  return s;
#endif
}
BENCH_INLINE float largest(vf x) {
#if defined(__AVX512F__)
  return _mm512_reduce_max_ps(__m512(x));
#else
  float m = x[0];
  for (int k = 1; k < nf; ++k) m = std::max(m, float(x[k]));
  return m;
#endif
}

// The sum of what term(i) gives for the vectors of n elements, which is a multiple of four vectors.
template <class Term>
BENCH_INLINE vf sum_of(long n, const Term& term) {
  vf s0{}, s1{}, s2{}, s3{};
  for (long i = 0; i < n; i += 4 * nf) {
    s0 += term(i), s1 += term(i + nf), s2 += term(i + 2 * nf), s3 += term(i + 3 * nf);
  }
  return (s0 + s1) + (s2 + s3);
}

// The largest of n elements, which is a multiple of four vectors, from memory.
BENCH_INLINE float largest_of(const float* q, long n) {
  vf m0 = load<vf>(q), m1 = m0, m2 = m0, m3 = m0;
  for (long j = 0; j < n; j += 4 * nf) {
    ahead(q + j), ahead(q + j + 2 * nf);
    m0 = max(m0, load<vf>(q + j)), m1 = max(m1, load<vf>(q + j + nf));
    m2 = max(m2, load<vf>(q + j + 2 * nf)), m3 = max(m3, load<vf>(q + j + 3 * nf));
  }
  return largest(max(max(m0, m1), max(m2, m3)));
}

}  // namespace hand
