// Values by intervals: histogram with given edges, digitize; and a function given by points: interp. They evaluate.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/copy_elements.hpp>
#include <broadloom/core/flag.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/index/count.hpp>
#include <broadloom/reduce/sums.hpp>

namespace broadloom {

// What histogram gives.
template <class Counts, class Edges>
struct histogram_result {
  Counts hist;
  Edges edges;
};

namespace detail {

// Where edges are neither ascending nor descending, and where there are too few of them.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_edges(const char* call, const char* sentence) {
  throw_error(error_kind::bad_edges, {call, sentence});
}
// 1 where they ascend, -1 where they descend; throws otherwise.
BROADLOOM_API int direction_of(const double* edges, index n, const char* call);
// Adds weights (null: ones) to bins of zeros between ascending edges, one more of them; values equal to the last edge
// belong to the last bin.
BROADLOOM_API void count_between(const void* values, dtype type, index n, const void* edges, index bins,
                                 const double* weights, double* to);
BROADLOOM_API void interpolate(const double* x, index n, const double* points, const double* values, index count,
                               double left, double right, double* to);

template <class T, array A>
dtensor<T, 1> flat_copy(A&& a) {
  const auto e = argument<T>(static_cast<A&&>(a));
  auto r = tensor<T, dshape<rank_of<decltype(e)>>>(e);
  dtensor<T, 1> flat = dtensor<T, 1>::uninitialised(dshape<1>(r.size()));
  if (r.size() > 0) runtime::copy_elements(flat.data(), r.data(), static_cast<std::size_t>(r.size()) * sizeof(T));
  return flat;
}

// {low, high}
struct value_range {
  double low, high;
  template <number_scalar L, number_scalar H>
  constexpr value_range(L from, H to) : low(static_cast<double>(from)), high(static_cast<double>(to)) {}
};

// Edges of so many intervals of equal width.
inline dtensor<double, 1> equal_edges(const char* call, index count, double low, double high) {
  if (count < 1) throw_bad_edges(call, "bins must be > 0");
  if (high < low) throw_bad_edges(call, "bins must increase monotonically");
  if (!(high >= low && high < __builtin_huge_val() && low > -__builtin_huge_val()))
    throw_bad_edges(call, "the range of the values is not finite");
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  dtensor<double, 1> edges(count + 1);
  fill_edges(edges.data(), count, low, high);
  return edges;
}
// From the least of the values to the largest.
template <class A>
dtensor<double, 1> edges_over(const char* call, index count, const A& values) {
  if (values.size() == 0) return equal_edges(call, count, 0, 1);
  return equal_edges(call, count, static_cast<double>(amin(values).item()), static_cast<double>(amax(values).item()));
}

}  // namespace detail

// histogram(x, edges, density = false): {hist, edges}: how many of x's elements lie in each interval [edges[i], edges[i
// + 1]), the last of which has its upper end; those outside count nowhere. hist is of x's type, of a floating x
// (PyTorch's histogram), else f64. With density, divided by the sum and the widths. histogram(x, edges, weights,
// density): sums of weights. An integer for edges is how many intervals of equal width there are over all values
// or over a range, histogram(x, 10, {low, high}) (NumPy). Throws shape_error for fewer than two edges and for edges
// that do not ascend.
inline constexpr struct histogram_t {
  template <array X, array E>
  auto operator()(X&& x, E&& edges, detail::plain_flag density = false) const {
    return of(static_cast<X&&>(x), static_cast<E&&>(edges), nullptr, density);
  }
  template <array X, array E, array W>
  auto operator()(X&& x, E&& edges, W&& weights, detail::plain_flag density = false) const {
    const auto w = detail::flat_copy<double>(static_cast<W&&>(weights));
    if (w.size() != detail::as_node(x).shape().size())
      detail::refuse("histogram: if weights are given, they have as many elements as the input", "histogram",
                     detail::as_node(x).shape(), w.shape());
    return of(static_cast<X&&>(x), static_cast<E&&>(edges), w.data(), density);
  }
  template <array X, detail::integer_like N, class... O>
  auto operator()(X&& x, N bins, O&&... o) const {
    using own = detail::value_of<detail::node_of<X>>;
    static_assert(!is_complex(dtype_of<own>), "complex numbers have no order [errors.md#complex-order]");
    using T = std::conditional_t<is_floating(dtype_of<own>), own, double>;
    const auto e = detail::as_node(x);
    const detail::memory<std::remove_const_t<decltype(e)>, BROADLOOM_NATIVE> m(e, runtime::options{}, {true, {}});
    const view<const own, dshape<1>> v(m.data(), dshape<1>(e.shape().size()));
    const dtensor<double, 1> edges = detail::edges_over("histogram", static_cast<index>(bins), v);
    return (*this)(v, cast<T>(edges), static_cast<O&&>(o)...);
  }
  template <array X, detail::integer_like N, class... O>
  auto operator()(X&& x, N bins, const detail::value_range& within, O&&... o) const {
    using own = detail::value_of<detail::node_of<X>>;
    using T = std::conditional_t<is_floating(dtype_of<own>), own, double>;
    const auto edges = detail::equal_edges("histogram", static_cast<index>(bins), within.low, within.high);
    return (*this)(static_cast<X&&>(x), cast<T>(edges), static_cast<O&&>(o)...);
  }

 private:
  template <class X, class E>
  static auto of(X&& x, E&& edges, const double* weights, bool density) {
    static_assert(detail::rank_of<detail::node_of<E>> == 1,
                  "histogram: the edges have one axis [errors.md#sorter-and-edges]");
    using own = detail::value_of<detail::node_of<X>>;
    static_assert(!is_complex(dtype_of<own>), "complex numbers have no order [errors.md#complex-order]");
    using T = std::conditional_t<is_floating(dtype_of<own>), own, double>;
    using common = detail::arithmetic_type<promoted<X, E>>;  // of halves, float
    constexpr index known = detail::shape_of<detail::node_of<E>>::static_extents[0];
    using hist = tensor<T, shape<detail::is_dyn(known) ? dyn : known - (known > 0)>>;
    using ends = tensor<T, shape<detail::is_dyn(known) ? dyn : known>>;
    const auto e = detail::argument<common>(static_cast<X&&>(x));
    const detail::memory<std::remove_const_t<decltype(e)>, BROADLOOM_NATIVE> v(e, runtime::options{}, {true, {}});
    const auto b = detail::flat_copy<common>(static_cast<E&&>(edges));
    if (b.size() < 2) detail::throw_bad_edges("histogram", "bins must have two edges or more");
    for (index i = 1; i < b.size(); ++i)
      if (!(b.data()[i - 1] <= b.data()[i])) detail::throw_bad_edges("histogram", "bins must increase monotonically");
    const index bins = b.size() - 1;
    dtensor<double, 1> sums(bins);
    detail::count_between(v.data(), detail::compiled_dtype<common>(), e.shape().size(), b.data(), bins, weights,
                          sums.data());
    if (density) {
      double whole = 0;
      for (index i = 0; i < bins; ++i) whole += sums.data()[i];
      for (index i = 0; i < bins; ++i)
        sums.data()[i] /= whole * (static_cast<double>(b.data()[i + 1]) - static_cast<double>(b.data()[i]));
    }
    return histogram_result<hist, ends>{hist(cast<T>(sums)), ends(cast<T>(b))};
  }
} histogram{};

// digitize(x, edges, right = false): for each element of x the number of the interval it lies in, i64: i where edges[i
// - 1]
// <= x < edges[i], or with right where edges[i - 1] < x <= edges[i]; 0 and the number of edges beyond the ends. Edges
// ascend or descend, else shape_error (NumPy's digitize).
inline constexpr struct digitize_t {
  template <array X, array E>
  auto operator()(X&& x, E&& edges, detail::right_flag right = false) const {
    static_assert(detail::rank_of<detail::node_of<E>> == 1,
                  "digitize: the edges have one axis [errors.md#sorter-and-edges]");
    using common = promoted<X, E>;
    const auto b = detail::flat_copy<common>(static_cast<E&&>(edges));
    const auto wide = detail::flat_copy<double>(b);
    if (detail::direction_of(wide.data(), wide.size(), "digitize") > 0)
      return searchsorted(b, static_cast<X&&>(x), !right);
    const dtensor<common, 1> ascending(flip(b, 0));
    auto r = searchsorted(ascending, static_cast<X&&>(x), !right);
    for (index i = 0; i < r.size(); ++i) r.data()[i] = b.size() - r.data()[i];
    return r;
  }
} digitize{};

// interp(x, points, values[, left, right]): the values at x of the function that is linear between the points
// (points[i], values[i]), which ascend; left and right of them the first and the last value, or the numbers given. f64,
// of x's shape; a number for a number. Throws shape_error for no points, and unless there is a value for each (NumPy's
// interp).
inline constexpr struct interp_t {
  template <detail::number_scalar X, array P, array V, class... Beyond>
    requires(sizeof...(Beyond) == 0 || sizeof...(Beyond) == 2)
  double operator()(X x, P&& points, V&& values, Beyond... beyond) const {
    const tensor<double, shape<>> at(static_cast<double>(x));
    return (*this)(at, static_cast<P&&>(points), static_cast<V&&>(values), static_cast<double>(beyond)...).item();
  }
  template <array X, array P, array V>
  auto operator()(X&& x, P&& points, V&& values) const {
    const auto p = detail::flat_copy<double>(static_cast<P&&>(points)),
               v = detail::flat_copy<double>(static_cast<V&&>(values));
    check_edges(p, v);
    return at(static_cast<X&&>(x), p, v, v.data()[0], v.data()[v.size() - 1]);
  }
  template <array X, array P, array V>
  auto operator()(X&& x, P&& points, V&& values, double left, double right) const {
    const auto p = detail::flat_copy<double>(static_cast<P&&>(points)),
               v = detail::flat_copy<double>(static_cast<V&&>(values));
    check_edges(p, v);
    return at(static_cast<X&&>(x), p, v, left, right);
  }

 private:
  static void check_edges(const dtensor<double, 1>& p, const dtensor<double, 1>& v) {
    if (p.size() == 0) detail::throw_bad_edges("interp", "array of sample points is empty");
    if (p.size() != v.size()) detail::refuse("fp and xp are not of the same length.", "interp", p.shape(), v.shape());
  }
  template <class X>
  static auto at(X&& x, const dtensor<double, 1>& p, const dtensor<double, 1>& v, double left, double right) {
    const auto e = detail::argument<double>(static_cast<X&&>(x));
    using node = std::remove_const_t<decltype(e)>;
    const detail::memory<node, BROADLOOM_NATIVE> m(e, runtime::options{}, {true, {}});
    using own = detail::shape_of<node>;
    auto r = detail::deduced_tensor<double, own>::uninitialised(own::unchecked(m.form().extents));
    detail::interpolate(m.data(), r.size(), p.data(), v.data(), p.size(), left, right, r.data());
    return r;
  }
} interp{};

}  // namespace broadloom
