// Membership in a sorted list, bins between edges, and functions given by points.
#include <algorithm>
#include <cmath>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/index/differences.hpp>
#include <broadloom/index/histogram.hpp>
#include <broadloom/index/membership.hpp>

#include "../base/for_each.hpp"
#include "edges.hpp"
#include "types.hpp"

namespace broadloom::detail {

void find_members(const void* x, index n, const void* sorted, index count, dtype type, bool invert, bool* to) {
  runtime::with_type(type, [&](auto zero) {
    using T = decltype(zero);
    const T* const own = static_cast<const T*>(x);
    const T* const first = static_cast<const T*>(sorted);
    while (count > 0 && runtime::is_nan(first[count - 1])) --count;  // NaN comes last, and nothing is equal to it
    const runtime::edge_search<T> search(first, count, n);
    runtime::for_ranges(n, n < 4096 ? 1 : 0, [&](index begin, index end) {
      constexpr index block = 256;
      index place[block];
      for (index i = begin; i < end; i += block) {
        const index here = end - i < block ? end - i : block;
        search.find(own + i, here, false, place);
        for (index k = 0; k < here; ++k) to[i + k] = (place[k] < count && first[place[k]] == own[i + k]) != invert;
      }
    });
  });
}

int direction_of(const double* edges, index n, const char* call) {
  bool up = true;
  bool down = true;
  for (index i = 1; i < n; ++i) {
    up = up && edges[i - 1] <= edges[i];
    down = down && edges[i - 1] >= edges[i];
  }
  if (!up && !down) throw_bad_edges(call, "bins must be monotonically increasing or decreasing");
  return up ? 1 : -1;
}

void count_between(const void* values, dtype type, index n, const void* edges, index bins, const double* weights,
                   double* to) {
  runtime::with_type(type, [&](auto zero) {
    using T = decltype(zero);
    const T* const v = static_cast<const T*>(values);
    const T* const edge = static_cast<const T*>(edges);
    if (weights != nullptr) {  // added in the order of the values
      runtime::for_bins(runtime::edge_search<T>(edge, bins + 1, n), v, 0, n, bins, edge[bins], [&](index i, index bin) {
        if (bin >= 0) to[bin] += weights[i];
      });
      return;
    }
    const std::vector<index> counts = runtime::count_between_edges(v, n, edge, bins);
    for (index k = 0; k < bins; ++k) to[k] = static_cast<double>(counts[static_cast<std::size_t>(k)]);
  });
}

// The value at `at`, which lies between points[j] and points[j + 1], or is a point.
double between_points(double at, const double* points, const double* values, index j, index count) {
  if (j == count - 1 || points[j] == at) return values[j];
  // from the left point, or from the right one where infinite numbers leave nothing of it, as NumPy
  const double slope = (values[j + 1] - values[j]) / (points[j + 1] - points[j]);
  double y = slope * (at - points[j]) + values[j];
  if (std::isnan(y)) {
    y = slope * (at - points[j + 1]) + values[j + 1];
    if (std::isnan(y) && values[j] == values[j + 1]) y = values[j];
  }
  return y;
}

// For each value, how many points are not above it. Where values ascend, too, both are walked through together.
void find_places(const runtime::edge_search<double>& search, const double* points, const double* x, index n,
                 index* place) {
  index ends[2] = {0, 0};
  if (std::is_sorted(x, x + n, [](double next, double before) { return !(before <= next); })) {  // no NaN
    search.find(x, 1, true, ends);
    search.find(x + n - 1, 1, true, ends + 1);
  }
  if (ends[1] == 0 || ends[1] - ends[0] > 4 * n) {
    search.find(x, n, true, place);
    return;
  }
  index at = ends[0];
  for (index k = 0; k < n; ++k) {
    while (at < ends[1] && points[at] <= x[k]) ++at;
    place[k] = at;
  }
}

void interpolate(const double* x, index n, const double* points, const double* values, index count, double left,
                 double right, double* to) {
  const runtime::edge_search<double> search(points, count, n);
  runtime::for_ranges(n, n < 4096 ? 1 : 0, [&](index begin, index end) {
    constexpr index block = 256;
    index place[block];  // how many points are not above
    for (index first = begin; first < end; first += block) {
      const index here = end - first < block ? end - first : block;
      find_places(search, points, x + first, here, place);
      for (index k = 0; k < here; ++k) {
        const double at = x[first + k];
        double& y = to[first + k];
        if (std::isnan(at))
          y = at;
        else if (at > points[count - 1] || at < points[0])
          y = at < points[0] ? left : right;
        else
          y = between_points(at, points, values, place[k] > 0 ? place[k] - 1 : 0, count);
      }
    }
  });
}

}  // namespace broadloom::detail
