// Continuous distributions: uniform, normal, exponential, gamma, beta, dirichlet, truncated_normal. Each call takes the
// next places of the generator's stream and gives an expression that draws where it is evaluated. T is the type of the
// elements; where a parameter is an array it may be left out: it is then that of the arrays (integers: f32).
// Parameters are numbers or arrays; the shape is the last argument, also in braces, {2, n}, and may be left out where
// an array gives it.
#pragma once

#include <broadloom/random/parameters.hpp>
#include <broadloom/reduce/softmax.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace detail {

inline constexpr parameter_rule uniform_width{"uniform", "high - low", runtime::domain::finite},
    normal_deviation{"normal", "the deviation", runtime::domain::not_negative},
    exponential_scale{"exponential", "the scale", runtime::domain::not_negative},
    gamma_scale{"gamma", "the scale", runtime::domain::not_negative};

// b - a, of numbers at once.
template <class B, class A>
auto difference(const B& b, const A& a) {
  if constexpr (has_arrays<A, B>)
    return sub(b, a);
  else
    return b - a;
}

// The neighbour of b on the way to a: of numbers the number, of arrays an array.
template <class B, class A>
auto last_before(const B& b, const A& a) {
  if constexpr (has_arrays<A, B>)
    return nextafter(b, a);
  else if constexpr (is_half_type<B>) {
    const float from = b, to = a;
    if (from == to) return b;
    if (from == 0) return B::from_bits(static_cast<std::uint16_t>(to < 0 ? 0x8001 : 1));
    const bool outwards = (from < to) == (from > 0);
    return B::from_bits(static_cast<std::uint16_t>(b.bits() + (outwards ? 1 : -1)));
  } else
    return lanes::next_after(b, a);
}

// x, but `last` where rounding made it the end or took it beyond: the end lies on the other side of `last`.
struct before_end_f : lane_function {
  static constexpr const char* name() { return "before the end"; }
  template <class T, class...>
  using result = T;
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x, const V& end, const V& last) {
    using broadloom::lanes::both, broadloom::lanes::either;
    const auto below = both(broadloom::lanes::less(last, end), broadloom::lanes::less(x, end)),
               above = both(broadloom::lanes::greater_equal(last, end), broadloom::lanes::greater_equal(x, last));
    return broadloom::lanes::select(either(below, above), x, last);
  }
};

}  // namespace detail

// uniform<T>(g, shape): in [0, 1), the numbers of rand. uniform<T>(g, low, high, shape): low + (high - low) * u
// (NumPy's Generator.uniform), and the last number before high where rounding gives high: it is drawn only where low ==
// high. Throws std::invalid_argument where high - low is not finite, of arrays when they are read.
template <detail::floating_element T, shape_type S>
auto uniform(generator& g, const S& s) {
  const auto u = detail::random_leaf(g, detail::uniform_kind<detail::arithmetic_type<T>>{}, s);
  if constexpr (detail::is_half_type<T>) {  // cut off, as 1 is not in the range
    constexpr float steps = __is_same(T, float16) ? 2048 : 256;
    return cast<T>(mul(floor(mul(u, steps)), 1 / steps));
  } else
    return u;
}
template <detail::floating_element T, int R>
auto uniform(generator& g, detail::braced_extents<R> s) {
  return uniform<T>(g, detail::braced_shape<R>(s));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B, shape_type S>
auto uniform(generator& g, A&& low, B&& high, const S& s) {
  using asked = typename detail::drawn_type<T, A, B>::type;
  static_assert(
      is_floating(dtype_of<asked>),
      "uniform: the elements are floating numbers; randint draws integers [errors.md#draws-of-other-elements]");
  using to = detail::floating_or_f32<asked>;
  const auto a = detail::parameter_in<to>(static_cast<A&&>(low), s);
  const auto b = detail::parameter_in<to>(static_cast<B&&>(high), s);
  const auto x = add(a, mul(detail::checked<detail::uniform_width>(detail::difference(b, a)), uniform<to>(g, s)));
  using compute = detail::arithmetic_type<to>;
  return detail::rounded_from<compute, to>(detail::make_map(detail::before_end_f{}, detail::argument<compute>(x),
                                                            detail::argument<compute>(b),
                                                            detail::argument<compute>(detail::last_before(b, a))));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B, int R>
auto uniform(generator& g, A&& low, B&& high, detail::braced_extents<R> s) {
  return uniform<T>(g, static_cast<A&&>(low), static_cast<B&&>(high), detail::braced_shape<R>(s));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B>
  requires detail::has_arrays<A, B>
auto uniform(generator& g, A&& low, B&& high) {
  const auto s = detail::common_shape("uniform", low, high);
  return uniform<T>(g, static_cast<A&&>(low), static_cast<B&&>(high), s);
}

// normal<T>(g, shape): standard normal, the numbers of randn. normal<T>(g, mean, deviation, shape): mean + deviation *
// z (PyTorch's and NumPy's normal). Throws std::invalid_argument for a negative deviation, of an array when it is read.
template <detail::floating_element T, shape_type S>
auto normal(generator& g, const S& s) {
  using drawn = detail::arithmetic_type<T>;
  return detail::rounded_from<drawn, T>(detail::random_leaf(g, detail::normal_kind<drawn>{}, s));
}
template <detail::floating_element T, int R>
auto normal(generator& g, detail::braced_extents<R> s) {
  return normal<T>(g, detail::braced_shape<R>(s));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B, shape_type S>
auto normal(generator& g, A&& center, B&& deviation, const S& s) {
  using asked = typename detail::drawn_type<T, A, B>::type;
  static_assert(is_floating(dtype_of<asked>),
                "normal: the elements are floating numbers [errors.md#draws-of-other-elements]");
  using to = detail::floating_or_f32<asked>;
  const auto sigma =
      detail::checked<detail::normal_deviation>(detail::parameter_in<to>(static_cast<B&&>(deviation), s));
  return add(detail::parameter_in<to>(static_cast<A&&>(center), s), mul(sigma, normal<to>(g, s)));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B, int R>
auto normal(generator& g, A&& center, B&& deviation, detail::braced_extents<R> s) {
  return normal<T>(g, static_cast<A&&>(center), static_cast<B&&>(deviation), detail::braced_shape<R>(s));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B>
  requires detail::has_arrays<A, B>
auto normal(generator& g, A&& center, B&& deviation) {
  const auto s = detail::common_shape("normal", center, deviation);
  return normal<T>(g, static_cast<A&&>(center), static_cast<B&&>(deviation), s);
}

// exponential<T>(g, shape): with mean 1, -log(u) of uniform u in (0, 1]. exponential<T>(g, scale, shape): scale times
// that (NumPy's exponential; PyTorch's has lambda = 1 / scale). Throws std::invalid_argument for a negative scale.
template <detail::floating_element T, shape_type S>
auto exponential(generator& g, const S& s) {
  using drawn = detail::arithmetic_type<T>;
  return detail::rounded_from<drawn, T>(detail::random_leaf(g, detail::exponential_kind<drawn>{}, s));
}
template <detail::floating_element T, int R>
auto exponential(generator& g, detail::braced_extents<R> s) {
  return exponential<T>(g, detail::braced_shape<R>(s));
}
template <class T = void, detail::real_parameter A, shape_type S>
auto exponential(generator& g, A&& scale, const S& s) {
  using asked = typename detail::drawn_type<T, A>::type;
  static_assert(is_floating(dtype_of<asked>),
                "exponential: the elements are floating numbers [errors.md#draws-of-other-elements]");
  using to = detail::floating_or_f32<asked>;
  return mul(detail::checked<detail::exponential_scale>(detail::parameter_in<to>(static_cast<A&&>(scale), s)),
             exponential<to>(g, s));
}
template <class T = void, detail::real_parameter A, int R>
auto exponential(generator& g, A&& scale, detail::braced_extents<R> s) {
  return exponential<T>(g, static_cast<A&&>(scale), detail::braced_shape<R>(s));
}
template <class T = void, array A>
  requires(!shape_type<A>)
auto exponential(generator& g, A&& scale) {
  const auto s = detail::common_shape("exponential", scale);
  return exponential<T>(g, static_cast<A&&>(scale), s);
}

// gamma<T>(g, k, shape) and gamma<T>(g, k, scale, shape): of shape parameter k >= 0 (NumPy's gamma; PyTorch's Gamma has
// the rate 1 / scale). Marsaglia and Tsang, A simple method for generating gamma variables (2000), in f64. Throws
// std::invalid_argument for parameters that are negative or not finite, of arrays when they are read.
template <class T = void, detail::real_parameter A, shape_type S>
auto gamma(generator& g, A&& k, const S& s) {
  using to = typename detail::drawn_type<T, A>::type;
  return cast<to>(detail::distribution_draws<runtime::distribution::gamma>(g, s, static_cast<A&&>(k)));
}
template <class T = void, detail::real_parameter A, int R>
auto gamma(generator& g, A&& k, detail::braced_extents<R> s) {
  return gamma<T>(g, static_cast<A&&>(k), detail::braced_shape<R>(s));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B, shape_type S>
auto gamma(generator& g, A&& k, B&& scale, const S& s) {
  using to = typename detail::drawn_type<T, A, B>::type;
  return cast<to>(mul(detail::distribution_draws<runtime::distribution::gamma>(g, s, static_cast<A&&>(k)),
                      detail::checked<detail::gamma_scale>(detail::parameter_in<double>(static_cast<B&&>(scale), s))));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B, int R>
auto gamma(generator& g, A&& k, B&& scale, detail::braced_extents<R> s) {
  return gamma<T>(g, static_cast<A&&>(k), static_cast<B&&>(scale), detail::braced_shape<R>(s));
}
template <class T = void, array A>
auto gamma(generator& g, A&& k) {
  const auto s = detail::common_shape("gamma", k);
  return gamma<T>(g, static_cast<A&&>(k), s);
}
template <class T = void, detail::real_parameter A, detail::real_parameter B>
  requires detail::has_arrays<A, B>
auto gamma(generator& g, A&& k, B&& scale) {
  const auto s = detail::common_shape("gamma", k, scale);
  return gamma<T>(g, static_cast<A&&>(k), static_cast<B&&>(scale), s);
}

// beta<T>(g, a, b, shape): x / (x + y) of gamma draws x of a and y of b (Devroye, Non-Uniform Random Variate
// Generation, 1986, theorem IX.3.1), by their logarithms, in f64 (NumPy's beta). Throws std::invalid_argument unless a
// and b are positive and finite.
template <class T = void, detail::real_parameter A, detail::real_parameter B, shape_type S>
auto beta(generator& g, A&& a, B&& b, const S& s) {
  using to = typename detail::drawn_type<T, A, B>::type;
  return cast<to>(
      detail::distribution_draws<runtime::distribution::beta>(g, s, static_cast<A&&>(a), static_cast<B&&>(b)));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B, int R>
auto beta(generator& g, A&& a, B&& b, detail::braced_extents<R> s) {
  return beta<T>(g, static_cast<A&&>(a), static_cast<B&&>(b), detail::braced_shape<R>(s));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B>
  requires detail::has_arrays<A, B>
auto beta(generator& g, A&& a, B&& b) {
  const auto s = detail::common_shape("beta", a, b);
  return beta<T>(g, static_cast<A&&>(a), static_cast<B&&>(b), s);
}

// dirichlet<T>(g, alpha): points whose coordinates, along the last axis, are positive and add up to 1: gamma draws of
// alpha divided by their sum (Devroye 1986, theorem XI.4.1), by their logarithms. dirichlet<T>(g, alpha, shape): as
// many as the shape has, in front of alpha's axes (NumPy's dirichlet). The sum makes it a barrier, computed row by row.
// Throws std::invalid_argument for an alpha that is negative or not finite when it is read.
template <class T = void, array A>
auto dirichlet(generator& g, A&& alpha) {
  static_assert(detail::rank_of<detail::node_of<A>> > 0,
                "dirichlet: alpha has the coordinates on its last axis [errors.md#other-rank]");
  using to = typename detail::drawn_type<T, A>::type;
  const auto s = detail::common_shape("dirichlet", alpha);
  return cast<to>(softmax(detail::distribution_draws<runtime::distribution::log_gamma>(g, s, static_cast<A&&>(alpha)),
                          boost::hana::integral_constant<index, -1>{}));
}
template <class T = void, array A, shape_type S>
auto dirichlet(generator& g, A&& alpha, const S& s) {
  const auto own = detail::parameter_shape(alpha);
  return dirichlet<T>(g, expand(detail::capture(static_cast<A&&>(alpha)), detail::joined_shape(s, own)));
}
template <class T = void, array A, int R>
auto dirichlet(generator& g, A&& alpha, detail::braced_extents<R> s) {
  return dirichlet<T>(g, static_cast<A&&>(alpha), detail::braced_shape<R>(s));
}

// truncated_normal<T>(g, mean, deviation, low, high, shape): the normal distribution between bounds, which may be
// infinite (PyTorch's trunc_normal_). Robert, Simulation of truncated normal variables (1995), in f64. Throws
// std::invalid_argument unless the deviation is positive and low < high.
template <class T = void, detail::real_parameter A, detail::real_parameter B, detail::real_parameter L,
          detail::real_parameter H, shape_type S>
auto truncated_normal(generator& g, A&& center, B&& deviation, L&& low, H&& high, const S& s) {
  using to = typename detail::drawn_type<T, A, B, L, H>::type;
  return cast<to>(detail::distribution_draws<runtime::distribution::truncated_normal>(
      g, s, static_cast<A&&>(center), static_cast<B&&>(deviation), static_cast<L&&>(low), static_cast<H&&>(high)));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B, detail::real_parameter L,
          detail::real_parameter H, int R>
auto truncated_normal(generator& g, A&& center, B&& deviation, L&& low, H&& high, detail::braced_extents<R> s) {
  return truncated_normal<T>(g, static_cast<A&&>(center), static_cast<B&&>(deviation), static_cast<L&&>(low),
                             static_cast<H&&>(high), detail::braced_shape<R>(s));
}
template <class T = void, detail::real_parameter A, detail::real_parameter B, detail::real_parameter L,
          detail::real_parameter H>
  requires detail::has_arrays<A, B, L, H>
auto truncated_normal(generator& g, A&& center, B&& deviation, L&& low, H&& high) {
  const auto s = detail::common_shape("truncated_normal", center, deviation, low, high);
  return truncated_normal<T>(g, static_cast<A&&>(center), static_cast<B&&>(deviation), static_cast<L&&>(low),
                             static_cast<H&&>(high), s);
}

// Other arguments, of which one may be the shape without braces: normal<double>(g, 0, 1, 5).
namespace detail {
struct uniform_call {
  static constexpr text call{"uniform<T>(g, low, high, {2, 3})"};
};
struct normal_call {
  static constexpr text call{"normal<T>(g, mean, sd, {2, 3})"};
};
struct exponential_call {
  static constexpr text call{"exponential<T>(g, mean, {2, 3})"};
};
struct gamma_call {
  static constexpr text call{"gamma<T>(g, k, scale, {2, 3})"};
};
struct beta_call {
  static constexpr text call{"beta<T>(g, a, b, {2, 3})"};
};
struct dirichlet_call {
  static constexpr text call{"dirichlet<T>(g, alpha, {2, 3})"};
};
struct truncated_normal_call {
  static constexpr text call{"truncated_normal<T>(g, mean, sd, low, high, {2, 3})"};
};
}  // namespace detail
template <class T = void>
errors_md::write_the_arguments_as_in<detail::uniform_call::call> uniform(detail::any_other = {}, detail::any_other = {},
                                                                         detail::any_other = {}, detail::any_other = {},
                                                                         detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::normal_call::call> normal(detail::any_other = {}, detail::any_other = {},
                                                                       detail::any_other = {}, detail::any_other = {},
                                                                       detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::exponential_call::call> exponential(detail::any_other = {},
                                                                                 detail::any_other = {},
                                                                                 detail::any_other = {},
                                                                                 detail::any_other = {},
                                                                                 detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::gamma_call::call> gamma(detail::any_other = {}, detail::any_other = {},
                                                                     detail::any_other = {}, detail::any_other = {},
                                                                     detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::beta_call::call> beta(detail::any_other = {}, detail::any_other = {},
                                                                   detail::any_other = {}, detail::any_other = {},
                                                                   detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::dirichlet_call::call> dirichlet(detail::any_other = {},
                                                                             detail::any_other = {},
                                                                             detail::any_other = {},
                                                                             detail::any_other = {},
                                                                             detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::truncated_normal_call::call> truncated_normal(
    detail::any_other = {}, detail::any_other = {}, detail::any_other = {}, detail::any_other = {},
    detail::any_other = {}, detail::any_other = {}, detail::any_other = {});

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
