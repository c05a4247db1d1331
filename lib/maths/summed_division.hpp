// Rows divided while a function of other rows is computed, with AVX-512: by corrected reciprocals (divisor.hpp proves
// that these are the quotients). Whether all are valid is known at the end of a row; if not, the row is divided once
// more.
#pragma once

#include <immintrin.h>

#include <broadloom/eval/simd/divisor.hpp>

#include "quotients.hpp"
#include "summed.hpp"

namespace broadloom::runtime {

// The smallest magnitude of three vectors, of which the first has no NaN; NaN in the others is ignored.
inline __m512 least_in_size(__m512 a, __m512 b, __m512 c, __mmask16& numbers) {
  numbers = _mm512_mask_cmp_ps_mask(numbers, b, c, _CMP_ORD_Q);
  return _mm512_maskz_range_ps(0xffff, a, _mm512_maskz_range_ps(0xffff, b, c, 0xa), 0xa);
}
inline __m512d least_in_size(__m512d a, __m512d b, __m512d c, __mmask8& numbers) {
  numbers = _mm512_mask_cmp_pd_mask(numbers, b, c, _CMP_ORD_Q);
  return _mm512_maskz_range_pd(0xff, a, _mm512_maskz_range_pd(0xff, b, c, 0xa), 0xa);
}
inline bool all_at_least(__m512 x, __m512 bound, __mmask16 numbers) {
  return _mm512_mask_cmp_ps_mask(numbers, x, bound, _CMP_GE_OQ) == 0xffff;
}
inline bool all_at_least(__m512d x, __m512d bound, __mmask8 numbers) {
  return _mm512_mask_cmp_pd_mask(numbers, x, bound, _CMP_GE_OQ) == 0xff;
}

template <class Pack>
  requires(sizeof(typename Pack::value) == 64)
struct row_division<Pack> {
  static constexpr bool exists = true;
  using element = typename Pack::element;
  using value = typename Pack::value;
  static constexpr int lanes = static_cast<int>(Pack::width);
  using vector = detail::simd_vec<element, lanes>;
  using mask = std::conditional_t<lanes == 16, __mmask16, __mmask8>;

  [[gnu::always_inline]] row_division(const divided_rows* a, index r)
      : x(static_cast<const element*>(a->x) + r * a->x_pitch),
        number(static_cast<const element*>(a->by) + r * a->by_pitch),
        out(static_cast<element*>(a->out) + r * a->out_pitch),
        streaming(a->streaming) {
    by.share(*number);
    least = Pack::splat(static_cast<element>(__builtin_huge_val()));
  }
  // Vectors `i` elements on, one or two.
  [[gnu::always_inline]] void two(index i) {
    const vector p = by.quick(reinterpret_cast<vector>(Pack::load(x + i)));
    const vector q = by.quick(reinterpret_cast<vector>(Pack::load(x + i + lanes)));
    least = least_in_size(least, reinterpret_cast<value>(p), reinterpret_cast<value>(q), numbers);
    put(i, p);
    put(i + lanes, q);
  }
  [[gnu::always_inline]] void one(index i) {
    const vector q = by.quick(reinterpret_cast<vector>(Pack::load(x + i)));
    least = least_in_size(least, reinterpret_cast<value>(q), reinterpret_cast<value>(q), numbers);
    put(i, q);
  }
  [[gnu::always_inline]] void put(index i, const vector& q) {
    if (streaming)
      detail::stream(out + i, q);
    else
      detail::store<element>(out + i, q);
  }
  [[gnu::always_inline]] void finish(index n) const {
    if (!all_at_least(least, reinterpret_cast<value>(by.least), numbers)) [[unlikely]]
      again(x, number, out, n, streaming);
  }
  static void again(const float* x, const float* number, float* out, index n, bool streaming) {
    quotients_v4_f32(x, number, out, n, streaming);
  }
  static void again(const double* x, const double* number, double* out, index n, bool streaming) {
    quotients_v4_f64(x, number, out, n, streaming);
  }

  detail::divisor<element, lanes> by;
  const element *x, *number;
  element* out;
  value least;
  mask numbers = static_cast<mask>(~mask{});
  bool streaming;
};

}  // namespace broadloom::runtime
