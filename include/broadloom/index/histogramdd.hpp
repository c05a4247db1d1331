// Histograms of points with several coordinates: histogram2d, histogramdd. They evaluate.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/index/histogram.hpp>

namespace broadloom {

// What histogram2d and histogramdd give: counts, and the edges along each of their axes.
template <class Counts, int Rank>
struct histogramdd_result {
  Counts hist;
  detail::fixed_array<dtensor<double, 1>, Rank> edges;
};

// The intervals along each of N coordinates: edges, or how many of equal width there are over all values.
template <int N>
struct bin_list {
  dtensor<double, 1> edges[N];
  index counts[N];
};

namespace detail {

template <class T>
concept bins_of_axis = integer_like<std::remove_cvref_t<T>> || array<T>;

inline void check_edges(const dtensor<double, 1>& edges) {
  if (edges.size() < 2) throw_bad_edges("histogramdd", "bins must have two edges or more");
  for (index i = 1; i < edges.size(); ++i)
    if (!(edges.data()[i - 1] <= edges.data()[i])) throw_bad_edges("histogramdd", "bins must increase monotonically");
}

template <int Rank>
auto cells(const dtensor<double, 1>* values, const bin_list<Rank>& bins, const double* weights, bool density) {
  fixed_array<dtensor<double, 1>, Rank> edges;
  indices<Rank> extents{};
  for (int a = 0; a < Rank; ++a)
    edges.v[a] = bins.counts[a] < 0 ? bins.edges[a] : edges_over("histogramdd", bins.counts[a], values[a]);
  for (int a = 0; a < Rank; ++a) extents[a] = edges.v[a].size() - 1;
  const auto s = dshape<Rank>::unchecked(extents);
  check_count("histogramdd", s, sizeof(double));
  dtensor<double, Rank> hist(s);
  const index n = values[0].size();
  dtensor<index, 1> cell(n);
  for (int a = 0; a < Rank; ++a) {
    const auto at = searchsorted(edges.v[a], values[a], true);
    const double end = edges.v[a].data()[extents[a]];
    for (index i = 0; i < n; ++i) {
      const index k = at.data()[i] - (values[a].data()[i] == end ? 2 : 1);  // the last interval has its upper end
      index& c = cell.data()[i];
      c = c < 0 || k < 0 || k >= extents[a] ? -1 : c * extents[a] + k;
    }
  }
  double whole = 0;
  for (index i = 0; i < n; ++i)
    if (const index c = cell.data()[i]; c >= 0) {
      const double w = weights == nullptr ? 1 : weights[i];
      hist.data()[c] += w;
      whole += w;
    }
  if (density) {
    for (index c = 0; c < hist.size(); ++c) {
      double volume = whole;
      index rest = c;
      for (int a = Rank - 1; a >= 0; --a) {
        const double* const e = edges.v[a].data() + rest % extents[a];
        volume *= e[1] - e[0];
        rest /= extents[a];
      }
      hist.data()[c] /= volume;
    }
  }
  return histogramdd_result<dtensor<double, Rank>, Rank>{static_cast<dtensor<double, Rank>&&>(hist), edges};
}

}  // namespace detail

// bins(x_edges, 10, ...): for each coordinate edges that ascend, or a number of intervals. An argument of histogramdd.
// Throws shape_error for fewer than two edges and for edges that do not ascend.
inline constexpr struct bins_t {
  template <detail::bins_of_axis... E>
    requires(sizeof...(E) > 0)
  auto operator()(E&&... e) const {
    bin_list<sizeof...(E)> r;
    int a = 0;
    ((add(r.edges[a], r.counts[a], e), ++a), ...);
    return r;
  }

 private:
  template <class E>
  static void add(dtensor<double, 1>& edges, index& count, const E& e) {
    count = -1;
    if constexpr (array<const E&>) {
      static_assert(detail::rank_of<detail::node_of<const E&>> == 1,
                    "bins: the edges of a coordinate have one axis [errors.md#one-axis]");
      edges = dtensor<double, 1>(cast<double>(e));
      detail::check_edges(edges);
    } else
      count = e < 0 ? 0 : static_cast<index>(e);
  }
} bins{};

// histogramdd(x, bins(...), density = false): of points, a row of x (n, d) each, how many lie in each cell: {hist,
// edges}, hist f64 with an axis for each coordinate, edges[a] f64. The last interval has its upper end; points outside
// count nowhere. With density, divided by the sum and by the volumes. histogramdd(x, bins(...), weights, density): sums
// of weights, one for each point (NumPy's and PyTorch's histogramdd).
inline constexpr struct histogramdd_t {
  template <array X, int N>
  auto operator()(X&& x, const bin_list<N>& b, detail::plain_flag density = false) const {
    return of(static_cast<X&&>(x), b, nullptr, density);
  }
  template <array X, int N, array W>
  auto operator()(X&& x, const bin_list<N>& b, W&& weights, detail::plain_flag density = false) const {
    const auto w = detail::flat_copy<double>(static_cast<W&&>(weights));
    if (w.size() != detail::as_node(x).shape()[0])
      detail::refuse("histogram: if weights are given, they have as many elements as the input", "histogramdd",
                     detail::as_node(x).shape(), w.shape());
    return of(static_cast<X&&>(x), b, w.data(), density);
  }

 private:
  template <class X, int N>
  static auto of(X&& x, const bin_list<N>& b, const double* weights, bool density) {
    static_assert(detail::rank_of<detail::node_of<X>> == 2,
                  "histogramdd: the points are rows of a matrix [errors.md#one-axis]");
    const dtensor<double, 2> points(cast<double>(static_cast<X&&>(x)));
    if (points.shape()[1] != N)
      detail::refuse("histogramdd: there are as many bins as columns", "histogramdd", points.shape(),
                     dshape<1>(index{N}));
    dtensor<double, 1> values[N];
    for (int a = 0; a < N; ++a) values[a] = dtensor<double, 1>(select(points, index{1}, index{a}));
    return detail::cells<N>(values, b, weights, density);
  }
} histogramdd{};

// histogram2d(x, y, x_bins, y_bins, density = false): of points with these coordinates; histogram2d(x, y, x_bins,
// y_bins, weights, density): sums of weights. Bins are edges or a number, as of bins(); the result is histogramdd's
// (NumPy's histogram2d).
inline constexpr struct histogram2d_t {
  template <array X, array Y, detail::bins_of_axis E, detail::bins_of_axis F>
  auto operator()(X&& x, Y&& y, E&& x_bins, F&& y_bins, detail::plain_flag density = false) const {
    return of(static_cast<X&&>(x), static_cast<Y&&>(y), bins(x_bins, y_bins), nullptr, density);
  }
  template <array X, array Y, detail::bins_of_axis E, detail::bins_of_axis F, array W>
  auto operator()(X&& x, Y&& y, E&& x_bins, F&& y_bins, W&& weights, detail::plain_flag density = false) const {
    const auto w = detail::flat_copy<double>(static_cast<W&&>(weights));
    if (w.size() != detail::as_node(x).shape().size())
      detail::refuse("histogram: if weights are given, they have as many elements as the input", "histogram2d",
                     detail::as_node(x).shape(), w.shape());
    return of(static_cast<X&&>(x), static_cast<Y&&>(y), bins(x_bins, y_bins), w.data(), density);
  }

 private:
  template <class X, class Y>
  static auto of(X&& x, Y&& y, const bin_list<2>& b, const double* weights, bool density) {
    const dtensor<double, 1> values[] = {detail::flat_copy<double>(static_cast<X&&>(x)),
                                         detail::flat_copy<double>(static_cast<Y&&>(y))};
    if (values[0].size() != values[1].size())
      detail::refuse("x and y must have the same length.", "histogram2d", values[0].shape(), values[1].shape());
    return detail::cells<2>(values, b, weights, density);
  }
} histogram2d{};

}  // namespace broadloom
