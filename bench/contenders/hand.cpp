// The hand-written contender: each workload as a careful engineer would write it for this processor, with TBB, wide
// vectors, hoisting, streaming stores and prefetch where they were measured to pay. Also the streaming limit: the
// bytes a workload must move, moved without arithmetic to speak of.
#include <tbb/version.h>

#include <algorithm>
#include <memory>

#include "../contender.hpp"
#include "hand_parallel.hpp"

namespace {

using bench::job;
using bench::problem;
using bench::repeat;
using namespace hand;

constexpr long chunk = 4096;  // elements; every large flat workload is a multiple of it

// rows(first, last) over n elements in whole chunks, and a fence after streaming stores.
template <bool Streaming, class Rows>
void flat(int threads, long n, const Rows& rows) {
  parallel(threads, n / chunk, 16, [&](long b, long e) {
    rows(b * chunk, e * chunk);
    if constexpr (Streaming) _mm_sfence();
  });
}

template <class Make>
job stored(const problem& p, const Make& make) {
  use_threads(p.threads);
  return streaming(p) ? make(std::true_type{}) : make(std::false_type{});
}

job add_big(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const float *a = p.in<float>(0), *b = p.in<float>(1);
    float* o = p.out<float>();
    return repeat(p.threads, [=, n = p.size(), t = p.threads] {
      flat<past_cache>(t, n, [=](long s, long e) {
        for (long i = s; i < e; i += 2 * nf) {
          ahead(a + i), ahead(b + i);
          const vf x = load<vf>(a + i) + load<vf>(b + i), y = load<vf>(a + i + nf) + load<vf>(b + i + nf);
          put<past_cache>(o + i, x), put<past_cache>(o + i + nf, y);
        }
      });
    });
  });
}

template <class T, class V>
job chain(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    constexpr long w = long(sizeof(V) / sizeof(T));
    const T *a = p.in<T>(0), *b = p.in<T>(1), *c = p.in<T>(2), *d = p.in<T>(3), *f = p.in<T>(4);
    T* o = p.out<T>();
    return repeat(p.threads, [=, n = p.size(), t = p.threads] {
      flat<past_cache>(t, n, [=](long s, long e) {
        for (long i = s; i < e; i += 64 / long(sizeof(T))) {
          ahead(a + i), ahead(b + i), ahead(c + i), ahead(d + i), ahead(f + i);
#pragma GCC unroll 2
          for (long k = i; k < i + 64 / long(sizeof(T)); k += w) {
            const V x = load<V>(f + k);
            put<past_cache>(o + k,
                            (load<V>(a + k) + load<V>(b + k) * load<V>(c + k) - load<V>(d + k)) / (x * x + T(1.5)));
          }
        }
      });
    });
  });
}

job addcmul_bcast(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const float *a = p.in<float>(0), *b = p.in<float>(1), *c = p.in<float>(2);
    float* o = p.out<float>();
    const long n0 = p.output_shape[0], n1 = p.output_shape[1], n2 = p.output_shape[2];
    return repeat(p.threads, [=, t = p.threads] {
      // A unit is one i and sixteen j: a's row stays in the first cache, and b's rows in the second.
      parallel(t, n0 * (n1 / 16), 4, [=](long ub, long ue) {
        for (long u = ub; u < ue; ++u) {
          const long i = u / (n1 / 16), j0 = u % (n1 / 16) * 16;
          for (long j = j0; j < j0 + 16; ++j) {
            const vf s = splat<vf>(c[i * n1 + j]);
            const float *BENCH_RESTRICT x = a + i * n2, *BENCH_RESTRICT y = b + j * n2;
            float* BENCH_RESTRICT q = o + (i * n1 + j) * n2;
            for (long k = 0; k < n2; k += 2 * nf) {
              put<past_cache>(q + k, load<vf>(x + k) + load<vf>(y + k) * s);
              put<past_cache>(q + k + nf, load<vf>(x + k + nf) + load<vf>(y + k + nf) * s);
            }
          }
        }
        if constexpr (past_cache) _mm_sfence();
      });
    });
  });
}

job outer(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const float *x = p.in<float>(0), *y = p.in<float>(1);
    float* o = p.out<float>();
    const long rows = p.output_shape[0], n = p.output_shape[1];
    return repeat(p.threads, [=, t = p.threads] {
      parallel(t, rows, 16, [=](long b, long e) {
        for (long i = b; i < e; ++i) {
          const vf s = splat<vf>(x[i]);
          float* BENCH_RESTRICT q = o + i * n;
          for (long j = 0; j < n; j += 2 * nf) {
            put<past_cache>(q + j, s + load<vf>(y + j));
            put<past_cache>(q + j + nf, s + load<vf>(y + j + nf));
          }
        }
        if constexpr (past_cache) _mm_sfence();
      });
    });
  });
}

job batchnorm(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const float *x = p.in<float>(0), *m = p.in<float>(1), *r = p.in<float>(2), *g = p.in<float>(3), *b = p.in<float>(4);
    float* o = p.out<float>();
    const long channels = p.output_shape[1], plane = p.output_shape[2] * p.output_shape[3],
               planes = p.output_shape[0] * channels;
    return repeat(p.threads, [=, t = p.threads] {
      parallel(t, planes, 8, [=](long ub, long ue) {
        for (long u = ub; u < ue; ++u) {
          const long c = u % channels;
          const vf vm = splat<vf>(m[c]), vr = splat<vf>(r[c]), vg = splat<vf>(g[c]), shift = splat<vf>(b[c]);
          const float* BENCH_RESTRICT s = x + u * plane;
          float* BENCH_RESTRICT q = o + u * plane;
          for (long k = 0; k < plane; k += 2 * nf) {
            ahead(s + k);
            put<past_cache>(q + k, (load<vf>(s + k) - vm) * vr * vg + shift);
            put<past_cache>(q + k + nf, (load<vf>(s + k + nf) - vm) * vr * vg + shift);
          }
        }
        if constexpr (past_cache) _mm_sfence();
      });
    });
  });
}

// Tiles of b are transposed in registers into a buffer in the first cache, a whole cache line of b at a time, as rows
// of b lie a power of two apart and share few sets of the cache. The next tile of both operands is asked for meanwhile,
// since no hardware prefetcher follows such strides. Tiles run along the rows of a and of the output.
job transpose_add(const problem& p) {
  use_threads(p.threads);
  const float *a = p.in<float>(0), *b = p.in<float>(1);
  float* o = p.out<float>();
  const long n = p.output_shape[1];
  constexpr long side = 64, pitch = side + 16;
  return repeat(p.threads, [=, t = p.threads] {
    parallel(t, (n / side) * (n / side), 8, [=](long ub, long ue) {
      alignas(64) float tile[side * pitch];
      for (long u = ub; u < ue; ++u) {
        const long i = u / (n / side) * side, j = u % (n / side) * side;
        for (long jj = 0; jj < side; jj += nf)
          for (long ii = 0; ii < side; ii += 16)
#pragma GCC unroll 2
            for (long half = ii; half < ii + 16; half += nf) {
              vf r[nf];
#pragma GCC unroll 16
              for (int k = 0; k < nf; ++k) r[k] = load<vf>(b + (j + jj + k) * n + i + half);
              hand::transpose(r);
#pragma GCC unroll 16
              for (int k = 0; k < nf; ++k) store(tile + (half + k) * pitch + jj, r[k]);
            }
        const long next = std::min(u + 1, ue - 1), i2 = next / (n / side) * side, j2 = next % (n / side) * side;
        for (long ii = 0; ii < side; ++ii) {
#pragma GCC unroll 4
          for (long k = 0; k < side; k += 16) {
            _mm_prefetch(reinterpret_cast<const char*>(b + (j2 + ii) * n + i2 + k), _MM_HINT_T1);
            _mm_prefetch(reinterpret_cast<const char*>(a + (i2 + ii) * n + j2 + k), _MM_HINT_T1);
          }
          const float* x = a + (i + ii) * n + j;
          float* q = o + (i + ii) * n + j;
#pragma GCC unroll 8
          for (long k = 0; k < side; k += nf) stream(q + k, load<vf>(tile + ii * pitch + k) + load<vf>(x + k));
        }
      }
      _mm_sfence();
    });
  });
}

// Two passes over blocks that stay in the first cache, so that the constants of each fit in the registers.
job black_scholes(const problem& p) {
  use_threads(p.threads);
  const float *spot = p.in<float>(0), *strike = p.in<float>(1), *years = p.in<float>(2);
  float* o = p.out<float>();
  return repeat(p.threads, [=, n = p.size(), t = p.threads] {
    constexpr long block = 1024;
    constexpr float rate = 0.02f, volatility = 0.3f, root_half = 0.707106781f;
    parallel(t, n / block, 16, [=](long b, long e) {
      alignas(64) float h1[block], h2[block], discounted[block];  // d1 and d2 over sqrt 2, K exp(-r T)
      for (long u = b; u < e; ++u) {
        const float *S = spot + u * block, *K = strike + u * block, *T = years + u * block;
        float* BENCH_RESTRICT q = o + u * block;
        for (long i = 0; i < block; i += nf) {
          const vf k = load<vf>(K + i), y = load<vf>(T + i), inverse_root = reciprocal_root(y);
          const vf moneyness = hand::log(load<vf>(S + i) * reciprocal(k));
          const vf x = fma(splat<vf>(rate + volatility * volatility / 2), y, moneyness) *
                       (inverse_root * (root_half / volatility));
          store(h1 + i, x);
          store(h2 + i, fma(y * inverse_root, splat<vf>(-volatility * root_half), x));
          store(discounted + i, k * hand::exp(y * -rate));
        }
        for (long i = 0; i < block; i += nf) {
          const vf c1 = fma(hand::erf(load<vf>(h1 + i)), splat<vf>(0.5f), splat<vf>(0.5f));
          const vf c2 = fma(hand::erf(load<vf>(h2 + i)), splat<vf>(0.5f), splat<vf>(0.5f));
          store(q + i, fma(load<vf>(S + i), c1, -(load<vf>(discounted + i) * c2)));
        }
      }
    });
  });
}

job strided(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const float *a = p.in<float>(0), *b = p.in<float>(1);
    float* o = p.out<float>();
    const long rows = p.output_shape[0], n = p.output_shape[1];
    return repeat(p.threads, [=, t = p.threads] {
      parallel(t, rows, 8, [=](long first, long last) {
        // Of three vectors, every third lane: no lane is wanted of two of them, so two selections and one
        // permutation gather them.
        vi from_second, from_third, order;
        for (int k = 0; k < nf; ++k) {
          from_second[k] = (k + nf) % 3 == 0 ? -1 : 0;
          from_third[k] = (k + 2 * nf) % 3 == 0 ? -1 : 0;
          order[k] = 3 * k % nf;
        }
        for (long i = first; i < last; ++i) {
          const float *BENCH_RESTRICT x = a + i * 2 * 3 * n, *BENCH_RESTRICT y = b + i * n;
          float* BENCH_RESTRICT q = o + i * n;
          for (long j = 0; j < n; j += nf) {
            ahead(x + 3 * j), ahead(x + 3 * j + 16), ahead(y + j);
            if constexpr (nf == 16) ahead(x + 3 * j + 32);
            const vf v0 = load<vf>(x + 3 * j), v1 = load<vf>(x + 3 * j + nf), v2 = load<vf>(x + 3 * j + 2 * nf);
            const vf lanes = from_third ? v2 : (from_second ? v1 : v0);
            put<past_cache>(q + j, __builtin_shuffle(lanes, order) * load<vf>(y + j));
          }
        }
        if constexpr (past_cache) _mm_sfence();
      });
    });
  });
}

job where_clamp(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const float *a = p.in<float>(0), *b = p.in<float>(1), *c = p.in<float>(2);
    float* o = p.out<float>();
    return repeat(p.threads, [=, n = p.size(), t = p.threads] {
      flat<past_cache>(t, n, [=](long s, long e) {
        const vf zero{}, one = splat<vf>(1.f);
        for (long i = s; i < e; i += 16) {
          ahead(a + i), ahead(b + i), ahead(c + i);
#pragma GCC unroll 2
          for (long k = i; k < i + 16; k += nf) {
            const vf x = load<vf>(a + k), y = load<vf>(b + k);
            put<past_cache>(o + k, x > y ? min(max(load<vf>(c + k), zero), one) : y);
          }
        }
      });
    });
  });
}

// Four vectors of comparisons become one vector of bytes.
BENCH_INLINE vb narrow(vi a, vi b, vi c, vi d) {
#if defined(__AVX512F__)
  using m = __m512i;
  const m one = _mm512_set1_epi8(1), order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const m bytes = _mm512_packs_epi16(_mm512_packs_epi32(m(a), m(b)), _mm512_packs_epi32(m(c), m(d)));
  return vb(_mm512_and_si512(_mm512_permutexvar_epi32(order, bytes), one));
#else
  using m = __m256i;
  const m one = _mm256_set1_epi8(1), order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const m bytes = _mm256_packs_epi16(_mm256_packs_epi32(m(a), m(b)), _mm256_packs_epi32(m(c), m(d)));
  return vb(_mm256_and_si256(_mm256_permutevar8x32_epi32(bytes, order), one));
#endif
}

job int_add_compare(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const std::int32_t *a = p.in<std::int32_t>(0), *b = p.in<std::int32_t>(1), *c = p.in<std::int32_t>(2);
    std::uint8_t* o = p.out<std::uint8_t>();
    return repeat(p.threads, [=, n = p.size(), t = p.threads] {
      flat<past_cache>(t, n, [=](long s, long e) {
        for (long i = s; i < e; i += 4 * nf) {
          for (long k = i; k < i + 4 * nf; k += 16) ahead(a + k), ahead(b + k), ahead(c + k);
          vi m[4];
#pragma GCC unroll 4
          for (int k = 0; k < 4; ++k)
            m[k] = (load<vi>(a + i + k * nf) + load<vi>(b + i + k * nf)) > load<vi>(c + i + k * nf);
          put<past_cache>(o + i, narrow(m[0], m[1], m[2], m[3]));
        }
      });
    });
  });
}

job hoist(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const float *x = p.in<float>(0), *b = p.in<float>(1), *c = p.in<float>(2);
    float* o = p.out<float>();
    const long rows = p.output_shape[0], n = p.output_shape[1];
    auto scale = std::make_shared<std::vector<float>>(n), shift = std::make_shared<std::vector<float>>(rows);
    return repeat(p.threads, [=, t = p.threads] {
      float *s = scale->data(), *h = shift->data();
      for (long j = 0; j < n; j += nf) store(s + j, hand::exp(load<vf>(b + j)));
      for (long i = 0; i < rows; i += nf) store(h + i, hand::log(load<vf>(c + i)));
      parallel(t, rows, 16, [=](long first, long last) {
        for (long i = first; i < last; ++i) {
          const vf add = splat<vf>(h[i]);
          const float *BENCH_RESTRICT y = x + i * n, *BENCH_RESTRICT f = s;
          float* BENCH_RESTRICT q = o + i * n;
          for (long j = 0; j < n; j += 2 * nf) {
            ahead(y + j);
            put<past_cache>(q + j, load<vf>(y + j) * load<vf>(f + j) + add);
            put<past_cache>(q + j + nf, load<vf>(y + j + nf) * load<vf>(f + j + nf) + add);
          }
        }
        if constexpr (past_cache) _mm_sfence();
      });
    });
  });
}

// width bytes of an image, each scaled by its own factor, fraction dropped. Factors are below one: no overflow.
BENCH_INLINE vb scale_bytes(const std::uint8_t* x, vf f0, vf f1, vf f2, vf f3) {
#if defined(__AVX512F__)
  const auto part = [](const std::uint8_t* q, vf f) {
    return _mm512_cvttps_epi32(_mm512_mul_ps(
        _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(q)))), __m512(f)));
  };
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512i words = _mm512_packus_epi16(_mm512_packs_epi32(part(x, f0), part(x + 16, f1)),
                                            _mm512_packs_epi32(part(x + 32, f2), part(x + 48, f3)));
  return vb(_mm512_permutexvar_epi32(order, words));
#else
  const auto part = [](const std::uint8_t* q, vf f) {
    return _mm256_cvttps_epi32(_mm256_mul_ps(
        _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(q)))), __m256(f)));
  };
  const __m256i words = _mm256_packus_epi16(_mm256_packs_epi32(part(x, f0), part(x + 8, f1)),
                                            _mm256_packs_epi32(part(x + 16, f2), part(x + 24, f3)));
  return vb(_mm256_permutevar8x32_epi32(words, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
#endif
}

job mixed_channels(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const std::uint8_t* x = p.in<std::uint8_t>(0);
    const float* f = p.in<float>(1);
    std::uint8_t* o = p.out<std::uint8_t>();
    const long n = p.size();
    return repeat(p.threads, [=, t = p.threads] {
      // Three vectors hold whole pixels: the factors repeat with that period.
      constexpr long period = 3 * width;
      alignas(64) float repeated[period];
      for (long k = 0; k < period; ++k) repeated[k] = f[k % 3];
      const float* r = repeated;
      parallel(t, n / period, 256, [=](long first, long last) {
        vf g[3];
        for (int k = 0; k < 3; ++k) g[k] = load<vf>(r + k * nf);
        for (long i = first * period; i < last * period; i += period) {
          ahead(x + i), ahead(x + i + 64);
          put<past_cache>(o + i, scale_bytes(x + i, g[0], g[1], g[2], g[0]));
          put<past_cache>(o + i + width, scale_bytes(x + i + width, g[1], g[2], g[0], g[1]));
          put<past_cache>(o + i + 2 * width, scale_bytes(x + i + 2 * width, g[2], g[0], g[1], g[2]));
        }
        if constexpr (past_cache) _mm_sfence();
      });
      for (long i = n / period * period; i < n; ++i) o[i] = static_cast<std::uint8_t>(float(x[i]) * f[i % 3]);
    });
  });
}

job mixed_flat(const problem& p) {
  return stored(p, [&](auto past) {
    constexpr bool past_cache = decltype(past)::value;
    const std::uint8_t* x = p.in<std::uint8_t>(0);
    const float* f = p.in<float>(1);
    std::uint8_t* o = p.out<std::uint8_t>();
    return repeat(p.threads, [=, n = p.size(), t = p.threads] {
      parallel(t, n / width, 512, [=](long first, long last) {
        for (long i = first * width; i < last * width; i += width) {
          ahead(x + i), ahead(f + i), ahead(f + i + 16);
          if constexpr (width == 64) ahead(f + i + 32), ahead(f + i + 48);
          put<past_cache>(o + i, scale_bytes(x + i, load<vf>(f + i), load<vf>(f + i + nf), load<vf>(f + i + 2 * nf),
                                             load<vf>(f + i + 3 * nf)));
        }
        if constexpr (past_cache) _mm_sfence();
      });
      for (long i = n / width * width; i < n; ++i) o[i] = static_cast<std::uint8_t>(float(x[i]) * f[i]);
    });
  });
}

// ---------------------------------------------------------------- small arrays
BENCH_INLINE void multiply_add(const float* BENCH_RESTRICT a, const float* BENCH_RESTRICT b,
                               const float* BENCH_RESTRICT c, float* BENCH_RESTRICT o, long n) {
  using half = float __attribute__((vector_size(16)));
  long i = 0;
  if (n >= 8 * nf)
    for (; i + 4 * nf <= n; i += 4 * nf) {
#pragma GCC unroll 4
      for (long k = i; k < i + 4 * nf; k += nf) store(o + k, load<vf>(a + k) + load<vf>(b + k) * load<vf>(c + k));
    }
  for (; i <= n - nf; i += nf) store(o + i, load<vf>(a + i) + load<vf>(b + i) * load<vf>(c + i));
  if (i == n) return;
  for (; i <= n - 4; i += 4) store(o + i, load<half>(a + i) + load<half>(b + i) * load<half>(c + i));
  for (; i < n; ++i) o[i] = a[i] + b[i] * c[i];
}

job small_dynamic(const problem& p) {
  const float *a = p.in<float>(0), *b = p.in<float>(1), *c = p.in<float>(2);
  return repeat(1, [=, o = p.out<float>(), n = p.size()] { multiply_add(a, b, c, o, n); });
}
// Sizes and addresses known: arrays as members of one object, as a program that knows its sizes has them.
template <long N>
job small_static(const problem& p) {
  struct arrays {
    alignas(64) float a[N], b[N], c[N], o[N];
  };
  auto s = std::make_shared<arrays>();
  std::copy_n(p.in<float>(0), N, s->a);
  std::copy_n(p.in<float>(1), N, s->b);
  std::copy_n(p.in<float>(2), N, s->c);
  job j = repeat(1, [s, q = s.get()] { multiply_add(q->a, q->b, q->c, q->o, N); });
  j.output = s->o;
  return j;
}

BENCH_INLINE void small_outer(const float* BENCH_RESTRICT x, const float* BENCH_RESTRICT y, float* BENCH_RESTRICT o,
                              long m, long n) {
  using eight = float __attribute__((vector_size(32)));
  for (long i = 0; i < m; ++i) {
    long j = 0;
    for (; j + 8 <= n; j += 8) store(o + i * n + j, x[i] + load<eight>(y + j));
    for (; j < n; ++j) o[i * n + j] = x[i] + y[j];
  }
}
job small_outer_dynamic(const problem& p) {
  const float *x = p.in<float>(0), *y = p.in<float>(1);
  return repeat(1,
                [=, o = p.out<float>(), m = p.output_shape[0], n = p.output_shape[1]] { small_outer(x, y, o, m, n); });
}
job small_outer_static(const problem& p) {
  struct arrays {
    alignas(64) float x[8], y[8], o[64];
  };
  auto s = std::make_shared<arrays>();
  std::copy_n(p.in<float>(0), 8, s->x);
  std::copy_n(p.in<float>(1), 8, s->y);
  job j = repeat(1, [s, q = s.get()] {
    using eight = float __attribute__((vector_size(32)));
    const eight row = load<eight>(q->y);
#pragma GCC unroll 8
    for (long i = 0; i < 8; ++i) store(q->o + i * 8, q->x[i] + row);
  });
  j.output = s->o;
  return j;
}

// ---------------------------------------------------------------- the streaming limit
// Per step, lines[k] cache lines of each operand that comes from memory are read, and out cache lines are written.
template <int Operands, bool Past>
void move_bytes(const char* const* in, const long* lines, char* o, long out, long first, long last) {
  vi sum = splat<vi>(1);
  for (long u = first; u < last; ++u) {
    for (int k = 0; k < Operands; ++k) {
      const char* q = in[k] + u * lines[k] * 64;
      for (long l = 0; l < lines[k]; ++l) {
        ahead(q + l * 64);
#pragma GCC unroll 2
        for (int h = 0; h < 64; h += width) sum ^= load<vi>(q + l * 64 + h);
      }
    }
    for (long l = 0; l < out; ++l)
#pragma GCC unroll 2
      for (int h = 0; h < 64; h += width) put<Past>(o + (u * out + l) * 64 + h, sum);
  }
  if constexpr (Past) _mm_sfence();
  asm volatile("" ::"x"(sum));
}

template <int Operands>
job limit_of(const problem& p, bool past) {
  use_threads(p.threads);
  struct plan {
    const char* in[6] = {};
    long lines[6] = {};
  } q;
  // The result of a reduction is next to nothing: only reading takes time.
  const bool writes = p.output_bytes >= (std::size_t(1) << 20);
  long smallest = writes ? long(p.output_bytes) : long(p.streams[0].second);
  for (const auto& s : p.streams) smallest = std::min(smallest, long(s.second));
  const long steps = smallest / 64;
  for (std::size_t k = 0; k < p.streams.size(); ++k) {
    q.in[k] = static_cast<const char*>(p.streams[k].first);
    q.lines[k] = long(p.streams[k].second) / 64 / steps;
  }
  const long out = writes ? long(p.output_bytes) / 64 / steps : 0;
  job j = repeat(p.threads, [=, o = p.out<char>(), t = p.threads] {
    parallel(t, steps, 1024, [=](long b, long e) {
      if (past)
        move_bytes<Operands, true>(q.in, q.lines, o, out, b, e);
      else
        move_bytes<Operands, false>(q.in, q.lines, o, out, b, e);
    });
  });
  j.checked = false;
  return j;
}
job limit(const problem& p, bool past) {
  switch (p.streams.size()) {
    case 0: return limit_of<0>(p, past);
    case 1: return limit_of<1>(p, past);
    case 2: return limit_of<2>(p, past);
    case 3: return limit_of<3>(p, past);
    default: return limit_of<5>(p, past);
  }
}

// Reading alone, for results that are next to nothing: eight lines at a time, combined in registers of their own. (The
// loop above, made for any number of operands, is slower than a good sum.)
job read_limit(const problem& p) {
  if (p.streams.size() != 1 || p.output_bytes >= (std::size_t(1) << 20)) return {};
  use_threads(p.threads);
  constexpr long together = 512, part = 65536;
  job j = repeat(p.threads, [q = static_cast<const char*>(p.streams[0].first), n = long(p.streams[0].second) / part,
                             t = p.threads] {
    parallel(t, n, 4, [=](long b, long e) {
      vi sums[8] = {};
      for (const char* x = q + b * part; x < q + e * part; x += together)
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
          ahead(x + k * 64);
#pragma GCC unroll 2
          for (int h = 0; h < 64; h += width) sums[k] ^= load<vi>(x + k * 64 + h);
        }
      for (const vi& s : sums) asm volatile("" ::"x"(s));
    });
  });
  j.checked = false;
  return j;
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  const std::string version = "GCC " __VERSION__ ", oneTBB " + std::to_string(TBB_VERSION_MAJOR) + "." +
                              std::to_string(TBB_VERSION_MINOR) + ", vectors of " + std::to_string(width) + " bytes";
  r.contender("hand", version, BENCH_FLAGS);
  const std::vector<std::pair<const char*, std::function<job(const problem&)>>> large{
      {"add_big", add_big},
      {"addcmul_bcast", addcmul_bcast},
      {"chain_f32", chain<float, vf>},
      {"chain_f64", chain<double, vd>},
      {"outer", outer},
      {"batchnorm", batchnorm},
      {"transpose_add", transpose_add},
      {"black_scholes", black_scholes},
      {"black_scholes_fast", black_scholes},
      {"strided", strided},
      {"where_clamp", where_clamp},
      {"int_add_compare", int_add_compare},
      {"hoist", hoist},
      {"mixed_channels", mixed_channels},
      {"mixed_flat", mixed_flat}};
  for (const auto& [name, make] : large) r.solves(name, make);
  for (long n : {4, 16, 64, 256, 1024, 4096}) r.solves("small_dynamic_" + std::to_string(n), small_dynamic);
  r.solves("small_static_4", small_static<4>);
  r.solves("small_static_16", small_static<16>);
  r.solves("small_static_64", small_static<64>);
  r.solves("small_static_256", small_static<256>);
  r.solves("small_static_1024", small_static<1024>);
  r.solves("small_static_4096", small_static<4096>);
  r.solves("small_dynamic_outer", small_outer_dynamic);
  r.solves("small_static_outer", small_outer_static);
  for (const bool past : {false, true}) {
    r.contender(past ? "limit_streaming" : "limit_stores", "the workload's bytes moved, no arithmetic", BENCH_FLAGS);
    for (const auto& [name, make] : large) r.solves(name, [past](const problem& p) { return limit(p, past); });
    for (const char* name : {"softmax_rows", "layer_norm", "normalize", "row_sums", "column_sums", "full_sum",
                             "square_distance_rows", "argmax_rows", "cumsum_rows"})
      r.solves(name, [past](const problem& p) { return limit(p, past); });
  }
  r.contender("limit_reading", "the workload's bytes read, no arithmetic", BENCH_FLAGS);
  for (const char* name : {"row_sums", "column_sums", "full_sum", "square_distance_rows", "argmax_rows"})
    r.solves(name, read_limit);
}
