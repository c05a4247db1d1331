// The formulas of rotations: vectors of 3, quaternions (x, y, z, w), matrices of 3 x 3 row by row; each number is one
// or a vector of them.
#pragma once

#include <broadloom/geometry/lane_number.hpp>
#include <broadloom/linalg/core_function.hpp>

namespace broadloom::detail {

// The rotation matrix of a quaternion of any length but 0; row i from to[i * Row] on.
template <int Row = 3, class N>
BROADLOOM_INLINE constexpr void matrix_of_quaternion(const N* q, N* to) {
  const N s = N(2) / dot_of<4>(q, q);
  const N x = q[0] * s, y = q[1] * s, z = q[2] * s;
  const N xx = q[0] * x, yy = q[1] * y, zz = q[2] * z, xy = q[0] * y, xz = q[0] * z, yz = q[1] * z;
  const N wx = q[3] * x, wy = q[3] * y, wz = q[3] * z;
  to[0] = N(1) - (yy + zz);
  to[1] = xy - wz;
  to[2] = xz + wy;
  to[Row] = xy + wz;
  to[Row + 1] = N(1) - (xx + zz);
  to[Row + 2] = yz - wx;
  to[2 * Row] = xz - wy;
  to[2 * Row + 1] = yz + wx;
  to[2 * Row + 2] = N(1) - (xx + yy);
}
// The quaternion of a turn about an axis, of the sine and cosine of half the angle.
template <class N>
BROADLOOM_INLINE constexpr void quaternion_of_turn(const N* axis, const N& sine, const N& cosine, N* to) {
  N u[3];
  unit_of(axis, u);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) to[i] = u[i] * sine;
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
// The shortest turn from direction a to direction b. Half the angle comes from the lengths of sum and difference of
// both; the axis is perpendicular to a and the shorter of these, which is exact where they nearly cancel. Where that is
// what rounding left, the directions are the same or opposite: any axis perpendicular to a will do.
template <class N>
BROADLOOM_INLINE constexpr void quaternion_between(const N* a, const N* b, N* to) {
  N u[3], v[3], sum[3], difference[3], shorter[3], axis[3];
  unit_of(a, u);
  unit_of(b, v);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    sum[i] = u[i] + v[i];
    difference[i] = v[i] - u[i];
  }
  const N cosine = dot_of(sum, sum), sine = dot_of(difference, difference);  // of half the angle: 4 times their squares
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) shorter[i] = picked(sine < cosine, difference[i], sum[i]);
  cross_of(u, shorter, axis);
  N any[3];
  any_perpendicular(u, any);
  const auto known = dot_of(shorter, shorter) < N(4) * dot_of(axis, axis);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) axis[i] = picked(known, axis[i], any[i]);
  const N half = N(1) / N(2), scale = half * root(sine) / root(dot_of(axis, axis));
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) to[i] = axis[i] * scale;
  to[3] = half * root(cosine);
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
    matrix_of_quaternion(q, to);
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
    matrix_of_quaternion(q, to);
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
