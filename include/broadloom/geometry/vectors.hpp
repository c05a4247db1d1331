// Lengths and angles of vectors: normalized, angle_between, skew.
#pragma once

#include <broadloom/eval/let.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/fn/operators.hpp>
#include <broadloom/geometry/stacked_formula.hpp>
#include <broadloom/reduce/norm.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace detail {

template <class E>
constexpr auto length_of(const E& e) {
  if constexpr (rank_of<E> == 1)
    return norm(e);
  else
    return norm(e, axes<-1>, keepdim);
}

// 1 in the place of lengths that nothing is divided by.
struct divisor_of_length_f : rule_function<rule_floats, false> {
  static constexpr auto cost = function_cost::quick;
  static constexpr const char* name() { return "where"; }
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x) {
    return lanes::select(lanes::less(V{}, x), x, lanes::each<V>(lane<V>(1)));
  }
};

inline constexpr text normalized_text{
    "normalized(): a vector of length 1 has floating elements; cast<double>(x) converts integers"};

using angle_tangent = stacked_formula<angle_tangent_of>;

}  // namespace detail

// normalized(x): the vectors of the last axis, (..., n), divided by their lengths; a vector of 0 stays as it is
// (Eigen's normalized). Lazy; elements are floating or complex.
inline constexpr struct normalized_t {
  template <array X>
    requires detail::is_floating_reduction<X>
  constexpr auto operator()(X&& x) const {
    const auto e = detail::capture(static_cast<X&&>(x));  // norm looks at the range of what is not let's
    using E = std::remove_cvref_t<decltype(e)>;
    // Straight-line code is mentioned many times and computed once.
    if constexpr (detail::needs_no_let<E> && detail::straight_count<decltype(detail::length_of(e))> > 0)
      return by_length(e, detail::length_of(e));
    else
      return by_length(e, let(detail::length_of(e)));
  }
  template <array X, class Error = errors_md::needs_a_floating_type<detail::normalized_text,
                                                                    detail::value_of<detail::node_of<X>>>>
    requires(!detail::is_floating_reduction<X>)
  Error operator()(X&&) const BROADLOOM_REFUSED;

 private:
  template <class E, class Length>
  static constexpr auto by_length(const E& e, const Length& length) {
    return div(e, detail::make_map(detail::divisor_of_length_f{}, length));
  }
} normalized{};

// angle_between(a, b): the angles of vectors (..., 3) of any lengths but 0, of which the result is NaN: in [0, pi], to
// the last digits also near both ends (2 atan(|u - v| / |u + v|) of the normalized vectors). Lazy.
inline constexpr struct angle_between_t {
  template <array A, array B>
    requires detail::stackable<detail::angle_tangent, A, B>
  constexpr auto operator()(A&& a, B&& b) const {
    constexpr detail::angle_tangent half;
    return mul(2, atan(detail::defer(half, static_cast<A&&>(a), static_cast<B&&>(b))));
  }
  template <array A, array B, class Error = detail::stacked_error<detail::angle_tangent, A, B>>
    requires(!detail::stackable<detail::angle_tangent, A, B>)
  Error operator()(A&&, B&&) const = delete;
} angle_between{};

// skew(v): (..., 3) gives the matrices (..., 3, 3) whose products with x are cross(v, x). Lazy.
inline constexpr detail::geometric_function<detail::skew_of> skew{};

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
