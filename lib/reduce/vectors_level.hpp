// Vectors of a level, and what it has instructions for beyond arithmetic: loads of a part of a vector, minima and
// maxima of vectors without NaN, and looking for NaN. The loops of a level are in the headers *_level.hpp, which
// kernels_level.cpp includes once; everything is local to that file, so that no other level's code can take its place.
#pragma once

#include <broadloom/core/array.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/fn/lanes.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels.hpp"
#include "operations.hpp"
#include "reduce.hpp"

namespace broadloom::runtime {
namespace {

using detail::load;
using detail::simd_vec;
using detail::splat;
using detail::store;

template <class T>
inline constexpr index lane_total = 64 / static_cast<index>(sizeof(T));
template <class T>
inline constexpr int width = BROADLOOM_VECTOR / static_cast<int>(sizeof(T));

using maximum = operation<reduction::amax>;
using minimum = operation<reduction::amin>;
using largest_number = operation<reduction::nanmax>;
using smallest_number = operation<reduction::nanmin>;

// The vector at x, for two uses: GCC would take it from memory for each, and processors read 64 bytes at most once or
// twice a cycle.
template <class T>
BROADLOOM_INLINE simd_vec<T, width<T>> load_once(const T* x) {
  return broadloom::lanes::optimisation_barrier(load<T, width<T>>(x));
}

// The first `count` elements at x, 0 <= count <= the vector's lanes, and `identity` in the other lanes; nothing behind
// them is read. Levels without masked loads have none.
#if defined(__AVX512BW__)
template <class T>
inline constexpr bool has_partial_loads = true;
template <class V, class T>
BROADLOOM_INLINE V load_partly(const T* x, index count, const V& identity) {
  const auto bits = count == 64 ? ~std::uint64_t{} : (std::uint64_t{1} << count) - 1;
  V r;
  if constexpr (sizeof(T) == 1) {
    const auto v = _mm512_mask_loadu_epi8((__m512i)identity, bits, x);
    __builtin_memcpy(&r, &v, sizeof r);
  } else if constexpr (sizeof(T) == 2) {
    const auto v = _mm512_mask_loadu_epi16((__m512i)identity, static_cast<__mmask32>(bits), x);
    __builtin_memcpy(&r, &v, sizeof r);
  } else if constexpr (sizeof(T) == 4) {
    const auto v = _mm512_mask_loadu_epi32((__m512i)identity, static_cast<__mmask16>(bits), x);
    __builtin_memcpy(&r, &v, sizeof r);
  } else {
    const auto v = _mm512_mask_loadu_epi64((__m512i)identity, static_cast<__mmask8>(bits), x);
    __builtin_memcpy(&r, &v, sizeof r);
  }
  return r;
}
#elif defined(__AVX2__)
template <class T>
inline constexpr bool has_partial_loads = sizeof(T) >= 4;
template <class V, class T>
BROADLOOM_INLINE V load_partly(const T* x, index count, const V& identity) {
  V r;
  if constexpr (sizeof(T) == 4) {
    const __m256i in =
        _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const __m256i v =
        _mm256_blendv_epi8((__m256i)identity, _mm256_maskload_epi32(reinterpret_cast<const int*>(x), in), in);
    __builtin_memcpy(&r, &v, sizeof r);
  } else {
    const __m256i in = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
    const __m256i v =
        _mm256_blendv_epi8((__m256i)identity, _mm256_maskload_epi64(reinterpret_cast<const long long*>(x), in), in);
    __builtin_memcpy(&r, &v, sizeof r);
  }
  return r;
}
#else
template <class T>
inline constexpr bool has_partial_loads = false;
template <class V, class T>
V load_partly(const T* x, index count, const V& identity);
#endif

// The first lanes of a vector, fewer than all: what loads of so many elements have in common.
#if defined(__AVX512BW__)
template <class T>
struct first_lanes {
  index count;
  BROADLOOM_INLINE explicit first_lanes(index n) : count(n) {}
  // The elements at x, and something in the other lanes; nothing behind them is read.
  template <class V>
  BROADLOOM_INLINE V load(const T* x) const {
    return load_partly(x, count, V{});
  }
  template <class V>
  BROADLOOM_INLINE V choose(const V& in, const V& others) const {
    const auto bits = (1U << count) - 1;
    V r;
    if constexpr (sizeof(T) == 4) {
      const auto v = _mm512_mask_mov_epi32((__m512i)others, static_cast<__mmask16>(bits), (__m512i)in);
      __builtin_memcpy(&r, &v, sizeof r);
    } else {
      const auto v = _mm512_mask_mov_epi64((__m512i)others, static_cast<__mmask8>(bits), (__m512i)in);
      __builtin_memcpy(&r, &v, sizeof r);
    }
    return r;
  }
};
#elif defined(__AVX2__)
template <class T>
struct first_lanes {
  __m256i in;
  BROADLOOM_INLINE explicit first_lanes(index n) {
    if constexpr (sizeof(T) == 4)
      in = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    else
      in = _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  template <class V>
  BROADLOOM_INLINE V load(const T* x) const {
    if constexpr (sizeof(T) == 4)
      return (V)_mm256_maskload_epi32(reinterpret_cast<const int*>(x), in);
    else
      return (V)_mm256_maskload_epi64(reinterpret_cast<const long long*>(x), in);
  }
  template <class V>
  BROADLOOM_INLINE V choose(const V& x, const V& others) const {
    return (V)_mm256_blendv_epi8((__m256i)others, (__m256i)x, in);
  }
};
#else
template <class T>
struct first_lanes {
  explicit first_lanes(index n);
  template <class V>
  V load(const T* x) const;
  template <class V>
  V choose(const V& in, const V& others) const;
};
#endif

// Minima and maxima of vectors without NaN, in one instruction each, and whether there is a NaN.
#if defined(__AVX512F__)
template <class Op, class V>
inline constexpr bool has_min_max_instruction =
    sizeof(V) == 64 && (__is_same(Op, maximum) || __is_same(Op, minimum)) && broadloom::lanes::floating<V>;
template <class Op, class V>
BROADLOOM_INLINE V min_max_instruction(const V& x, const V& y) {
  if constexpr (sizeof(x[0]) == 4) {
    const auto a = reinterpret_cast<__m512>(x), b = reinterpret_cast<__m512>(y);
    return reinterpret_cast<V>(__is_same(Op, maximum) ? _mm512_maskz_max_ps(0xffff, a, b)
                                                      : _mm512_maskz_min_ps(0xffff, a, b));
  } else {
    const auto a = reinterpret_cast<__m512d>(x), b = reinterpret_cast<__m512d>(y);
    return reinterpret_cast<V>(__is_same(Op, maximum) ? _mm512_maskz_max_pd(0xff, a, b)
                                                      : _mm512_maskz_min_pd(0xff, a, b));
  }
}
// No lane of x or y is NaN.
template <class V>
struct no_nan {
  static constexpr int lanes = sizeof(V) / sizeof(V{}[0]);
  static constexpr unsigned short none = lanes == 16 ? 0xffff : 0;
  unsigned short bits = none;  // of f32 lanes without NaN, of f64 lanes with one
  BROADLOOM_INLINE void look_at(const V& x, const V& y) {
    if constexpr (lanes == 16)
      bits = _mm512_mask_cmp_ps_mask(bits, reinterpret_cast<__m512>(x), reinterpret_cast<__m512>(y), _CMP_ORD_Q);
    else  // GCC would move eight bits to an integer and back between comparisons under a mask, which wait for it
      bits = static_cast<unsigned short>(
          bits | _mm512_cmp_pd_mask(reinterpret_cast<__m512d>(x), reinterpret_cast<__m512d>(y), _CMP_UNORD_Q));
  }
  BROADLOOM_INLINE void look_at(const no_nan& of_others) {
    bits = static_cast<unsigned short>(lanes == 16 ? bits & of_others.bits : bits | of_others.bits);
  }
  BROADLOOM_INLINE bool was_there() const { return bits != none; }
};
#else
template <class Op, class V>
inline constexpr bool has_min_max_instruction =
    (sizeof(V) == 16 || sizeof(V) == 32) && (__is_same(Op, maximum) || __is_same(Op, minimum)) &&
    broadloom::lanes::floating<V>;
template <class Op, class V>
BROADLOOM_INLINE V min_max_instruction(const V& x, const V& y) {
  if constexpr (__is_same(Op, maximum))
    return x > y ? x : y;
  else
    return x < y ? x : y;
}
template <class V>
struct no_nan {
  using integers = decltype(V{} != V{});
  integers bits{};
  BROADLOOM_INLINE void look_at(const V& x, const V& y) {
#if defined(__AVX2__)
    if constexpr (sizeof(V) == 32 && sizeof(x[0]) == 4)
      bits |= (integers)_mm256_cmp_ps((__m256)x, (__m256)y, _CMP_UNORD_Q);
    else if constexpr (sizeof(V) == 32)
      bits |= (integers)_mm256_cmp_pd((__m256d)x, (__m256d)y, _CMP_UNORD_Q);
    else
#endif
#if defined(__x86_64__)
        if constexpr (sizeof(x[0]) == 4)
      bits |= (integers)_mm_cmpunord_ps((__m128)x, (__m128)y);
    else
      bits |= (integers)_mm_cmpunord_pd((__m128d)x, (__m128d)y);
#else
    bits |= (x != x) | (y != y);
#endif
  }
  BROADLOOM_INLINE void look_at(const no_nan& of_others) { bits |= of_others.bits; }
  BROADLOOM_INLINE bool was_there() const {
#if defined(__AVX2__)
    if constexpr (sizeof(V) == 32)
      return _mm256_movemask_epi8((__m256i)bits) != 0;
    else
#endif
#if defined(__x86_64__)
      return _mm_movemask_epi8((__m128i)bits) != 0;
#else
    const auto v = (simd_vec<std::int64_t, static_cast<int>(sizeof(V) / 8)>)bits;
    std::int64_t all = 0;
    for (int i = 0; i < static_cast<int>(sizeof(V) / 8); ++i) all |= v[i];
    return all != 0;
#endif
  }
};
#endif
// Whether min_max_instruction finds the largest (smallest) number, too: vectors of AVX-512 have one of their own.
template <class Op, class V>
inline constexpr bool has_number_instruction =
    (sizeof(V) == 16 || sizeof(V) == 32) && (__is_same(Op, largest_number) || __is_same(Op, smallest_number)) &&
    broadloom::lanes::floating<V>;

}  // namespace
}  // namespace broadloom::runtime
