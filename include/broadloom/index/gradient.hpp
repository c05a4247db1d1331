// Of samples along an axis: their slope, angles without jumps, and what lies between zeros: gradient, unwrap,
// trim_zeros. They evaluate.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/flag.hpp>
#include <broadloom/index/differences.hpp>
#include <broadloom/index/operand.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

namespace detail {

// Differences of second order with weights that depend on where the points are: w[0] f[i - 1] + w[1] f[i] + w[2] f[i +
// 1]. Three rows of `n` weights, for the inner elements; and the weights of both edges: three each, of which an edge of
// order 1 has two. Throws shape_error that names the call for other orders than 1 and 2, and for fewer than order + 1
// points.
BROADLOOM_API void slope_weights(const double* points, index n, int order, double* inner, double* edges);

template <class E>
auto samples_in_memory(const E& e) {
  if constexpr (leaf<E> && !deferred_leaf<E>)
    return e;
  else
    return capture(eval(e));
}

template <class T, class X, class A>
auto slopes(const X& x, const double* points, double step, const A& axis, int order) {
  constexpr int rank = rank_of<X>;
  static_assert(rank > 0, "gradient expects an array of at least one axis [errors.md#too-few-axes]");
  const index a{normal_axis(static_cast<index>(axis), rank, "gradient")};
  const index n = x.shape()[static_cast<int>(a)];
  double edges[6];
  dtensor<double, 2> weights(3, points != nullptr && n > 2 ? n - 2 : 0);
  slope_weights(points, n, order, weights.data(), edges);
  auto r = deduced_tensor<T, shape_of<X>>::uninitialised(x.shape());
  const auto part = [&](auto& whole, index first, index count) { return narrow(whole, a, first, count); };
  const auto weighted = [&](int w, index first) {
    return mul(part(x, first, 1), static_cast<T>(edges[w] / (points == nullptr ? step : 1)));
  };
  const auto edge = [&](index to, int w, index first) {
    if (order == 1)
      assign(part(r, to, 1), add(weighted(w, first), weighted(w + 1, first + 1)));
    else
      assign(part(r, to, 1), add(add(weighted(w, first), weighted(w + 1, first + 1)), weighted(w + 2, first + 2)));
  };
  edge(0, 0, 0);
  edge(n - 1, 3, n - 1 - order);
  if (n < 3) return r;
  const auto before = part(x, 0, n - 2), after = part(x, 2, n - 2);
  if (points == nullptr) {
    assign(part(r, 1, n - 2), mul(sub(after, before), static_cast<T>(1 / (2 * step))));
    return r;
  }
  indices<rank> along{};
  for (index& e : along) e = 1;
  along[static_cast<int>(a)] = n - 2;
  const dtensor<real_of<T>, 2> w(cast<real_of<T>>(weights));
  const auto row = [&](index k) {
    return view<const real_of<T>, dshape<rank>, row_major>(w.data() + k * (n - 2), dshape<rank>::unchecked(along));
  };
  assign(part(r, 1, n - 2), add(add(mul(before, row(0)), mul(part(x, 1, n - 2), row(1))), mul(after, row(2))));
  return r;
}

}  // namespace detail

// gradient(f, dx = 1, axis = -1, edge_order = 1): the slope of samples at a distance of dx along the axis: (f[i + 1] -
// f[i - 1]) / (2 dx), at both ends from two elements, or with edge_order 2 from three; gradient(f, points, axis, ...):
// of samples at these points, of rank 1, by differences of second order. Integers as by sqrt. Throws shape_error for
// fewer than edge_order + 1 elements, and for another number of points (NumPy's and PyTorch's gradient, of one axis).
inline constexpr struct gradient_t {
  template <array F, detail::number_scalar D = double, detail::integer_like A = detail::axis_at_end>
  auto operator()(F&& f, D dx = D(1), A axis = {}, int edge_order = 1) const {
    const auto x = detail::samples_in_memory(detail::integrand(static_cast<F&&>(f)));
    using T = detail::value_of<std::remove_const_t<decltype(x)>>;
    return detail::slopes<T>(x, nullptr, static_cast<double>(dx), axis, edge_order);
  }
  template <array F, array P, detail::integer_like A = detail::axis_at_end>
  auto operator()(F&& f, P&& points, A axis = {}, int edge_order = 1) const {
    static_assert(detail::rank_of<detail::node_of<P>> == 1, "gradient: the points have one axis [errors.md#one-axis]");
    const auto x = detail::samples_in_memory(detail::integrand(static_cast<F&&>(f)));
    using node = std::remove_const_t<decltype(x)>;
    const dtensor<double, 1> p(cast<double>(static_cast<P&&>(points)));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<node>, "gradient");
    if (p.size() != x.shape()[a])
      detail::refuse("when 1d, distances must match the length of the corresponding dimension", "gradient", x.shape(),
                     p.shape());
    return detail::slopes<detail::value_of<node>>(x, p.data(), 1, axis, edge_order);
  }
} gradient{};

// unwrap(x, axis = -1, period = 2 pi, largest = period / 2): x with multiples of the period added, so that neighbours
// along the axis differ by at most half a period, unless they differ by less than `largest` anyhow. Floating elements
// (NumPy's unwrap).
inline constexpr struct unwrap_t {
  template <array X, detail::integer_like A = detail::axis_at_end>
    requires(is_floating(dtype_of<detail::value_of<detail::node_of<X>>>))
  auto operator()(X&& x, A axis = {}, double period = 6.283185307179586, double largest = -1) const {
    const auto e = detail::samples_in_memory(detail::capture(static_cast<X&&>(x)));
    using node = std::remove_const_t<decltype(e)>;
    using T = detail::value_of<node>;
    static_assert(detail::rank_of<node> > 0, "unwrap expects an array of at least one axis [errors.md#too-few-axes]");
    const auto half = static_cast<T>(period / 2), whole = static_cast<T>(period);
    const T limit = largest < 0 ? half : static_cast<T>(largest);
    auto r = detail::deduced_tensor<T, detail::shape_of<node>>(e);
    const index a{detail::normal_axis(static_cast<index>(axis), detail::rank_of<node>, "unwrap")};
    const index n = e.shape()[static_cast<int>(a)];
    if (n < 2) return r;
    const auto steps = let(sub(detail::later_ones(e, a), detail::earlier_ones(e, a)));
    const auto folded = sub(remainder(add(steps, half), whole), half);
    const auto inside = where(logical_and(eq(folded, -half), gt(steps, T(0))), half, folded);
    const auto fixed = where(lt(abs(steps), limit), T(0), sub(inside, steps));
    assign(narrow(r, a, 1, n - 1), add(narrow(e, a, 1, n - 1), cumsum(fixed, a)));
    return r;
  }
} unwrap{};

// trim_zeros(x, front = true, back = true): x, of rank 1, without the zeros at its ends (NumPy's trim_zeros).
inline constexpr struct trim_zeros_t {
  template <array X, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x, detail::plain_flag front = true, detail::plain_flag back = true) const {
    static_assert(detail::rank_of<detail::node_of<X>> == 1, "trim_zeros: the array has one axis [errors.md#one-axis]");
    using T = detail::value_of<detail::node_of<X>>;
    const auto e = detail::capture(static_cast<X&&>(x));
    const detail::memory<std::remove_const_t<decltype(e)>, Native> m(e, runtime::options{}, {true, {}});
    const T* const elements = m.data();
    index first = 0, last = m.form().extents[0];
    while (front && first < last && elements[first] == T(0)) ++first;
    while (back && last > first && elements[last - 1] == T(0)) --last;
    return dtensor<T, 1>(view<const T, dshape<1>, row_major>(elements + first, dshape<1>(last - first)));
  }
} trim_zeros{};

}  // namespace broadloom
