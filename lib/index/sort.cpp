// Sorts one line after another as integers: an unsigned key with the index below it. Equal elements keep their order,
// whatever the routine.
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#ifndef BROADLOOM_WITHOUT_TBB
#include <oneapi/tbb/parallel_sort.h>
#endif

#include <algorithm>
#include <atomic>
#include <limits>

#include <broadloom/core/error.hpp>
#include <broadloom/index/sort.hpp>

#include "../base/for_each.hpp"
#include "../base/limits.hpp"
#include "../base/memory_block.hpp"
#include "../base/scheduler_work.hpp"
#include "../base/tuned.hpp"
#include "line_network.hpp"
#include "select_one.hpp"
#include "sort_keys.hpp"
#include "types.hpp"

namespace broadloom::detail {

namespace {

index smaller(index a, index b) { return a < b ? a : b; }

// Radix sort of elements that are in the order of their indices: counts bytes of the key, least significant first. Each
// pass keeps the order of the one before; bytes that are the same in all keys are passed over.
template <class P>
void radix_sort(P* a, P* b, index n) {
  constexpr int bytes = static_cast<int>(sizeof(P)) / 2, low = 8 * bytes;  // a key is the upper half
  using K = std::conditional_t<bytes == 8, std::uint64_t, std::uint32_t>;
  std::uint32_t counts[bytes][256] = {};
  for (index i = 0; i < n; ++i) {
    const auto k = static_cast<K>(a[i] >> low);
#pragma GCC unroll 8
    for (int pass = 0; pass < bytes; ++pass) ++counts[pass][k >> 8 * pass & 255];
  }
  P* from = a;
  P* to = b;
  for (int pass = 0; pass < bytes; ++pass) {
    std::uint32_t* const c = counts[pass];
    const int shift = 8 * pass;
    const auto byte = [shift](P x) {
      if constexpr (bytes == 4)
        return x >> (low + shift) & 255;
      else
        return static_cast<K>(x >> low) >> shift & 255;
    };
    if (c[byte(from[0])] == static_cast<std::uint32_t>(n)) continue;
    std::uint32_t sum = 0;
    for (int k = 0; k < 256; ++k) {
      const std::uint32_t own = c[k];
      c[k] = sum;
      sum += own;
    }
    for (index i = 0; i < n; ++i) to[c[byte(from[i])]++] = from[i];
    std::swap(from, to);
  }
  if (from != a) std::memcpy(a, from, static_cast<std::size_t>(n) * sizeof *a);
}

// Elements of a line for a radix sort: 4 passes of 8 bytes, or 8 of 16, by one thread; its counts have 32 bits.
template <class P>
constexpr index radix_from = sizeof(P) == 8 ? 256 : 1024;
constexpr index radix_to = index{1} << 31;

template <class P>
void sort_all(P* p, P* scratch, index n, bool many_threads, bool as_loaded) {
  const bool radix = as_loaded && n >= radix_from<P> && n < radix_to;
#ifndef BROADLOOM_WITHOUT_TBB
  if (many_threads && n >= runtime::limits::sorting::parallel_elements &&
      !(radix && runtime::max_threads() <= runtime::limits::sorting::radix_threads) && runtime::tbb_runs()) {
    oneapi::tbb::parallel_sort(p, p + n);
    return;
  }
#else
  static_cast<void>(many_threads);
#endif
  if (radix)
    radix_sort(p, scratch, n);
  else
    std::sort(p, p + n);
}

template <class T>
struct line_job {
  using K = key_of<T>;
  using P = packed<K>;
  const lines_of& x;
  const sort_request& r;
  T* values;
  index* indices;
  bool alone;

  // The smallest of many elements, most of which a comparison of a whole block excludes.
  bool few() const { return r.first == 0 && r.count > 0 && r.count * 16 <= x.extent && !r.nan_first; }
  static constexpr index block = 32;
  // How much memory a line takes.
  index room() const { return few() ? 2 * r.count + 2 * block : 2 * x.extent; }

  P packed_of(const T* from, index i) const {
    constexpr int shift = static_cast<int>(sizeof(P)) * 4;
    const K flip = r.descending ? static_cast<K>(~K{0}) : K{0};
    return static_cast<P>(static_cast<P>(static_cast<K>(key(from[i * x.inner]) ^ flip)) << shift |
                          static_cast<P>(static_cast<K>(i)));
  }
  // Whether one of a block's elements, or a NaN, may come before this one, or be equal to it.
  template <bool Descending, bool Equal>
  [[gnu::always_inline]] static bool any_before(const T* from, T limit) {
    unsigned any = 0;
    for (index i = 0; i < block; ++i)
      any |= static_cast<unsigned>(Equal ? (Descending ? !(from[i] < limit) : !(from[i] > limit))
                                         : (Descending ? !(from[i] <= limit) : !(from[i] >= limit)));
    return any != 0;
  }
  template <bool Equal>
  [[gnu::always_inline]] bool any_before(const T* from, T limit) const {
    return r.descending ? any_before<true, Equal>(from, limit) : any_before<false, Equal>(from, limit);
  }

  // A contiguous line is dealt to so many lanes. The first elements of the lanes are elements of the line: `count` of
  // these do not come after the last of the `count` first ones.
  static constexpr index lanes = 16;
  static constexpr index most_in_lanes = 4096;  // in longer lines the first candidates exclude as many (Zen 4)
  bool has_lanes() const {
    return x.inner == 1 && r.count <= lanes / 2 && x.extent >= 8 * lanes && x.extent <= most_in_lanes;
  }
  template <bool Descending>
  static void first_of_lanes(const T* from, index n, T* best) {
    for (index k = 0; k < lanes; ++k) best[k] = from[k];
    for (index i = lanes; i + lanes <= n; i += lanes)
      for (index k = 0; k < lanes; ++k)
        best[k] = (Descending ? from[i + k] > best[k] : from[i + k] < best[k]) ? from[i + k] : best[k];
  }
  // Greater than the packed forms of `count` elements or more; and an element whose key is that.
  P limit_by_lanes(const T* from, T& value) const {
    T best[lanes];
    r.descending ? first_of_lanes<true>(from, x.extent, best) : first_of_lanes<false>(from, x.extent, best);
    P packed[lanes];
    constexpr int shift = static_cast<int>(sizeof(P)) * 4;
    const K flip = r.descending ? static_cast<K>(~K{0}) : K{0};
    for (index k = 0; k < lanes; ++k)
      packed[k] = static_cast<P>(static_cast<P>(static_cast<K>(key(best[k]) ^ flip)) << shift | static_cast<P>(k));
    std::nth_element(packed, packed + r.count - 1, packed + lanes);
    const P last = packed[r.count - 1];
    value = best[static_cast<K>(last)];
    return static_cast<P>(last | static_cast<P>(static_cast<K>(~K{0})));
  }
  // The `count` first of the line's elements in their order, in any order among each other. Those before the last
  // candidate so far are appended to the candidates without a branch, which are pruned when the memory is full.
  void keep_first(const T* from, P* p) const {
    const index n = x.extent, count = r.count, all = room();
    bool by_lanes = has_lanes();
    index kept = by_lanes ? 0 : smaller(all, n);
    for (index i = 0; i < kept; ++i) p[i] = packed_of(from, i);
    for (index next = kept;; by_lanes = false) {
      P limit;
      T value;
      if (by_lanes)
        limit = limit_by_lanes(from, value);
      else {
        if (kept > count) std::nth_element(p, p + count - 1, p + kept);
        kept = count;
        if (next == n) return;
        limit = p[count - 1];
        value = from[static_cast<index>(static_cast<key_of<T>>(limit)) * x.inner];
      }
      while (next < n && kept + block <= all) {
        const index step = smaller(block, n - next);
        if (x.inner > 1 || step < block ||
            (by_lanes ? any_before<true>(from + next, value) : any_before<false>(from + next, value)))
          for (index i = next; i < next + step; ++i) {
            const P e = packed_of(from, i);
            p[kept] = e;
            kept += e < limit ? 1 : 0;
          }
        next += step;
      }
    }
  }

  // Whether eight lines are quicker sorted together.
  bool by_network() const {
    return has_network && !few() && r.in_order && !r.nan_first && x.extent > 1 &&
           x.extent <= (x.inner == 1 ? runtime::network_row : runtime::network_column) &&
           (r.count == x.extent || x.extent <= most_selected) && runtime::line_networks().sort != nullptr;
  }
  static constexpr bool has_network = std::is_same_v<T, float> || std::is_same_v<T, std::int32_t>;
  static constexpr index most_selected = 64;  // elements of a line of which a selection is no quicker

  // Lines [first, first + 8), with memory for as many keys.
  void eight(index first, std::uint64_t* keys) const {
    const auto& network = runtime::line_networks();
    runtime::eight_lines from{{}, x.extent, x.inner, std::is_floating_point_v<T>, r.descending};
    runtime::eight_results to{r.first, r.count, x.inner, {}, {}};
    for (index l = 0; l < runtime::network_lines; ++l) {
      const index outer = (first + l) / x.inner, inner = (first + l) % x.inner;
      from.from[l] = static_cast<const T*>(x.data) + outer * x.extent * x.inner + inner;
      const index place = outer * r.count * x.inner + inner;
      to.values[l] = values != nullptr ? values + place : nullptr;
      to.indices[l] = indices != nullptr ? indices + place : nullptr;
    }
    network.pack(from, keys);
    network.sort(keys, x.extent);
    network.unpack(from, keys, to);
  }

  // Whether a line's bytes are counted: all of them, in order.
  static constexpr index counted_from = 128;
  bool by_counting() const {
    return sizeof(T) == 1 && r.count == x.extent && r.in_order && x.extent >= counted_from &&
           x.extent <= index{0xffffffff};
  }
  // Where the equal ones of each byte go follows from how many there are of each below it.
  void count(index line) const {
    const index n = x.extent, step = x.inner, start = line / step * n * step + line % step;
    const T* const from = static_cast<const T*>(x.data) + start;
    const unsigned flip = (std::is_signed_v<T> ? 0x80 : 0) ^ (r.descending ? 0xff : 0);
    const auto byte = [&](index i) { return static_cast<unsigned>(static_cast<std::uint8_t>(from[i * step])) ^ flip; };
    std::uint32_t begins[257] = {};
    for (index i = 0; i < n; ++i) ++begins[byte(i) + 1];
    for (int k = 0; k < 256; ++k) begins[k + 1] += begins[k];
    if (indices != nullptr) {
      std::uint32_t next[256];
      std::memcpy(next, begins, sizeof next);
      for (index i = 0; i < n; ++i) indices[start + next[byte(i)]++ * step] = i;
    }
    if (values != nullptr)
      for (unsigned k = 0; k < 256; ++k)
        for (index i = begins[k]; i < begins[k + 1]; ++i) values[start + i * step] = static_cast<T>(k ^ flip);
  }

  void operator()(index line, P* p) const {
    if (by_counting()) return count(line);
    const T* const from = static_cast<const T*>(x.data) + line / x.inner * x.extent * x.inner + line % x.inner;
    P* const first = few() ? p : p + r.first;
    index nan = -1;
    if (few()) {
      keep_first(from, p);
      std::sort(p, p + r.count);
    } else
      nan = order_all(from, p);
    const index to = line / x.inner * r.count * x.inner + line % x.inner;
    for (index k = 0; k < r.count; ++k) {
      auto at = static_cast<index>(static_cast<K>(first[k]));
      if (r.nan_first && nan >= 0) at = nan;
      if (indices != nullptr) indices[to + k * x.inner] = at;
      if (values != nullptr) values[to + k * x.inner] = from[at * x.inner];
    }
  }

 private:
  // Puts those that are asked for where they stand in the sorted line; the index of the first NaN, or -1.
  index order_all(const T* from, P* p) const {
    const index n = x.extent;
    index nan = -1;
    if (r.count <= 2 && !r.descending && n >= sampled_line &&
        select_one(from, x.extent, x.inner, r, p, nan, [&](index i) { return packed_of(from, i); }))
      return nan;
    for (index i = 0; i < n; ++i) {
      const T v = from[i * x.inner];
      if constexpr (std::is_floating_point_v<T>)
        if (nan < 0 && runtime::is_nan(v)) nan = i;
      p[i] = packed_of(from, i);
    }
    const index end = r.first + r.count;
    P* const first = p + r.first;
    if (r.count < n) {
      if (r.count > 0 && r.first > 0) std::nth_element(p, first, p + n);
      if (r.count > 1 && end < n) std::nth_element(first, p + end - 1, p + n);
      if (r.count == 1 && r.first == 0) std::nth_element(p, p, p + n);
    }
    if (r.in_order && r.count > 1) sort_all(first, p + n, r.count, !alone, r.count == n);
    return nan;
  }
};

template <class T>
void sort_as(const lines_of& x, const sort_request& r, void* values, index* indices, const runtime::options& how) {
  using P = packed<key_of<T>>;
  const index lines = x.outer * x.inner;
  if (lines == 0 || r.count == 0) return;
  if constexpr (sizeof(key_of<T>) == 4)
    if (x.extent > index{0xffffffff}) throw shape_error("sort: an axis of more than 4294967295 elements of this type");
  // one line for all threads, or one thread for each line
  const bool alone = how.threads == 1 || lines > 1;
  const line_job<T> job{x, r, static_cast<T*>(values), indices, alone};
  runtime::for_ranges(lines, lines * x.extent < 4096 ? 1 : how.threads, [&](index first, index last) {
    index line = first;
    if constexpr (line_job<T>::has_network)
      if (job.by_network() && last - first >= runtime::network_lines) {
        runtime::block_vector<std::uint64_t> keys(static_cast<std::size_t>(x.extent * runtime::network_lines));
        for (; line + runtime::network_lines <= last; line += runtime::network_lines) job.eight(line, keys.data());
      }
    if (line == last) return;
    runtime::block_vector<P> scratch(static_cast<std::size_t>(job.room()));
    for (; line < last; ++line) job(line, scratch.data());
  });
}

// Integers are sorted as those of 32 bits where that is quicker and they lie within 2^32 of each other: those of 64
// bits, most of which do, take half the memory, and many short lines of the others go through the network.
constexpr index narrowed_from = 256;

// The number that 0 stands for, so far from the ends of the type that differences from it tell the order.
template <class T>
std::uint64_t middle_of(T x) {
  if constexpr (sizeof(T) < 8) return std::is_same_v<T, std::uint32_t> ? std::uint64_t{1} << 31 : 0;
  constexpr std::int64_t reach = std::int64_t{1} << 31;
  constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
  return static_cast<std::uint64_t>(
      std::clamp(x, static_cast<T>(least + static_cast<T>(reach)), static_cast<T>(most - static_cast<T>(reach))));
}
// Writes x - middle for each element; false, if one of these has no place in 32 bits.
template <class T>
bool narrow(const T* x, index n, std::uint64_t middle, std::int32_t* to) {
  constexpr index part = 512;  // whose number the compiler knows
  const auto differ = [middle](const T* from, std::int32_t* own, index count) __attribute__((always_inline)) {
    std::uint64_t odd = 0;
    for (index i = 0; i < count; ++i) {
      const std::uint64_t from_middle = static_cast<std::uint64_t>(from[i]) - middle;
      odd |= from_middle + (std::uint64_t{1} << 31);
      own[i] = static_cast<std::int32_t>(from_middle);
    }
    return odd >> 32 == 0;
  };
  index i = 0;
  for (; i + part <= n; i += part)
    if (!differ(x + i, to + i, part)) return false;
  return differ(x + i, to + i, n - i);
}
template <class T>
bool sort_narrowed(const lines_of& x, const sort_request& r, void* values, index* indices,
                   const runtime::options& how) {
  const index lines = x.outer * x.inner, n = lines * x.extent, results = lines * r.count;
  const line_job<std::int32_t> job{x, r, nullptr, nullptr, true};
  if (n < narrowed_from || x.extent > index{0xffffffff} || job.few()) return false;
  if (line_job<T>{x, r, nullptr, nullptr, true}.by_counting()) return false;
  if (sizeof(T) < 8 && !(lines >= runtime::network_lines && job.by_network())) return false;
  const T* const from = static_cast<const T*>(x.data);
  const std::uint64_t middle = middle_of(from[0]);
  runtime::block_vector<std::int32_t> own(static_cast<std::size_t>(n)), sorted;
  std::atomic<bool> fits{true};
  const int threads = runtime::threads_for(how.threads, static_cast<double>(n));
  runtime::for_ranges(n, threads, [&](index first, index last) {
    if (fits && !narrow(from + first, last - first, middle, own.data() + first)) fits = false;
  });
  if (!fits) return false;
  if (values != nullptr) sorted.resize(static_cast<std::size_t>(results));
  const lines_of narrowed{own.data(), dtype::i32, x.outer, x.extent, x.inner};
  sort_as<std::int32_t>(narrowed, r, values != nullptr ? sorted.data() : nullptr, indices, how);
  if (values != nullptr)
    runtime::for_ranges(results, threads, [&](index first, index last) {
      T* const to = static_cast<T*>(values);
      for (index i = first; i < last; ++i)
        to[i] = static_cast<T>(static_cast<std::uint64_t>(std::int64_t{sorted[static_cast<std::size_t>(i)]}) + middle);
    });
  return true;
}

}  // namespace

void sort_lines(const lines_of& x, const sort_request& r, void* values, index* indices, const runtime::options& how) {
  runtime::with_type(x.type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, std::int32_t>)
      if (sort_narrowed<T>(x, r, values, indices, how)) return;
    sort_as<T>(x, r, values, indices, how);
  });
}

}  // namespace broadloom::detail
