// Arithmetic of geometry's formulas: of one number, or of one in each lane of a vector. Products are rounded before
// they are added, so the bits are those of every processor.
#pragma once

#include <broadloom/fn/real.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

#define BROADLOOM_INLINED [[gnu::always_inline]]

template <class V>
struct lane_number {
  V v;

  BROADLOOM_INLINED constexpr lane_number() : v() {}
  BROADLOOM_INLINED constexpr lane_number(int n) : v(lanes::each<V>(n)) {}
  BROADLOOM_INLINED explicit constexpr lane_number(const V& x) : v(x) {}

  BROADLOOM_INLINED friend constexpr lane_number operator+(const lane_number& x, const lane_number& y) {
    return lane_number(lanes::plus(x.v, y.v));
  }
  BROADLOOM_INLINED friend constexpr lane_number operator-(const lane_number& x, const lane_number& y) {
    return lane_number(lanes::minus(x.v, y.v));
  }
  BROADLOOM_INLINED friend constexpr lane_number operator*(const lane_number& x, const lane_number& y) {
    return lane_number(lanes::times(x.v, y.v));
  }
  BROADLOOM_INLINED friend constexpr lane_number operator/(const lane_number& x, const lane_number& y) {
    return lane_number(lanes::over(x.v, y.v));
  }
  BROADLOOM_INLINED constexpr lane_number operator-() const { return lane_number(lanes::negative(v)); }
  BROADLOOM_INLINED friend constexpr auto operator<(const lane_number& x, const lane_number& y) {
    return lanes::less(x.v, y.v);
  }
  BROADLOOM_INLINED friend constexpr lane_number magnitude(const lane_number& x) {
    return lane_number(lanes::magnitude(x.v));
  }
  BROADLOOM_INLINED friend constexpr lane_number root(const lane_number& x) { return lane_number(lanes::root(x.v)); }
  BROADLOOM_INLINED friend constexpr lane_number larger(const lane_number& x, const lane_number& y) {
    return lane_number(lanes::larger(x.v, y.v));
  }
  // m ? x : y
  template <class M>
  BROADLOOM_INLINED friend constexpr lane_number picked(const M& m, const lane_number& x, const lane_number& y) {
    return lane_number(lanes::select(m, x.v, y.v));
  }
};

// Vectors of three or four numbers; none of these writes where it reads.
template <int Size = 3, class N>
BROADLOOM_INLINE constexpr N dot_of(const N* x, const N* y) {
  N sum = x[0] * y[0];
#pragma GCC unroll 4
  for (int i = 1; i < Size; ++i) sum = sum + x[i] * y[i];
  return sum;
}
template <class N>
BROADLOOM_INLINE constexpr void cross_of(const N* x, const N* y, N* to) {
  to[0] = x[1] * y[2] - x[2] * y[1];
  to[1] = x[2] * y[0] - x[0] * y[2];
  to[2] = x[0] * y[1] - x[1] * y[0];
}
// Vectors are as they are where the sum of their squares is between these, so that products of squares stay in the
// range.
template <class T>
inline constexpr T least_squares = static_cast<T>(sizeof(T) == 4 ? 0x1p-16 : 0x1p-200);
template <class T>
inline constexpr T most_squares = static_cast<T>(sizeof(T) == 4 ? 0x1p30 : 0x1p200);

// The vector as it is, or else divided by its largest element, and the sum of its squares. NaN of a vector of 0.
template <class N>
BROADLOOM_INLINE constexpr void in_range_of(const N* x, N* to, N& squares) {
  using V = decltype(N::v);
  const N from(lanes::each<V>(least_squares<lane<V>>)), up_to(lanes::each<V>(most_squares<lane<V>>));
  squares = dot_of(x, x);
  const auto is_in = lanes::both(from < squares, squares < up_to);
  if constexpr (__is_same(decltype(is_in), const bool)) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) to[i] = x[i];
    if (is_in) [[likely]]
      return;
  }
  const N a = magnitude(x[0]), b = magnitude(x[1]), c = magnitude(x[2]);
  const N ab = picked(a < b, b, a), largest = picked(is_in, N(1), picked(ab < c, c, ab));  // any of NaN: all are NaN
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) to[i] = x[i] / largest;
  squares = dot_of(to, to);
}
// The vector with length 1, also where squares leave the range; NaN of a vector of 0.
template <class N>
BROADLOOM_INLINE constexpr void unit_of(const N* x, N* to) {
  N squares;
  in_range_of(x, to, squares);
  const N scale = N(1) / root(squares);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) to[i] = to[i] * scale;
}

#undef BROADLOOM_INLINED

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
