// Covariances and correlations of variables: cov, corrcoef.
#pragma once

#include <broadloom/linalg/products.hpp>
#include <broadloom/reduce/statistics.hpp>

namespace broadloom {

namespace detail {

// Rows are variables, columns observations; an array of rank 1 is one variable.
template <class E>
constexpr auto observations(const E& e) {
  static_assert(rank_of<E> <= 2, "cov(): expected input to have two or fewer dimensions");
  using T = value_of<E>;
  using compute = std::conditional_t<is_floating(dtype_of<T>) || is_complex(dtype_of<T>), arithmetic_type<T>, float>;
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

}  // namespace detail

// cov(x, correction{1}): the covariances of x's rows, (n, m) -> (n, n); of rank 1 its variance, of rank 0. Integers in
// f32. Lazy (PyTorch's and NumPy's cov, without weights).
inline constexpr struct cov_t {
  template <array X>
    requires(!is_complex(dtype_of<detail::value_of<detail::node_of<X>>>))
  auto operator()(X&& x, correction c = {}) const {
    using T = detail::value_of<detail::node_of<X>>;
    return detail::rounded_from<detail::arithmetic_type<T>, T>(
        detail::as_given<detail::node_of<X>>(detail::covariances(static_cast<X&&>(x), c.n)));
  }
} cov{};

// corrcoef(x): the correlation coefficients of x's rows, cov divided by both standard deviations, in [-1, 1] (PyTorch's
// and NumPy's).
inline constexpr struct corrcoef_t {
  template <array X>
    requires(!is_complex(dtype_of<detail::value_of<detail::node_of<X>>>))
  auto operator()(X&& x) const {
    using T = detail::value_of<detail::node_of<X>>;
    return detail::rounded_from<detail::arithmetic_type<T>, T>(
        detail::as_given<detail::node_of<X>>(detail::correlations(detail::covariances(static_cast<X&&>(x), 1))));
  }
} corrcoef{};

}  // namespace broadloom
