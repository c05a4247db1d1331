// The sine and the cosine of one number, of vectors of 16 bytes: the bits of the strips at levels with FMA.
#pragma once

#include <immintrin.h>

#include "../base/vectors.hpp"
#include "own_trigonometric.hpp"

namespace broadloom::runtime {

// A pack of 16 bytes of the elements of `Wide`, of its level.
template <class Wide>
struct narrow_pack {
  using element = typename Wide::element;
  using value = vec<element, 16>;
  static value splat(element x) { return x - value{}; }
  static value multiply_add(value a, value b, value c) {
    if constexpr (sizeof(element) == 4)
      return value(_mm_fmadd_ps(__m128(a), __m128(b), __m128(c)));
    else
      return value(_mm_fmadd_pd(__m128d(a), __m128d(b), __m128d(c)));
  }
};

// False where the strips' functions leave x to others: to[0] is sin(x) and to[1] cos(x).
template <class Wide>
bool sine_and_cosine_of(typename Wide::element x, typename Wide::element* to) noexcept {
  using pack = narrow_pack<Wide>;
  using functions = fused_trigonometric<pack>;
  if (!(-functions::limit <= x && x <= functions::limit)) return false;
  typename pack::value sine, cosine;
  functions::sine_and_cosine(pack::splat(x), sine, cosine);
  to[0] = sine[0];
  to[1] = cosine[0];
  return true;
}

}  // namespace broadloom::runtime
