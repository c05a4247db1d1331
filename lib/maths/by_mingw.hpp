// Functions that MinGW-w64's C library computes by the processor's x87 instructions or by formulas that cancel: sines
// far from 0 with the wrong angle, inverse functions near 1 with few right digits. In place of those, in long double.
#pragma once

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstdint>

namespace broadloom::runtime::by_mingw {

// x in quarter turns: `quarters` whole ones, modulo 4, and an angle of at most an eighth of a turn.
struct angle {
  unsigned quarters;
  long double rest;
};

// The bits of 2 / pi, after the point. The largest double needs 1,024 of them to lose its whole turns.
inline constexpr std::uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

// By Payne and Hanek: of x * (2 / pi), whose bits from 4 on count whole turns, eight words of 2 / pi give 150 bits
// after the point; the double next to a multiple of pi / 2 is 2^-61 away from it.
inline angle reduced(long double x) noexcept {
  constexpr long double pi_half = 1.57079632679489661923132169163975144L;
  const long double size = std::abs(x);
  if (size < 0.785L) return {0, x};
  constexpr int words = 8, limbs = words + 3;
  const int e = std::ilogb(size) - 63;  // size = m * 2^e
  const auto m = static_cast<std::uint64_t>(std::ldexp(size, -e));
  const int first = e < 2 ? 0 : (e - 2) / 32;
  // The lowest limb first; two bits of whole quarters will lead.
  std::uint32_t product[limbs] = {};
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t by = half == 0 ? m & 0xffffffff : m >> 32;
    std::uint64_t carry = 0;
    for (int i = 0; i < words; ++i) {
      std::uint32_t& to = product[i + half];
      carry += by * two_over_pi[first + words - 1 - i] + to;
      to = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[words + half] = static_cast<std::uint32_t>(carry);
  }
  const int point = 32 * (first + words) - e, shift = 32 * limbs - 2 - point;
  std::uint32_t digits[limbs];
  for (int i = limbs; i-- > 0;) {
    const int from = i - shift / 32;
    const std::uint64_t high = from >= 0 ? product[from] : 0, low = from >= 1 ? product[from - 1] : 0;
    digits[i] = static_cast<std::uint32_t>(((high << 32 | low) << shift % 32) >> 32);
  }
  unsigned quarters = digits[limbs - 1] >> 30;
  const bool above = (digits[limbs - 1] & 0x20000000) != 0;  // nearer to the next quarter
  if (above) ++quarters;
  long double rest = 0;
  for (int i = 0; i < limbs; ++i) {
    const std::uint32_t digit = (above ? ~digits[i] : digits[i]) & (i == limbs - 1 ? 0x3fffffff : 0xffffffff);
    rest = rest * 0x1p-32L + static_cast<long double>(digit);
  }
  rest *= (above ? -0x1p-30L : 0x1p-30L) * pi_half;
  return x < 0 ? angle{-quarters & 3, -rest} : angle{quarters & 3, rest};
}

inline long double quarter_sine(unsigned quarters, long double rest) noexcept {
  const long double size = quarters % 2 == 0 ? std::sin(rest) : std::cos(rest);
  return quarters & 2 ? -size : size;
}

inline long double sin(long double x) noexcept {
  if (!std::isfinite(x)) return x - x;
  const angle a = reduced(x);
  return quarter_sine(a.quarters, a.rest);
}
inline long double cos(long double x) noexcept {
  if (!std::isfinite(x)) return x - x;
  const angle a = reduced(x);
  return quarter_sine(a.quarters + 1, a.rest);
}
inline long double tan(long double x) noexcept {
  if (!std::isfinite(x)) return x - x;
  const angle a = reduced(x);
  return a.quarters % 2 == 0 ? std::tan(a.rest) : -1 / std::tan(a.rest);
}

inline long double acos(long double x) noexcept { return 2 * std::atan2(std::sqrt(1 - x), std::sqrt(1 + x)); }

// x is a float or double, so that x - 1 is exact where it is small, and its square does not overflow.
inline long double acosh(long double x) noexcept {
  if (x < 1) return NAN;
  const long double more = x - 1;
  return more > 0x1p40L ? std::log(x) + std::log(2.0L) : std::log1p(more + std::sqrt(more * (x + 1)));
}

using std::tgamma;

inline long double lgamma(long double x) noexcept {
  if (!(std::abs(x) < 1e6L)) return std::lgamma(x);
  if (x <= 0 && x == std::floor(x)) return INFINITY;
  using namespace boost::math::policies;
  constexpr policy<domain_error<ignore_error>, pole_error<ignore_error>, overflow_error<ignore_error>,
                   evaluation_error<ignore_error>, promote_double<false>>
      quiet;
  return boost::math::lgamma(x, quiet);
}

}  // namespace broadloom::runtime::by_mingw
