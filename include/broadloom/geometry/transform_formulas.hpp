// The formulas of homogeneous transforms, matrices of 4 x 4 row by row, and the list of all formulas of geometry.
#pragma once

#include <broadloom/geometry/rotation_formulas.hpp>

namespace broadloom::detail {

struct rigid_transform_of {
  using signature = core<"(3,3),(3)->(4,4)">;
  static constexpr const char* name() { return "rigid_transform"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* r, const N* t, N* to) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) to[4 * i + j] = r[3 * i + j];
      to[4 * i + 3] = t[i];
      to[12 + i] = N(0);
    }
    to[15] = N(1);
  }
};
struct rigid_inverse_of {
  using signature = core<"(4,4)->(4,4)">;
  static constexpr const char* name() { return "rigid_inverse"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* m, N* to) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) to[4 * i + j] = m[4 * j + i];
      to[4 * i + 3] = -(m[i] * m[3] + m[4 + i] * m[7] + m[8 + i] * m[11]);
      to[12 + i] = N(0);
    }
    to[15] = N(1);
  }
};
template <class N>
BROADLOOM_INLINE constexpr N row_times_point(const N* row, const N* p) {
  return dot_of(row, p) + row[3];
}
struct transform_points_of {
  using signature = core<"(4,4),(3)->(3)">;
  static constexpr const char* name() { return "transform_points"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* m, const N* p, N* to) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) to[i] = row_times_point(m + 4 * i, p);
  }
};
struct transform_vectors_of {
  using signature = core<"(4,4),(3)->(3)">;
  static constexpr const char* name() { return "transform_vectors"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* m, const N* v, N* to) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) to[i] = dot_of(m + 4 * i, v);
  }
};
struct project_points_of {
  using signature = core<"(4,4),(3)->(3)">;
  static constexpr const char* name() { return "project_points"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* m, const N* p, N* to) {
    const N w = row_times_point(m + 12, p);
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) to[i] = row_times_point(m + 4 * i, p) / w;
  }
};
struct look_at_of {
  using signature = core<"(3),(3),(3)->(4,4)">;
  static constexpr const char* name() { return "look_at"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* eye, const N* target, const N* up, N* to) {
    N way[3], ahead[3], v[3], axes[3][3], higher[3];
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) way[i] = target[i] - eye[i];
    unit_of(way, ahead);
    unit_of(up, higher);
    cross_of(ahead, higher, v);
    unit_of(v, axes[0]);
    cross_of(axes[0], ahead, axes[1]);
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) axes[2][i] = -ahead[i];
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) to[4 * i + j] = axes[i][j];
      to[4 * i + 3] = -dot_of(axes[i], eye);
      to[12 + i] = N(0);
    }
    to[15] = N(1);
  }
};
// Of the tangent of half the angle.
struct perspective_of {
  using signature = core<"(),(),(),()->(4,4)">;
  static constexpr const char* name() { return "perspective"; }
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* tangent, const N* aspect, const N* front, const N* back,
                                                 N* to) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) to[i] = N(0);
    const N depth = *front - *back;
    to[0] = N(1) / (*tangent * *aspect);
    to[5] = N(1) / *tangent;
    to[10] = (*front + *back) / depth;
    to[11] = N(2) * *front * *back / depth;
    to[14] = N(-1);
  }
};

// The cross product of stacks, for compiled code.
struct cross_of_stacks {
  using signature = core<"(3),(3)->(3)">;
  template <class N>
  BROADLOOM_INLINE static constexpr void compute(const N* x, const N* y, N* to) {
    cross_of(x, y, to);
  }
};

// Formulas by the numbers that compiled code knows them by.
template <class... F>
struct formula_list {
  template <class X>
  static constexpr int number_of = [] {
    int at = 0, found = -1;
    ((found = __is_same(F, X) ? at : found, ++at), ...);
    return found;
  }();
  static constexpr int count = sizeof...(F);
};
using formulas =
    formula_list<skew_of, quaternion_about_of, rotation_about_of, quaternion_between_of, rotation_between_of,
                 quaternion_product_of, quaternion_conjugate_of, quaternion_inverse_of, rotate_of,
                 quaternion_to_matrix_of, quaternion_from_matrix_of, angle_tangent_of, slerp_tangent_of,
                 slerp_angles_of, slerp_of, rigid_transform_of, rigid_inverse_of, transform_points_of,
                 transform_vectors_of, project_points_of, look_at_of, perspective_of, cross_of_stacks>;

// How many numbers an argument has.
template <class F>
constexpr int core_numbers(int argument) {
  const core_signature& s = F::signature::parsed;
  int n = 1;
  for (int k = 0; k < s.arguments[argument].rank; ++k)
    n *= static_cast<int>(s.list[s.arguments[argument].sizes[k]].fixed);
  return n;
}

}  // namespace broadloom::detail
