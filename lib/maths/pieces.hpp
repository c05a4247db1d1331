// Functions of f64 by polynomials of sixteen pieces of their domain, each around a point where the function is small
// beside its slope or the polynomial's first term large beside the others, so that little is lost to rounding.
#pragma once

#include "wide_floats.hpp"

namespace broadloom::runtime {

// f(x) is at + (at_rest + t (c[0] + c[1] t + ...)), t = x - center. Centers and `at` have two parts; where f has a
// zero, it is the center, and `at` is 0.
template <int N>
struct pieces {
  static constexpr int count = 16;
  alignas(64) double center[count], center_rest[count], at[count], at_rest[count], slope_rest[count];
  alignas(64) double c[N][count];
};

namespace {

// The numbers of each lane's piece.
class of_pieces {
  using vec = wide_floats;
  using value = vec::value;
  using whole = detail::simd_vec<std::int64_t, vec::width>;

 public:
  // Of equal pieces from 0 to 8, and of four pieces an octave from 1/2 to 8; any piece of other x.
  static of_pieces equal(value x) {
    return of_pieces(reinterpret_cast<whole>((x + x - vec::all(0.5)) + vec::all(0x1.8p52)));
  }
  static of_pieces by_octave(value x) {
    return of_pieces((reinterpret_cast<whole>(x) >> 50) - static_cast<std::int64_t>(0x3fe0000000000000 >> 50));
  }

  template <int N>
  value operator()(const pieces<N>& p, value x) const {
    const value off = x - pick(p.center), of_center = pick(p.center_rest), t = off - of_center;
    const value rest = (off - t) - of_center;
    value r = pick(p.c[N - 1]);
#pragma GCC unroll 16
    for (int k = N - 2; k >= 1; --k) r = vec::multiply_add(r, t, pick(p.c[k]));
    const value slope = pick(p.c[0]);
    r = vec::multiply_add(r, t, pick(p.slope_rest));
    r = vec::multiply_add(r, t, vec::multiply_add(slope, rest, pick(p.at_rest)));
    return pick(p.at) + vec::fused(slope, t, r);
  }

 private:
  explicit of_pieces(whole n) : number(n & std::int64_t{15}) {}
  value pick(const double* from) const {
#if BROADLOOM_LEVEL_BYTES == 64
    return _mm512_permutex2var_pd(_mm512_load_pd(from), reinterpret_cast<__m512i>(number), _mm512_load_pd(from + 8));
#elif BROADLOOM_LEVEL_BYTES == 32
    return _mm256_i64gather_pd(from, reinterpret_cast<__m256i>(number), 8);
#else
    return value{from[number[0]], from[number[1]]};
#endif
  }
  whole number;
};

}  // namespace
}  // namespace broadloom::runtime
