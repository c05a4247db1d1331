// Rotations as matrices and quaternions. A quaternion is a vector of 4 in the order x, y, z, w: SciPy's, and that of
// Eigen's and ROS's memory. Vectors are columns, and rotations turn them counter-clockwise as seen from the axis' tip.
#pragma once

#include <broadloom/fn/catalogue.hpp>
#include <broadloom/geometry/stacked_formula.hpp>

namespace broadloom {

namespace detail {

// The type of angles beside vectors: an array keeps its own, a number takes theirs.
template <class Axis, class Angle>
using angle_operand = std::conditional_t<array<Angle>, Angle, tensor<value_of<node_of<Axis>>, shape<>>>;
template <class F, class Axis, class Angle>
concept turns =
    array<Axis> && array_or_number<Angle> && stackable<F, Axis, angle_operand<Axis, Angle>, angle_operand<Axis, Angle>>;

// F of a vector, and of the sine and cosine of half an angle.
template <class F>
struct turn_function {
  template <array Axis, array_or_number Angle>
    requires turns<F, Axis, Angle>
  constexpr auto operator()(Axis&& axis, Angle&& angle) const {
    if constexpr (array<Angle>) {
      const auto x = shared_tree(capture(static_cast<Angle&&>(angle)));
      return defer(F{}, static_cast<Axis&&>(axis), sin(div(x, 2)), cos(div(x, 2)));
    } else {
      using T = value_of<node_of<Axis>>;
      using number = tensor<T, shape<>>;
      const T half = static_cast<T>(angle) / 2;
      if (__builtin_is_constant_evaluated()) transcendental_functions_are_run_time_only();
      T both[2];
      runtime::sine_and_cosine(sizeof(T) == 8, &half, both);
      return defer(F{}, static_cast<Axis&&>(axis), number(both[0]), number(both[1]));
    }
  }
  template <array Axis, array_or_number Angle,
            class Error = stacked_error<F, Axis, angle_operand<Axis, Angle>, angle_operand<Axis, Angle>>>
    requires(!turns<F, Axis, Angle>)
  Error operator()(Axis&&, Angle&&) const = delete;
};

// Quaternions and what lies between them.
template <class P, class Q, class T>
concept interpolates = array_or_number<T> && stackable<stacked_formula<slerp_tangent_of>, P, Q> &&
                       stackable<stacked_formula<slerp_angles_of>, angle_operand<P, T>, angle_operand<P, T>>;

}  // namespace detail

// rotation_about(axis, angle): (..., 3) and (...) or a number of radians give rotation matrices (..., 3, 3). The axis
// may have any length but 0, of which the result is NaN; nothing more accurate is lost for small angles (Rodrigues'
// formula, by half the angle). Lazy, as all of these functions; elements are f32 or f64.
inline constexpr detail::turn_function<detail::stacked_formula<detail::rotation_about_of>> rotation_about{};

// rotation_between(a, b): the matrices (..., 3, 3) of the shortest turns from the directions a to b, (..., 3) each, of
// any lengths but 0. Where they are opposite, about an axis perpendicular to both.
inline constexpr detail::geometric_function<detail::rotation_between_of> rotation_between{};

// quaternion_about(axis, angle), quaternion_between(a, b): the same rotations as quaternions (..., 4) of length 1.
inline constexpr detail::turn_function<detail::stacked_formula<detail::quaternion_about_of>> quaternion_about{};
inline constexpr detail::geometric_function<detail::quaternion_between_of> quaternion_between{};

// quaternion_product(p, q): Hamilton's product of (..., 4) and (..., 4): as a rotation, q first and then p.
inline constexpr detail::geometric_function<detail::quaternion_product_of> quaternion_product{};

// quaternion_conjugate(q): (-x, -y, -z, w), the inverse rotation where q has length 1. quaternion_inverse(q): the
// conjugate divided by the square of the length.
inline constexpr detail::geometric_function<detail::quaternion_conjugate_of> quaternion_conjugate{};
inline constexpr detail::geometric_function<detail::quaternion_inverse_of> quaternion_inverse{};

// rotate(q, v): vectors (..., 3) turned by quaternions (..., 4) of any length but 0; the other axes broadcast.
inline constexpr detail::geometric_function<detail::rotate_of> rotate{};

// quaternion_to_matrix(q): the rotation matrices (..., 3, 3) of quaternions (..., 4) of any length but 0.
inline constexpr detail::geometric_function<detail::quaternion_to_matrix_of> quaternion_to_matrix{};

// quaternion_from_matrix(r): the quaternions (..., 4) of rotation matrices (..., 3, 3); of q and -q the one whose
// largest element is positive.
inline constexpr detail::geometric_function<detail::quaternion_from_matrix_of> quaternion_from_matrix{};

// slerp(p, q, t): between quaternions (..., 4) of length 1, at t (...) or a number: p at 0, q or -q at 1, whichever is
// nearer, and at constant speed in between (spherical linear interpolation; as SciPy and Eigen have it).
inline constexpr struct slerp_t {
  template <array P, array Q, detail::array_or_number T>
    requires detail::interpolates<P, Q, T>
  constexpr auto operator()(P&& p, Q&& q, T&& t) const {
    const auto first = detail::shared_tree(detail::capture(static_cast<P&&>(p)));
    const auto last = detail::shared_tree(detail::capture(static_cast<Q&&>(q)));
    const auto part = detail::beside<detail::value_of<decltype(first)>>(static_cast<T&&>(t));
    const auto half = atan(detail::defer(detail::stacked_formula<detail::slerp_tangent_of>{}, first, last));
    const auto sines = sin(detail::defer(detail::stacked_formula<detail::slerp_angles_of>{}, half, part));
    return detail::defer(detail::stacked_formula<detail::slerp_of>{}, first, last, part, sines);
  }
  template <array P, array Q, detail::array_or_number T,
            class Error = detail::stacked_error<detail::stacked_formula<detail::slerp_tangent_of>, P, Q>>
    requires(!detail::interpolates<P, Q, T>)
  Error operator()(P&&, Q&&, T&&) const = delete;
} slerp{};

}  // namespace broadloom
