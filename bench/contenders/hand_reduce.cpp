// The hand-written reductions, and loops fused with them: what bench/reduce.cpp lists, for this processor, with TBB,
// wide vectors, several accumulators, register tiles and rows kept in cache between the passes.
#include <tbb/version.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "hand_rows.hpp"

namespace {

using bench::job;
using bench::problem;
using bench::repeat;
using namespace hand;

constexpr long part = 16384;  // elements: one partial sum each, so that the result does not depend on the threads

float sum_all(int threads, const float* x, long n, double* parts) {
  parallel(threads, n / part, 8, [=](long b, long e) {
    for (long k = b; k < e; ++k) {
      const float* p = x + k * part;
      parts[k] = across(sum_of(part, [p](long i) {
        ahead(p + i);
        return load<vf>(p + i);
      }));
    }
  });
  double s = 0;
  for (long k = 0; k < n / part; ++k) s += parts[k];
  return float(s);
}

job full_sum(const problem& p) {
  use_threads(p.threads);
  const long n = bench::count(p.shapes[0]);
  auto parts = std::make_shared<std::vector<double>>(std::size_t(n / part));
  return repeat(p.threads,
                [=, x = p.in<float>(0), o = p.out<float>(), t = p.threads] { *o = sum_all(t, x, n, parts->data()); });
}

job normalize(const problem& p) {
  use_threads(p.threads);
  const long n = p.size();
  auto parts = std::make_shared<std::vector<double>>(std::size_t(n / part));
  return repeat(p.threads, [=, x = p.in<float>(0), o = p.out<float>(), t = p.threads] {
    const float r = 1 / sum_all(t, x, n, parts->data());
    parallel(t, n / 4096, 16, [=](long b, long e) {
      for (long i = b * 4096; i < e * 4096; i += nf) store(o + i, load<vf>(x + i) * r);
    });
  });
}

job row_sums(const problem& p) {
  use_threads(p.threads);
  const long rows = p.shapes[0][0], n = p.shapes[0][1];
  return repeat(p.threads, [=, x = p.in<float>(0), o = p.out<float>(), t = p.threads] {
    parallel(t, rows, 64, [=](long b, long e) {
      for (long i = b; i < e; ++i) {
        const float* q = x + i * n;
        o[i] = across(sum_of(n, [q](long j) {
          ahead(q + j);
          return load<vf>(q + j);
        }));
      }
    });
  });
}

job column_sums(const problem& p) {
  use_threads(p.threads);
  const long rows = p.shapes[0][0], n = p.shapes[0][1], block = 256;
  auto partial = std::make_shared<std::vector<float>>(std::size_t(rows / block * n));
  return repeat(p.threads, [=, x = p.in<float>(0), o = p.out<float>(), t = p.threads] {
    float* parts = partial->data();
    parallel(t, rows / block, 1, [=](long b, long e) {
      for (long u = b; u < e; ++u) {
        float* BENCH_RESTRICT c = parts + u * n;
        std::fill_n(c, n, 0.f);
        for (long i = u * block; i < (u + 1) * block; i += 8) {  // eight rows for each store
          const float* q = x + i * n;
          for (long j = 0; j < n; j += nf) {
            vf s = load<vf>(c + j);
#pragma GCC unroll 8
            for (long k = 0; k < 8; ++k) s += load<vf>(q + k * n + j);
            store(c + j, s);
          }
        }
      }
    });
    for (long j = 0; j < n; j += nf) {
      vf s = load<vf>(parts + j);
      for (long u = 1; u < rows / block; ++u) s += load<vf>(parts + u * n + j);
      store(o + j, s);
    }
  });
}

job square_distance_rows(const problem& p) {
  use_threads(p.threads);
  const long rows = p.shapes[0][0], n = p.shapes[0][1];
  return repeat(p.threads, [=, x = p.in<float>(0), y = p.in<float>(1), o = p.out<float>(), t = p.threads] {
    parallel(t, rows, 256, [=](long b, long e) {
      for (long i = b; i < e; ++i) {
        const float* q = x + i * n;
        vf s0{}, s1{}, s2{}, s3{};
        for (long j = 0; j < n; j += 4 * nf) {
          ahead(q + j), ahead(q + j + nf), ahead(q + j + 2 * nf), ahead(q + j + 3 * nf);
          const vf d0 = load<vf>(q + j) - load<vf>(y + j), d1 = load<vf>(q + j + nf) - load<vf>(y + j + nf);
          const vf d2 = load<vf>(q + j + 2 * nf) - load<vf>(y + j + 2 * nf),
                   d3 = load<vf>(q + j + 3 * nf) - load<vf>(y + j + 3 * nf);
          s0 = fma(d0, d0, s0), s1 = fma(d1, d1, s1), s2 = fma(d2, d2, s2), s3 = fma(d3, d3, s3);
        }
        o[i] = across((s0 + s1) + (s2 + s3));
      }
    });
  });
}

// Sums of terms over all pairs: y transposed once, then tiles of 4 rows by 4 vectors (2 by 4 where there are 16
// registers) in registers. add(s, x, y) adds a term to s.
template <class Add>
job of_pairs(const problem& p, Add add) {
  use_threads(p.threads);
  const long n = p.shapes[0][0], m = p.shapes[1][1], d = p.shapes[0][2];
  auto turned = std::make_shared<std::vector<float>>(std::size_t(m * d + 16));
  return repeat(p.threads, [=, x = p.in<float>(0), y = p.in<float>(1), o = p.out<float>(), t = p.threads] {
    float* yt = turned->data();
    constexpr long wide = 4 * nf;
    for (long j0 = 0; j0 < m; j0 += wide)  // panels (d, wide)
      for (long k = 0; k < d; ++k)
        for (long j = 0; j < wide; ++j) yt[j0 * d + k * wide + j] = y[(j0 + j) * d + k];
    const auto tile = [=]<long Rows>(std::integral_constant<long, Rows>, long i, long j0) {
      const float* BENCH_RESTRICT panel = yt + j0 * d;
      vf s[Rows][4] = {};
      for (long k = 0; k < d; ++k) {
        const vf b0 = load<vf>(panel + k * wide), b1 = load<vf>(panel + k * wide + nf);
        const vf b2 = load<vf>(panel + k * wide + 2 * nf), b3 = load<vf>(panel + k * wide + 3 * nf);
#pragma GCC unroll 6
        for (long r = 0; r < Rows; ++r) {
          const float a = x[(i + r) * d + k];
          const vf all = splat<vf>(a);
          s[r][0] = add(s[r][0], all, b0), s[r][1] = add(s[r][1], all, b1);
          s[r][2] = add(s[r][2], all, b2), s[r][3] = add(s[r][3], all, b3);
        }
      }
#pragma GCC unroll 6
      for (long r = 0; r < Rows; ++r)
#pragma GCC unroll 4
        for (long q = 0; q < 4; ++q) store(o + (i + r) * m + j0 + q * nf, s[r][q]);
    };
#if defined(__AVX512F__)
    constexpr long tall = 4;
#else
    constexpr long tall = 2;
#endif
    parallel(t, n / tall, 16, [=](long b, long e) {
      for (long j0 = 0; j0 < m; j0 += wide)
        for (long i = b; i < e; ++i) tile(std::integral_constant<long, tall>{}, i * tall, j0);
    });
  });
}

job pairwise(const problem& p) {
  return of_pairs(p, [](vf s, vf a, vf b) { return fma(a - b, a - b, s); });
}
job products_of_pairs(const problem& p) {
  return of_pairs(p, [](vf s, vf a, vf b) { return fma(a, b, s); });
}
job manhattan(const problem& p) {
  return of_pairs(p, [](vf s, vf a, vf b) { return s + vf(vi(a - b) & 0x7fffffff); });
}

// The same tiles with the additions in Broadloom's order, each product rounded by itself: what its bits cost at least.
// Element k belongs to lane k modulo 16; lanes are combined 8 apart, then 4, 2 and 1, in an order in which few of them
// wait.
job pairwise_same_bits(const problem& p) {
  use_threads(p.threads);
  const long n = p.shapes[0][0], m = p.shapes[1][1], d = p.shapes[0][2];
  auto turned = std::make_shared<std::vector<float>>(std::size_t(m * d + 16));
  return repeat(p.threads, [=, x = p.in<float>(0), y = p.in<float>(1), o = p.out<float>(), t = p.threads] {
    float* yt = turned->data();
    constexpr long wide = 2 * nf, tall = 4, lanes = 16;
    for (long j0 = 0; j0 < m; j0 += wide)  // panels (d, wide)
      for (long k = 0; k < d; ++k)
        for (long j = 0; j < wide; ++j) yt[j0 * d + k * wide + j] = y[(j0 + j) * d + k];
    const auto tile = [=](long i, long j0) {
      static constexpr long order[lanes] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
      vf waiting[5][tall][2];
      int depth = 0;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        vf s[tall][2];
        for (long k = order[lane]; k < d; k += lanes) {
          const float* const b = yt + j0 * d + k * wide;
          const vf b0 = load<vf>(b), b1 = load<vf>(b + nf);
#pragma GCC unroll 4
          for (long r = 0; r < tall; ++r) {
            const float a = x[(i + r) * d + k];
            const vf d0 = a - b0, d1 = a - b1;
            s[r][0] = k < lanes ? d0 * d0 : s[r][0] + d0 * d0;
            s[r][1] = k < lanes ? d1 * d1 : s[r][1] + d1 * d1;
          }
        }
        for (unsigned level = lane; level & 1; level >>= 1) {
          --depth;
#pragma GCC unroll 4
          for (long r = 0; r < tall; ++r)
            s[r][0] = waiting[depth][r][0] + s[r][0], s[r][1] = waiting[depth][r][1] + s[r][1];
        }
#pragma GCC unroll 4
        for (long r = 0; r < tall; ++r) waiting[depth][r][0] = s[r][0], waiting[depth][r][1] = s[r][1];
        ++depth;
      }
#pragma GCC unroll 4
      for (long r = 0; r < tall; ++r)
        store(o + (i + r) * m + j0, waiting[0][r][0]), store(o + (i + r) * m + j0 + nf, waiting[0][r][1]);
    };
    parallel(t, n / tall, 16, [=](long b, long e) {
      for (long j0 = 0; j0 < m; j0 += wide)
        for (long i = b; i < e; ++i) tile(i * tall, j0);
    });
  });
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
          const vf y = hand::exp(load<vf>(q + j) - m);
          store(kept + j, y);
          return y;
        });
        const float scale = 1 / across(s);
        for (long j = 0; j < n; j += nf) store(r + j, load<vf>(kept + j) * scale);
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
                        store(r + j, fma((load<vf>(q + j) - mean) * scale, load<vf>(g + j), load<vf>(h + j)));
                    }
                  });
                });
}

job argmax_rows(const problem& p) {
  use_threads(p.threads);
  const long rows = p.shapes[0][0], n = p.shapes[0][1];
  return repeat(p.threads, [=, x = p.in<float>(0), o = p.out<std::int64_t>(), t = p.threads] {
    parallel(t, rows, 64, [=](long b, long e) {
      for (long i = b; i < e; ++i) {
        const float* q = x + i * n;
        // The largest first, then where it is: the row is in the first cache by then.
        const float m = largest_of(q, n);
        long j = 0;
        for (; j < n; j += nf) {
          const vi hit = load<vf>(q + j) == splat<vf>(m);
          bool any = false;
#if defined(__AVX512F__)
          any = _mm512_test_epi32_mask(__m512i(hit), __m512i(hit)) != 0;
#else
          any = _mm256_movemask_ps(__m256(hit)) != 0;
#endif
          if (any) break;
        }
        while (q[j] != m) ++j;
        o[i] = j;
      }
    });
  });
}

// One addition after another along a row takes the latency of each: as many rows as a vector has lanes hide it.
job cumsum_rows(const problem& p) {
  use_threads(p.threads);
  const long rows = p.shapes[0][0], n = p.shapes[0][1];
  return repeat(p.threads, [=, x = p.in<float>(0), o = p.out<float>(), t = p.threads] {
    parallel(t, rows / nf, 1, [=](long b, long e) {
      for (long u = b; u < e; ++u) {
        const float* q = x + u * nf * n;
        float* r = o + u * nf * n;
        vf s{};
        for (long j = 0; j < n; j += nf) {
          vf v[nf];
#pragma GCC unroll 16
          for (int k = 0; k < nf; ++k) v[k] = load<vf>(q + k * n + j);
          transpose(v);
#pragma GCC unroll 16
          for (int k = 0; k < nf; ++k) {
            s += v[k];
            v[k] = s;
          }
          transpose(v);
#pragma GCC unroll 16
          for (int k = 0; k < nf; ++k) store(r + k * n + j, v[k]);
        }
      }
    });
  });
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  const std::string version = "reductions; GCC " __VERSION__ ", oneTBB " + std::to_string(TBB_VERSION_MAJOR) + "." +
                              std::to_string(TBB_VERSION_MINOR) + ", vectors of " + std::to_string(width) + " bytes";
  r.contender("hand", version, BENCH_FLAGS);
  r.solves("softmax_rows", softmax_rows);
  r.solves("layer_norm", layer_norm);
  r.solves("normalize", normalize);
  r.solves("row_sums", row_sums);
  r.solves("column_sums", column_sums);
  r.solves("full_sum", full_sum);
  r.solves("square_distance_rows", square_distance_rows);
  r.solves("pairwise", pairwise);
  r.solves("products_of_pairs", products_of_pairs);
  r.solves("manhattan", manhattan);
  r.solves("argmax_rows", argmax_rows);
  r.solves("cumsum_rows", cumsum_rows);
  r.contender("hand_same_bits", version, BENCH_FLAGS);
  r.solves("pairwise", pairwise_same_bits);
}
