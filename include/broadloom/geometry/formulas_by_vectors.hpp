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

// The matrix of a quaternion. Its elements are 1 - s (yy + zz), s (xy - wz) and so on.
template <length_of_quaternion Length = length_of_quaternion::any, class T>
BROADLOOM_INLINE void matrix_by_vectors(const T* q, T* to) {
  using lanes::plus, lanes::minus, lanes::times;
  using one = lane_number<T>;
  if constexpr (sizeof(T) == 4) {
    using V = simd_vec<T, 4>;
    const V v = load<T, 4>(q), zw = shuffled<2, 3, 3, 3>(v, v), from{T(1), -T(0), -T(0), -T(0)};
    const V squares = times(v, v), sums = plus(squares, shuffled<1, 0, 3, 2>(squares, squares));
    const one s = scale_of_products<Length>(one(sums[0] + sums[2]));
    const V a = times(signs_turned<1>(shuffled<1, 0, 0, 0>(v, v)), shuffled<1, 1, 2, 1>(v, v)),  // -yy xy xz xy
        b = times(signs_turned<3>(zw), shuffled<2, 2, 1, 2>(v, v)),                              // -zz -wz wy wz
        c = times(signs_turned<1>(shuffled<0, 1, 0, 1>(v, v)), shuffled<0, 2, 2, 2>(v, v)),      // -xx yz xz yz
        d = times(signs_turned<7>(zw), shuffled<2, 0, 1, 0>(v, v)), scale = splat<4>(s.v);       // -zz -wx -wy wx
    store<T>(to, plus(from, times(scale, plus(a, b))));
    store<T>(to + 4, plus(from, times(scale, plus(c, d))));
    to[8] = (one(1) + s * one(c[0] + a[0])).v;
  } else {
    using V = simd_vec<T, 2>;
    const one x(q[0]), y(q[1]), z(q[2]), w(q[3]), xx = x * x, yy = y * y, zz = z * z, xy = x * y, wz = w * z;
    const V a = times(V{x.v, y.v}, splat<2>(z.v)), b = times(V{y.v, x.v}, splat<2>(w.v)), from{T(1), -T(0)},
            up = plus(a, b), down = minus(a, b);  // xz + wy, yz + wx; xz - wy, yz - wx
    const one s = scale_of_products<Length>((xx + yy) + (zz + w * w));
    const V scale = splat<2>(s.v);
    const V first = times(scale, signs_turned<1>(V{(yy + zz).v, (xy - wz).v})),
            second = times(scale, V{up[0], (xy + wz).v}),
            third = times(scale, signs_turned<1>(V{(xx + zz).v, down[1]})),
            fourth = times(scale, shuffled<0, 3>(down, up));
    store<T>(to, plus(from, first));
    store<T>(to + 2, second);
    store<T>(to + 4, plus(from, third));
    store<T>(to + 6, fourth);
    to[8] = (one(1) - s * (xx + yy)).v;
  }
}
template <class T>
BROADLOOM_INLINE void by_vectors(quaternion_to_matrix_of, const T* q, T* to) {
  matrix_by_vectors(q, to);
}

// Both vectors in the first two lanes, then their sum and difference there.
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
  number squares = dot_of(ab, ab);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) uv[i] = ab[i];
  const auto is_in = [](T x) { return least_squares<T> < x && x < most_squares<T>; };
  if (!(is_in(squares.v[0]) && is_in(squares.v[1]))) [[unlikely]]
    in_range_of(ab, uv, squares);
  const number each_length = root(squares), lengths_of_other = number(turned(each_length.v));
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    uv[i] = uv[i] * lengths_of_other;
    both[i] = number(lanes::plus(uv[i].v, signs_turned<2>(turned(uv[i].v))));
  }
  const number by_4 = dot_of(both, both);
  const one cosine(by_4.v[0]), sine(by_4.v[1]), lengths(each_length.v[0] * each_length.v[1]), half = one(1) / one(2);
  const auto by_difference = number(turned(by_4.v)) < by_4;  // in the first lane
  one u[3], shorter[3], axis[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    u[i] = one(uv[i].v[0]);
    shorter[i] = one(lanes::select(by_difference, turned(both[i].v), both[i].v)[0]);
  }
  cross_of(u, shorter, axis);
  const one of_cosine = root(cosine);
  one scale = one(1) / (lengths * of_cosine), last = half * cosine * scale;
  if (cosine < almost_opposite<one>() * sine) [[unlikely]] {
    axis_of_opposite(u, shorter, lengths, axis);
    scale = half * root(sine) / (lengths * root(dot_of(axis, axis)));
    last = half * of_cosine / lengths;
  }
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) to[i] = (axis[i] * scale).v;
  to[3] = last.v;
}
template <class T>
BROADLOOM_INLINE void by_vectors(quaternion_between_of, const T* a, const T* b, T* to) {
  between_by_vectors(a, b, to);
}
template <class T>
BROADLOOM_INLINE void by_vectors(rotation_between_of, const T* a, const T* b, T* to) {
  T q[4];
  between_by_vectors(a, b, q);
  matrix_by_vectors<length_of_quaternion::near_1>(q, to);
}
template <class T>
BROADLOOM_INLINE void by_vectors(rotation_about_of, const T* axis, const T* sine, const T* cosine, T* to) {
  lane_number<T> u[4];
  const lane_number<T> x[3]{lane_number<T>(axis[0]), lane_number<T>(axis[1]), lane_number<T>(axis[2])};
  quaternion_of_turn(x, lane_number<T>(*sine), lane_number<T>(*cosine), u);
  const T q[4] = {u[0].v, u[1].v, u[2].v, u[3].v};
  matrix_by_vectors<length_of_quaternion::is_1>(q, to);
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
