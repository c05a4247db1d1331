// Sorts one line after another as integers: an unsigned key with the index below it. Equal elements keep their order,
// whatever the routine.
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#ifndef BROADLOOM_WITHOUT_TBB
#include <oneapi/tbb/parallel_sort.h>
#endif

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

#include <broadloom/core/error.hpp>
#include <broadloom/index/sort.hpp>

#include "../base/for_each.hpp"
#include "../base/limits.hpp"
#include "../base/memory_block.hpp"
#include "../base/scheduler_work.hpp"
#include "../base/tuned.hpp"
#include "before.hpp"
#include "line_network.hpp"
#include "select_one.hpp"
#include "sort_keys.hpp"
#include "types.hpp"

namespace broadloom::detail {

namespace {

index smaller(index a, index b) { return a < b ? a : b; }

// Radix sort of elements that are in the order of their indices: counts bytes of the key, least significant first. Each
// pass keeps the order of the one before; bytes that are the same in all keys are passed over. Those from the lowest
// `Passes` on are.
template <int Passes, class P>
void radix_sort(P* a, P* b, index n) {
  constexpr int bytes = static_cast<int>(sizeof(P)) / 2, low = 8 * bytes;  // a key is the upper half
  using K = std::conditional_t<bytes == 8, std::uint64_t, std::uint32_t>;
  std::uint32_t counts[Passes][256] = {};
  for (index i = 0; i < n; ++i) {
    const auto k = static_cast<K>(a[i] >> low);
#pragma GCC unroll 8
    for (int pass = 0; pass < Passes; ++pass) ++counts[pass][k >> 8 * pass & 255];
  }
  P* from = a;
  P* to = b;
  for (int pass = 0; pass < Passes; ++pass) {
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

template <int Passes, class P>
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
    radix_sort<Passes>(p, scratch, n);
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
  static constexpr index block = runtime::block_of_line;
  static constexpr bool has_kernels = runtime::has_before_kernels<T>;
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
  static constexpr index lanes = runtime::lanes_of_line;
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
    if constexpr (has_kernels)
      runtime::before_code<T>().first_of_lanes(from, x.extent, r.descending, best);
    else
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
      const auto keep = [&](index i) {
        const P e = packed_of(from, i);
        p[kept] = e;
        kept += e < limit ? 1 : 0;
      };
      if constexpr (has_kernels)
        while (x.inner == 1 && next + block <= n && kept + block <= all) {
          const auto [passed, which] =
              runtime::before_code<T>().next_block(from + next, (n - next) / block, value, r.descending, by_lanes);
          next += passed * block;
          if (which == 0) break;
          for (std::uint32_t left = which; left != 0; left &= left - 1) keep(next + std::countr_zero(left));
          next += block;
        }
      while (next < n && kept + block <= all) {
        const index step = smaller(block, n - next);
        if (x.inner > 1 || step < block ||
            (by_lanes ? any_before<true>(from + next, value) : any_before<false>(from + next, value)))
          for (index i = next; i < next + step; ++i) keep(i);
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
  // In four tables by turns, so that equal neighbours need not wait for each other.
  static void count_bytes(const T* from, index n, unsigned flip, std::uint32_t* counts) {
    constexpr int tables = 4;
    std::uint32_t own[tables][256] = {};
    index i = 0;
    for (; i + 8 <= n; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, from + i, sizeof eight);
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) ++own[k % tables][eight >> 8 * k & 255];
    }
    for (; i < n; ++i) ++own[0][static_cast<std::uint8_t>(from[i])];
    for (unsigned k = 0; k < 256; ++k) counts[k ^ flip] = own[0][k] + own[1][k] + own[2][k] + own[3][k];
  }
  // Where the equal ones of each byte go follows from how many there are of each below it.
  void count(index line) const {
    const index n = x.extent, step = x.inner, start = line / step * n * step + line % step;
    const T* const from = static_cast<const T*>(x.data) + start;
    const unsigned flip = (std::is_signed_v<T> ? 0x80 : 0) ^ (r.descending ? 0xff : 0);
    const auto byte = [&](index i) { return static_cast<unsigned>(static_cast<std::uint8_t>(from[i * step])) ^ flip; };
    std::uint32_t begins[257] = {};
    if (step == 1)
      count_bytes(from, n, flip, begins + 1);
    else
      for (index i = 0; i < n; ++i) ++begins[byte(i) + 1];
    for (int k = 0; k < 256; ++k) begins[k + 1] += begins[k];
    if (indices != nullptr) {
      std::uint32_t next[256];
      std::memcpy(next, begins, sizeof next);
      for (index i = 0; i < n; ++i) indices[start + next[byte(i)]++ * step] = i;
    }
    if (values == nullptr) return;
    for (unsigned k = 0; k < 256; ++k)
      if (step == 1)
        std::memset(values + start + begins[k], static_cast<int>(k ^ flip), begins[k + 1] - begins[k]);
      else
        for (index i = begins[k]; i < begins[k + 1]; ++i) values[start + i * step] = static_cast<T>(k ^ flip);
  }

  // The same of wider integers, if they span less than there are of them; else false. Not of lines that are short.
  static constexpr index ranged_from = 1024;
  bool counted_in_range(index line) const {
    using U = std::make_unsigned_t<T>;
    const index n = x.extent, step = x.inner, start = line / step * n * step + line % step;
    if (n < ranged_from || n > index{0xffffffff}) return false;
    constexpr index most_counted = index{1} << 17;  // their counters stay in the second-level cache
    const auto limit = static_cast<std::uint64_t>(smaller(n, most_counted));
    const T* const from = static_cast<const T*>(x.data) + start;
    T least = from[0], most = from[0];
    const auto spans = [&](index every) {
      for (index i = 0; i < n; i += every) {
        const T own = from[i * step];
        least = own < least ? own : least;
        most = own > most ? own : most;
      }
      return static_cast<U>(static_cast<U>(most) - static_cast<U>(least));
    };
    if (spans(n / 32) >= limit) return false;
    const U range = spans(1);
    if (range >= limit) return false;
    const auto place = [&](index i) {
      const U own = static_cast<U>(static_cast<U>(from[i * step]) - static_cast<U>(least));
      return static_cast<std::size_t>(r.descending ? static_cast<U>(range - own) : own);
    };
    std::vector<std::uint32_t> begins(static_cast<std::size_t>(range) + 2);
    for (index i = 0; i < n; ++i) ++begins[place(i) + 1];
    for (std::size_t k = 1; k < begins.size(); ++k) begins[k] += begins[k - 1];
    if (values != nullptr)
      for (std::size_t k = 0; k + 1 < begins.size(); ++k) {
        const U own = r.descending ? static_cast<U>(range - static_cast<U>(k)) : static_cast<U>(k);
        for (index i = begins[k]; i < begins[k + 1]; ++i)
          values[start + i * step] = static_cast<T>(static_cast<U>(static_cast<U>(least) + own));
      }
    if (indices != nullptr)
      for (index i = 0; i < n; ++i) indices[start + begins[place(i)]++ * step] = i;
    return true;
  }

  void operator()(index line, P* p) const {
    if (by_counting()) return count(line);
    if constexpr (std::is_integral_v<T> && sizeof(T) > 1)
      if (r.count == x.extent && r.in_order && counted_in_range(line)) return;
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
    if constexpr (sizeof(K) == 8)
      if (r.count == 1 && n > 1) return select_key(from, p);
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
    if (r.in_order && r.count > 1) sort_all<static_cast<int>(sizeof(T))>(first, p + n, r.count, !alone, r.count == n);
    return nan;
  }
  // One element by its key alone, which takes half the memory; its index is that of the equal one, counted from the
  // first, that the order of all would put there. Returns what order_all does.
  index select_key(const T* from, P* p) const {
    const index n = x.extent;
    const K flip = r.descending ? static_cast<K>(~K{0}) : K{0};
    K* const keys = reinterpret_cast<K*>(p + n);
    bool odd = false;
    for (index i = 0; i < n; ++i) {
      const T v = from[i * x.inner];
      odd |= runtime::is_nan(v);
      keys[i] = static_cast<K>(key(v) ^ flip);
    }
    std::nth_element(keys, keys + r.first, keys + n);
    const K found = keys[r.first];
    index before = r.first;
    for (index i = 0; i < r.first; ++i) before -= keys[i] < found ? 1 : 0;
    index at = 0;
    for (;; ++at)
      if (static_cast<K>(key(from[at * x.inner]) ^ flip) == found && before-- == 0) break;
    p[r.first] = packed_of(from, at);
    index nan = -1;
    if (odd)
      for (nan = 0; !runtime::is_nan(from[nan * x.inner]);) ++nan;
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
  // as many lines as the network takes belong together
  const index together = line_job<T>::has_network && job.by_network() ? runtime::network_lines : 1;
  const index tasks = (lines + together - 1) / together;
  runtime::for_ranges(tasks, lines * x.extent < 4096 ? 1 : how.threads, [&](index begin, index end) {
    index line = begin * together;
    const index first = line, last = end < tasks ? end * together : lines;
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
  if constexpr (sizeof(T) == 8)
    return runtime::narrow_code().narrow(reinterpret_cast<const std::uint64_t*>(x), n, middle, to);
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

// Elements of 8 bytes are sorted by the upper halves of their keys, as integers of 32 bits; those whose upper halves
// are equal follow by themselves. Not where these are many.
template <class T>
bool halves_tell(const T* x, index n) {
  constexpr index looked_at = 32;
  key_of<T> some[looked_at];
  for (index k = 0; k < looked_at; ++k) some[k] = key(x[n / looked_at * k]);
  std::sort(some, some + looked_at);
  index equal = 0;
  for (index k = 1; k < looked_at; ++k) equal += some[k] != some[k - 1] && some[k] >> 32 == some[k - 1] >> 32 ? 1 : 0;
  return equal <= looked_at / 16;
}
// The indices of a line in the order of the upper halves: runs of equal ones are put into their own.
template <class T>
void order_by_lower_halves(const T* from, index n, index step, bool descending, index* at) {
  using K = key_of<T>;
  const K flip = descending ? static_cast<K>(~K{0}) : K{0};
  const auto key_at = [&](index k) { return static_cast<K>(key(from[at[k * step] * step]) ^ flip); };
  runtime::block_vector<packed<K>> own;
  K last = key_at(0);
  for (index k = 1, first = 0; k < n; ++k) {
    const K next = key_at(k);
    if (next >> 32 != last >> 32) first = k;
    if (next >= last) {
      last = next;
      continue;
    }
    index end = k + 1;
    while (end < n && key_at(end) >> 32 == next >> 32) ++end;
    const index count = end - first;
    own.resize(static_cast<std::size_t>(2 * count));
    for (index i = 0; i < count; ++i)
      own[static_cast<std::size_t>(i)] = static_cast<packed<K>>(key_at(first + i)) << 64 |
                                         static_cast<packed<K>>(static_cast<K>(at[(first + i) * step]));
    sort_all<8>(own.data(), own.data() + count, count, false, true);
    for (index i = 0; i < count; ++i)
      at[(first + i) * step] = static_cast<index>(static_cast<K>(own[static_cast<std::size_t>(i)]));
    k = end - 1;
    last = key_at(k);
  }
}
template <class T>
bool sort_by_halves(const lines_of& x, const sort_request& r, void* values, index* indices,
                    const runtime::options& how) {
  const index lines = x.outer * x.inner, n = lines * x.extent;
  if (n < narrowed_from || x.extent > index{0x7fffffff} || x.extent < 2 || r.count != x.extent || !r.in_order ||
      r.nan_first)
    return false;
  const T* const from = static_cast<const T*>(x.data);
  if (!halves_tell(from, n)) return false;
  runtime::block_vector<std::int32_t> upper(static_cast<std::size_t>(n));
  runtime::block_vector<index> own(static_cast<std::size_t>(indices != nullptr ? 0 : n));
  index* const at = indices != nullptr ? indices : own.data();
  const int threads = runtime::threads_for(how.threads, static_cast<double>(n));
  runtime::for_ranges(n, threads, [&](index first, index last) {
    for (index i = first; i < last; ++i)
      upper[static_cast<std::size_t>(i)] =
          static_cast<std::int32_t>(static_cast<std::uint32_t>(key(from[i]) >> 32) ^ std::uint32_t{1} << 31);
  });
  sort_as<std::int32_t>({upper.data(), dtype::i32, x.outer, x.extent, x.inner}, r, nullptr, at, how);
  const auto start_of = [&](index line) { return line / x.inner * x.extent * x.inner + line % x.inner; };
  runtime::for_ranges(lines, threads, [&](index first, index last) {
    for (index line = first; line < last; ++line)
      order_by_lower_halves(from + start_of(line), x.extent, x.inner, r.descending, at + start_of(line));
  });
  if (values == nullptr) return true;
  T* const to = static_cast<T*>(values);
  const auto write = [&](index line, index first, index last) {
    const index start = start_of(line);
    for (index k = first; k < last; ++k) to[start + k * x.inner] = from[start + at[start + k * x.inner] * x.inner];
  };
  if (lines == 1)
    runtime::for_ranges(x.extent, threads, [&](index first, index last) { write(0, first, last); });
  else
    runtime::for_ranges(lines, threads, [&](index first, index last) {
      for (index line = first; line < last; ++line) write(line, 0, x.extent);
    });
  return true;
}

}  // namespace

void sort_lines(const lines_of& x, const sort_request& r, void* values, index* indices, const runtime::options& how) {
  runtime::with_type(x.type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, std::int32_t>)
      if (sort_narrowed<T>(x, r, values, indices, how)) return;
    if constexpr (sizeof(T) == 8)
      if (sort_by_halves<T>(x, r, values, indices, how)) return;
    sort_as<T>(x, r, values, indices, how);
  });
}

}  // namespace broadloom::detail
