// The tiles of contractions for one instruction-set level.
#include <broadloom/fn/lanes.hpp>

#include "../base/vectors.hpp"
#include "contraction_kernels.hpp"
#include "reduce.hpp"

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace broadloom::runtime::BROADLOOM_LEVEL {

#if defined(__AVX512F__)
[[gnu::always_inline]] inline __m512 multiply_add(__m512 x, __m512 y, __m512 z) { return _mm512_fmadd_ps(x, y, z); }
[[gnu::always_inline]] inline __m512d multiply_add(__m512d x, __m512d y, __m512d z) { return _mm512_fmadd_pd(x, y, z); }
#elif defined(__FMA__)
[[gnu::always_inline]] inline __m256 multiply_add(__m256 x, __m256 y, __m256 z) { return _mm256_fmadd_ps(x, y, z); }
[[gnu::always_inline]] inline __m256d multiply_add(__m256d x, __m256d y, __m256d z) { return _mm256_fmadd_pd(x, y, z); }
#endif
#if defined(__FMA__)
inline constexpr bool has_fma = true;
#else
inline constexpr bool has_fma = false;
#endif

template <class T>
struct contraction_code {
  using V = vec<T, BROADLOOM_LEVEL_BYTES>;
  static constexpr int lanes = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T));
  static constexpr int vectors = BROADLOOM_LEVEL_BYTES == 64 ? 4 : 2;  // of 32 registers, or 16
  static constexpr int rows = tile_height;
  // Lanes of a sum, and terms of a strip under `fast`.
  static constexpr index sum_lanes = 64 / static_cast<index>(sizeof(T)), fused_strip = 64;

  [[gnu::always_inline]] static V load(const T* p) {
    V x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
  }
  [[gnu::always_inline]] static void store(T* p, const V& x) { __builtin_memcpy(p, &x, sizeof x); }
  [[gnu::always_inline]] static V all(const T* p) { return detail::splat_at<lanes>(p); }

  template <pair_term Term>
  [[gnu::always_inline]] static V term(const V& a, const V& b) {
    namespace l = broadloom::lanes;
    if constexpr (Term == pair_term::product) {
      return l::times(a, b);
    } else {
      const V d = l::minus(a, b);
      if constexpr (Term == pair_term::absolute_difference)
        return l::magnitude(d);
      else
        return l::times(d, d);
    }
  }
  // Processors that add in other units than they multiply do both kinds of work at once: sum + term is the same as
  // term * 1 + sum, rounded once. `multiplies` says which units this addition goes to, `one` is 1 in each lane.
  template <pair_term Term, bool Fused>
  [[gnu::always_inline]] static V add_term(const V& sum, const V& a, const V& b, const V& one, bool multiplies) {
#if defined(__FMA__)
    if constexpr (Fused) {
      if constexpr (Term == pair_term::product) return V(multiply_add(a, b, sum));
      const V d = broadloom::lanes::minus(a, b);
      return V(multiply_add(d, d, sum));
    } else {
      if (multiplies) return V(multiply_add(term<Term>(a, b), one, sum));
    }
#else
    static_cast<void>(one);
    static_cast<void>(multiplies);
#endif
    return broadloom::lanes::plus(sum, term<Term>(a, b));
  }
  template <pair_term Term>
  static constexpr bool multiplies(int number) {
    return Term == pair_term::absolute_difference || (Term == pair_term::squared_difference && number % 2 == 1);
  }

  // Terms are added in parts: every `step`-th, or, fused, strips. Lanes of one term each are combined as if there were
  // half as many lanes, of two terms.
  static constexpr index lanes_of(index n) {
    index step = sum_lanes;
    while (step > 1 && n <= step) step /= 2;
    return step;
  }
  // Lanes in the order in which they are combined (of 16: 0 and 8, 4 and 12, these two pairs ...): bits reversed.
  static constexpr index lane_at(index t, index step) {
    index r = 0;
    for (index bit = 1, from = step / 2; bit < step; bit *= 2, from /= 2)
      if ((t & bit) != 0) r += from;
    return r;
  }

  // A part is combined at once with those before it, level by level, so that few wait in `room`.
  template <pair_term Term, bool Fused, int Vectors>
  static void tile(const void* of_rows, index row, const void* of_columns, index n, void* to, index to_row,
                   void* room) {
    constexpr int size = rows * Vectors, width = Vectors * lanes;
    const index step = Fused ? 1 : lanes_of(n), parts = Fused ? (n + fused_strip - 1) / fused_strip : step;
    V one = V{} + 1;
    __asm__("" : "+m"(one));
    const V ones = one;
    T* waiting = static_cast<T*>(room);
    V sum[size];
    for (index t = 0; t < parts; ++t) {
      const index first = Fused ? t * fused_strip : lane_at(t, step);
      const index end = Fused && n - first > fused_strip ? first + fused_strip : n;
      const T* a = static_cast<const T*>(of_rows) + first;
      const T* b = static_cast<const T*>(of_columns) + first * width;
      V right[Vectors];
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j) right[j] = load(b + j * lanes);
#pragma GCC unroll 4
      for (int i = 0; i < rows; ++i) {
        const V left = all(a + i * row);
#pragma GCC unroll 4
        for (int j = 0; j < Vectors; ++j) sum[i * Vectors + j] = term<Term>(left, right[j]);
      }
      for (index k = first + step; k < end; k += step) {
        a += step;
        b += step * width;
#pragma GCC unroll 4
        for (int j = 0; j < Vectors; ++j) right[j] = load(b + j * lanes);
#pragma GCC unroll 4
        for (int i = 0; i < rows; ++i) {
          const V left = all(a + i * row);
#pragma GCC unroll 4
          for (int j = 0; j < Vectors; ++j) {
            V& s = sum[i * Vectors + j];
            s = add_term<Term, Fused>(s, left, right[j], ones, multiplies<Term>(i * Vectors + j));
          }
        }
      }
      // The last part with all that wait, the others as far as their number is complete.
      const bool last = t + 1 == parts;
      for (index m = t; last ? waiting != room : (m & 1) != 0; m >>= 1) {
        waiting -= rows * width;
#pragma GCC unroll 16
        for (int i = 0; i < size; ++i) sum[i] = broadloom::lanes::plus(load(waiting + i * lanes), sum[i]);
      }
      if (last) break;
#pragma GCC unroll 16
      for (int i = 0; i < size; ++i) store(waiting + i * lanes, sum[i]);
      waiting += rows * width;
    }
    T* own = static_cast<T*>(to);
#pragma GCC unroll 4
    for (int i = 0; i < rows; ++i, own += to_row)
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j) store(own + j * lanes, sum[i * Vectors + j]);
  }

  // Parts that begin `Apart` terms after each other, combined in the same order. Each has code of its own: how often
  // sums are combined after it depends on which it is, which Zen 3 does not foresee.
  template <pair_term Term, int Vectors, index Apart = 1>
  [[gnu::always_inline]] static void all_parts(const T* a, index row, const T* b, index n, const V& ones, V* sum,
                                               T* waiting) {
    constexpr int size = rows * Vectors, width = Vectors * lanes;
    if constexpr (Apart == sum_lanes) {
      add_terms<Term, true, Vectors>(a, row, b, ones, sum);
      for (index left = n - sum_lanes; left > 0; left -= sum_lanes) {
        a += sum_lanes;
        b += sum_lanes * width;
        add_terms<Term, false, Vectors>(a, row, b, ones, sum);
      }
    } else {
      all_parts<Term, Vectors, 2 * Apart>(a, row, b, n, ones, sum, waiting + rows * width);
#pragma GCC unroll 16
      for (int i = 0; i < size; ++i) store(waiting + i * lanes, sum[i]);
      all_parts<Term, Vectors, 2 * Apart>(a + Apart, row, b + Apart * width, n - Apart, ones, sum,
                                          waiting + rows * width);
#pragma GCC unroll 16
      for (int i = 0; i < size; ++i) sum[i] = broadloom::lanes::plus(load(waiting + i * lanes), sum[i]);
    }
  }
  template <pair_term Term, bool First, int Vectors>
  [[gnu::always_inline]] static void add_terms(const T* a, index row, const T* b, const V& ones, V* sum) {
    V right[Vectors];
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) right[j] = load(b + j * lanes);
#pragma GCC unroll 4
    for (int i = 0; i < rows; ++i) {
      const V left = all(a + i * row);
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j) {
        V& s = sum[i * Vectors + j];
        if constexpr (First)
          s = term<Term>(left, right[j]);
        else
          s = add_term<Term, false>(s, left, right[j], ones, multiplies<Term>(i * Vectors + j));
      }
    }
  }
  // The same as `tile`. On Zen 3, f32 takes 0.62 to 0.86 of its time for 20 and 32 terms, 0.79 to 0.95 for 64 to 512;
  // f64, of half as many parts, 0.8 to 0.98.
  template <pair_term Term, int Vectors>
  static void unrolled_tile(const void* of_rows, index row, const void* of_columns, index n, void* to, index to_row,
                            void* room) {
    if (n <= sum_lanes) return tile<Term, false, Vectors>(of_rows, row, of_columns, n, to, to_row, room);
    V one = V{} + 1;
    __asm__("" : "+m"(one));
    const V ones = one;
    V sum[rows * Vectors];
    all_parts<Term, Vectors>(static_cast<const T*>(of_rows), row, static_cast<const T*>(of_columns), n, ones, sum,
                             static_cast<T*>(room));
    T* own = static_cast<T*>(to);
#pragma GCC unroll 4
    for (int i = 0; i < rows; ++i, own += to_row)
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j) store(own + j * lanes, sum[i * Vectors + j]);
  }
  template <pair_term Term, bool Fused>
  static constexpr contraction_tile wide_tile() {
    if constexpr (BROADLOOM_LEVEL_BYTES == 32 && sizeof(T) == 4 && !Fused)
      return unrolled_tile<Term, vectors>;
    else
      return tile<Term, Fused, vectors>;
  }

#define BROADLOOM_TILES(TERM, FUSED) {wide_tile<pair_term::TERM, FUSED>(), tile<pair_term::TERM, FUSED, 1>}
  static constexpr contraction_kernels table{lanes,
                                             vectors* lanes,
                                             BROADLOOM_TILES(product, false),
                                             BROADLOOM_TILES(squared_difference, false),
                                             BROADLOOM_TILES(absolute_difference, false),
                                             BROADLOOM_TILES(product, has_fma),
                                             BROADLOOM_TILES(squared_difference, has_fma)};
#undef BROADLOOM_TILES
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

constinit const contraction_kernels BROADLOOM_OF_LEVEL(contraction_f32) =
    BROADLOOM_LEVEL::contraction_code<float>::table;
constinit const contraction_kernels BROADLOOM_OF_LEVEL(contraction_f64) =
    BROADLOOM_LEVEL::contraction_code<double>::table;

}  // namespace broadloom::runtime
