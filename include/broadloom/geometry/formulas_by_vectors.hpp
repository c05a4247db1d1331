// Formulas of geometry of one core array whose elements lie one after the other, by vectors of 16 bytes: the bits of
// the formulas themselves.
#pragma once

#include <broadloom/geometry/rotation_formulas.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// v with the sign of each lane turned whose bit is set in Lanes.
template <unsigned Lanes, class V>
BROADLOOM_INLINE V signs_turned(const V& v) {
  using T = lane<V>;
  constexpr T is = -T(0);
  V turn;
  if constexpr (lane_count<V> == 4)
    turn = V{Lanes & 1 ? is : 0, Lanes & 2 ? is : 0, Lanes & 4 ? is : 0, Lanes & 8 ? is : 0};
  else
    turn = V{Lanes & 1 ? is : 0, Lanes & 2 ? is : 0};
  using bits = lanes::bits<V>;
  return __builtin_bit_cast(V, __builtin_bit_cast(bits, v) ^ __builtin_bit_cast(bits, turn));
}

// Each reads all of its operands before it writes. Terms are added in the formula's order; x - y is x + -y.
template <class T>
BROADLOOM_INLINE void by_vectors(quaternion_product_of, const T* p, const T* q, T* to) {
  using lanes::plus, lanes::times;
  if constexpr (sizeof(T) == 4) {
    const auto v = load<T, 4>(q), u = load<T, 4>(p);
    const auto first = times(shuffled<3, 3, 3, 3>(u, u), v),
               second = times(shuffled<0, 0, 0, 0>(u, u), shuffled<3, 2, 1, 0>(v, v)),
               third = times(shuffled<1, 1, 1, 1>(u, u), shuffled<2, 3, 0, 1>(v, v)),
               fourth = times(shuffled<2, 2, 2, 2>(u, u), shuffled<1, 0, 3, 2>(v, v));
    store<T>(to, plus(plus(plus(first, signs_turned<10>(second)), signs_turned<12>(third)), signs_turned<9>(fourth)));
  } else {
    const auto low = load<T, 2>(q), high = load<T, 2>(q + 2);
    const auto low_turned = shuffled<1, 0>(low, low), high_turned = shuffled<1, 0>(high, high);
    const auto x = splat<2>(p[0]), y = splat<2>(p[1]), z = splat<2>(p[2]), w = splat<2>(p[3]);
    const auto a = plus(plus(plus(times(w, low), signs_turned<2>(times(x, high_turned))), times(y, high)),
                        signs_turned<1>(times(z, low_turned)));
    const auto b = plus(lanes::minus(plus(times(w, high), signs_turned<2>(times(x, low_turned))), times(y, low)),
                        signs_turned<2>(times(z, high_turned)));
    store<T>(to, a);
    store<T>(to + 2, b);
  }
}

// The matrix of a quaternion. Its elements are 1 - (yy + zz), xy - wz and so on: sums of two products, of which those
// in the diagonal are added to 1, and others to -0, which changes nothing. Signs are turned before the division ends.
template <class T>
BROADLOOM_INLINE void matrix_by_vectors(const T* q, T* to) {
  using lanes::plus, lanes::times;
  if constexpr (sizeof(T) == 4) {
    using V = simd_vec<T, 4>;
    const V v = load<T, 4>(q), squares = times(v, v), from{T(1), -T(0), -T(0), -T(0)};
    const T s = T(2) / (((squares[0] + squares[1]) + squares[2]) + squares[3]);
    const V u = times(v, splat<4>(s)), zw = shuffled<2, 3, 3, 3>(v, v);
    const V a = times(signs_turned<1>(shuffled<1, 0, 0, 0>(v, v)), shuffled<1, 1, 2, 1>(u, u)),  // -yy xy xz xy
        b = times(signs_turned<3>(zw), shuffled<2, 2, 1, 2>(u, u)),                              // -zz -wz wy wz
        c = times(signs_turned<1>(shuffled<0, 1, 0, 1>(v, v)), shuffled<0, 2, 2, 2>(u, u)),      // -xx yz xz yz
        d = times(signs_turned<7>(zw), shuffled<2, 0, 1, 0>(u, u));                              // -zz -wx -wy wx
    store<T>(to, plus(from, plus(a, b)));
    store<T>(to + 4, plus(from, plus(c, d)));
    to[8] = T(1) + (c[0] + a[0]);
  } else {
    using V = simd_vec<T, 2>;
    const V low = load<T, 2>(q), high = load<T, 2>(q + 2), x = times(low, low), y = times(high, high),
            from{T(1), -T(0)};
    const T s = T(2) / (((x[0] + x[1]) + y[0]) + y[1]);
    const V w = shuffled<1, 1>(high, high), minus = signs_turned<3>(high);
    const V u = times(low, splat<2>(s)), z = times(shuffled<0, 0>(high, high), splat<2>(s)), yz = shuffled<1, 2>(u, z),
            zy = shuffled<0, 3>(z, u), xz = shuffled<0, 2>(u, z), zx = shuffled<0, 2>(z, u);
    const V a = times(signs_turned<1>(shuffled<1, 0>(low, low)), shuffled<1, 1>(u, u)),  // -yy xy
        c = times(signs_turned<1>(low), xz);                                             // -xx yz
    store<T>(to, plus(from, plus(a, times(minus, z))));
    store<T>(to + 2, plus(times(shuffled<0, 0>(low, low), zy), times(w, yz)));
    store<T>(to + 4, plus(from, plus(c, times(minus, zx))));
    store<T>(to + 6, plus(times(low, z), times(signs_turned<1>(w), shuffled<1, 0>(u, u))));
    to[8] = T(1) + (c[0] + a[0]);
  }
}
template <class T>
BROADLOOM_INLINE void by_vectors(quaternion_to_matrix_of, const T* q, T* to) {
  matrix_by_vectors(q, to);
}

// The directions of two vectors in the first two lanes, then their sum and difference there.
template <class T>
BROADLOOM_INLINE void between_by_vectors(const T* a, const T* b, T* to) {
  using V = simd_vec<T, 16 / static_cast<int>(sizeof(T))>;
  using number = lane_number<V>;
  using one = lane_number<T>;
  const auto turned = [](const V& v) __attribute__((always_inline)) {
    if constexpr (sizeof(T) == 4)
      return shuffled<1, 0, 3, 2>(v, v);
    else
      return shuffled<1, 0>(v, v);
  };
  number ab[3], uv[3], both[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    if constexpr (sizeof(T) == 4)
      ab[i] = number(V{a[i], b[i], a[i], b[i]});
    else
      ab[i] = number(V{a[i], b[i]});
  }
  unit_of(ab, uv);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) both[i] = number(lanes::plus(uv[i].v, signs_turned<2>(turned(uv[i].v))));
  const number squares = dot_of(both, both), roots = root(squares);
  const auto by_difference = number(turned(squares.v)) < squares;  // in the first lane
  one u[3], shorter[3], axis[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    u[i] = one(uv[i].v[0]);
    shorter[i] = one(lanes::select(by_difference, turned(both[i].v), both[i].v)[0]);
  }
  cross_of(u, shorter, axis);
  if (!(dot_of(shorter, shorter) < one(4) * dot_of(axis, axis))) [[unlikely]]
    any_perpendicular(u, axis);
  const one half = one(1) / one(2), scale = half * one(roots.v[1]) / root(dot_of(axis, axis));
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) to[i] = (axis[i] * scale).v;
  to[3] = (half * one(roots.v[0])).v;
}
template <class T>
BROADLOOM_INLINE void by_vectors(quaternion_between_of, const T* a, const T* b, T* to) {
  between_by_vectors(a, b, to);
}
template <class T>
BROADLOOM_INLINE void by_vectors(rotation_between_of, const T* a, const T* b, T* to) {
  T q[4];
  between_by_vectors(a, b, q);
  matrix_by_vectors(q, to);
}
template <class T>
BROADLOOM_INLINE void by_vectors(rotation_about_of, const T* axis, const T* sine, const T* cosine, T* to) {
  lane_number<T> u[4];
  const lane_number<T> x[3]{lane_number<T>(axis[0]), lane_number<T>(axis[1]), lane_number<T>(axis[2])};
  quaternion_of_turn(x, lane_number<T>(*sine), lane_number<T>(*cosine), u);
  const T q[4] = {u[0].v, u[1].v, u[2].v, u[3].v};
  matrix_by_vectors(q, to);
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
