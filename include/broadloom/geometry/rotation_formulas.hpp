// The formulas of rotations: vectors of 3, quaternions (x, y, z, w), matrices of 3 x 3 row by row; each number is one
// or a vector of them.
#pragma once

#include <broadloom/geometry/lane_number.hpp>
#include <broadloom/linalg/core_function.hpp>

namespace broadloom::detail {

// What is known about a quaternion's length: nothing, 1 but for a few roundings, or 1.
enum class length_of_quaternion { any, near_1, is_1 };
// 2 over the square of the length, of near 1 by the first term of its series.
template <length_of_quaternion Length, class N>
BROADLOOM_INLINE constexpr N scale_of_products(const N& squares) {
  if constexpr (Length == length_of_quaternion::any) return N(2) / squares;
  if constexpr (Length == length_of_quaternion::near_1) return N(4) - N(2) * squares;
  return N(2);
}

// The rotation matrix of a quaternion of any length but 0; row i from to[i * Row] on. Products are scaled at the end,
// so that only few operations wait for the division.
template <int Row = 3, length_of_quaternion Length = length_of_quaternion::any, class N>
BROADLOOM_INLINE constexpr void matrix_of_quaternion(const N* q, N* to) {
  const N xx = q[0] * q[0], yy = q[1] * q[1], zz = q[2] * q[2], xy = q[0] * q[1], xz = q[0] * q[2], yz = q[1] * q[2];
  const N wx = q[3] * q[0], wy = q[3] * q[1], wz = q[3] * q[2];
  const N s = scale_of_products<Length>((xx + yy) + (zz + q[3] * q[3]));
  to[0] = N(1) - s * (yy + zz);
  to[1] = s * (xy - wz);
  to[2] = s * (xz + wy);
  to[Row] = s * (xy + wz);
  to[Row + 1] = N(1) - s * (xx + zz);
  to[Row + 2] = s * (yz - wx);
  to[2 * Row] = s * (xz - wy);
  to[2 * Row + 1] = s * (yz + wx);
  to[2 * Row + 2] = N(1) - s * (xx + yy);
}
// The quaternion of a turn about an axis, of the sine and cosine of half the angle.
template <class N>
BROADLOOM_INLINE constexpr void quaternion_of_turn(const N* axis, const N& sine, const N& cosine, N* to) {
  N squares;
  in_range_of(axis, to, squares);
  const N scale = sine / root(squares);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) to[i] = to[i] * scale;
  to[3] = cosine;
}
// Some vector perpendicular to u: the product with the axis of its smallest element.
template <class N>
BROADLOOM_INLINE constexpr void any_perpendicular(const N* u, N* to) {
  const N x = magnitude(u[0]), y = magnitude(u[1]), z = magnitude(u[2]);
  const auto along_x = lanes::both(lanes::less_equal(x.v, y.v), lanes::less_equal(x.v, z.v));
  const auto along_y = lanes::less_equal(y.v, z.v);
  to[0] = picked(along_x, N(0), picked(along_y, -u[2], u[1]));
  to[1] = picked(along_x, u[2], picked(along_y, N(0), -u[0]));
  to[2] = picked(along_x, -u[1], picked(along_y, u[0], N(0)));
}
// The shortest turn from direction a to direction b. Of both by the other's length, which have one length L: half the
// angle comes from the lengths of their sum and difference; the axis is perpendicular to a and the shorter of these,
// which is exact where they nearly cancel. It has the length L |sum| sin(half) but for nearly opposite directions,
// where the length of the sum is what rounding left, and where the axis may be, too: there any one perpendicular to a
// will do.
template <class N>
BROADLOOM_INLINE constexpr N almost_opposite() {
  return N(1) / N(1 << 16);  // the square of the cosine of half the angle over that of the sine
}
template <class N>
BROADLOOM_INLINE constexpr void axis_of_opposite(const N* u, const N* sum, const N& lengths, N* axis) {
  N any[3];
  any_perpendicular(u, any);
  const auto known = dot_of(sum, sum) * (lengths * lengths) < N(4) * dot_of(axis, axis);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) axis[i] = picked(known, axis[i], any[i]);
}
template <class N>
BROADLOOM_INLINE constexpr void quaternion_between(const N* a, const N* b, N* to) {
  N u[3], v[3], sum[3], difference[3], shorter[3], axis[3], other[3], a_squares, b_squares;
  in_range_of(a, u, a_squares);
  in_range_of(b, v, b_squares);
  const N a_length = root(a_squares), b_length = root(b_squares), lengths = a_length * b_length, half = N(1) / N(2);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    u[i] = u[i] * b_length;
    v[i] = v[i] * a_length;
    sum[i] = u[i] + v[i];
    difference[i] = v[i] - u[i];
  }
  const N cosine = dot_of(sum, sum), sine = dot_of(difference, difference);  // of half the angle: squares, by 4 L^2
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) shorter[i] = picked(sine < cosine, difference[i], sum[i]);
  cross_of(u, shorter, axis);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) other[i] = axis[i];
  axis_of_opposite(u, shorter, lengths, other);
  const auto opposite = cosine < almost_opposite<N>() * sine;
  const N of_cosine = root(cosine), of_length = N(1) / (lengths * of_cosine);
  const N of_axis = half * root(sine) / (lengths * root(dot_of(other, other)));
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) to[i] = picked(opposite, other[i] * of_axis, axis[i] * of_length);
  to[3] = picked(opposite, half * of_cosine / lengths, half * cosine * of_length);
}

// A function on core arrays of few numbers, each operand's in the order of its elements; the signature has their sizes.
struct skew_of {
  using signature = core<"(3)->(3,3)">;
  static constexpr const char* name() { return "skew"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* v, N* to) {
    to[0] = to[4] = to[8] = N(0);
    to[1] = -v[2];
    to[2] = v[1];
    to[3] = v[2];
    to[5] = -v[0];
    to[6] = -v[1];
    to[7] = v[0];
  }
};
struct quaternion_about_of {
  using signature = core<"(3),(),()->(4)">;
  static constexpr const char* name() { return "quaternion_about"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* axis, const N* sine, const N* cosine, N* to) {
    quaternion_of_turn(axis, *sine, *cosine, to);
  }
};
struct rotation_about_of {
  using signature = core<"(3),(),()->(3,3)">;
  static constexpr const char* name() { return "rotation_about"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* axis, const N* sine, const N* cosine, N* to) {
    N q[4];
    quaternion_of_turn(axis, *sine, *cosine, q);
    matrix_of_quaternion<3, length_of_quaternion::is_1>(q, to);
  }
};
struct quaternion_between_of {
  using signature = core<"(3),(3)->(4)">;
  static constexpr const char* name() { return "quaternion_between"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* a, const N* b, N* to) {
    quaternion_between(a, b, to);
  }
};
struct rotation_between_of {
  using signature = core<"(3),(3)->(3,3)">;
  static constexpr const char* name() { return "rotation_between"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* a, const N* b, N* to) {
    N q[4];
    quaternion_between(a, b, q);
    matrix_of_quaternion<3, length_of_quaternion::near_1>(q, to);
  }
};
struct quaternion_product_of {
  using signature = core<"(4),(4)->(4)">;
  static constexpr const char* name() { return "quaternion_product"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* p, const N* q, N* to) {
    to[0] = p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1];
    to[1] = p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0];
    to[2] = p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3];
    to[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
  }
};
struct quaternion_conjugate_of {
  using signature = core<"(4)->(4)">;
  static constexpr const char* name() { return "quaternion_conjugate"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* q, N* to) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) to[i] = -q[i];
    to[3] = q[3];
  }
};
struct quaternion_inverse_of {
  using signature = core<"(4)->(4)">;
  static constexpr const char* name() { return "quaternion_inverse"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* q, N* to) {
    const N squares = dot_of<4>(q, q);
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) to[i] = -q[i] / squares;
    to[3] = q[3] / squares;
  }
};
struct rotate_of {
  using signature = core<"(4),(3)->(3)">;
  static constexpr const char* name() { return "rotate"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* q, const N* v, N* to) {
    const N s = N(2) / dot_of<4>(q, q);
    N t[3], u[3];
    cross_of(q, v, t);
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) t[i] = t[i] * s;
    cross_of(q, t, u);
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) to[i] = v[i] + (q[3] * t[i] + u[i]);
  }
};
struct quaternion_to_matrix_of {
  using signature = core<"(4)->(3,3)">;
  static constexpr const char* name() { return "quaternion_to_matrix"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* q, N* to) {
    matrix_of_quaternion(q, to);
  }
};
// From the largest of four squares, which is 1 at least.
struct quaternion_from_matrix_of {
  using signature = core<"(3,3)->(4)">;
  static constexpr const char* name() { return "quaternion_from_matrix"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* m, N* to) {
    const N sums[3] = {m[7] + m[5], m[2] + m[6], m[3] + m[1]}, differences[3] = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
    const N x = (N(1) + m[0]) - (m[4] + m[8]), y = (N(1) + m[4]) - (m[0] + m[8]), z = (N(1) + m[8]) - (m[0] + m[4]),
            w = (N(1) + m[0]) + (m[4] + m[8]);
    const auto by_x = lanes::both(y < x, z < x);
    const auto by_y = z < y;
    const N largest = picked(by_x, x, picked(by_y, y, z));
    const auto by_w = largest < w;
    const N square = picked(by_w, w, largest), scale = N(1) / (N(2) * root(square));
    to[0] = scale * picked(by_w, differences[0], picked(by_x, x, picked(by_y, sums[2], sums[1])));
    to[1] = scale * picked(by_w, differences[1], picked(by_x, sums[2], picked(by_y, y, sums[0])));
    to[2] = scale * picked(by_w, differences[2], picked(by_x, sums[1], picked(by_y, sums[0], z)));
    to[3] = scale * picked(by_w, w, picked(by_x, differences[0], picked(by_y, differences[1], differences[2])));
  }
};
// The tangent of half the angle between two vectors of equal lengths; infinite where they are opposite.
template <int Size, class N>
BROADLOOM_INLINE constexpr N half_tangent(const N* x, const N* y) {
  N sum[Size], difference[Size];
#pragma GCC unroll 4
  for (int i = 0; i < Size; ++i) {
    sum[i] = x[i] + y[i];
    difference[i] = y[i] - x[i];
  }
  return root(dot_of<Size>(difference, difference)) / root(dot_of<Size>(sum, sum));
}
struct angle_tangent_of {
  using signature = core<"(3),(3)->()">;
  static constexpr const char* name() { return "angle_between"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* a, const N* b, N* to) {
    N u[3], v[3];
    unit_of(a, u);
    unit_of(b, v);
    *to = half_tangent<3>(u, v);
  }
};
// slerp in parts, between which are an arc tangent and sines: of half the angle from p to the nearer of q and -q,
struct slerp_tangent_of {
  using signature = core<"(4),(4)->()">;
  static constexpr const char* name() { return "slerp"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* p, const N* q, N* to) {
    const N tangent = half_tangent<4>(p, q);
    *to = picked(N(1) < tangent, N(1) / tangent, tangent);
  }
};
// of the angle's parts to both sides, and the angle,
struct slerp_angles_of {
  using signature = core<"(),()->(3)">;
  static constexpr const char* name() { return "slerp"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* half, const N* t, N* to) {
    to[2] = *half + *half;
    to[1] = *t * to[2];
    to[0] = (N(1) - *t) * to[2];
  }
};
// and of their sines.
struct slerp_of {
  using signature = core<"(4),(4),(),(3)->(4)">;
  static constexpr const char* name() { return "slerp"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* p, const N* q, const N* t, const N* sines, N* to) {
    const auto apart = N(0) < sines[2];
    const N of_p = picked(apart, sines[0] / sines[2], N(1) - *t), of_q = picked(apart, sines[1] / sines[2], *t);
    const N of_nearer = picked(dot_of<4>(p, q) < N(0), -of_q, of_q);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) to[i] = of_p * p[i] + of_nearer * q[i];
  }
};

}  // namespace broadloom::detail
