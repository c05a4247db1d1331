// Counting and searching over contiguous memory.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/index/count.hpp>
#include <broadloom/index/problem.hpp>

#include "../base/for_each.hpp"
#include "../base/limits.hpp"
#include "../base/memory_block.hpp"
#include "../base/tuned.hpp"
#include "edges.hpp"
#include "largest.hpp"
#include "running.hpp"
#include "types.hpp"

namespace broadloom::detail {

using runtime::count_in_bins;
using runtime::in_tasks;
using runtime::is_nan;
using runtime::less;
using runtime::with_type;

namespace {

// The sorted elements in parts: each task counts how many values begin in its part, then lists them.
template <class T>
index unique_of_sorted(const T* from, index n, const index* order, T* to, index* inverse, index* counts) {
  const index tasks = runtime::counting_tasks(n);
  const auto begins = [&](index k) { return k == 0 || !(from[order[k]] == from[order[k - 1]]); };
  std::vector<index> before(static_cast<std::size_t>(tasks + 1));
  in_tasks(n, tasks, [&](index t, index first, index last) {
    index own = 0;
    for (index k = first; k < last; ++k) own += begins(k) ? 1 : 0;
    before[static_cast<std::size_t>(t + 1)] = own;
  });
  for (index t = 0; t < tasks; ++t) before[static_cast<std::size_t>(t + 1)] += before[static_cast<std::size_t>(t)];
  in_tasks(n, tasks, [&](index t, index first, index last) {
    index value = before[static_cast<std::size_t>(t)] - 1;
    for (index k = first; k < last; ++k) {
      if (begins(k)) {
        to[++value] = from[order[k]];
        counts[value] = k;  // for now the index of the value's first element
      }
      inverse[order[k]] = value;
    }
  });
  const index count = before[static_cast<std::size_t>(tasks)];
  for (index v = 0; v < count; ++v) counts[v] = (v + 1 < count ? counts[v + 1] : n) - counts[v];
  return count;
}

// Integers whose range is at most as long as the array are counted instead of sorted. -1: the range is longer.
template <class T>
index unique_by_counting(const T* from, index n, T* to, index* inverse, index* counts) {
  using U = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  if (n == 0) return -1;
  T least = from[0], most = from[0];
  for (index i = 1; i < n; ++i) {
    least = from[i] < least ? from[i] : least;
    most = from[i] > most ? from[i] : most;
  }
  const U range = static_cast<U>(most) - static_cast<U>(least);
  if (range >= static_cast<std::uint64_t>(n)) return -1;
  const auto place = [least](T x) { return static_cast<std::size_t>(static_cast<U>(x) - static_cast<U>(least)); };
  std::vector<index> found(static_cast<std::size_t>(range) + 1);
  for (index i = 0; i < n; ++i) ++found[place(from[i])];
  index count = 0;
  for (std::size_t v = 0; v < found.size(); ++v) {
    if (found[v] == 0) continue;
    to[count] = static_cast<T>(static_cast<U>(least) + static_cast<U>(v));
    counts[count] = found[v];
    found[v] = count++;
  }
  for (index i = 0; i < n; ++i) inverse[i] = found[place(from[i])];
  return count;
}

}  // namespace

index find_unique(const void* x, dtype type, index n, void* values, index* inverse, index* counts) {
  return with_type(type, [&]<class T>(T) {
    const T* const from = static_cast<const T*>(x);
    T* const to = static_cast<T*>(values);
    if constexpr (std::is_integral_v<T>)
      if (const index count = unique_by_counting(from, n, to, inverse, counts); count >= 0) return count;
    runtime::block_vector<index> order(static_cast<std::size_t>(n));
    sort_lines({x, type, 1, n, 1}, {0, n, false, true, false}, nullptr, order.data(), runtime::options{});
    return unique_of_sorted(from, n, order.data(), to, inverse, counts);
  });
}

namespace {

int threads_of_search(index values, double value_ns) {
  return runtime::threads_for(0, static_cast<double>(values) * value_ns);
}

template <class T>
void search_by_sorter(const T* edges, const index* sorter, index edge_count, bool one_row, const T* values, index rows,
                      index columns, bool right, index* to) {
  const index sorted_rows = one_row ? 1 : rows;
  for (index k = 0; k < sorted_rows * edge_count; ++k)
    if (sorter[k] < 0 || sorter[k] >= edge_count)
      throw index_error("searchsorted(): sorter index out of range\n  in searchsorted: " + std::to_string(sorter[k]) +
                        " is no index of " + std::to_string(edge_count) + " boundaries");
  const int threads = threads_of_search(rows * columns, runtime::edge_search<T>::ns_by_halves(edge_count));
  runtime::for_each(rows, threads, [&](index r) {
    const T* const row = edges + (one_row ? 0 : r * edge_count);
    const index* const first = sorter + (one_row ? 0 : r * edge_count);
    const T* const v = values + r * columns;
    for (index c = 0; c < columns; ++c)
      to[r * columns + c] =
          (right ? std::upper_bound(first, first + edge_count, v[c], [&](T x, index i) { return less(x, row[i]); })
                 : std::lower_bound(first, first + edge_count, v[c], [&](index i, T x) { return less(row[i], x); })) -
          first;
  });
}

}  // namespace

void search_lines(const void* edges, const index* sorter, index edge_count, bool one_row, const void* values,
                  index rows, index columns, dtype type, bool right, index* to) {
  with_type(type, [&]<class T>(T) {
    const T* const first = static_cast<const T*>(edges);
    const T* const v = static_cast<const T*>(values);
    if (sorter != nullptr) return search_by_sorter(first, sorter, edge_count, one_row, v, rows, columns, right, to);
    if (one_row) {
      const runtime::edge_search<T> search(first, edge_count, rows * columns);
      runtime::for_ranges(rows * columns, threads_of_search(rows * columns, search.value_ns()),
                          [&](index begin, index end) { search.find(v + begin, end - begin, right, to + begin); });
      return;
    }
    const int threads = threads_of_search(rows * columns, runtime::edge_search<T>::ns_by_halves(edge_count));
    runtime::for_each(rows, threads, [&](index r) {
      runtime::edge_search<T>(first + r * edge_count, edge_count, columns)
          .find(v + r * columns, columns, right, to + r * columns);
    });
  });
}

index largest_position(const index* x, index n) {
  struct found {
    index most = -1, negative = 0;
  };
  std::vector<found> all(static_cast<std::size_t>(runtime::counting_tasks(n)));
  in_tasks(n, runtime::counting_tasks(n), [&](index t, index first, index last) {
    found own;
    if (first == last) return;
    const runtime::position_range range = runtime::position_code().range(x + first, last - first);
    own.most = std::max(own.most, range.largest);
    for (index i = first; range.together < 0 && own.negative == 0; ++i) own.negative = std::min(x[i], index{0});
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
    const std::vector<index> counts = count_in_bins(n, bins, [x](index first, index last, index* own) {
      for (index i = first; i < last; ++i) ++own[x[i]];
    });
    std::copy(counts.begin(), counts.end(), static_cast<index*>(to));
    return;
  }
  // floating weights are added in the order of the elements
  const int size = type == dtype::f32 ? 4 : 8;
  const index one = 1, none = 0, step = size;
  runtime::position_term term{x, &one, bins, step, true, false, 0, nullptr, false};
  runtime::write({to, size, 1, &n, &none, 1, true, &term, nullptr}, "bincount", weights, &step, type,
                 runtime::update::add, runtime::options{});
}

// As NumPy's linspace rounds them: linspace's are as PyTorch's, and values that are edges would count elsewhere.
void fill_edges(double* to, index count, double low, double high) {
  const auto bins = static_cast<double>(count);
  const bool wide = std::isinf(high - low);  // then of halves
  const double step = wide ? high / 2 / bins - low / 2 / bins : (high - low) / bins;
  for (index i = 0; i < count; ++i) {
    const double up = static_cast<double>(i) * step;
    to[i] = wide ? 2 * (up + low / 2) : up + low;
  }
  to[count] = high;
}

void fill_bins(const void* x, dtype type, index n, void* to, index bins, double low, double high) {
  const auto run = [&]<class T>(T) {
    const T* const from = static_cast<const T*>(x);
    T* const sums = static_cast<T*>(to);
    T a = static_cast<T>(low), b = static_cast<T>(high);
    if (a == b && n > 0) {
      std::vector<T> least(static_cast<std::size_t>(runtime::counting_tasks(n))), most = least;
      in_tasks(n, runtime::counting_tasks(n), [&](index t, index first, index last) {
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
    // Edges decide, as histogram's.
    std::vector<double> all(static_cast<std::size_t>(bins + 1));
    fill_edges(all.data(), bins, static_cast<double>(a), static_cast<double>(b));
    std::vector<T> edges(all.size());
    for (std::size_t k = 0; k < all.size(); ++k) edges[k] = static_cast<T>(all[k]);
    const std::vector<index> counts = runtime::count_between_edges(from, n, edges.data(), bins);
    for (index k = 0; k < bins; ++k) sums[k] = static_cast<T>(counts[static_cast<std::size_t>(k)]);
  };
  if (type == dtype::f32)
    run(float{});
  else
    run(double{});
}

namespace {

// Adjacent columns along an axis: the largest (smallest) element so far, and the index of its last occurrence. NaN
// stays until the next NaN.
template <class T>
struct column_run {
  const T* from;
  T* to;
  index* at;
  index inner;
  bool largest;

  template <bool Largest>
  static bool takes(T v, T old) {
    return (Largest ? v >= old : v <= old) || is_nan(v);
  }
  bool is_taken(T v, T old) const { return largest ? takes<true>(v, old) : takes<false>(v, old); }

  // Rows [first, last), as if nothing came before them.
  void run(index first, index last, index column, index end) const {
    if (inner == 1) return largest ? run_along<true>(first, last) : run_along<false>(first, last);
    largest ? run_across<true>(first, last, column, end) : run_across<false>(first, last, column, end);
  }
  template <bool Largest>
  void run_across(index first, index last, index column, index end) const {
    for (index c = column; c < end; ++c) {
      to[first * inner + c] = from[first * inner + c];
      at[first * inner + c] = first;
    }
    for (index k = first + 1; k < last; ++k) {
      const T *const x = from + k * inner, *const best = to + (k - 1) * inner;
      const index* const place = at + (k - 1) * inner;
      T* const value = to + k * inner;
      index* const position = at + k * inner;
      for (index c = column; c < end; ++c) {
        const T v = x[c], old = best[c];
        const bool taken = takes<Largest>(v, old);
        value[c] = taken ? v : old;
        position[c] = taken ? k : place[c];
      }
    }
  }
  // One column, up to the first NaN by the loop of the level.
  template <bool Largest>
  void run_along(index first, index last) const {
    const runtime::running_kernels& kernels = runtime::running_of_level();
    index k = (Largest ? kernels.largest : kernels.smallest)[static_cast<int>(dtype_of<T>)](from, first, last, to, at);
    for (index place = k; k < last; ++k) {
      if (is_nan(from[k])) place = k;
      to[k] = from[place];
      at[k] = place;
    }
  }
  // Rows from `first` on, given the result before them: until every column has passed that result.
  void go_on(index first, index last, index column, index end, const T* before, const index* place) const {
    bool any = true;
    for (index k = first; k < last && any; ++k) {
      any = false;
      for (index c = column; c < end; ++c) {
        if (is_taken(to[k * inner + c], before[c])) continue;
        any = true;
        to[k * inner + c] = before[c];
        at[k * inner + c] = place[c];
      }
    }
  }
};

}  // namespace

void running_min_max(const lines_of& x, bool largest, void* values, index* indices) {
  if (x.extent == 0) return;
  // tasks: adjacent columns of an outer index, all along the axis; or, if there are few, a part of the axis
  constexpr index least_columns = 64, most_columns = 512, least_piece = 32768;
  const auto elements = static_cast<double>(x.outer * x.extent * x.inner);
  const bool alone = runtime::threads_for(0, elements * runtime::limits::work::of_index) == 1;
  const index threads = alone ? 1 : runtime::max_threads();
  const index shared = x.outer * x.inner / (4 * threads) / least_columns * least_columns;
  const index max_columns = threads == 1 || shared > most_columns ? most_columns : std::max(shared, least_columns);
  const index parts = (x.inner + max_columns - 1) / max_columns, width = x.inner < max_columns ? x.inner : max_columns;
  index pieces = 1;
  // Parts of an axis are gone over twice, by which two threads gain nothing over one.
  if (threads > 2 && x.outer * parts < 2 * threads) pieces = x.extent * width / least_piece;
  if (pieces > 4 * threads) pieces = 4 * threads;
  if (pieces > x.extent) pieces = x.extent;
  if (pieces < 1) pieces = 1;
  with_type(x.type, [&]<class T>(T) {
    const auto each = [&](const auto& body) {
      runtime::for_each(x.outer * parts * pieces, alone ? 1 : 0, [&](index task) {
        const index piece = task % pieces, part = task / pieces % parts,
                    offset = task / pieces / parts * x.extent * x.inner;
        const index column = part * max_columns, end = column + max_columns < x.inner ? column + max_columns : x.inner;
        body(column_run<T>{static_cast<const T*>(x.data) + offset, static_cast<T*>(values) + offset, indices + offset,
                           x.inner, largest},
             piece, x.extent * piece / pieces, x.extent * (piece + 1) / pieces, column, end);
      });
    };
    each([](const column_run<T>& r, index, index first, index last, index column, index end) {
      r.run(first, last, column, end);
    });
    if (pieces == 1) return;
    // the result at the end of each part, given the parts before it
    std::vector<T> ends(static_cast<std::size_t>(pieces * x.outer * x.inner));
    std::vector<index> places(ends.size());
    for (index o = 0; o < x.outer; ++o)
      for (index p = 0; p < pieces; ++p)
        for (index c = 0; c < x.inner; ++c) {
          const index last = (o * x.extent + x.extent * (p + 1) / pieces - 1) * x.inner + c;
          const auto own = static_cast<std::size_t>((o * pieces + p) * x.inner + c);
          const T v = static_cast<const T*>(values)[last];
          const std::size_t before = p == 0 ? own : own - static_cast<std::size_t>(x.inner);
          const bool kept = p == 0 || column_run<T>{nullptr, nullptr, nullptr, 0, largest}.is_taken(v, ends[before]);
          ends[own] = kept ? v : ends[before];
          places[own] = kept ? indices[last] : places[before];
        }
    each([&](const column_run<T>& r, index piece, index first, index last, index column, index end) {
      if (piece == 0) return;
      const index o = (r.to - static_cast<T*>(values)) / (x.extent * x.inner),
                  before = (o * pieces + piece - 1) * x.inner;
      r.go_on(first, last, column, end, ends.data() + before, places.data() + before);
    });
  });
}

}  // namespace broadloom::detail
