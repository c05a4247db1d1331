// What is written with sums: mean, var, std. Each is the expression it is defined by, so it is computed in the passes
// that expression needs. What is divided or rooted once for each result is named by `let`: it would be done again for
// each element of what the result is broadcast to.
#pragma once

#include <broadloom/reduce/sums.hpp>

#include <broadloom/fn/held_calls.hpp>

namespace broadloom {

namespace errors_md {
// What the mean of integers "returns": a floating type must be asked for, mean(x, of_type<float>).
template <auto Text, class Element>
struct mean_needs_a_floating_type_write_of_type_double;

// What a norm or a softmax of integers "returns": as the mean, they want a floating type.
template <auto Text, class Element>
struct needs_a_floating_type;
}  // namespace errors_md

// var(x, correction{0}): the sum of squares is divided by n - 0 instead of n - 1.
struct correction {
  double n = 1;
};

namespace detail {

// Options without those that a wrapping function takes for itself.
template <class T>
concept statistic_option = is_reduce_option<T> || __is_same(T, correction);

constexpr double correction_of(const correction& c) { return c.n; }
template <class O>
constexpr double correction_of(const O&) {
  return 0;
}
template <class... O>
constexpr double correction_among(const O&... o) {
  if constexpr ((__is_same(O, correction) || ...))
    return (0.0 + ... + correction_of(o));
  else
    return 1;
}

// Calls f with the options that a reduction takes.
template <class F>
constexpr auto without_correction(const F& f) {
  return f();
}
template <class F, class O, class... More>
constexpr auto without_correction(const F& f, const O& o, const More&... more) {
  if constexpr (__is_same(O, correction))
    return without_correction(f, more...);
  else
    return without_correction([&](const auto&... rest) { return f(o, rest...); }, more...);
}

// How many elements each result is made of.
template <class Shape, class... O>
constexpr index reduced_count(const char* call, const Shape& s, const O&... o) {
  constexpr int rank = Shape::axes_count;
  const auto axes = reduced_axes<rank>(call, o...);
  index n = 1;
  for (int i = 0; i < rank; ++i)
    if ((axes.bits() >> i & 1) != 0) n = saturated_mul(n, s[i]);  // sum() refuses what does not fit
  return n;
}

template <class A, class... O>
using floating_option = typename type_option<value_of<node_of<A>>, O...>::type;
template <class A, class... O>
inline constexpr bool is_floating_reduction = false;
template <array A, class... O>
inline constexpr bool is_floating_reduction<A, O...> =
    is_floating(dtype_of<floating_option<A, O...>>) || is_complex(dtype_of<floating_option<A, O...>>) ||
    own_element<floating_option<A, O...>>;

inline constexpr text mean_text{
    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype."};

// The result is of 16 bits: it is computed as f32 and rounded once.
template <class A, class... O>
inline constexpr bool is_half_reduction = is_half_type<floating_option<A, O...>>;
template <class F, class A, class... O>
constexpr auto reduced_as_f32(const F& f, A&& a, const O&... o) {
  using half = floating_option<A, O...>;
  return rounded_to<half>(f(argument<float>(argument<half>(static_cast<A&&>(a))), f32_option(o)...));
}

// The option for the parts of complex numbers.
template <class O>
constexpr O real_option(const O& o) {
  return o;
}
template <class T>
constexpr auto real_option(const of_type_t<T>&) {
  return of_type_t<real_of<T>>{};
}

// The array in the type asked for, ready to be mentioned several times.
template <class A, class... O>
constexpr auto floating_argument(A&& a) {
  return shared_tree(argument<floating_option<A, O...>>(static_cast<A&&>(a)));
}

}  // namespace detail

// The mean: sum / count; NaN of no elements. A floating array, or of_type<float>.
inline constexpr struct mean_t : detail::takes_axis_names<mean_t, detail::names_keepdim<mean_t>> {
  static constexpr detail::text call{"mean(x, axis, keepdim)"};
  using takes_axis_names::operator();
  BROADLOOM_HELD_ARRAY((detail::is_reduce_option<O> && ...) && detail::is_floating_reduction<A&, O...>)
  template <array A, class... O>
    requires(detail::is_reduce_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    if constexpr (detail::is_half_reduction<A, O...>)
      return detail::reduced_as_f32(*this, static_cast<A&&>(a), o...);
    else {
      const auto n = static_cast<double>(detail::reduced_count("mean", detail::shape_of_array(a), o...));
      return let(div(sum(static_cast<A&&>(a), o...), n));
    }
  }
  template <
      array A, class... O,
      class Error = std::enable_if_t<(detail::is_reduce_option<O> && ...) && !detail::is_floating_reduction<A, O...>,
                                     errors_md::mean_needs_a_floating_type_write_of_type_double<
                                         detail::mean_text, detail::value_of<detail::node_of<A>>>>>
  Error operator()(A&&, const O&...) const BROADLOOM_REFUSED;
} mean{};

// The variance, computed in two passes: sum(square(x - mean)) / max(0, n - correction); the correction is 1 unless
// correction{c} is given. Of complex numbers, that of the real parts plus that of the imaginary ones (PyTorch's rule).
inline constexpr struct var_t : detail::takes_axis_names<var_t, detail::names_keepdim<var_t>> {
  static constexpr detail::text call{"var(x, axis, keepdim)"};
  using takes_axis_names::operator();
  BROADLOOM_HELD_ARRAY((detail::statistic_option<O> && ...) && detail::is_floating_reduction<A&, O...>)
  template <array A, class... O>
    requires(detail::statistic_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    if constexpr (detail::is_half_reduction<A, O...>)
      return detail::reduced_as_f32(*this, static_cast<A&&>(a), o...);
    else {
      auto x = detail::floating_argument<A, O...>(static_cast<A&&>(a));
      const double c = detail::correction_among(o...);
      if constexpr (detail::is_complex_type<detail::value_of<decltype(x)>>)
        return let(add((*this)(real(x), detail::real_option(o)...), (*this)(imag(x), detail::real_option(o)...)));
      else
        return detail::without_correction(
            [&](const auto&... r) {
              const auto n = static_cast<double>(detail::reduced_count("var", x.shape(), r...)) - c;
              return let(div(sum(square(sub(x, mean(x, r..., keepdim))), r...), n > 0 ? n : 0.0));
            },
            o...);
    }
  }
  template <array A, class... O,
            class Error = errors_md::mean_needs_a_floating_type_write_of_type_double<
                detail::mean_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::statistic_option<O> && ...) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const O&...) const BROADLOOM_REFUSED;
} var{};

// The standard deviation: sqrt(var).
inline constexpr struct std_t : detail::takes_axis_names<std_t, detail::names_keepdim<std_t>> {
  static constexpr detail::text call{"std(x, axis, keepdim)"};
  using takes_axis_names::operator();
  BROADLOOM_HELD_ARRAY((detail::statistic_option<O> && ...) && detail::is_floating_reduction<A&, O...>)
  template <array A, class... O>
    requires(detail::statistic_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    if constexpr (detail::is_half_reduction<A, O...>)
      return detail::reduced_as_f32(*this, static_cast<A&&>(a), o...);
    else
      return let(sqrt(var(static_cast<A&&>(a), o...)));
  }
  template <array A, class... O,
            class Error = errors_md::mean_needs_a_floating_type_write_of_type_double<
                detail::mean_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::statistic_option<O> && ...) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const O&...) const BROADLOOM_REFUSED;
} std{};

}  // namespace broadloom

#include <broadloom/fn/undefine.hpp>
