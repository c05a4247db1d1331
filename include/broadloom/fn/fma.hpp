// x * y + z, rounded once: by the processor's instruction, and by integers in constant expressions.
#pragma once

#include <broadloom/fn/lanes.hpp>
#include <broadloom/fn/sqrt.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace detail {

// A finite number other than 0 as m * 2^e, the highest of m's 53 bits set.
struct binary_number {
  bool negative;
  std::uint64_t m;
  int e;

  constexpr explicit binary_number(double x) : negative(false), m(0), e(0) {
    const auto u = __builtin_bit_cast(std::uint64_t, x);
    negative = (u >> 63) != 0;
    m = u & 0xfffffffffffffu;
    e = static_cast<int>(u >> 52 & 0x7ff);
    if (e != 0)
      m |= std::uint64_t{1} << 52;
    else
      e = 1;
    while (m < (std::uint64_t{1} << 52)) {
      m <<= 1;
      --e;
    }
    e -= 1075;
  }
};

// n / 2^k; the lowest bit is set if a bit was lost.
constexpr u128 shifted_down(u128 n, int k) {
  if (k <= 0) return n;
  if (k > 127) return n != 0;
  return n >> k | static_cast<u128>((n & ((static_cast<u128>(1) << k) - 1)) != 0);
}

// n * 2^e to nearest, ties to even, with `bits` bits and the least exponent of T's numbers; n is exact, or its lowest
// bit stands for what lies below.
template <class T>
constexpr T to_nearest(bool negative, u128 n, int e) {
  constexpr int bits = __is_same(T, float) ? 24 : 53, least = __is_same(T, float) ? -149 : -1074;
  int length = 0;
  while (length < 128 && n >> length != 0) ++length;
  int drop = length - bits;
  if (e + drop < least) drop = least - e;
  if (drop > 0) {
    const u128 kept = drop == 1 ? n << 1 : shifted_down(n, drop - 2);  // two more bits, the last one sticky
    n = kept >> 2;
    if ((kept & 2) != 0 && ((kept & 1) != 0 || (n & 1) != 0)) ++n;
    e += drop;
  }
  // The bits of n fit a double's; so does its exponent, until the type's largest number is exceeded.
  double r = static_cast<double>(static_cast<std::uint64_t>(n));
  for (; e > 0; --e) r = r >= 0x1p1023 ? __builtin_huge_val() : r * 2;
  for (; e < 0; ++e) r = r / 2;
  if (__is_same(T, float) && r > static_cast<double>(__FLT_MAX__)) r = __builtin_huge_val();
  return static_cast<T>(negative ? -r : r);
}

template <class T>
constexpr T constexpr_fma(T x, T y, T z) {
  constexpr T nan = static_cast<T>(__builtin_nan("")), infinity = static_cast<T>(__builtin_huge_val());
  const bool infinite = x == infinity || x == -infinity || y == infinity || y == -infinity;
  if (x != x || y != y || z != z || (infinite && (x == 0 || y == 0))) return nan;
  if (infinite) {
    const T p = (x < 0) != (y < 0) ? -infinity : infinity;
    return z == -p ? nan : p;
  }
  if (z == infinity || z == -infinity) return z;
  if (x == 0 || y == 0) return x * y + z;  // exact
  const binary_number a(static_cast<double>(x)), b(static_cast<double>(y));
  const bool negative = a.negative != b.negative;
  u128 p = static_cast<u128>(a.m) * b.m;  // 105 or 106 bits
  int e = a.e + b.e;
  if (z == 0) return to_nearest<T>(negative, p, e);
  const binary_number c(static_cast<double>(z));
  // Both as multiples of one power of 2, below 2^127. What lies far below the other one is a sticky bit.
  u128 q = c.m;
  const int apart = c.e - e;
  if (apart > 74) {
    q <<= 74;
    p = shifted_down(p, apart - 74);
    e = c.e - 74;
  } else if (apart >= 0) {
    q <<= apart;
  } else {
    p <<= 20;
    q = apart >= -20 ? q << (20 + apart) : shifted_down(q, -apart - 20);
    e -= 20;
  }
  if (negative == c.negative) return to_nearest<T>(negative, p + q, e);
  if (p == q) return T(0);
  return p > q ? to_nearest<T>(negative, p - q, e) : to_nearest<T>(c.negative, q - p, e);
}

}  // namespace detail

namespace lanes {

template <floating V>
[[gnu::always_inline]] constexpr V fused(const V& x, const V& y, const V& z) {
  if constexpr (!vector<V>)
    if (__builtin_is_constant_evaluated()) return detail::constexpr_fma(x, y, z);
#if __has_builtin(__builtin_elementwise_fma)
  if constexpr (vector<V>) return __builtin_elementwise_fma(x, y, z);
#elif defined(__x86_64__) && !defined(__clang__)
  // Processors with vectors of more than 16 bytes that the library uses have the instruction.
#if defined(__FMA__)
  constexpr int least = 16;
#else
  constexpr int least = 32;
#endif
  if constexpr (vector<V> && (sizeof(V) >= least)) {
    V r = z;
    if constexpr (__is_same(lane<V>, float))
      __asm__("vfmadd231ps %2, %1, %0" : "+v"(r) : "v"(x), "v"(y));
    else
      __asm__("vfmadd231pd %2, %1, %0" : "+v"(r) : "v"(x), "v"(y));
    return r;
  }
#endif
  V r = z;
  if constexpr (vector<V>)
    for (int i = 0; i < lane_count<V>; ++i) r[i] = fused(x[i], y[i], z[i]);
  else if constexpr (__is_same(V, float))
    r = __builtin_fmaf(x, y, z);
  else
    r = __builtin_fma(x, y, z);
  return r;
}

}  // namespace lanes
}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
