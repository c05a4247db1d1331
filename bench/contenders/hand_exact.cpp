// The hand-written reductions once more, as fast as they get with every operation rounded by itself: true quotients,
// products rounded before they are added, exp as right as Broadloom's and for all arguments. Sums may be added in any
// order. What this takes longer than the other hand-written loops is what the promise of `accurate` costs.
#include <tbb/version.h>

#include <cmath>
#include <memory>

#include "hand_rows.hpp"

namespace {

using bench::job;
using bench::problem;
using bench::repeat;
using namespace hand;

BENCH_INLINE vf less_product(vf a, vf b, vf c) {
#if defined(__AVX512F__)
  return vf(_mm512_fnmadd_ps(__m512(a), __m512(b), __m512(c)));
#else
  return vf(_mm256_fnmadd_ps(__m256(a), __m256(b), __m256(c)));
#endif
}
BENCH_INLINE vf size_of(vf x) { return vf(vi(x) & 0x7fffffff); }
BENCH_INLINE float smallest(vf x) { return -largest(-x); }

// x / y, rounded once, for y from 1e-6 to 1e6 while no quotient is below `least` (0 is) and x / y does not overflow; in
// less time than a division takes (include/broadloom/eval/simd/divisor.hpp has the proof).
struct divisor {
  static constexpr float least = 0x1p-70f;
  vf y, reciprocal, rest;
  explicit divisor(float one) : y(splat<vf>(one)), reciprocal(splat<vf>(1 / one)) {
    rest = less_product(reciprocal, y, splat<vf>(1.f)) * reciprocal;
  }
  BENCH_INLINE vf under(vf x) const {
    const vf near = fma(x, reciprocal, x * rest);
    return fma(less_product(near, y, x), reciprocal, near);
  }
};

// exp for x <= 0, to 0.9 units in the last place, 0 where it is too small.
BENCH_INLINE vf exp_of_negative(vf x) {
  const vf v = max(x, splat<vf>(-104.f)), rounder = splat<vf>(12582912.f);
  const vf t = fma(v, splat<vf>(1.44269502f), rounder), n = t - rounder;
  const vf r = fma(n, splat<vf>(-1.42860677e-6f), fma(n, splat<vf>(-0.693145752f), v));
  vf p = fma(splat<vf>(0.00138213043f), r, splat<vf>(0.00836866908f));
  p = fma(p, r, splat<vf>(0.0416682586f));
  p = fma(p, r, splat<vf>(0.166665211f));
  p = fma(p, r, splat<vf>(0.49999994f));
  p = fma(r, fma(r, p, splat<vf>(1.f)), splat<vf>(1.f));
#if defined(__AVX512F__)
  return vf(_mm512_scalef_ps(__m512(p), __m512(n)));
#else
  const vi whole = vi(t) - vi(rounder), half = whole >> 1;
  return p * vf((half + 127) << 23) * vf((whole - half + 127) << 23);
#endif
}

job softmax_rows(const problem& p) {
  use_threads(p.threads);
  const long rows = p.shapes[0][0], n = p.shapes[0][1];
  return repeat(p.threads, [=, x = p.in<float>(0), o = p.out<float>(), t = p.threads] {
    parallel(t, rows, 16, [=](long b, long e) {
      alignas(64) float kept[1024];
      for (long i = b; i < e; ++i) {
        const float* q = x + i * n;
        float* BENCH_RESTRICT r = o + i * n;
        const float m = largest_of(q, n);
        // The next row and the result's lines come meanwhile.
        const vf s = sum_of(n, [&](long j) {
          __builtin_prefetch(q + n + j);
          __builtin_prefetch(r + j, 1);
          const vf y = exp_of_negative(load<vf>(q + j) - m);
          store(kept + j, y);
          return y;
        });
        const float sum = across(s);
        const divisor by(sum);
        vf least = splat<vf>(1.f);
        for (long j = 0; j < n; j += nf) {
          const vf y = by.under(load<vf>(kept + j));
          least = min(least, y);
          store(r + j, y);
        }
        if (smallest(least) < divisor::least)
          for (long j = 0; j < n; j += nf) store(r + j, load<vf>(kept + j) / sum);
      }
    });
  });
}

job layer_norm(const problem& p) {
  use_threads(p.threads);
  const long rows = p.shapes[0][0], n = p.shapes[0][1];
  return repeat(p.threads,
                [=, x = p.in<float>(0), g = p.in<float>(1), h = p.in<float>(2), o = p.out<float>(), t = p.threads] {
                  parallel(t, rows, 16, [=](long b, long e) {
                    for (long i = b; i < e; ++i) {
                      const float* q = x + i * n;
                      float* BENCH_RESTRICT r = o + i * n;
                      const float mean = across(sum_of(n,
                                                       [q](long j) {
                                                         ahead(q + j);
                                                         return load<vf>(q + j);
                                                       })) /
                                         float(n);
                      const float var = across(sum_of(n,
                                                      [q, mean](long j) {
                                                        const vf c = load<vf>(q + j) - mean;
                                                        return c * c;
                                                      })) /
                                        float(n);
                      const float scale = 1 / std::sqrt(var + 1e-5f);
                      for (long j = 0; j < n; j += nf)
                        store(r + j, (load<vf>(q + j) - mean) * scale * load<vf>(g + j) + load<vf>(h + j));
                    }
                  });
                });
}

job square_distance_rows(const problem& p) {
  use_threads(p.threads);
  const long rows = p.shapes[0][0], n = p.shapes[0][1];
  return repeat(p.threads, [=, x = p.in<float>(0), y = p.in<float>(1), o = p.out<float>(), t = p.threads] {
    parallel(t, rows, 256, [=](long b, long e) {
      for (long i = b; i < e; ++i) {
        const float* q = x + i * n;
        o[i] = across(sum_of(n, [q, y](long j) {
          ahead(q + j);
          const vf d = load<vf>(q + j) - load<vf>(y + j);
          return d * d;
        }));
      }
    });
  });
}

// Sums of term(x, y) over all pairs: y transposed once, then tiles of 4 rows by 4 vectors (2 by 4 where there are 16
// registers) in registers.
template <class Term>
job of_pairs(const problem& p, Term term) {
  use_threads(p.threads);
  const long n = p.shapes[0][0], m = p.shapes[1][1], d = p.shapes[0][2];
  auto turned = std::make_shared<std::vector<float>>(std::size_t(m * d + 16));
  return repeat(p.threads, [=, x = p.in<float>(0), y = p.in<float>(1), o = p.out<float>(), t = p.threads] {
    float* yt = turned->data();
    constexpr long wide = 4 * nf, tall = width == 64 ? 4 : 2;
    for (long j0 = 0; j0 < m; j0 += wide)  // panels (d, wide)
      for (long k = 0; k < d; ++k)
        for (long j = 0; j < wide; ++j) yt[j0 * d + k * wide + j] = y[(j0 + j) * d + k];
    const auto tile = [=](long i, long j0) {
      const float* BENCH_RESTRICT panel = yt + j0 * d;
      vf s[tall][4] = {};
      for (long k = 0; k < d; ++k) {
        vf c[4];
#pragma GCC unroll 4
        for (long v = 0; v < 4; ++v) c[v] = load<vf>(panel + k * wide + v * nf);
#pragma GCC unroll 4
        for (long r = 0; r < tall; ++r) {
          const float a = x[(i + r) * d + k];
#pragma GCC unroll 4
          for (long v = 0; v < 4; ++v) s[r][v] += term(splat<vf>(a), c[v]);
        }
      }
#pragma GCC unroll 4
      for (long r = 0; r < tall; ++r)
#pragma GCC unroll 4
        for (long v = 0; v < 4; ++v) store(o + (i + r) * m + j0 + v * nf, s[r][v]);
    };
    parallel(t, n / tall, 16, [=](long b, long e) {
      for (long j0 = 0; j0 < m; j0 += wide)
        for (long i = b; i < e; ++i) tile(i * tall, j0);
    });
  });
}
job pairwise(const problem& p) {
  return of_pairs(p, [](vf a, vf b) { return (a - b) * (a - b); });
}
job products_of_pairs(const problem& p) {
  return of_pairs(p, [](vf a, vf b) { return a * b; });
}
job manhattan(const problem& p) {
  return of_pairs(p, [](vf a, vf b) { return size_of(a - b); });
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  r.contender("hand_exact",
              "reductions, each operation rounded by itself; GCC " __VERSION__ ", oneTBB " +
                  std::to_string(TBB_VERSION_MAJOR) + "." + std::to_string(TBB_VERSION_MINOR) + ", vectors of " +
                  std::to_string(width) + " bytes",
              BENCH_FLAGS);
  r.solves("softmax_rows", softmax_rows);
  r.solves("layer_norm", layer_norm);
  r.solves("square_distance_rows", square_distance_rows);
  r.solves("pairwise", pairwise);
  r.solves("products_of_pairs", products_of_pairs);
  r.solves("manhattan", manhattan);
}
