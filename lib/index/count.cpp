// Counting and searching over contiguous memory.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/index/count.hpp>
#include <broadloom/index/problem.hpp>

#include "../for_each.hpp"
#include "types.hpp"

namespace broadloom::detail {

using runtime::is_nan;
using runtime::with_type;

namespace {

// NaN is larger than every number.
template <class T>
bool less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a < b || (is_nan(b) && !is_nan(a));
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

namespace {

// Elements that a task looks at or counts by itself, in places of its own: sums of integers do not depend on the order.
constexpr index chunk = index{1} << 16;
index chunks_of(index n) { return (n + chunk - 1) / chunk; }

// f(task, first, last) for each of so many tasks.
template <class F>
void in_tasks(index n, index tasks, F f) {
  runtime::for_each(tasks, 0, [&](index t) { f(t, n * t / tasks, n * (t + 1) / tasks); });
}

// How many of n elements fall into each bin: bin(i) is a number in [0, bins), or -1.
template <class F>
std::vector<index> count_in_bins(index n, index bins, F bin) {
  index tasks = chunks_of(n);
  if (tasks > 4 * runtime::max_threads()) tasks = 4 * runtime::max_threads();
  if (tasks * bins > n / 2) tasks = 1;  // to add the counts would cost more than to count
  if (tasks < 1) tasks = 1;
  std::vector<index> counts(static_cast<std::size_t>(tasks * (bins + 1)));
  in_tasks(n, tasks, [&](index t, index first, index last) {
    index* const own = counts.data() + t * (bins + 1) + 1;
    for (index i = first; i < last; ++i) ++own[bin(i)];
  });
  for (index t = 1; t < tasks; ++t)
    for (index b = 0; b <= bins; ++b)
      counts[static_cast<std::size_t>(b)] += counts[static_cast<std::size_t>(t * (bins + 1) + b)];
  counts.resize(static_cast<std::size_t>(bins + 1));
  counts.erase(counts.begin());
  return counts;
}

}  // namespace

index largest_position(const index* x, index n) {
  struct found {
    index most = -1, negative = 0;
  };
  std::vector<found> all(static_cast<std::size_t>(chunks_of(n)));
  in_tasks(n, chunks_of(n), [&](index t, index first, index last) {
    found own;
    for (index i = first; i < last; ++i) {
      if (x[i] < 0 && own.negative == 0) own.negative = x[i];
      if (x[i] > own.most) own.most = x[i];
    }
    all[static_cast<std::size_t>(t)] = own;
  });
  index most = -1;
  for (const found& f : all) {
    if (f.negative < 0) throw_negative_count(f.negative);
    if (f.most > most) most = f.most;
  }
  return most;
}

void count_positions(const index* x, index n, const void* weights, dtype type, void* to, index bins) {
  if (weights == nullptr) {
    const std::vector<index> counts = count_in_bins(n, bins, [x](index i) { return x[i]; });
    std::copy(counts.begin(), counts.end(), static_cast<index*>(to));
    return;
  }
  // sums of floating weights: in their order
  const int size = type == dtype::f32 ? 4 : 8;
  const index one = 1, none = 0, step = size;
  runtime::position_term term{x, &one, bins, step, true, false, false, 0, nullptr, false};
  runtime::write({to, size, 1, &n, &none, 1, &term, nullptr}, "bincount", weights, &step, type, runtime::update::add,
                 runtime::options{});
}

void histogram(const void* x, dtype type, index n, void* to, index bins, double low, double high) {
  const auto run = [&]<class T>(T) {
    const T* const from = static_cast<const T*>(x);
    T* const sums = static_cast<T*>(to);
    T a = static_cast<T>(low), b = static_cast<T>(high);
    if (a == b && n > 0) {
      std::vector<T> least(static_cast<std::size_t>(chunks_of(n))), most = least;
      in_tasks(n, chunks_of(n), [&](index t, index first, index last) {
        T p = from[first], q = from[first];
        for (index i = first; i < last; ++i) {
          if (from[i] < p || is_nan(from[i])) p = from[i];
          if (from[i] > q || is_nan(from[i])) q = from[i];
        }
        least[static_cast<std::size_t>(t)] = p;
        most[static_cast<std::size_t>(t)] = q;
      });
      a = b = from[0];
      for (T p : least)
        if (p < a || is_nan(p)) a = p;
      for (T q : most)
        if (q > b || is_nan(q)) b = q;
    }
    if (a == b) {
      a -= T(1);
      b += T(1);
    }
    if (!std::isfinite(a) || !std::isfinite(b))
      throw shape_error("range of [" + std::to_string(a) + ", " + std::to_string(b) + "] is not finite\n  in histc");
    const std::vector<index> counts = count_in_bins(n, bins, [=](index i) {
      if (!(from[i] >= a && from[i] <= b)) return index{-1};
      const auto k = static_cast<index>((from[i] - a) / (b - a) * static_cast<T>(bins));
      return k < bins ? k : bins - 1;
    });
    for (index k = 0; k < bins; ++k) sums[k] = static_cast<T>(counts[static_cast<std::size_t>(k)]);
  };
  if (type == dtype::f32)
    run(float{});
  else
    run(double{});
}

void running_extremes(const lines_of& x, bool largest, void* values, index* indices) {
  if (x.extent == 0) return;
  // tasks: some neighbouring columns of an outer index, all along the axis
  constexpr index most_columns = 512;
  const index parts = (x.inner + most_columns - 1) / most_columns;
  const bool alone = x.outer * x.extent * x.inner < 16384;
  with_type(x.type, [&]<class T>(T) {
    runtime::for_each(x.outer * parts, alone ? 1 : 0, [&](index task) {
      const index first = task % parts * most_columns;
      const index last = first + most_columns < x.inner ? first + most_columns : x.inner;
      const index offset = task / parts * x.extent * x.inner;
      const T* const from = static_cast<const T*>(x.data) + offset;
      T* const to = static_cast<T*>(values) + offset;
      index* const at = indices + offset;
      for (index c = first; c < last; ++c) {
        to[c] = from[c];
        at[c] = 0;
      }
      for (index k = 1; k < x.extent; ++k)
        for (index c = first; c < last; ++c) {
          const T v = from[k * x.inner + c], old = to[(k - 1) * x.inner + c];
          const bool takes = is_nan(v) || (!is_nan(old) && (largest ? v >= old : v <= old));
          to[k * x.inner + c] = takes ? v : old;
          at[k * x.inner + c] = takes ? k : at[(k - 1) * x.inner + c];
        }
    });
  });
}

}  // namespace broadloom::detail
