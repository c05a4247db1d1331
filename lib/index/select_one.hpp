// One element of a long line, or two neighbours, at their place in the order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <broadloom/index/sort.hpp>

#include "../base/vectors.hpp"
#include "sort_keys.hpp"

namespace broadloom::detail {

// Lines from here on are narrowed down by a sample; of shorter ones a selection is as quick.
inline constexpr index sampled_line = 1024;

// How many of n elements are no NaN.
template <class T>
index count_numbers(const T* from, index n, index inner) {
  index nans = 0;
  if constexpr (std::is_floating_point_v<T>) {
    index done = 0;
    if (inner == 1) {
      using V = runtime::vec<T, 16>;
      constexpr index lanes = 16 / static_cast<index>(sizeof(T)), part = 64;
      for (; done + part <= n; done += part) {
        decltype(V{} < V{}) odd{};
        for (index j = 0; j < part; j += lanes) {
          V v;
          std::memcpy(&v, from + done + j, sizeof v);
          odd += v != v;
        }
        for (index k = 0; k < lanes; ++k) nans -= odd[k];
      }
    }
    for (; done < n; ++done) nans += runtime::is_nan(from[done * inner]) ? 1 : 0;
  }
  return n - nans;
}

// One or two of many elements: a sample gives two that enclose them, unless chance or the data's pattern is against it,
// and few others. False if they do not. `nan`: the first NaN, if the request asks for it.
template <class T, class P, class Packed>
bool select_one(const T* from, index n, index inner, const sort_request& r, P* p, index& nan, const Packed& packed_of) {
  using K = key_of<T>;
  constexpr index most = 1024;
  const index size = n / 64 < 256 ? 256 : n / 64 < most ? n / 64 : most, step = n / size;
  P sample[most];
  for (index i = 0; i < size; ++i) sample[i] = packed_of(i * step + step / 2);
  const double rank = static_cast<double>(r.first) / static_cast<double>(n), all = static_cast<double>(size);
  const index middle = static_cast<index>(rank * all),
              margin = 2 + static_cast<index>(2.5 * std::sqrt(all * rank * (1 - rank)));
  using limits = std::numeric_limits<T>;
  T low = limits::has_infinity ? -limits::infinity() : limits::lowest();
  T high = limits::has_infinity ? limits::infinity() : limits::max();
  const auto value = [&](index at) {
    std::nth_element(sample, sample + at, sample + size);
    return from[static_cast<index>(static_cast<K>(sample[at])) * inner];
  };
  if (middle >= margin) low = value(middle - margin);
  if (middle + margin < size) high = value(middle + margin);
  index below = 0, kept = 0, nans = 0;
  const auto keep = [&](index i, bool inside) {
    p[kept] = static_cast<P>(i);
    kept += inside ? 1 : 0;
  };
  // NaN are kept, and come after all others: behind those above `high`, too.
  using V = runtime::vec<T, 16>;
  constexpr index lanes = 16 / static_cast<index>(sizeof(T));
  const V l = V{} + low, h = V{} + high;
  using M = decltype(l < h);
  constexpr index part = 64;
  index done = 0;
  for (; done + part <= n; done += part) {
    M less{}, odd{}, outside[part / lanes];
    for (index j = 0; j < part / lanes; ++j) {
      V v;
      if (inner == 1)
        std::memcpy(&v, from + done + j * lanes, sizeof v);
      else
        for (index k = 0; k < lanes; ++k) v[k] = from[(done + j * lanes + k) * inner];
      less += v < l;
      odd += v != v;
      outside[j] = (v < l) + (v > h);  // never both; GCC takes `or` of f64 apart where SSE2 is all there is
    }
    for (index k = 0; k < lanes; ++k) {
      below -= less[k];
      nans -= odd[k];
    }
    const auto* const at = reinterpret_cast<const std::remove_cvref_t<decltype(less[0])>*>(outside);
    for (index i = 0; i < part; ++i) keep(done + i, at[i] == 0);
  }
  for (index i = done; i < n; ++i) {
    const T v = from[i * inner];
    below += v < low ? 1 : 0;
    nans += runtime::is_nan(v) ? 1 : 0;
    keep(i, !(v < low) && !(v > high));
  }
  const index own = r.first - below;
  if (own < 0 || own + r.count > kept - nans) return false;
  for (index i = 0; i < kept; ++i) p[i] = packed_of(static_cast<index>(p[i]));
  std::nth_element(p, p + own, p + kept);
  if (r.count == 2) std::iter_swap(p + own + 1, std::min_element(p + own + 1, p + kept));
  for (index k = 0; k < r.count; ++k) p[r.first + k] = p[own + k];
  if (nans != 0 && r.nan_first)
    for (nan = 0; !runtime::is_nan(from[nan * inner]);) ++nan;
  return true;
}

}  // namespace broadloom::detail
