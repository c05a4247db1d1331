// Short rows that lie one after the other, several of them in one vector.
#pragma once

#include "vectors_level.hpp"

namespace broadloom::runtime {
namespace {

// Whether a level permutes lanes of this type by other lanes, and loads a part of a vector.
template <class T>
inline constexpr bool has_row_blocks =
#if defined(__AVX512BW__)
    sizeof(T) >= 4;
#elif defined(__AVX2__)
    sizeof(T) == 4;
#else
    false;
#endif

// Rows of n elements, 1 <= n <= Block: each at the beginning of a block of lanes, the identity element behind it.
template <class T, int Block>
struct row_blocks {
  static constexpr int w = width<T>, rows = w / Block;
  using vector = simd_vec<T, w>;
  using integers = decltype(vector{} != vector{});
  template <int... I>
  static constexpr integers blocks(detail::sequence<I...>) {
    return integers{(I / Block)...};
  }
  template <int... I>
  static constexpr integers places(detail::sequence<I...>) {
    return integers{(I % Block)...};
  }
  using all_lanes = detail::make_sequence<w>;

#if defined(__AVX512BW__)
  __m512i from;
  unsigned short all, in;

  BROADLOOM_INLINE explicit row_blocks(index n) {
    const auto each = splat<w>(static_cast<decltype(+integers{}[0])>(n));
    const integers place = places(all_lanes{});
    from = (__m512i)(blocks(all_lanes{}) * each + place);
    all = static_cast<unsigned short>((1U << (rows * n)) - 1);
    if constexpr (sizeof(T) == 4)
      in = _mm512_cmplt_epi32_mask((__m512i)place, (__m512i)each);
    else
      in = _mm512_cmplt_epi64_mask((__m512i)place, (__m512i)each);
  }
  BROADLOOM_INLINE vector at(const T* x, const vector& identity) const {
    const auto others = (__m512i)identity;
    if constexpr (sizeof(T) == 4)
      return (vector)_mm512_mask_permutexvar_epi32(others, in, from, _mm512_maskz_loadu_epi32(all, x));
    else
      return (vector)_mm512_mask_permutexvar_epi64(others, static_cast<__mmask8>(in), from,
                                                   _mm512_maskz_loadu_epi64(static_cast<__mmask8>(all), x));
  }
#elif defined(__AVX2__)
  __m256i from, all, in;

  BROADLOOM_INLINE explicit row_blocks(index n) {
    const auto each = splat<w>(static_cast<int>(n));
    const integers place = places(all_lanes{}), lane = blocks(all_lanes{}) * Block + place;
    from = (__m256i)(blocks(all_lanes{}) * each + place);
    all = (__m256i)(lane < rows * each);
    in = (__m256i)(place < each);
  }
  BROADLOOM_INLINE vector at(const T* x, const vector& identity) const {
    const __m256i loaded = _mm256_maskload_epi32(reinterpret_cast<const int*>(x), all);
    return (vector)_mm256_blendv_epi8((__m256i)identity, _mm256_permutevar8x32_epi32(loaded, from), in);
  }
#else
  explicit row_blocks(index n);
  vector at(const T* x, const vector& identity) const;
#endif
};

}  // namespace
}  // namespace broadloom::runtime
