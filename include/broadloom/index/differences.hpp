// Neighbours along an axis, and sums over them: diff, trapezoid, cumulative_trapezoid; trace; running sums and products
// that begin with a value: cumulative_sum, cumulative_prod.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/index/join.hpp>
#include <broadloom/reduce/scans.hpp>
#include <broadloom/tensor/factories.hpp>

namespace broadloom {

namespace detail {

// All indices of an axis but the first, or but the last, one; none where there is none.
struct trim_edit {
  static constexpr int added = 0;
  static constexpr int axes(int k, int rank) { return k == 0 ? rank : -1; }
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R>& to, index axis, index) {
    const int a = normal_axis(axis, R);
    to = x;
    to[a] = x[a] == dyn ? dyn : x[a] > 0 ? x[a] - 1 : 0;
    return true;
  }
  template <int R>
  static constexpr auto apply(geometry<R> g, index axis, index first) {
    const int a = normal_axis(axis, R, "diff");
    if (g.extents[a] > 0) {
      if (g.extents[a] > 1) g.offset += first * g.strides[a];
      --g.extents[a];
    }
    return g;
  }
};
template <class E, class A>
constexpr auto later_ones(const E& e, A axis) {
  return edit_axes<trim_edit>(e, axis, integer_constant<1>{});
}
template <class E, class A>
constexpr auto earlier_ones(const E& e, A axis) {
  return edit_axes<trim_edit>(e, axis, integer_constant<0>{});
}

template <class E, class A>
constexpr auto differences(const E& e, A axis) {
  if constexpr (__is_same(value_of<E>, bool))
    return ne(later_ones(e, axis), earlier_ones(e, axis));
  else
    return sub(later_ones(e, axis), earlier_ones(e, axis));
}
template <int N, class E, class A>
constexpr auto differences_of_order(const E& e, A axis) {
  static_assert(rank_of<E> > 0, "diff expects an array of at least one axis [errors.md#too-few-axes]");
  if constexpr (N == 0)
    return e;
  else if constexpr (N == 1)
    return differences(shared_tree(e), axis);
  else
    return differences_of_order<N - 1>(shared_tree(differences(shared_tree(e), axis)), axis);
}

using axis_at_end = boost::hana::integral_constant<index, -1>;

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_order(index n) { throw_error(error_kind::bad_order, {n}); }
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_trapezoid(index points, index extent) {
  throw_error(error_kind::trapezoid, {points, extent});
}

}  // namespace detail

// diff(x, n = 1, axis = -1): element i + 1 minus element i along the axis, n times over; of bool, whether they differ.
// Each time the axis has one index less, at least none. n is a constant (2_c), and the call lazy; or an integer, and it
// is evaluated. To put something before or after, cat it: diff(cat(0, first, x)). Throws shape_error for n < 0
// (PyTorch's and NumPy's diff).
inline constexpr struct diff_t {
  template <array X, detail::integer_like N = detail::integer_constant<1>, detail::integer_like A = detail::axis_at_end>
  constexpr auto operator()(X&& x, N n = {}, A axis = {}) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    if constexpr (detail::constant<N>) {
      static_assert(N::value >= 0, "order must be non-negative [errors.md#order-of-diff]");
      return detail::differences_of_order<static_cast<int>(N::value)>(e, axis);
    } else {
      if (n < 0) detail::throw_bad_order(static_cast<index>(n));
      constexpr int rank = detail::rank_of<decltype(e)>;
      static_assert(rank > 0, "diff expects an array of at least one axis [errors.md#too-few-axes]");
      dtensor<detail::value_of<decltype(e)>, rank> r(e);
      for (N k = 0; k < n; ++k) r = detail::differences(detail::capture(r), axis);
      return r;
    }
  }
} diff{};

namespace detail {

// (x[i + 1] + x[i]) / 2, times the gaps.
template <class E, class G, class A>
constexpr auto areas(const E& e, const G& gaps, A axis) {
  return mul(mul(add(later_ones(e, axis), earlier_ones(e, axis)), gaps), 0.5);
}
template <class E, class P, class A>
constexpr auto gaps_of(const E& e, const P& points, A axis) {
  constexpr int rank = rank_of<E>;
  if constexpr (rank_of<P> == 1 && rank > 1) {
    const int a = normal_axis(static_cast<index>(axis), rank, "trapezoid");
    if (points.shape()[0] != e.shape()[a]) throw_trapezoid(points.shape()[0], e.shape()[a]);
    indices<rank> x{};
    for (index& n : x) n = 1;
    const auto gaps = differences(shared_tree(points), integer_constant<0>{});
    x[a] = gaps.shape()[0];
    return movedim(expand(gaps, dshape<rank>::unchecked([&] {
                            indices<rank> last{};
                            for (int i = 0; i < rank; ++i) last[i] = i == rank - 1 ? x[a] : 1;
                            return last;
                          }())),
                   index{-1}, index{a});
  } else
    return differences(shared_tree(points), axis);
}
template <array Y>
constexpr auto integrand(Y&& y) {
  return shared_tree(argument<floating_type<value_of<node_of<Y>>>>(static_cast<Y&&>(y)));
}

template <bool Running>
struct trapezoid_function {
  template <array Y, number_scalar D = double, integer_like A = axis_at_end>
  constexpr auto operator()(Y&& y, D dx = D(1), A axis = {}) const {
    const auto e = integrand(static_cast<Y&&>(y));
    return over(mul(add(later_ones(e, axis), earlier_ones(e, axis)), static_cast<double>(dx) / 2), axis);
  }
  template <array Y, array P, integer_like A = axis_at_end>
  constexpr auto operator()(Y&& y, P&& points, A axis = {}) const {
    const auto e = integrand(static_cast<Y&&>(y));
    return over(areas(e, gaps_of(e, capture(static_cast<P&&>(points)), axis), axis), axis);
  }

 private:
  template <class E, class A>
  static constexpr auto over(const E& e, A axis) {
    if constexpr (Running)
      return cumsum(e, axis);
    else
      return sum(e, axis);
  }
};

}  // namespace detail

// trapezoid(y, dx = 1, axis = -1): the integral along the axis by the trapezoidal rule, sum of (y[i + 1] + y[i]) * dx /
// 2; trapezoid(y, x, axis): with x[i + 1] - x[i] in place of dx, x of rank 1 along the axis, or broadcast with y.
// Integers as by sqrt. cumulative_trapezoid: the running integrals, one fewer than elements (PyTorch's, NumPy's trapz).
// An axis by itself is given as a constant after dx. Lazy.
inline constexpr detail::trapezoid_function<false> trapezoid{};
inline constexpr detail::trapezoid_function<true> cumulative_trapezoid{};
inline constexpr detail::trapezoid_function<false> trapz{};

// trace(x, shift = 0, first = 0, second = 1): the sum along a diagonal, whose axes go away (NumPy's trace; PyTorch's
// has rank 2 alone).
inline constexpr struct trace_t {
  template <array X, class... N>
    requires(sizeof...(N) <= 3 && (detail::integer_like<N> && ...))
  constexpr auto operator()(X&& x, N... n) const {
    static_assert(detail::rank_of<detail::node_of<X>> >= 2,
                  "trace expects an array of at least two axes [errors.md#too-few-axes]");
    return sum(diagonal(detail::capture(static_cast<X&&>(x)), n...), axes<-1>);
  }
} trace{};

namespace detail {

template <class Scan>
struct cumulative_function {
  template <array X, integer_like A, number_scalar V, class... O>
  constexpr auto operator()(X&& x, A axis, V initial, const O&... o) const {
    const auto e = capture(static_cast<X&&>(x));
    constexpr int rank = rank_of<decltype(e)>;
    static_assert(rank > 0, "an array of at least one axis [errors.md#too-few-axes]");
    using T = value_of<decltype(e)>;
    const int a = normal_axis(static_cast<index>(axis), rank, "cumulative_sum");
    using before = shape_with<A, shape_of<decltype(e)>, 1>;
    auto one = e.shape().extents();
    one[a] = 1;
    return Scan{}(cat(axis, expand(full(shape<>{}, number_as<T>(initial)), before::unchecked(one)), e), axis, o...);
  }
};

}  // namespace detail

// cumulative_sum(x, axis, initial), cumulative_prod(x, axis, initial): the running sums and products with `initial` put
// before x's elements, so that they begin with it and there is one more of them (NumPy 2's, include_initial). Options
// are those of cumsum.
inline constexpr detail::cumulative_function<detail::scan_function<detail::sum_r>> cumulative_sum{};
inline constexpr detail::cumulative_function<detail::scan_function<detail::prod_r>> cumulative_prod{};

}  // namespace broadloom
