// The workloads in cache by hand: reductions with as many accumulators as saturate the loads, formulas as plain loops
// that the compiler vectorises. Longer arrays are halved, a half for each of two threads.
#include <tbb/parallel_for.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cmath>
#include <cstring>
#include <utility>

#include "cache.hpp"

namespace bench_cache {
namespace {

#if defined(__AVX512BW__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
constexpr int accumulators = 8;
constexpr long worth_a_thread = 32768;  // elements

// Vectors of Bytes bytes that may lie anywhere.
template <class T, int Bytes = vector_bytes>
struct vec {
  static constexpr int lanes = Bytes / int(sizeof(T));
  typedef T type __attribute__((vector_size(Bytes), aligned(sizeof(T)), may_alias));
};
template <class T, int Bytes = vector_bytes>
auto load(const T* p) {
  return *reinterpret_cast<const typename vec<T, Bytes>::type*>(p);
}

// step(accumulator, i) for elements i to i + w - 1, in eight accumulators of type V that are then joined by halves, or
// in one where n is small. Returns how many elements were taken.
template <class V, class Step, class Join>
inline long accumulate(V& result, long n, int w, const V& start, const Step& step, const Join& join) {
  V a[accumulators];
  a[0] = start;
  long i = 0;
  if (n >= accumulators * w) {
    for (V& k : a) k = start;
    for (; i + accumulators * w <= n; i += accumulators * w)
#pragma GCC unroll 8
      for (int k = 0; k < accumulators; ++k) step(a[k], i + k * w);
#pragma GCC unroll 8
    for (int half = accumulators / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int k = 0; k < half; ++k) join(a[k], a[k + half]);
  }
  for (; i + w <= n; i += w) step(a[0], i);
  result = a[0];
  return i;
}
// The lanes of a vector joined by halves.
template <class V, int... K>
auto upper_half(const V& v, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(v, v, (K + int(sizeof...(K)))...);
}
template <class V, int... K>
auto lower_half(const V& v, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(v, v, K...);
}
template <class V, class Join>
inline auto join_lanes(const V& v, const Join& join) {
  using T = std::remove_cv_t<std::remove_reference_t<decltype(v[0])>>;
  constexpr int n = int(sizeof(V) / sizeof(T));
  if constexpr (n == 2) {
    T a = v[0];
    join(a, T(v[1]));
    return a;
  } else {
    constexpr std::make_integer_sequence<int, n / 2> half;
    auto a = lower_half(v, half);
    join(a, upper_half(v, half));
    return join_lanes(a, join);
  }
}
constexpr auto add_to = [](auto& a, const auto& b) { a += b; };

// The sum of f(x, y) over n floating elements.
template <class T, class F>
inline T total(const T* x, const T* y, long n, const F& f) {
  using v = typename vec<T>::type;
  constexpr int w = vec<T>::lanes;
  T r = 0;
  long i = 0;
  if (n >= w) {
    v sum;
    i = accumulate<v>(sum, n, w, v{}, [&](v& a, long k) { a += f(load(x + k), load(y + k)); }, add_to);
    r = join_lanes(sum, add_to);
  }
  for (; i < n; ++i) r += f(x[i], y[i]);
  return r;
}
// Integers are added as i64; products wrap around in their own type before. Elements of 32 bits are added as the halves
// of 64, each made unsigned by an offset.
template <bool Products>
inline std::int64_t total(const std::int32_t* x, const std::int32_t* y, long n) {
  constexpr int w = vector_bytes / 4;
  using narrow = typename vec<std::int32_t>::type;
  using wide = typename vec<std::uint64_t>::type;
  wide sum;
  const long taken = accumulate<wide>(
      sum, n, w, wide{},
      [&](wide& a, long k) {
        narrow e = load(x + k);
        if constexpr (Products) e *= load(y + k);
        const wide u = wide(e) ^ 0x8000000080000000u;
        a += (u & 0xffffffffu) + (u >> 32);
      },
      add_to);
  std::int64_t r = std::int64_t(join_lanes(sum, add_to)) - taken * (std::int64_t(1) << 31);
  for (long i = taken; i < n; ++i) r += Products ? x[i] * y[i] : x[i];
  return r;
}
template <bool Products>
inline std::int64_t total(const std::uint8_t* x, const std::uint8_t* y, long n) {
  std::int64_t r = 0;
  long i = 0;
#if defined(__AVX2__)
  using wide = typename vec<std::int64_t>::type;
  using half = typename vec<std::uint8_t, vector_bytes / 2>::type;
  using words = typename vec<std::uint16_t>::type;
  constexpr int w = Products ? vector_bytes / 2 : vector_bytes;
  wide sum;
  i = accumulate<wide>(
      sum, n, w, wide{},
      [&](wide& a, long k) {
        typename vec<std::uint8_t>::type bytes;
        if constexpr (Products) {
          const words product = (__builtin_convertvector(load<std::uint8_t, sizeof(half)>(x + k), words) *
                                 __builtin_convertvector(load<std::uint8_t, sizeof(half)>(y + k), words)) &
                                std::uint16_t(255);
          std::memcpy(&bytes, &product, sizeof bytes);
        } else {
          bytes = load(x + k);
        }
#if defined(__AVX512BW__)
        a += wide(_mm512_sad_epu8(__m512i(bytes), __m512i{}));
#else
        a += wide(_mm256_sad_epu8(__m256i(bytes), __m256i{}));
#endif
      },
      add_to);
  r = join_lanes(sum, add_to);
#endif
  for (; i < n; ++i) r += Products ? std::uint8_t(x[i] * y[i]) : x[i];
  return r;
}
template <class T>
sum_of<T> sum_over(const T* x, long n) {
  if constexpr (std::is_floating_point_v<T>)
    return total(x, x, n, [](const auto& a, const auto&) { return a; });
  else
    return total<false>(x, x, n);
}
template <class T>
sum_of<T> products_over(const T* x, const T* y, long n) {
  if constexpr (std::is_floating_point_v<T>)
    return total(x, y, n, [](const auto& a, const auto& b) { return a * b; });
  else
    return total<true>(x, y, n);
}

// Whether any of two vectors' lanes is NaN, gathered over many.
#if defined(__AVX512BW__)
struct seen_nan {
  std::uint32_t mask = 0;
  void look(__m512 a, __m512 b) { mask |= _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q); }
  void look(__m512d a, __m512d b) { mask |= _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q); }
  bool any() const { return mask != 0; }
};
template <bool Less>
__m512 better(__m512 a, __m512 b) {
  return Less ? _mm512_min_ps(a, b) : _mm512_max_ps(a, b);
}
template <bool Less>
__m512d better(__m512d a, __m512d b) {
  return Less ? _mm512_min_pd(a, b) : _mm512_max_pd(a, b);
}
#elif defined(__AVX2__)
struct seen_nan {
  __m256 mask{};
  void look(__m256 a, __m256 b) { mask = _mm256_or_ps(mask, _mm256_cmp_ps(a, b, _CMP_UNORD_Q)); }
  void look(__m256d a, __m256d b) { mask = _mm256_or_ps(mask, _mm256_castpd_ps(_mm256_cmp_pd(a, b, _CMP_UNORD_Q))); }
  bool any() const { return _mm256_movemask_ps(mask) != 0; }
};
template <bool Less>
__m256 better(__m256 a, __m256 b) {
  return Less ? _mm256_min_ps(a, b) : _mm256_max_ps(a, b);
}
template <bool Less>
__m256d better(__m256d a, __m256d b) {
  return Less ? _mm256_min_pd(a, b) : _mm256_max_pd(a, b);
}
#else
struct seen_nan {
  bool found = false;
  template <class V>
  void look(const V& a, const V& b) {
    for (unsigned k = 0; k < sizeof(V) / sizeof(a[0]); ++k) found |= a[k] != a[k] || b[k] != b[k];
  }
  bool any() const { return found; }
};
template <bool Less, class V>
V better(const V& a, const V& b) {
  return Less ? (a < b ? a : b) : (a > b ? a : b);
}
#endif

// The largest or smallest element; a NaN if there is one.
template <bool Less, class T>
T best_of(const T* x, long n) {
  using v = typename vec<T>::type;
  constexpr int w = vec<T>::lanes;
  const auto choose = [](auto& a, const auto& b) { a = (Less ? b < a : b > a) ? b : a; };
  T r = x[0];
  long i = 0;
  if constexpr (std::is_floating_point_v<T>) {
    seen_nan nan;
    if (n >= 2 * w) {
      v best;  // two vectors a step share one comparison for NaN
      i = accumulate<v>(
          best, n, 2 * w, load(x),
          [&](v& a, long k) {
            const v e = load(x + k), f = load(x + k + w);
            nan.look(e, f);
            a = better<Less>(better<Less>(e, f), a);
          },
          [](v& a, const v& b) { a = better<Less>(a, b); });
      r = join_lanes(best, choose);
    }
    if (nan.any()) return std::nan("");
    for (; i < n; ++i) {
      if (x[i] != x[i]) return x[i];
      choose(r, x[i]);
    }
  } else {
    if (n >= w) {
      v best;
      i = accumulate<v>(
          best, n, w, load(x),
          [&](v& a, long k) {
            const v e = load(x + k);
            a = (Less ? e < a : e > a) ? e : a;
          },
          choose);
      r = join_lanes(best, choose);
    }
    for (; i < n; ++i) choose(r, x[i]);
  }
  return r;
}

// Where the largest element is, or the first NaN: the largest of each block, then its place in the block that has it.
template <class T>
std::int64_t first_of(const T* p, long n) {
  constexpr long block = 4096 / long(sizeof(T)), step = 64;
  long at = 0;
  T best = p[0];
  for (long k = 0; k < n; k += block) {
    const T e = best_of<false>(p + k, n - k < block ? n - k : block);
    if (k > 0 && !(e > best) && e == e) continue;
    at = k;
    best = e;
    if (e != e) break;
  }
  for (; at + step <= n; at += step) {
    int found = 0;
    for (long k = at; k < at + step; ++k) found |= int(p[k] == best) | int(p[k] != p[k]);
    if (found != 0) break;
  }
  while (!(p[at] == best || p[at] != p[at])) ++at;
  return at;
}

// part(first, n) for all elements, or for each half on a thread of its own.
bool is_halved(const arrays& a) { return a.threads >= 2 && a.n >= worth_a_thread; }
template <class F>
auto on_halves(const arrays& a, const F& part) {
  using R = decltype(part(0, a.n));
  if (!is_halved(a)) return std::pair<R, R>{part(0, a.n), R{}};
  R r[2]{};
  tbb::parallel_for(
      0, 2, [&](int k) { r[k] = k == 0 ? part(0, a.n / 2) : part(a.n / 2, a.n - a.n / 2); }, tbb::static_partitioner{});
  return std::pair<R, R>{r[0], r[1]};
}
template <class F>
auto sum_of_halves(const arrays& a, const F& part) {
  const auto r = on_halves(a, part);
  return r.first + r.second;
}

template <class T, class F>
void each(const arrays& a, const F& f) {
  on_halves(a, [&](long first, long n) {
    const T *const x = static_cast<const T*>(a.x) + first, *const y = static_cast<const T*>(a.y) + first,
                   *const z = static_cast<const T*>(a.z) + first;
    T* const __restrict out = static_cast<T*>(a.out) + first;
    for (long i = 0; i < n; ++i) out[i] = f(x[i], y[i], z[i]);
    return 0;
  });
}

// exp of 16 floats that are not positive, within 2 ULP; 0 below -87.
typedef float floats16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef std::int32_t ints16 __attribute__((vector_size(64), aligned(4), may_alias));
floats16 exp_of(floats16 x) {
  const floats16 magic = floats16{} + 12582912.f;  // 1.5 * 2^23: adding it rounds to an integer
  const floats16 shifted = x * 1.44269504f + magic, n = shifted - magic;
  const floats16 r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  floats16 p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.f;
  ints16 bits;
  const ints16 power = __builtin_convertvector(n, ints16) << 23;
  std::memcpy(&bits, &p, sizeof bits);
  bits = x < -87.f ? ints16{} : bits + power;
  std::memcpy(&p, &bits, sizeof p);
  return p;
}
// A row of at most 16 floats.
void softmax(const float* x, float* out, int n) {
  float row[16];
  for (float& e : row) e = -1e30f;
  std::memcpy(row, x, std::size_t(n) * sizeof(float));
  floats16 v = load<float, 64>(row);
  v = exp_of(v - join_lanes(v, [](auto& a, const auto& b) { a = a > b ? a : b; }));
  v /= join_lanes(v, add_to);
  std::memcpy(row, &v, sizeof row);
  std::memcpy(out, row, std::size_t(n) * sizeof(float));
}

#define DO(NAME, ...)                                                                                      \
  static void NAME(const arrays& a, long times) {                                                          \
    [[maybe_unused]] const T *const x = static_cast<const T*>(a.x), *const y = static_cast<const T*>(a.y); \
    [[maybe_unused]] T* const __restrict out = static_cast<T*>(a.out);                                     \
    for (long i = 0; i < times; ++i) {                                                                     \
      __VA_ARGS__;                                                                                         \
      BENCH_CACHE_AGAIN();                                                                                 \
    }                                                                                                      \
  }
#define ONE(NAME, R, E) DO(NAME, *static_cast<R*>(a.out) = static_cast<R>(E))
#define EACH(NAME, E) \
  DO(NAME,            \
     each<T>(a, []([[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] T z) { return static_cast<T>(E); }))

template <class T>
struct loops_by_hand {
  static constexpr bool is_float = std::is_floating_point_v<T>;
  static T sum_of_squares(const arrays& a, const T* x, T mean) {
    return sum_of_halves(a, [&](long k, long n) {
      return total(x + k, x + k, n, [mean](const auto& e, const auto&) { return (e - mean) * (e - mean); });
    });
  }
  static sum_of<T> sum_all(const arrays& a, const T* x) {
    return sum_of_halves(a, [&](long k, long n) { return sum_over(x + k, n); });
  }
  template <bool Less>
  static T best(const arrays& a, const T* x) {
    const auto r = on_halves(a, [&](long k, long n) { return best_of<Less>(x + k, n); });
    const T two[2] = {r.first, r.second};
    return is_halved(a) ? best_of<Less>(two, 2) : r.first;
  }

  ONE(sum, sum_of<T>, sum_all(a, x))
  ONE(mean, T, sum_all(a, x) / T(a.n))
  ONE(dot, sum_of<T>, sum_of_halves(a, [&](long k, long n) { return products_over(x + k, y + k, n); }))
  ONE(amax, T, best<false>(a, x))
  ONE(amin, T, best<true>(a, x))
  DO(argmax, {
    const auto r = on_halves(a, [&](long k, long n) { return k + first_of(x + k, n); });
    const T e = x[r.first], f = x[r.second];
    *static_cast<std::int64_t*>(a.out) = is_halved(a) && e == e && (f > e || f != f) ? r.second : r.first;
  })
  ONE(norm, T, std::sqrt(sum_of_squares(a, x, T{})))
  ONE(var, T, sum_of_squares(a, x, sum_all(a, x) / T(a.n)) / T(a.n - 1))
  EACH(add, x + y)
  EACH(mul, x* y)
  EACH(mul_add, x + y * z)
  EACH(scale, x * 2 + 1)
  EACH(difference, std::fabs(x - y))
  EACH(larger, x != x ? x : x > y ? x : y)  // a NaN of either is kept
  EACH(choose, x > y ? x : z)
  EACH(length, std::sqrt(x* x + y * y))
  EACH(mul_add_4, x + y * z)
  ONE(mean_64, T, sum_over(x, 64) / T(64))
  DO(outer_8, for (int r = 0; r < 8; ++r) for (int c = 0; c < 8; ++c) out[8 * r + c] = x[r] + y[c])
  DO(normalize_64, {
    const T s = sum_over(x, 64);
    for (int k = 0; k < 64; ++k) out[k] = x[k] / s;
  })
  DO(softmax_10, softmax(x, out, 10))
  DO(softmax_8x8, for (int r = 0; r < 8; ++r) softmax(x + 8 * r, out + 8 * r, 8))
  DO(row_sums_8x8, for (int r = 0; r < 8; ++r) { out[r] = join_lanes(load<T, 8 * sizeof(T)>(x + 8 * r), add_to); })
  DO(column_sums_8x8, {
    typename vec<T, 8 * sizeof(T)>::type s = load<T, 8 * sizeof(T)>(x);
    for (int r = 1; r < 8; ++r) s += load<T, 8 * sizeof(T)>(x + 8 * r);
    std::memcpy(out, &s, sizeof s);
  })
  DO(
      layer_norm_4x16, for (int r = 0; r < 4; ++r) {
        const T* const row = x + 16 * r;
        const T mean = sum_over(row, 16) / T(16);
        const T deviation = std::sqrt(
            total(row, row, 16, [mean](const auto& e, const auto&) { return (e - mean) * (e - mean); }) / T(15) + T(1));
        for (int c = 0; c < 16; ++c) out[16 * r + c] = (row[c] - mean) / deviation;
      })
};

}  // namespace

contender hand() { return {"hand", find<loops_by_hand>, true}; }

}  // namespace bench_cache
