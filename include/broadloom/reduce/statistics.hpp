// What is written with reductions: mean, var, std, norm, dist, logsumexp, softmax, log_softmax. Each is the expression
// it is defined by, so it is computed in the passes that expression needs. What is divided or rooted once for each
// result is named by `let`: it would be done again for each element of what the result is broadcast to.
#pragma once

#include <broadloom/reduce/sums.hpp>

namespace broadloom {

// What the mean of integers "returns": a floating type must be asked for, mean(x, of_type<float>).
template <auto Text, class Element>
struct mean_needs_a_floating_type;

// What a norm or a softmax of integers "returns": as the mean, they want a floating type.
template <auto Text, class Element>
struct needs_a_floating_type;

// var(x, correction{0}): the sum of squares is divided by n - 0 instead of n - 1.
struct correction {
  double n = 1;
};

namespace detail {

// Options without those that a wrapping function takes for itself.
template <class T>
concept statistic_option = reduce_option<T> || __is_same(T, correction);

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
constexpr index reduced_count(const Shape& s, const O&... o) {
  constexpr int rank = Shape::axes_count;
  const auto axes = reduced_axes<rank>(o...);
  index n = 1;
  for (int i = 0; i < rank; ++i)
    if ((axes.bits() >> i & 1) != 0) n *= s[i];
  return n;
}

template <class A, class... O>
using floating_option = typename type_option<value_of<node_of<A>>, O...>::type;
template <class A, class... O>
inline constexpr bool is_floating_reduction =
    is_floating(dtype_of<floating_option<A, O...>>) || is_complex(dtype_of<floating_option<A, O...>>);

inline constexpr text mean_text{
    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype."};

inline constexpr text norm_text{
    "norm(): input dtype should be either floating point or complex; of_type<float> asks for one"};
inline constexpr text softmax_text{"softmax is not implemented for integers; of_type<float> asks for a floating type"};

// The array in the type asked for, ready to be mentioned several times.
template <class A, class... O>
constexpr auto floating_argument(A&& a) {
  return shared_tree(argument<floating_option<A, O...>>(static_cast<A&&>(a)));
}

}  // namespace detail

// The mean: sum / count; NaN of no elements. A floating array, or of_type<float>.
inline constexpr struct mean_t {
  template <array A, class... O>
    requires(detail::reduce_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    const auto n = static_cast<double>(detail::reduced_count(a.shape(), o...));
    return let(div(sum(static_cast<A&&>(a), o...), n));
  }
  template <array A, class... O,
            class Error = mean_needs_a_floating_type<detail::mean_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::reduce_option<O> && ...) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const O&...) const = delete;
} mean{};

// The variance, computed in two passes: sum(square(x - mean)) / max(0, n - correction); the correction is 1 unless
// correction{c} is given.
inline constexpr struct var_t {
  template <array A, class... O>
    requires(detail::statistic_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    auto x = detail::floating_argument<A, O...>(static_cast<A&&>(a));
    const double c = detail::correction_among(o...);
    return detail::without_correction(
        [&](const auto&... r) {
          const auto n = static_cast<double>(detail::reduced_count(x.shape(), r...)) - c;
          return let(div(sum(square(sub(x, mean(x, r..., keepdim))), r...), n > 0 ? n : 0.0));
        },
        o...);
  }
  template <array A, class... O,
            class Error = mean_needs_a_floating_type<detail::mean_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::statistic_option<O> && ...) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const O&...) const = delete;
} var{};

// The standard deviation: sqrt(var).
inline constexpr struct std_t {
  template <array A, class... O>
    requires(detail::statistic_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    return let(sqrt(var(static_cast<A&&>(a), o...)));
  }
  template <array A, class... O,
            class Error = mean_needs_a_floating_type<detail::mean_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::statistic_option<O> && ...) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const O&...) const = delete;
} std{};

namespace detail {

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
inline constexpr struct logsumexp_t {
  template <array A, class... O>
    requires(detail::reduce_option<O> && ...)
  constexpr auto operator()(A&& a, const O&... o) const {
    auto x = detail::exponents(static_cast<A&&>(a));
    // an infinite maximum is left out of the exponent: inf - inf would be NaN
    const auto finite = [](const auto& m) { return where(isinf(m), 0, m); };
    const auto peak = detail::make_reduced<detail::peak_r>(x, o..., keepdim);
    auto shifted = sum(exp(sub(x, finite(peak))), o...);
    // the same maxima, without the reduced axes where the result has none
    return add(log(shifted), finite(peak.seen_as(0, shifted.shape(), row_major{})));
  }
} logsumexp{};

// softmax(x, axis): exp(x - max) / sum(exp(x - max)) along one axis, in x's shape; exp is called once for each element.
// A floating array, or of_type<float> behind the axis. Throws index_error for an axis out of range.
inline constexpr struct softmax_t {
  template <array A, class Axis, class... O>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...)) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const Axis& axis, const O&...) const {
    auto x = detail::floating_argument<A, O...>(static_cast<A&&>(a));
    auto e = let(exp(sub(x, detail::make_reduced<detail::peak_r>(x, axis, keepdim))));
    return div(e, sum(e, axis, keepdim));
  }
  template <array A, class Axis, class... O,
            class Error = needs_a_floating_type<detail::softmax_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...)) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const Axis&, const O&...) const = delete;
} softmax{};

// log_softmax(x, axis): (x - max) - log(sum(exp(x - max))) along one axis, in x's shape. Types and errors as softmax.
inline constexpr struct log_softmax_t {
  template <array A, class Axis, class... O>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...)) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const Axis& axis, const O&...) const {
    auto x = detail::floating_argument<A, O...>(static_cast<A&&>(a));
    auto shifted = sub(x, detail::make_reduced<detail::peak_r>(x, axis, keepdim));
    return sub(shifted, log(sum(exp(shifted), axis, keepdim)));
  }
  template <array A, class Axis, class... O,
            class Error = needs_a_floating_type<detail::softmax_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::names_axes<Axis> && (detail::is_of_type<O> && ...)) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const Axis&, const O&...) const = delete;
} log_softmax{};

namespace detail {

[[noreturn]] void throw_no_norm(double order, const index* extents, index rank, unsigned bits, bool all);

template <class T>
concept norm_order = std::is_arithmetic_v<T> || constant<T>;
template <class... O>
inline constexpr bool begins_with_order = false;
template <norm_order P, class... O>
inline constexpr bool begins_with_order<P, O...> = true;

// Which elements are combined how is known at run time: by the order of the norm.
struct norm_r : reduce_op {
  static constexpr runtime::reduction how = runtime::reduction::sum;
  static constexpr const char* name() { return "norm"; }
  template <class T, class Get>
  static constexpr T one(index n, const Get& get, runtime::reduction by) {
    return by == runtime::reduction::maximum   ? combine<amax_r, T>(n, get)
           : by == runtime::reduction::minimum ? combine<amin_r, T>(n, get)
                                               : combine<sum_r, T>(n, get);
  }
};

}  // namespace detail

// norm(x, p, axes ...): the p-norm (sum |x|^p)^(1/p). p is 2 unless given: a constant (2_c, 1_c, 0_c), for which the
// plain expression is used, or a number, also below 0, inf and -inf among them (the largest and the smallest |x|); 0
// counts the elements that are not 0. An integer after x is p, as in PyTorch; axes follow. A floating array, or
// of_type<float>. Throws shape_error for an infinite p, or one below 0, and no elements.
inline constexpr struct norm_t {
  template <array A, detail::norm_order P, class... O>
    requires(detail::reduce_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, P p, const O&... o) const {
    auto x = detail::argument<detail::floating_option<A, O...>>(static_cast<A&&>(a));
    if constexpr (std::is_void_v<typename detail::accumulator_option<O...>::type>)
      return of_order(x, p, o...);
    else {
      auto wide = detail::argument<typename detail::accumulator_option<O...>::type>(x);
      return cast<detail::value_of<decltype(x)>>(of_order(wide, p, o...));
    }
  }
  template <array A, class... O>
    requires(detail::reduce_option<O> && ...) &&
            (!detail::begins_with_order<O...>) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    return (*this)(static_cast<A&&>(a), std::integral_constant<int, 2>{}, o...);
  }
  template <array A, class... O,
            class Error = needs_a_floating_type<detail::norm_text, detail::value_of<detail::node_of<A>>>>
    requires(!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const O&...) const = delete;

 private:
  friend struct dist_t;
  template <class E, class P, class... O>
  static constexpr auto of_order(const E& x, P p, const O&... o) {
    if constexpr (detail::constant<P>) {
      constexpr index n = P::value;
      if constexpr (n == 2)
        return sqrt(sum(square(x), o...));
      else if constexpr (n == 1)
        return sum(abs(x), o...);
      else if constexpr (n == 0)
        return cast<detail::value_of<E>>(sum(detail::argument<bool>(x), o...));
      else {
        if constexpr (n < 0) check_order(x, static_cast<double>(n), o...);
        return pow(sum(pow(abs(x), static_cast<double>(n)), o...), 1.0 / static_cast<double>(n));
      }
    } else {
      const double order = static_cast<double>(p);
      if (order < 0 || order - order != 0) check_order(x, order, o...);
      return of_any_order(x, order, o...);
    }
  }
  template <class E, class... O>
  static constexpr void check_order(const E& x, double order, const O&... o) {
    constexpr int rank = detail::rank_of<E>;
    if (order == order && detail::reduced_count(x.shape(), o...) == 0)
      detail::throw_no_norm(order, x.shape().extents().v, rank, detail::reduced_axes<rank>(o...).bits(),
                            !(detail::names_axes<O> || ...));
  }
  // One type for every p: infinite ones take an extreme of |x|^1, 0 of no elements.
  template <class E, class... O>
  static constexpr auto of_any_order(const E& x, double order, const O&... o) {
    const double infinite = __builtin_huge_val();
    const bool extreme = order == infinite || order == -infinite;
    const auto by = order == infinite    ? runtime::reduction::maximum
                    : order == -infinite ? runtime::reduction::minimum
                                         : runtime::reduction::sum;
    const bool no_terms = detail::reduced_count(x.shape(), o...) == 0;
    auto term = where(logical_and(eq(x, 0), order == 0), 0, pow(abs(x), extreme ? 1.0 : order));
    return pow(detail::make_reduced_by<detail::norm_r>(by, term, o...),
               extreme || no_terms || order == 0 ? 1.0 : 1.0 / order);
  }
} norm{};

namespace detail {

template <class A, class B>
concept floating_difference = callable_with<sub_f, A, B> && any_array<A, B> && requires(A a, B b) {
  requires is_floating_reduction<decltype(sub(static_cast<A>(a), static_cast<B>(b)))>;
};

}  // namespace detail

// dist(a, b, p) = norm(a - b, p), over all elements of their common shape; p is 2 unless given; 0 of no elements for
// every p. One of the two is floating.
inline constexpr struct dist_t {
  template <operand A, operand B>
    requires detail::floating_difference<A&&, B&&>
  constexpr auto operator()(A&& a, B&& b) const {
    return norm(sub(static_cast<A&&>(a), static_cast<B&&>(b)));
  }
  template <operand A, operand B, detail::norm_order P>
    requires detail::floating_difference<A&&, B&&>
  constexpr auto operator()(A&& a, B&& b, P p) const {
    auto x = sub(static_cast<A&&>(a), static_cast<B&&>(b));
    if constexpr (detail::constant<P>) {
      if constexpr (P::value >= 0)
        return norm(x, p);
      else
        return norm_t::of_any_order(x, static_cast<double>(P::value));
    } else
      return norm_t::of_any_order(x, static_cast<double>(p));
  }
  template <operand A, operand B, class... P, class Error = detail::call_error<detail::sub_f, A, B>>
    requires detail::any_array<A, B> && (!detail::callable_with<detail::sub_f, A, B>)
  Error operator()(A&&, B&&, P...) const = delete;
  template <operand A, operand B, class... P, class Error = needs_a_floating_type<detail::norm_text, A>>
    requires detail::callable_with<detail::sub_f, A, B> && (!detail::floating_difference<A &&, B &&>)
  Error operator()(A&&, B&&, P...) const = delete;
} dist{};

}  // namespace broadloom
