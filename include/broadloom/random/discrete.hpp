// Discrete distributions: randint, bernoulli, poisson, binomial, and multinomial_counts. Element types, parameters and
// shapes as in random/continuous.hpp.
#pragma once

#include <broadloom/random/parameters.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

namespace runtime {

// `rows` times n trials over k categories with these probabilities, whose counts go to out, a row each. Throws
// std::invalid_argument for probabilities outside of [0, 1] or whose sum is above 1.
BROADLOOM_API void draw_counts(std::int64_t* out, index rows, std::int64_t n, const double* p, index k,
                               std::uint64_t seed, std::uint64_t position);

}  // namespace runtime

namespace detail {

inline constexpr parameter_rule bernoulli_probability{"bernoulli", "the probability", runtime::domain::probability};

// Bounds of integers of type T.
template <class T>
using bound_of = std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>;

// The number of integers in [low, high), 0 for 2^64. Throws std::invalid_argument where there is none, or T cannot hold
// them.
template <class T>
std::uint64_t checked_range(bound_of<T> low, bound_of<T> high) {
  bool fits = low < high;
  if constexpr (is_floating(dtype_of<T>)) {  // an integer between elements would become one that may be high
    // Not numeric_limits, whose header compilers take longer to read than this one.
    constexpr int digits = sizeof(T) == 8 ? 53 : sizeof(T) == 4 ? 24 : dtype_of<T> == dtype::f16 ? 11 : 8;
    constexpr std::int64_t most = std::int64_t{1} << digits;
    fits = fits && low >= -most && high - 1 <= most;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr int bits = 8 * int{sizeof(T)} - std::is_signed_v<T>;
    constexpr auto most = static_cast<bound_of<T>>(~std::uint64_t{} >> (64 - bits));
    constexpr bound_of<T> least = std::is_signed_v<T> ? ~most : 0;
    fits = fits && low >= least && high - 1 <= most;
  }
  if (!fits) runtime::throw_empty_range("randint", static_cast<double>(low), static_cast<double>(high));
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

// The draw at each place, of a range of its own.
template <class T>
struct integers_of_each {
  using U = std::conditional_t<std::is_integral_v<T> && sizeof(T) <= 4, std::uint32_t, std::uint64_t>;
  std::uint64_t seed;
  T operator()(std::uint64_t place, bound_of<T> low, bound_of<T> high) const {
    U x;
    runtime::fill_integers(&x, 1, checked_range<T>(low, high), seed, place, 1);
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(x + static_cast<U>(low));
    else
      return static_cast<T>(static_cast<std::int64_t>(x + static_cast<U>(low)));
  }
};
template <class P>
concept integer_bound =
    integer_like<std::remove_cvref_t<P>> || (array<P> && is_integer(dtype_of<value_of<node_of<P>>>));

}  // namespace detail

// randint<T>(g, high, shape), randint<T>(g, low, high, shape): integers in [low, high), each equally likely (PyTorch's
// randint, NumPy's Generator.integers). Lemire, Fast random integer generation in an interval (2019). Throws
// std::invalid_argument for an empty range, and for one that T cannot hold.
template <element T = std::int64_t, shape_type S>
  requires(dtype_of<T> != dtype::b8 && !is_complex(dtype_of<T>))
auto randint(generator& g, detail::bound_of<T> low, detail::bound_of<T> high, const S& s) {
  using U = std::conditional_t<std::is_integral_v<T> && sizeof(T) <= 4, std::uint32_t, std::uint64_t>;
  const std::uint64_t count = detail::checked_range<T>(low, high);
  const auto draws = add(detail::random_leaf(g, detail::integers_kind<U>{count}, s), static_cast<U>(low));
  if constexpr (std::is_floating_point_v<T>)
    return cast<T>(cast<std::int64_t>(draws));
  else
    return cast<T>(draws);
}
template <element T = std::int64_t, shape_type S>
  requires(dtype_of<T> != dtype::b8 && !is_complex(dtype_of<T>))
auto randint(generator& g, detail::bound_of<T> high, const S& s) {
  return randint<T>(g, 0, high, s);
}
template <element T = std::int64_t, int R>
  requires(dtype_of<T> != dtype::b8 && !is_complex(dtype_of<T>))
auto randint(generator& g, detail::bound_of<T> low, detail::bound_of<T> high, detail::braced_extents<R> s) {
  return randint<T>(g, low, high, detail::braced_shape<R>(s));
}
template <element T = std::int64_t, int R>
  requires(dtype_of<T> != dtype::b8 && !is_complex(dtype_of<T>))
auto randint(generator& g, detail::bound_of<T> high, detail::braced_extents<R> s) {
  return randint<T>(g, 0, high, detail::braced_shape<R>(s));
}
// randint<T>(g, low, high, shape), randint<T>(g, low, high): bounds that are arrays of integers, one or both; the
// shape may be left out. Element by element the same numbers as with these bounds as numbers; they are checked when
// they are read (NumPy's Generator.integers).
template <element T = std::int64_t, detail::integer_bound A, detail::integer_bound B, shape_type S>
  requires(dtype_of<T> != dtype::b8 && !is_complex(dtype_of<T>) && detail::has_arrays<A, B>)
auto randint(generator& g, A&& low, B&& high, const S& s) {
  using bound = detail::bound_of<T>;
  return pointwise(detail::integers_of_each<T>{g.seed()}, detail::random_leaf(g, detail::places_kind{}, s),
                   detail::parameter_in<bound>(static_cast<A&&>(low), s),
                   detail::parameter_in<bound>(static_cast<B&&>(high), s));
}
template <element T = std::int64_t, detail::integer_bound A, detail::integer_bound B>
  requires(dtype_of<T> != dtype::b8 && !is_complex(dtype_of<T>) && detail::has_arrays<A, B>)
auto randint(generator& g, A&& low, B&& high) {
  const auto s = detail::common_shape("randint", low, high);
  return randint<T>(g, static_cast<A&&>(low), static_cast<B&&>(high), s);
}

// bernoulli<T>(g, p, shape), bernoulli(g, p): 1, or true, with probability p (PyTorch's bernoulli): whether a uniform
// draw in f64 is below p. Throws std::invalid_argument unless p is in [0, 1], of an array when it is read.
template <class T = void, detail::real_parameter P, shape_type S>
auto bernoulli(generator& g, P&& p, const S& s) {
  using to = typename detail::drawn_type<T, P>::type;
  const auto u = detail::random_leaf(g, detail::uniform_kind<double>{}, s);
  return cast<to>(
      lt(u, detail::checked<detail::bernoulli_probability>(detail::parameter_in<double>(static_cast<P&&>(p), s))));
}
template <class T = void, detail::real_parameter P, int R>
auto bernoulli(generator& g, P&& p, detail::braced_extents<R> s) {
  return bernoulli<T>(g, static_cast<P&&>(p), detail::braced_shape<R>(s));
}
template <class T = void, array P>
auto bernoulli(generator& g, P&& p) {
  const auto s = detail::common_shape("bernoulli", p);
  return bernoulli<T>(g, static_cast<P&&>(p), s);
}

// poisson<T>(g, rate, shape), poisson(g, rate) (PyTorch's and NumPy's poisson). Rates below 10 by inversion (Devroye,
// Non-Uniform Random Variate Generation, 1986, III.2.1), others by Hormann, The transformed rejection method for
// generating Poisson random variables (1993), in f64. Throws std::invalid_argument unless the rate is in [0, 2^52], of
// an array when it is read.
template <class T = void, detail::real_parameter P, shape_type S>
auto poisson(generator& g, P&& rate, const S& s) {
  using to = typename detail::drawn_type<T, P>::type;
  return cast<to>(detail::distribution_draws<runtime::distribution::poisson>(g, s, static_cast<P&&>(rate)));
}
template <class T = void, detail::real_parameter P, int R>
auto poisson(generator& g, P&& rate, detail::braced_extents<R> s) {
  return poisson<T>(g, static_cast<P&&>(rate), detail::braced_shape<R>(s));
}
template <class T = void, array P>
auto poisson(generator& g, P&& rate) {
  const auto s = detail::common_shape("poisson", rate);
  return poisson<T>(g, static_cast<P&&>(rate), s);
}

// binomial<T>(g, n, p, shape), binomial(g, n, p): successes in n trials (PyTorch's and NumPy's binomial). By inversion
// where n min(p, 1 - p) is below 10, else Hormann, The generation of binomial random variates (1993), in f64. Throws
// std::invalid_argument unless n is an integer in [0, 2^53] and p is in [0, 1], of arrays when they are read.
template <class T = void, detail::real_parameter N, detail::real_parameter P, shape_type S>
auto binomial(generator& g, N&& n, P&& p, const S& s) {
  using to = typename detail::drawn_type<T, N, P>::type;
  return cast<to>(
      detail::distribution_draws<runtime::distribution::binomial>(g, s, static_cast<N&&>(n), static_cast<P&&>(p)));
}
template <class T = void, detail::real_parameter N, detail::real_parameter P, int R>
auto binomial(generator& g, N&& n, P&& p, detail::braced_extents<R> s) {
  return binomial<T>(g, static_cast<N&&>(n), static_cast<P&&>(p), detail::braced_shape<R>(s));
}
template <class T = void, detail::real_parameter N, detail::real_parameter P>
  requires detail::has_arrays<N, P>
auto binomial(generator& g, N&& n, P&& p) {
  const auto s = detail::common_shape("binomial", n, p);
  return binomial<T>(g, static_cast<N&&>(n), static_cast<P&&>(p), s);
}

// multinomial_counts(g, n, p, shape): how often each of k categories comes up in n trials with the probabilities p, of
// one axis; what they lack to 1 belongs to the last one. An i64 array of the shape's axes and k (NumPy's multinomial).
// Evaluates: binomial draws of what the categories before leave (Devroye 1986, XI.1.4). Throws std::invalid_argument
// for probabilities outside of [0, 1] or with a sum above 1.
template <array P, shape_type S>
auto multinomial_counts(generator& g, std::int64_t n, P&& p, const S& s) {
  static_assert(detail::rank_of<detail::node_of<P>> == 1,
                "multinomial_counts: the probabilities have one axis [errors.md#other-rank]");
  const auto weights = eval(cast<double>(static_cast<P&&>(p)));
  const auto whole = detail::joined_shape(s, weights.shape());
  detail::check_count("multinomial_counts", whole, sizeof(std::int64_t));
  auto out = tensor<std::int64_t, std::remove_const_t<decltype(whole)>>::uninitialised(whole);
  runtime::draw_counts(out.data(), s.size(), n, weights.data(), weights.size(), g.seed(), g.draw(out.size()));
  return out;
}
template <array P, int R>
auto multinomial_counts(generator& g, std::int64_t n, P&& p, detail::braced_extents<R> s) {
  return multinomial_counts(g, n, static_cast<P&&>(p), detail::braced_shape<R>(s));
}

// Other arguments, of which one may be the shape without braces: randint(g, 0, 10, 5).
namespace detail {
struct randint_call {
  static constexpr text call{"randint(g, low, high, {2, 3})"};
};
struct bernoulli_call {
  static constexpr text call{"bernoulli<T>(g, p, {2, 3})"};
};
struct poisson_call {
  static constexpr text call{"poisson<T>(g, rate, {2, 3})"};
};
struct binomial_call {
  static constexpr text call{"binomial<T>(g, n, p, {2, 3})"};
};
struct multinomial_counts_call {
  static constexpr text call{"multinomial_counts(g, n, p, {2, 3})"};
};
}  // namespace detail
template <class T = void>
errors_md::write_the_arguments_as_in<detail::randint_call::call> randint(detail::any_other = {}, detail::any_other = {},
                                                                         detail::any_other = {}, detail::any_other = {},
                                                                         detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::bernoulli_call::call> bernoulli(detail::any_other = {},
                                                                             detail::any_other = {},
                                                                             detail::any_other = {},
                                                                             detail::any_other = {},
                                                                             detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::poisson_call::call> poisson(detail::any_other = {}, detail::any_other = {},
                                                                         detail::any_other = {}, detail::any_other = {},
                                                                         detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::binomial_call::call> binomial(detail::any_other = {},
                                                                           detail::any_other = {},
                                                                           detail::any_other = {},
                                                                           detail::any_other = {},
                                                                           detail::any_other = {});
template <class T = void>
errors_md::write_the_arguments_as_in<detail::multinomial_counts_call::call> multinomial_counts(detail::any_other = {},
                                                                                               detail::any_other = {},
                                                                                               detail::any_other = {},
                                                                                               detail::any_other = {},
                                                                                               detail::any_other = {});

}  // namespace broadloom
