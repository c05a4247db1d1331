// Sums of exponentials that do not overflow: logsumexp, softmax, log_softmax. Each is the expression it is defined by,
// so it is computed in the passes that expression needs.
#pragma once

#include <broadloom/reduce/statistics.hpp>

#include <broadloom/fn/held_calls.hpp>

namespace broadloom {

namespace detail {

inline constexpr text softmax_text{"softmax is not implemented for integers; of_type<float> asks for a floating type"};

// The largest element, to be subtracted before exp; there is none to take, so any number will do, where there are no
// elements.
struct peak_r : amax_r {
  static constexpr bool has_empty = true;
};

// The array whose exponentials are wanted, in a floating type, ready to be mentioned several times.
template <array A>
constexpr auto exponents(A&& a) {
  return shared_tree(argument<rule_real::compute<value_of<node_of<A>>>>(static_cast<A&&>(a)));
}

}  // namespace detail

// log(sum(exp(x))), without overflow; -inf of no elements.
inline constexpr struct logsumexp_t : detail::takes_axis_names<logsumexp_t, detail::names_keepdim<logsumexp_t>> {
  static constexpr detail::text call{"logsumexp(x, axis, keepdim)"};
  using takes_axis_names::operator();
  BROADLOOM_HELD_ARRAY((detail::is_reduce_option<O> && ...))
  template <array A, class... O>
    requires(detail::is_reduce_option<O> && ...)
  constexpr auto operator()(A&& a, const O&... o) const {
    if constexpr (detail::is_half_reduction<A>)
      return detail::reduced_as_f32(*this, static_cast<A&&>(a), o...);
    else {
      auto x = detail::exponents(static_cast<A&&>(a));
      static_cast<void>(detail::reduced_axes<detail::rank_of<decltype(x)>>("logsumexp", o...));  // names the call
      // an infinite maximum is left out of the exponent: inf - inf would be NaN
      const auto peak = detail::make_reduced<detail::peak_r>(x, o..., keepdim);
      const auto finite = let(where(isinf(peak), 0, peak));
      auto shifted = sum(exp(sub(x, finite)), o...);
      // the same maxima, without the reduced axes where the result has none
      return add(log(shifted), finite.seen_as(0, shifted.shape(), row_major{}));
    }
  }
} logsumexp{};

// softmax(x, axis): exp(x - max) / sum(exp(x - max)) along one axis, in x's shape; exp is called once for each element.
// A floating array, or of_type<float> behind the axis. Throws index_error for an axis out of range.
inline constexpr struct softmax_t : detail::takes_axis_names<softmax_t> {
  static constexpr detail::text call{"softmax(x, axis)"};
  using takes_axis_names::operator();
#if defined(__clang__)
  template <detail::referred A, class Axis, class... O>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...)) && detail::is_floating_reduction<A&, O...>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, const Axis& axis, const O&... o) const {
    return (*this)(detail::capture(a), axis, o...);
  }
#endif
  template <array A, class Error = errors_md::which_axis_write_it_after_the_array>
  Error operator()(A&&) const BROADLOOM_REFUSED;
  template <array A, class Axis, class... O, class = std::enable_if_t<detail::is_floating_reduction<A, O...>>>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...))
  constexpr auto operator()(A&& a, const Axis& axis, const O&... o) const {
    if constexpr (detail::is_half_reduction<A, O...>)
      return detail::reduced_as_f32(*this, static_cast<A&&>(a), axis, o...);
    else {
      auto x = detail::floating_argument<A, O...>(static_cast<A&&>(a));
      static_cast<void>(detail::reduced_axes<detail::rank_of<decltype(x)>>("softmax", axis));  // names the call
      auto e = let(exp(sub(x, detail::make_reduced<detail::peak_r>(x, axis, keepdim))));
      return div(e, sum(e, axis, keepdim));
    }
  }
  template <array A, class Axis, class... O,
            class Error = errors_md::needs_a_floating_type<detail::softmax_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...)) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const Axis&, const O&...) const BROADLOOM_REFUSED;
} softmax{};

// log_softmax(x, axis): (x - max) - log(sum(exp(x - max))) along one axis, in x's shape. Types and errors as softmax.
inline constexpr struct log_softmax_t : detail::takes_axis_names<log_softmax_t> {
  static constexpr detail::text call{"log_softmax(x, axis)"};
  using takes_axis_names::operator();
#if defined(__clang__)
  template <detail::referred A, class Axis, class... O>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...)) && detail::is_floating_reduction<A&, O...>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, const Axis& axis, const O&... o) const {
    return (*this)(detail::capture(a), axis, o...);
  }
#endif
  template <array A, class Error = errors_md::which_axis_write_it_after_the_array>
  Error operator()(A&&) const BROADLOOM_REFUSED;
  template <array A, class Axis, class... O, class = std::enable_if_t<detail::is_floating_reduction<A, O...>>>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...))
  constexpr auto operator()(A&& a, const Axis& axis, const O&... o) const {
    if constexpr (detail::is_half_reduction<A, O...>)
      return detail::reduced_as_f32(*this, static_cast<A&&>(a), axis, o...);
    else {
      auto x = detail::floating_argument<A, O...>(static_cast<A&&>(a));
      static_cast<void>(detail::reduced_axes<detail::rank_of<decltype(x)>>("log_softmax", axis));  // names the call
      auto shifted = sub(x, detail::make_reduced<detail::peak_r>(x, axis, keepdim));
      return sub(shifted, log(sum(exp(shifted), axis, keepdim)));
    }
  }
  template <array A, class Axis, class... O,
            class Error = errors_md::needs_a_floating_type<detail::softmax_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...)) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const Axis&, const O&...) const BROADLOOM_REFUSED;
} log_softmax{};

}  // namespace broadloom

#include <broadloom/fn/undefine.hpp>
