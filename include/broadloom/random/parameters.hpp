// What the distributions have in common: the element type and the shape of the result, and parameters that are numbers
// or arrays.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/views.hpp>
#include <broadloom/fn/operators.hpp>
#include <broadloom/random/leaf.hpp>
#include <broadloom/shape/braced.hpp>

namespace broadloom {

namespace runtime {

// What a parameter must be. NaN is none of these.
enum class domain : unsigned char { finite, not_negative, probability };

// Throws std::invalid_argument, which names both, unless x is in the domain.
BROADLOOM_API void check_parameter(const char* function, const char* parameter, domain d, double x);
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_empty_range(const char* function, double low, double high) {
  detail::throw_error(detail::error_kind::empty_range, {function, low, high});
}

}  // namespace runtime

namespace detail {

// A parameter of a distribution: a number, or an array of numbers.
template <class P>
concept real_parameter =
    number_scalar<std::remove_cvref_t<P>> || (array<P> && !is_complex(dtype_of<value_of<node_of<P>>>));

template <class... P>
inline constexpr bool has_arrays = (array<P> || ...);

// The element type of the draws: the one that is asked for, else that of the arrays, integers as by sqrt.
template <class T, class... P>
struct drawn_type {
  using type = T;
};
template <class... P>
  requires has_arrays<P...>
struct drawn_type<void, P...> {
  using type = typename rule_real::template compute<promoted<P...>>;
};
template <class... P>
  requires(!has_arrays<P...>)
struct drawn_type<void, P...> {
  static_assert(has_arrays<P...>,
                "say the element type, as in poisson<float>(g, rate, shape) [errors.md#draws-of-other-elements]");
  using type = float;  // only so that there is one error
};

// Elements that are floating numbers; of others f32, only so that there is one error.
template <class T>
using floating_or_f32 = std::conditional_t<is_floating(dtype_of<T>), T, float>;

// An argument of the calls that are chosen where no other fits.
using any_other = const any_argument&;

// The shape that the parameters have together.
template <class P>
auto parameter_shape(const P& p) {
  if constexpr (array<P>)
    return as_node(p).shape();
  else
    return shape<>{};
}
template <class... P>
auto common_shape(const char* function, const P&... p) {
  using all = typename broadcast_of<decltype(parameter_shape(p))...>::type;
  return broadcast_checked<all>(function, parameter_shape(p)...);
}

template <int A, int B>
constexpr indices<A + B> joined_extents(const indices<A>& a, const indices<B>& b) {
  indices<A + B> r{};
  for (int i = 0; i < A; ++i) r[i] = a[i];
  for (int i = 0; i < B; ++i) r[A + i] = b[i];
  return r;
}
// The axes of the first, then those of the second.
template <class S, class O>
constexpr auto joined_shape(const S& s, const O& o) {
  using all = shape_from<joined_extents(S::static_extents, O::static_extents)>;
  return all::unchecked(joined_extents(s.extents(), o.extents()));
}

// A parameter as elements of type To, an array in the shape of the result.
template <class To, class P, class S>
auto parameter_in(P&& p, const S& s) {
  if constexpr (array<P>)
    return expand(argument<To>(static_cast<P&&>(p)), s);
  else
    return static_cast<To>(p);
}

// What a parameter is called, and what it must be.
struct parameter_rule {
  const char* function;
  const char* parameter;
  runtime::domain domain;
};

// An array whose elements are checked as they are read.
template <const parameter_rule& Rule>
struct checked_elements {
  template <class T>
  T operator()(T x) const {
    runtime::check_parameter(Rule.function, Rule.parameter, Rule.domain, static_cast<double>(x));
    return x;
  }
};
template <const parameter_rule& Rule, class P>
auto checked(P&& p) {
  if constexpr (array<P>)
    return pointwise(checked_elements<Rule>{}, static_cast<P&&>(p));
  else {
    runtime::check_parameter(Rule.function, Rule.parameter, Rule.domain, static_cast<double>(p));
    return p;
  }
}

// The draws of a distribution in f64.
template <runtime::distribution D, class S, class... P>
auto distribution_draws(generator& g, const S& s, P&&... p) {
  if constexpr (has_arrays<P...>) {
    const drawn_for_each<D, sizeof...(P)> each{g.seed()};
    return pointwise(each, random_leaf(g, places_kind{}, s), parameter_in<double>(static_cast<P&&>(p), s)...);
  } else {
    const distribution_kind<D> kind{{static_cast<double>(p)...}};
    runtime::check_parameters(D, kind.parameters);
    return random_leaf(g, kind, s);
  }
}

}  // namespace detail
}  // namespace broadloom
