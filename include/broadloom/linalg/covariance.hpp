// Covariances and correlations of variables: cov, corrcoef.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/linalg/products.hpp>
#include <broadloom/reduce/statistics.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

namespace runtime {

// Sums of weights: of all, and what the sum of squares is divided by, not below 0.
struct weight_sums {
  double total, divisor;
};
// Multiplies the weights of n observations into `weights`. Throws shape_error where there are not as many weights as
// observations, std::invalid_argument for negative ones, and for a sum of 0. Either list may be null.
BROADLOOM_API weight_sums observation_weights(const std::int64_t* counts, index count_size, const double* reliability,
                                              index reliability_size, index n, double correction, double* weights);

}  // namespace runtime

// fweights(x): how often each observation was made, integers; aweights(x): how much each counts (NumPy's and PyTorch's
// names). Arguments of cov.
template <class Weights>
struct frequency_weights {
  Weights list;
};
template <class Weights>
struct analytic_weights {
  Weights list;
};
inline constexpr struct fweights_t {
  template <array X>
    requires(is_integer(dtype_of<detail::value_of<detail::node_of<X>>>) && detail::rank_of<detail::node_of<X>> == 1)
  auto operator()(X&& x) const {
    auto list = dtensor<std::int64_t, 1>(cast<std::int64_t>(static_cast<X&&>(x)));
    return frequency_weights<dtensor<std::int64_t, 1>>{static_cast<dtensor<std::int64_t, 1>&&>(list)};
  }
} fweights{};
inline constexpr struct aweights_t {
  template <array X>
    requires(!is_complex(dtype_of<detail::value_of<detail::node_of<X>>>) && detail::rank_of<detail::node_of<X>> == 1)
  auto operator()(X&& x) const {
    auto list = dtensor<double, 1>(cast<double>(static_cast<X&&>(x)));
    return analytic_weights<dtensor<double, 1>>{static_cast<dtensor<double, 1>&&>(list)};
  }
} aweights{};

namespace detail {

struct weight_lists {
  const dtensor<std::int64_t, 1>* counts = nullptr;
  const dtensor<double, 1>* reliability = nullptr;
  void add(const frequency_weights<dtensor<std::int64_t, 1>>& w) { counts = &w.list; }
  void add(const analytic_weights<dtensor<double, 1>>& w) { reliability = &w.list; }
};
template <class W>
concept observation_weight = requires(weight_lists l, const W& w) { l.add(w); };

// Rows are variables, columns observations; an array of rank 1 is one variable.
template <class E>
constexpr auto observations(const E& e) {
  static_assert(rank_of<E> <= 2, "cov(): expected input to have two or fewer dimensions [errors.md#too-many-axes]");
  using T = value_of<E>;
  using compute = arithmetic_type<floating_type<T>>;
  if constexpr (rank_of<E> == 0)
    return argument<compute>(unsqueeze(unsqueeze(e, integer_constant<0>{}), integer_constant<0>{}));
  else if constexpr (rank_of<E> == 1)
    return argument<compute>(unsqueeze(e, integer_constant<0>{}));
  else
    return argument<compute>(e);
}
template <class E, class C>
auto as_given(const C& c) {
  if constexpr (rank_of<E> == 2)
    return c;
  else
    return select(select(c, integer_constant<0>{}, integer_constant<0>{}), integer_constant<0>{},
                  integer_constant<0>{});
}
template <class C>
auto correlations(const C& c) {
  const auto scale = let(sqrt(diagonal(c)));
  const auto r = div(div(c, unsqueeze(scale, integer_constant<1>{})), unsqueeze(scale, integer_constant<0>{}));
  using T = value_of<C>;
  return minimum(maximum(r, T(-1)), T(1));
}
template <array X>
auto covariances(X&& x, double correction) {
  const auto e = shared_tree(observations(capture(static_cast<X&&>(x))));
  const auto n = static_cast<double>(e.shape()[1]) - correction;
  const auto centred = shared_tree(sub(e, mean(e, axes<1>, keepdim)));
  return shared_tree(div(matmul(centred, transpose(centred)), n > 0 ? n : 0.0));
}

// The same of weighted observations: sums of w (x - mean) (x - mean)'. The weights are looked at now.
template <array X>
auto weighted_covariances(X&& x, double correction, const weight_lists& lists) {
  const auto e = shared_tree(observations(capture(static_cast<X&&>(x))));
  using T = value_of<std::remove_const_t<decltype(e)>>;
  const index n = e.shape()[1];
  auto weights = dtensor<double, 1>::uninitialised(dshape<1>(n));
  const runtime::weight_sums sums = runtime::observation_weights(
      lists.counts == nullptr ? nullptr : lists.counts->data(), lists.counts == nullptr ? 0 : lists.counts->size(),
      lists.reliability == nullptr ? nullptr : lists.reliability->data(),
      lists.reliability == nullptr ? 0 : lists.reliability->size(), n, correction, weights.data());
  const auto w = shared_tree(capture(dtensor<T, 1>(cast<T>(weights))));
  const auto centred = shared_tree(sub(e, div(sum(mul(e, w), axes<1>, keepdim), static_cast<T>(sums.total))));
  return shared_tree(div(matmul(mul(centred, w), transpose(centred)), static_cast<T>(sums.divisor)));
}

}  // namespace detail

// cov(x, correction{1}): the covariances of x's rows, (n, m) -> (n, n); of rank 1 its variance, of rank 0. Integers in
// f32. Lazy. cov(x, fweights(f), aweights(a), correction{1}): of observations with weights, one or both, which are
// looked at at once. Throws shape_error for another number of weights, std::invalid_argument for a negative weight and
// for a sum of 0 (PyTorch's and NumPy's cov).
inline constexpr struct cov_t : detail::refuses_other_arguments<cov_t> {
  static constexpr detail::text call{"cov(stack(0, x, y), correction{1})"};
  using detail::refuses_other_arguments<cov_t>::operator();
  template <array X>
    requires(!is_complex(dtype_of<detail::value_of<detail::node_of<X>>>))
  auto operator()(X&& x, correction c = {}) const {
    using T = detail::value_of<detail::node_of<X>>;
    return detail::rounded_from<detail::arithmetic_type<T>, T>(
        detail::as_given<detail::node_of<X>>(detail::covariances(static_cast<X&&>(x), c.n)));
  }
  template <array X, detail::observation_weight W>
    requires(!is_complex(dtype_of<detail::value_of<detail::node_of<X>>>))
  auto operator()(X&& x, const W& w, correction c = {}) const {
    detail::weight_lists lists;
    lists.add(w);
    return weighted(static_cast<X&&>(x), c.n, lists);
  }
  template <array X, detail::observation_weight F, detail::observation_weight W>
    requires(!is_complex(dtype_of<detail::value_of<detail::node_of<X>>>) && !__is_same(F, W))
  auto operator()(X&& x, const F& f, const W& w, correction c = {}) const {
    detail::weight_lists lists;
    lists.add(f);
    lists.add(w);
    return weighted(static_cast<X&&>(x), c.n, lists);
  }

 private:
  template <class X>
  static auto weighted(X&& x, double c, const detail::weight_lists& lists) {
    using T = detail::value_of<detail::node_of<X>>;
    return detail::rounded_from<detail::arithmetic_type<T>, T>(
        detail::as_given<detail::node_of<X>>(detail::weighted_covariances(static_cast<X&&>(x), c, lists)));
  }
} cov{};

// corrcoef(x): the correlation coefficients of x's rows, cov divided by both standard deviations, in [-1, 1] (PyTorch's
// and NumPy's).
inline constexpr struct corrcoef_t : detail::refuses_other_arguments<corrcoef_t> {
  static constexpr detail::text call{"corrcoef(stack(0, x, y))"};
  using detail::refuses_other_arguments<corrcoef_t>::operator();
  template <array X>
    requires(!is_complex(dtype_of<detail::value_of<detail::node_of<X>>>))
  auto operator()(X&& x) const {
    using T = detail::value_of<detail::node_of<X>>;
    return detail::rounded_from<detail::arithmetic_type<T>, T>(
        detail::as_given<detail::node_of<X>>(detail::correlations(detail::covariances(static_cast<X&&>(x), 1))));
  }
} corrcoef{};

}  // namespace broadloom
