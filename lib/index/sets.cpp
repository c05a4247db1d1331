// Rows in order, runs of equal neighbours, and sets as ascending lists of different elements.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#ifndef BROADLOOM_WITHOUT_TBB
#include <oneapi/tbb/parallel_sort.h>
#endif

#include <broadloom/core/error.hpp>
#include <broadloom/index/sets.hpp>
#include <broadloom/index/unique.hpp>

#include "../base/for_each.hpp"
#include "../base/limits.hpp"
#include "../base/list_text.hpp"
#include "../base/memory_block.hpp"
#include "../base/scheduler_work.hpp"
#include "../base/vectors.hpp"
#include "sort_keys.hpp"
#include "types.hpp"

namespace broadloom::detail {

using runtime::is_nan;
using runtime::less;
using runtime::with_type;

namespace {

template <class T, class Less>
void sort_with(runtime::block_vector<T>& v, Less by) {
#ifndef BROADLOOM_WITHOUT_TBB
  if (static_cast<index>(v.size()) >= runtime::limits::sorting::parallel_elements && runtime::tbb_runs()) {
    oneapi::tbb::parallel_sort(v.begin(), v.end(), by);
    return;
  }
#endif
  std::sort(v.begin(), v.end(), by);
}

// Radix sort of unsigned integers, least significant byte first; bytes that are the same in all of them are passed
// over.
template <class K>
void radix_sort(runtime::block_vector<K>& v) {
  constexpr int bytes = sizeof(K);
  runtime::block_vector<K> other(v.size());
  std::vector<std::size_t> counts(bytes * 256);
  for (const K x : v)
    for (int b = 0; b < bytes; ++b) ++counts[static_cast<std::size_t>(b) * 256 + (x >> (8 * b) & 255)];
  K* from = v.data();
  K* to = other.data();
  for (int b = 0; b < bytes; ++b) {
    std::size_t* const c = counts.data() + b * 256;
    const int shift = 8 * b;
    if (c[from[0] >> shift & 255] == v.size()) continue;
    std::size_t sum = 0;
    for (int k = 0; k < 256; ++k) sum += std::exchange(c[k], sum);
    for (std::size_t i = 0; i < v.size(); ++i) to[c[from[i] >> shift & 255]++] = from[i];
    std::swap(from, to);
  }
  if (from != v.data()) v.swap(other);
}

// Elements as integers of their order that can be turned back: -0 before 0.
template <class T>
key_of<T> reversible_key(T x) {
  using K = key_of<T>;
  if constexpr (std::is_floating_point_v<T>) {
    constexpr K top = K{1} << (sizeof(K) * 8 - 1);
    if (is_nan(x)) return static_cast<K>(~K{0});
    K bits;
    std::memcpy(&bits, &x, sizeof bits);
    return (bits & top) != 0 ? static_cast<K>(~bits) : static_cast<K>(bits | top);
  } else
    return key(x);
}
template <class T>
T element_of(key_of<T> k) {
  using K = key_of<T>;
  [[maybe_unused]] constexpr K top = K{1} << (sizeof(K) * 8 - 1);
  if constexpr (std::is_floating_point_v<T>) {
    if (k == static_cast<K>(~K{0})) return std::numeric_limits<T>::quiet_NaN();
    const K bits = (k & top) != 0 ? static_cast<K>(k ^ top) : static_cast<K>(~k);
    T x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  } else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(k ^ K{1} << (sizeof(T) * 8 - 1));
  else
    return static_cast<T>(k);
}

template <class T>
bool same_in_set(T a, T b) {
  return a == b || (is_nan(a) && is_nan(b));
}

template <class T>
index distinct(T* x, index n) {
  if constexpr (sizeof(T) <= 2) {
    constexpr index low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    std::vector<char> present(static_cast<std::size_t>(high - low + 1));
    for (index i = 0; i < n; ++i) present[static_cast<std::size_t>(static_cast<index>(x[i]) - low)] = 1;
    index count = 0;
    for (index v = low; v <= high; ++v)
      if (present[static_cast<std::size_t>(v - low)] != 0) x[count++] = static_cast<T>(v);
    return count;
  } else {
    runtime::block_vector<key_of<T>> keys(static_cast<std::size_t>(n));
    for (index i = 0; i < n; ++i) keys[static_cast<std::size_t>(i)] = reversible_key(x[i]);
    if (n < 256)
      std::sort(keys.begin(), keys.end());
    else
      radix_sort(keys);
    index count = 0;
    for (const auto k : keys) {
      const T e = element_of<T>(k);
      if (count == 0 || !same_in_set(x[count - 1], e)) x[count++] = e;
    }
    return count;
  }
}

template <class T>
bool rows_equal(const T* a, const T* b, index width) {
  for (index i = 0; i < width; ++i)
    if (!(a[i] == b[i])) return false;
  return true;
}

template <class T>
index count_runs(const T* x, index n) {
  index count = 1, k = 1;
  using V = runtime::vec<T, 16>;
  constexpr index lanes = 16 / static_cast<index>(sizeof(T)), part = 64;
  for (; k + part <= n; k += part) {
    decltype(V{} < V{}) begins{};
    for (index j = k; j < k + part; j += lanes) {
      V own, last;
      std::memcpy(&own, x + j, sizeof own);
      std::memcpy(&last, x + j - 1, sizeof last);
      begins += own != last;
    }
    for (index j = 0; j < lanes; ++j) count -= begins[j];
  }
  for (; k < n; ++k) count += x[k] == x[k - 1] ? 0 : 1;
  return count;
}

template <class T>
void order_of_rows(const T* x, index n, index width, index* order) {
  struct entry {
    T first;
    index row;
  };
  runtime::block_vector<entry> all(static_cast<std::size_t>(n));
  for (index i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = {x[i * width], i};
  sort_with(all, [x, width](const entry& a, const entry& b) {
    if (less(a.first, b.first)) return true;
    if (less(b.first, a.first)) return false;
    const T* const p = x + a.row * width;
    const T* const q = x + b.row * width;
    for (index i = 1; i < width; ++i) {
      if (less(p[i], q[i])) return true;
      if (less(q[i], p[i])) return false;
    }
    return a.row < b.row;
  });
  for (index i = 0; i < n; ++i) order[i] = all[static_cast<std::size_t>(i)].row;
}

template <class T>
struct set_merge {
  T* to;
  index *left, *right;
  index count = 0;
  void add(T x, index i, index j) {
    to[count] = x;
    if (left != nullptr) left[count] = i;
    if (right != nullptr) right[count] = j;
    ++count;
  }
};

}  // namespace

void sort_rows(const void* x, dtype type, index n, index width, index* order) {
  if (n > 0) with_type(type, [&]<class T>(T) { order_of_rows(static_cast<const T*>(x), n, width, order); });
}

index find_runs(const void* x, dtype type, index n, index width, const index* order, index* starts, index* inverse,
                index* counts) {
  return with_type(type, [&]<class T>(T) {
    const T* const rows = static_cast<const T*>(x);
    index count = 0;
    if (width == 1 && order == nullptr && n > 0) {
      if (inverse == nullptr) return count_runs(rows, n);
      T last = rows[0];
      inverse[0] = 0;
      // Without a branch: each beginning is written where the next one belongs.
      starts[count++] = 0;
      for (index k = 1; k < n; ++k) {
        const T own = rows[k];
        starts[count] = k;
        count += own == last ? 0 : 1;
        inverse[k] = count - 1;
        last = own;
      }
      for (index i = 0; i < count; ++i) counts[i] = (i + 1 < count ? starts[i + 1] : n) - starts[i];
      return count;
    }
    const T* before = nullptr;
    for (index k = 0; k < n; ++k) {
      const index own = order == nullptr ? k : order[k];
      const T* const row = rows + own * width;
      if (k == 0 || !rows_equal(before, row, width)) {
        starts[count] = own;
        counts[count++] = 0;
      }
      ++counts[count - 1];
      inverse[own] = count - 1;
      before = row;
    }
    return count;
  });
}

index keep_distinct(void* x, dtype type, index n, index* first) {
  return with_type(type, [&]<class T>(T) {
    T* const own = static_cast<T*>(x);
    if (first == nullptr) return distinct(own, n);
    runtime::block_vector<index> order(static_cast<std::size_t>(n));
    const runtime::block_vector<T> from(own, own + n);
    sort_lines({from.data(), type, 1, n, 1}, {0, n, false, true, false}, nullptr, order.data(), runtime::options{});
    index count = 0;
    for (const index i : order) {
      const T e = from[static_cast<std::size_t>(i)];
      if (count > 0 && same_in_set(own[count - 1], e)) continue;
      own[count] = e;
      first[count++] = i;
    }
    return count;
  });
}

index combine_sets(set_operation what, const void* a, index na, const void* b, index nb, dtype type, void* to,
                   index* left, index* right) {
  const bool both = what == set_operation::unite || what == set_operation::exclusive;
  const bool ones = both || what == set_operation::subtract;
  return with_type(type, [&]<class T>(T) {
    const T* const x = static_cast<const T*>(a);
    const T* const y = static_cast<const T*>(b);
    set_merge<T> r{static_cast<T*>(to), left, right};
    index i = 0;
    index j = 0;
    while (i < na && j < nb) {
      if (less(x[i], y[j])) {
        if (ones) r.add(x[i], i, -1);
        ++i;
      } else if (less(y[j], x[i])) {
        if (both) r.add(y[j], -1, j);
        ++j;
      } else {
        const bool equal = x[i] == y[j];  // not of NaN
        if (what == set_operation::unite || (equal && what == set_operation::intersect)) r.add(x[i], i, j);
        if (!equal && ones && what != set_operation::unite) r.add(x[i], i, -1);
        if (!equal && what == set_operation::exclusive) r.add(y[j], -1, j);
        ++i;
        ++j;
      }
    }
    if (ones)
      for (; i < na; ++i) r.add(x[i], i, -1);
    if (both)
      for (; j < nb; ++j) r.add(y[j], -1, j);
    return r.count;
  });
}

}  // namespace broadloom::detail
