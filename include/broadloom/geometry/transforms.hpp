// Homogeneous transforms, matrices of 4 x 4 for columns (x, y, z, 1): poses, and what a camera sees. Products compose
// them: matmul(a, b) is b first and then a.
#pragma once

#include <broadloom/fn/catalogue.hpp>
#include <broadloom/geometry/stacked_formula.hpp>

namespace broadloom {

namespace detail {

// The type of arrays among operands; numbers alone have their own, float at least.
template <class... X>
struct element_among_of {
  using type = std::common_type_t<float, std::remove_cvref_t<X>...>;
};
template <class... X>
  requires(array<X> || ...)
struct element_among_of<X...> {
  using type = promoted<X...>;
};
template <class... X>
using element_among = typename element_among_of<X...>::type;

}  // namespace detail

// rigid_transform(r, t): rotation matrices (..., 3, 3) and translations (..., 3) as transforms (..., 4, 4). Lazy, as
// all of these functions; elements are f32 or f64, and axes before the last ones broadcast.
inline constexpr detail::geometric_function<detail::rigid_transform_of> rigid_transform{};

// rigid_inverse(m): the inverses of such transforms, (..., 4, 4): the rotation's transpose, and -r' t. Of others use
// inv.
inline constexpr detail::geometric_function<detail::rigid_inverse_of> rigid_inverse{};

// transform_points(m, p): transforms (..., 4, 4) of points (..., 3), whose fourth coordinate is 1; the last row of m is
// not read. transform_vectors(m, v): of directions, whose fourth coordinate is 0.
inline constexpr detail::geometric_function<detail::transform_points_of> transform_points{};
inline constexpr detail::geometric_function<detail::transform_vectors_of> transform_vectors{};

// project_points(m, p): the same of any m, such as matmul(perspective(...), look_at(...)): the first three coordinates
// divided by the fourth.
inline constexpr detail::geometric_function<detail::project_points_of> project_points{};

// look_at(eye, target, up): the transform (..., 4, 4) from the world to a camera at eye, (..., 3) each, which looks
// along its negative z axis to the target, with x to the right and up in the plane of y and z (OpenGL's gluLookAt). NaN
// where eye is the target or up is parallel to the way there.
inline constexpr detail::geometric_function<detail::look_at_of> look_at{};

// perspective(fovy, aspect, front, back): the projection (..., 4, 4) of such a camera that sees fovy radians from
// bottom to top, and aspect times as much from left to right: points at distance front have depth -1, at back 1
// (OpenGL's gluPerspective). Each is an array (...) or a number; numbers alone give their type, float at least.
inline constexpr struct perspective_t {
  template <detail::array_or_number Fovy, detail::array_or_number Aspect, detail::array_or_number Front,
            detail::array_or_number Back>
  constexpr auto operator()(Fovy&& fovy, Aspect&& aspect, Front&& front, Back&& back) const {
    using T = detail::element_among<Fovy, Aspect, Front, Back>;
    const auto tangent = [&] {
      if constexpr (array<Fovy>)
        return tan(div(detail::capture(static_cast<Fovy&&>(fovy)), 2));
      else
        return tensor<T, shape<>>(detail::tan_f::scalar(static_cast<T>(fovy) / 2));
    };
    return detail::defer(detail::stacked_formula<detail::perspective_of>{}, tangent(),
                         detail::beside<T>(static_cast<Aspect&&>(aspect)),
                         detail::beside<T>(static_cast<Front&&>(front)), detail::beside<T>(static_cast<Back&&>(back)));
  }
} perspective{};

}  // namespace broadloom
