// Counting and searching over contiguous memory.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/index/count.hpp>

#include "../for_each.hpp"
#include "types.hpp"

namespace broadloom::detail {

using runtime::with_type;

namespace {

// NaN is larger than every number.
template <class T>
bool less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a < b || (b != b && a == a);
  else
    return a < b;
}

}  // namespace

index find_unique(const void* x, dtype type, index n, const index* order, void* values, index* inverse, index* counts) {
  return with_type(type, [&]<class T>(T) {
    const T* const from = static_cast<const T*>(x);
    T* const to = static_cast<T*>(values);
    index count = 0;
    for (index k = 0; k < n; ++k) {
      const T v = from[order[k]];
      if (k == 0 || !(v == to[count - 1])) {
        to[count] = v;
        counts[count++] = 0;
      }
      ++counts[count - 1];
      inverse[order[k]] = count - 1;
    }
    return count;
  });
}

void search_lines(const void* edges, index edge_count, bool one_row, const void* values, index rows, index columns,
                  dtype type, bool right, index* to) {
  with_type(type, [&]<class T>(T) {
    runtime::for_each(rows, rows * columns < 4096 ? 1 : 0, [&](index r) {
      const T* const first = static_cast<const T*>(edges) + (one_row ? 0 : r * edge_count);
      const T* const v = static_cast<const T*>(values) + r * columns;
      for (index c = 0; c < columns; ++c)
        to[r * columns + c] = (right ? std::upper_bound(first, first + edge_count, v[c], less<T>)
                                     : std::lower_bound(first, first + edge_count, v[c], less<T>)) -
                              first;
    });
  });
}

void throw_negative_count(index x) {
  throw shape_error("bincount only supports 1-d non-negative integral inputs.\n  in bincount: " + std::to_string(x));
}

void throw_search_shapes(const shape_view& edges, const shape_view& values) {
  const shape_view both[] = {edges, values};
  throw_indexing(
      "searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and "
      "input "
      "value tensor must match",
      "searchsorted", both, 2);
}

index largest_position(const index* x, index n) {
  index most = -1;
  for (index i = 0; i < n; ++i) {
    if (x[i] < 0) throw_negative_count(x[i]);
    if (x[i] > most) most = x[i];
  }
  return most;
}

void count_positions(const index* x, index n, const void* weights, dtype type, void* to, index) {
  const auto run = [&]<class T>(T* sums, const T* w) {
    for (index i = 0; i < n; ++i) sums[x[i]] += w != nullptr ? w[i] : T(1);
  };
  if (weights == nullptr)
    run(static_cast<index*>(to), static_cast<const index*>(nullptr));
  else if (type == dtype::f32)
    run(static_cast<float*>(to), static_cast<const float*>(weights));
  else
    run(static_cast<double*>(to), static_cast<const double*>(weights));
}

void histogram(const void* x, dtype type, index n, void* to, index bins, double low, double high) {
  const auto run = [&]<class T>(T) {
    const T* const from = static_cast<const T*>(x);
    T* const sums = static_cast<T*>(to);
    T a = static_cast<T>(low), b = static_cast<T>(high);
    if (a == b && n > 0) {
      a = b = from[0];
      for (index i = 0; i < n; ++i) {
        if (from[i] < a || from[i] != from[i]) a = from[i];
        if (from[i] > b || from[i] != from[i]) b = from[i];
      }
    }
    if (a == b) {
      a -= T(1);
      b += T(1);
    }
    if (!std::isfinite(a) || !std::isfinite(b))
      throw shape_error("range of [" + std::to_string(a) + ", " + std::to_string(b) + "] is not finite\n  in histc");
    for (index i = 0; i < n; ++i) {
      if (!(from[i] >= a && from[i] <= b)) continue;
      auto k = static_cast<index>((from[i] - a) / (b - a) * static_cast<T>(bins));
      sums[k < bins ? k : bins - 1] += T(1);
    }
  };
  if (type == dtype::f32)
    run(float{});
  else
    run(double{});
}

void running_extremes(const lines_of& x, bool largest, void* values, index* indices) {
  if (x.extent == 0) return;
  with_type(x.type, [&]<class T>(T) {
    for (index o = 0; o < x.outer; ++o) {
      const T* const from = static_cast<const T*>(x.data) + o * x.extent * x.inner;
      T* const to = static_cast<T*>(values) + o * x.extent * x.inner;
      index* const at = indices + o * x.extent * x.inner;
      for (index c = 0; c < x.inner; ++c) {
        to[c] = from[c];
        at[c] = 0;
      }
      for (index k = 1; k < x.extent; ++k)
        for (index c = 0; c < x.inner; ++c) {
          const T v = from[k * x.inner + c], old = to[(k - 1) * x.inner + c];
          const bool takes = v != v || (old == old && (largest ? v >= old : v <= old));
          to[k * x.inner + c] = takes ? v : old;
          at[k * x.inner + c] = takes ? k : at[(k - 1) * x.inner + c];
        }
    }
  });
}

}  // namespace broadloom::detail
