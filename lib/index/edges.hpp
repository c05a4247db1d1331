// Where values lie among ascending edges, and how many between each two.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../base/for_each.hpp"
#include "../base/memory_block.hpp"
#include "types.hpp"

namespace broadloom::runtime {

// Places of values in one line of edges, of which NaN come last. Among integers that span less than there are values,
// each has its place in a table. Where the edges are evenly spaced, to within a quarter of a step, a quotient finds the
// place but for two comparisons; elsewhere the line is halved, for eight values at once, without branches.
template <class T>
class edge_search {
 public:
  // `values`: how many will be looked for. Whether the edges are even costs a look at each of them.
  edge_search(const T* edges, index count, index values) : edges_{edges}, count_{count} {
    if constexpr (std::is_integral_v<T>)
      if (count > 0 && edges[0] <= edges[count - 1]) list_places(values);
    if (table_.empty() && count >= 4 && values >= count) even_ = find_step();
  }

  // What a value takes on one thread, in nanoseconds; by halves, as it does where edges are not even.
  double value_ns() const { return !table_.empty() ? 0.7 : even_ ? 1.7 : ns_by_halves(count_); }
  static double ns_by_halves(index count) {
    return 2 + 0.7 * static_cast<double>(std::bit_width(static_cast<std::uint64_t>(count)));
  }

  // to[i]: how many edges are less than v[i]; with `right`, less or equal. NaN is above every number.
  void find(const T* v, index n, bool right, index* to) const { right ? find<true>(v, n, to) : find<false>(v, n, to); }

 private:
  using places = block_vector<std::uint32_t>;
  // What a table may span: it stays in the second-level cache.
  static constexpr std::uint64_t most_listed = std::uint64_t{1} << 17;

  template <bool Right>
  void find(const T* v, index n, index* to) const {
    if constexpr (std::is_integral_v<T>)
      if (!table_.empty()) return by_table<Right>(v, n, to);
    even_ ? by_quotient<Right>(v, n, to) : by_halves<Right>(v, n, to);
  }

  // table_[k]: how many edges are less than the first one and k.
  void list_places(index values) {
    const std::uint64_t span = distance(edges_[count_ - 1]);
    if (span >= most_listed || span >= static_cast<std::uint64_t>(values) || count_ > UINT32_MAX) return;
    table_ = places(static_cast<std::size_t>(span) + 2);
    std::size_t k = 0;
    for (index i = 0; i < count_; ++i)
      for (const std::size_t end = static_cast<std::size_t>(std::min(distance(edges_[i]), span)) + 1; k < end; ++k)
        table_[k] = static_cast<std::uint32_t>(i);
    table_[k] = static_cast<std::uint32_t>(count_);
  }
  std::uint64_t distance(T v) const { return static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(edges_[0]); }

  template <bool Right>
  void by_table(const T* v, index n, index* to) const {
    const T first = edges_[0], last = edges_[count_ - 1];
    const std::uint32_t* const table = table_.data();
    for (index i = 0; i < n; ++i) {
      const T x = v[i], within = x < first ? first : x > last ? last : x;
      to[i] = table[distance(within) + (Right ? x >= first : x > last)];
    }
  }

  template <bool Right>
  static bool is_before(T edge, T v) {
    return Right ? edge <= v : edge < v;
  }

  bool find_step() {
    const auto first = static_cast<double>(edges_[0]), last = static_cast<double>(edges_[count_ - 1]);
    const double step = last / static_cast<double>(count_ - 1) - first / static_cast<double>(count_ - 1);
    // Differences of large numbers have few digits.
    if (!(step > 0x1p-46 * std::fmax(std::fabs(first), std::fabs(last))) || std::isinf(last - first)) return false;
    by_ = 1 / step;
    if (std::isinf(by_)) return false;
    for (index k = 0; k < count_; ++k)
      if (!(std::fabs(static_cast<double>(edges_[k]) - (first + static_cast<double>(k) * step)) <= step / 4))
        return false;
    return true;
  }

  template <bool Right>
  void by_quotient(const T* v, index n, index* to) const {
    const auto first = static_cast<double>(edges_[0]), most = static_cast<double>(count_ - 2);
    for (index i = 0; i < n; ++i) {
      double guess = (static_cast<double>(v[i]) - first) * by_;
      guess = guess > 0 ? guess : 0;  // of NaN, too
      guess = guess < most ? guess : most;
      // edges[at - 1] is before, and edges[at + 2] is not.
      const T* const at = edges_ + static_cast<index>(guess);
      const index place = at - edges_ + is_before<Right>(at[0], v[i]) + is_before<Right>(at[1], v[i]);
      to[i] = is_nan(v[i]) ? count_ : place;
    }
  }

  // `half` where the edge before that is before v, else 0: a mask, as compilers make a branch of a choice.
  template <bool Right>
  static index step_of(const T* at, index half, T v) {
    return -static_cast<index>(is_before<Right>(at[half - 1], v)) & half;
  }

  template <bool Right>
  void by_halves(const T* v, index n, index* to) const {
    constexpr int together = 8;
    const auto place = [&](const T* at, T value) {
      if (is_nan(value)) return place_of_nan<Right>();
      return count_ == 0 ? index{0} : at - edges_ + is_before<Right>(*at, value);
    };
    index i = 0;
    for (; i + together <= n; i += together) {
      const T* at[together];
      for (const T*& a : at) a = edges_;
      for (index left = count_; left > 1; left -= left / 2)
        for (int j = 0; j < together; ++j) at[j] += step_of<Right>(at[j], left / 2, v[i + j]);
      for (int j = 0; j < together; ++j) to[i + j] = place(at[j], v[i + j]);
    }
    for (; i < n; ++i) {
      const T* at = edges_;
      for (index left = count_; left > 1; left -= left / 2) at += step_of<Right>(at, left / 2, v[i]);
      to[i] = place(at, v[i]);
    }
  }

  template <bool Right>
  index place_of_nan() const {
    index k = count_;
    if (!Right)
      while (k > 0 && is_nan(edges_[k - 1])) --k;
    return k;
  }

  const T* edges_;
  index count_;
  places table_;
  bool even_ = false;
  double by_ = 0;
};

// Elements that a task counts by itself, in counters of its own. Sums of integers do not depend on the order.
inline constexpr index counted_by_a_task = index{1} << 16;
inline index counting_tasks(index n) { return (n + counted_by_a_task - 1) / counted_by_a_task; }

// Calls f(task, first, last) for `tasks` tasks.
template <class F>
void in_tasks(index n, index tasks, F f) {
  for_each(tasks, 0, [&](index t) { f(t, n * t / tasks, n * (t + 1) / tasks); });
}

// How many of n elements fall into each bin: count(first, last, counters) adds those of a range to counters, of which
// counters[-1] is for those that lie in no bin.
template <class F>
std::vector<index> count_in_bins(index n, index bins, F count) {
  index tasks = counting_tasks(n);
  if (tasks > 4 * max_threads()) tasks = 4 * max_threads();
  if (tasks * bins > n / 2) tasks = 1;  // adding the counts would cost more than counting
  if (tasks < 1) tasks = 1;
  std::vector<index> counts(static_cast<std::size_t>(tasks * (bins + 1)));
  in_tasks(n, tasks, [&](index t, index first, index last) { count(first, last, counts.data() + t * (bins + 1) + 1); });
  for (index t = 1; t < tasks; ++t)
    for (index b = 0; b <= bins; ++b)
      counts[static_cast<std::size_t>(b)] += counts[static_cast<std::size_t>(t * (bins + 1) + b)];
  counts.resize(static_cast<std::size_t>(bins + 1));
  counts.erase(counts.begin());
  return counts;
}

// Calls f(i, bin) for the values of a range: the bin between ascending edges, one more than bins, in which value i
// lies. Values equal to the last edge belong to the last bin; -1 is none.
template <class T, class F>
void for_bins(const edge_search<T>& search, const T* v, index first, index last, index bins, T last_edge, const F& f) {
  constexpr index block = 256;
  index place[block];
  for (index i = first; i < last; i += block) {
    const index here = last - i < block ? last - i : block;
    search.find(v + i, here, true, place);
    for (index k = 0; k < here; ++k)
      f(i + k, place[k] <= bins ? place[k] - 1 : v[i + k] == last_edge ? bins - 1 : index{-1});
  }
}

// How many of n values lie in each bin.
template <class T>
std::vector<index> count_between_edges(const T* v, index n, const T* edges, index bins) {
  const edge_search<T> search(edges, bins + 1, n);
  return count_in_bins(n, bins, [&](index first, index last, index* own) {
    for_bins(search, v, first, last, bins, edges[bins], [own](index, index bin) { ++own[bin]; });
  });
}

}  // namespace broadloom::runtime
