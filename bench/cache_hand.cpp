// The workloads in cache by hand: reductions with as many accumulators as saturate the loads, formulas as plain loops
// that the compiler vectorises. Larger arrays are halved, a half for each of two threads.
#include <tbb/parallel_for.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cache.hpp"

namespace bench_cache {
namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
constexpr long worth_a_thread = 32768;  // elements

template <class T>
struct vec {
  static constexpr int lanes = vector_bytes / int(sizeof(T));
  typedef T type __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
};

// n elements by `step(accumulator, element)` in 8 vectors, then by join(a, b).
template <class T, class Step, class Join>
inline T reduce(const T* x, const T* y, long n, T start, const Step& step, const Join& join) {
  using v = typename vec<T>::type;
  constexpr int w = vec<T>::lanes, many = 8;
  T r = start;
  long i = 0;
  if (n >= w) {
    v a[many];
    for (v& k : a) k = v{} + start;
    for (; i + many * w <= n; i += many * w)
#pragma GCC unroll 8
      for (int k = 0; k < many; ++k)
        a[k] = step(a[k], *reinterpret_cast<const v*>(x + i + k * w), *reinterpret_cast<const v*>(y + i + k * w));
    for (; i + w <= n; i += w)
      a[0] = step(a[0], *reinterpret_cast<const v*>(x + i), *reinterpret_cast<const v*>(y + i));
#pragma GCC unroll 8
    for (int half = many / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int k = 0; k < half; ++k) a[k] = join(a[k], a[k + half]);
    T lanes[w];
    std::memcpy(lanes, &a[0], sizeof lanes);
#pragma GCC unroll 8
    for (int half = w / 2; half > 0; half /= 2)
#pragma GCC unroll 64
      for (int k = 0; k < half; ++k) lanes[k] = join(lanes[k], lanes[k + half]);
    r = lanes[0];
  }
  for (; i < n; ++i) r = step(r, x[i], y[i]);
  return r;
}

template <class F>
auto on_halves(const arrays& a, const F& part) {
  using R = decltype(part(0, a.n));
  if (a.threads < 2 || a.n < worth_a_thread) return std::pair<R, R>{part(0, a.n), R{}};
  R r[2]{};
  tbb::parallel_for(
      0, 2, [&](int k) { r[k] = k == 0 ? part(0, a.n / 2) : part(a.n / 2, a.n - a.n / 2); }, tbb::static_partitioner{});
  return std::pair<R, R>{r[0], r[1]};
}
bool halved(const arrays& a) { return a.threads >= 2 && a.n >= worth_a_thread; }

template <class T>
struct of {
  static const T* x(const arrays& a) { return static_cast<const T*>(a.x); }
  static const T* y(const arrays& a) { return static_cast<const T*>(a.y); }
  static constexpr bool is_float = std::is_floating_point_v<T>;
  using total = std::conditional_t<is_float, T, std::int64_t>;
  static constexpr auto add = [](const auto& p, const auto& q) { return p + q; };

  static total sum_of(const T* p, long n) {
    if constexpr (is_float)
      return reduce<T>(p, p, n, T{}, [](const auto& s, const auto& e, const auto&) { return s + e; }, add);
    else {
      std::int64_t s = 0;
      for (long i = 0; i < n; ++i) s += p[i];
      return s;
    }
  }
  static total products(const T* p, const T* q, long n) {
    if constexpr (is_float)
      return reduce<T>(p, q, n, T{}, [](const auto& s, const auto& e, const auto& f) { return s + e * f; }, add);
    else {
      std::int64_t s = 0;
      for (long i = 0; i < n; ++i) s += T(p[i] * q[i]);
      return s;
    }
  }
  static T largest(const T* p, long n, bool less) {
    if constexpr (is_float) {
      // NaN is kept: it is not smaller than anything, and stays
      const auto kept = [](const auto& s, const auto& e) { return s >= e ? s : s != s ? s : e; };
      const auto low = [](const auto& s, const auto& e) { return s <= e ? s : s != s ? s : e; };
      return less ? reduce<T>(
                        p, p, n, p[0], [&](const auto& s, const auto& e, const auto&) { return low(s, e); }, low)
                  : reduce<T>(
                        p, p, n, p[0], [&](const auto& s, const auto& e, const auto&) { return kept(s, e); }, kept);
    } else {
      T s = p[0];
      if (less)
        for (long i = 0; i < n; ++i) s = p[i] < s ? p[i] : s;
      else
        for (long i = 0; i < n; ++i) s = p[i] > s ? p[i] : s;
      return s;
    }
  }
  static total sum(const arrays& a) {
    const auto r = on_halves(a, [&](long i, long n) { return sum_of(x(a) + i, n); });
    return r.first + r.second;
  }
  static T extreme(const arrays& a, bool less) {
    const auto r = on_halves(a, [&](long i, long n) { return largest(x(a) + i, n, less); });
    if (!halved(a)) return r.first;
    T two[2] = {r.first, r.second};
    return largest(two, 2, less);
  }
};

template <class T>
std::int64_t first_of(const T* p, long n) {  // the extreme of each kilobyte or so, then where it is
  constexpr long block = 4096 / long(sizeof(T));
  long at = 0;
  T best = p[0];
  for (long k = 0; k < n; k += block) {
    const long m = n - k < block ? n - k : block;
    const T e = of<T>::largest(p + k, m, false);
    if (k > 0 && !(e > best) && e == e) continue;
    at = k;
    best = e;
    if (e != e) break;
  }
  while (!(p[at] == best || p[at] != p[at])) ++at;
  return at;
}

template <class T, class F>
void formula(const arrays& a, const F& f) {
  on_halves(a, [&](long first, long n) {
    const T *const x = static_cast<const T*>(a.x) + first, *const y = static_cast<const T*>(a.y) + first,
                   *const z = static_cast<const T*>(a.z) + first;
    T* const __restrict out = static_cast<T*>(a.out) + first;
    for (long i = 0; i < n; ++i) out[i] = f(x[i], y[i], z[i]);
    return 0;
  });
}

#define DO(NAME, ...)                        \
  case work::NAME:                           \
    return [](const arrays& a, long times) { \
      for (long i = 0; i < times; ++i) {     \
        __VA_ARGS__;                         \
        BENCH_CACHE_AGAIN();                 \
      }                                      \
    }
#define EACH(NAME, E)  \
  DO(NAME, formula<T>( \
               a, []([[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] T z) { return static_cast<T>(E); }))

template <class T>
call common(work w) {
  using R = typename of<T>::total;
  switch (w) {
    DO(sum, *static_cast<R*>(a.out) = of<T>::sum(a));
    DO(dot, {
      const auto r = on_halves(a, [&](long k, long n) { return of<T>::products(of<T>::x(a) + k, of<T>::y(a) + k, n); });
      *static_cast<R*>(a.out) = r.first + r.second;
    });
    DO(amax, *static_cast<T*>(a.out) = of<T>::extreme(a, false));
    DO(amin, *static_cast<T*>(a.out) = of<T>::extreme(a, true));
    DO(argmax, {
      const T* const x = of<T>::x(a);
      const auto r = on_halves(a, [&](long k, long n) { return k + first_of(x + k, n); });
      *static_cast<std::int64_t*>(a.out) =
          halved(a) && x[r.first] == x[r.first] && (x[r.second] > x[r.first] || x[r.second] != x[r.second]) ? r.second
                                                                                                            : r.first;
    });
    EACH(add, x + y);
    EACH(mul, x * y);
    EACH(mul_add, x + y * z);
    EACH(scale, x * 2 + 1);
    EACH(larger, x > y ? x : y);
    EACH(choose, x > y ? x : z);
    default: return nullptr;
  }
}
template <class T>
call floating(work w) {
  switch (w) {
    DO(mean, *static_cast<T*>(a.out) = of<T>::sum(a) / T(a.n));
    DO(norm, {
      const auto r = on_halves(a, [&](long k, long n) { return of<T>::products(of<T>::x(a) + k, of<T>::x(a) + k, n); });
      *static_cast<T*>(a.out) = std::sqrt(r.first + r.second);
    });
    DO(var, {
      const T mean = of<T>::sum(a) / T(a.n);
      const auto r = on_halves(a, [&](long k, long n) {
        const T* const p = of<T>::x(a) + k;
        return reduce<T>(
            p, p, n, T{},
            [mean](const auto& s, const auto& e, const auto&) {
              const auto d = e - mean;
              return s + d * d;
            },
            of<T>::add);
      });
      // lanes that started at 0 were not moved by the mean
      *static_cast<T*>(a.out) = (r.first + r.second) / T(a.n - 1);
    });
    // NaN of either is kept
    EACH(larger, x != x ? x : x > y ? x : y);
    EACH(difference, std::fabs(x - y));
    EACH(length, std::sqrt(x * x + y * y));
    default: return common<T>(w);
  }
}

void softmax(const float* x, float* out, long n) {
  float m = x[0];
  for (long i = 1; i < n; ++i) m = x[i] > m ? x[i] : m;
  float s = 0;
  for (long i = 0; i < n; ++i) s += out[i] = std::exp(x[i] - m);
  for (long i = 0; i < n; ++i) out[i] /= s;
}
call small(work w) {
  switch (w) {
    DO(softmax_10, softmax(static_cast<const float*>(a.x), static_cast<float*>(a.out), a.n));
    DO(softmax_8x8, for (long k = 0; k < 8; ++k)
                        softmax(static_cast<const float*>(a.x) + 8 * k, static_cast<float*>(a.out) + 8 * k, 8));
    DO(mean_64, *static_cast<float*>(a.out) = of<float>::sum(a) / float(a.n));
    default: return nullptr;
  }
}

call find(work w, type t) {
  if (is_small(w)) return t == type::f32 ? small(w) : nullptr;
  switch (t) {
    case type::f32: return floating<float>(w);
    case type::f64: return floating<double>(w);
    case type::i32: return common<std::int32_t>(w);
    default: return common<std::uint8_t>(w);
  }
}

}  // namespace

contender hand() { return {"hand", find, true}; }

}  // namespace bench_cache
