// Lines with some elements at their sorted positions.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/index/partition.hpp>

#include "../base/for_each.hpp"
#include "../base/memory_block.hpp"
#include "select_one.hpp"
#include "sort_keys.hpp"
#include "types.hpp"

namespace broadloom::detail {

namespace {

constexpr index bytes_counted_from = 128;  // elements of a line, as where they are sorted

// Ascending numbers within [0, n), each once.
std::vector<index> sorted_places(const index* kth, index count, index n, const char* call) {
  std::vector<index> r;
  for (index i = 0; i < count; ++i) {
    const index k = kth[i] < 0 ? kth[i] + n : kth[i];
    if (k < 0 || k >= n)
      throw index_error("kth(=" + std::to_string(kth[i]) + ") out of bounds (" + std::to_string(n) + ")\n  in " + call);
    r.push_back(k);
  }
  std::sort(r.begin(), r.end());
  r.erase(std::unique(r.begin(), r.end()), r.end());
  return r;
}

// Halves the list of positions, so that each selection works on the range between two positions that are done.
template <class P>
void select_places(P* line, index low, index high, const index* first, const index* last) {
  if (first == last || high - low < 2) return;
  const index* const middle = first + (last - first) / 2;
  std::nth_element(line + low, line + *middle, line + high);
  select_places(line, low, *middle, first, middle);
  select_places(line, *middle + 1, high, middle + 1, last);
}

// f(number of a line, its first element, scratch for `room` times its elements) for each line.
template <class P, class T, class F>
void each_line(const lines_of& x, const runtime::options& how, index room, F f) {
  const index lines = x.outer * x.inner;
  runtime::for_ranges(lines, lines * x.extent < 4096 ? 1 : how.threads, [&](index first, index last) {
    runtime::block_vector<P> scratch(static_cast<std::size_t>(room * x.extent));
    for (index line = first; line < last; ++line) {
      const index at = line / x.inner * x.extent * x.inner + line % x.inner;
      f(at, static_cast<const T*>(x.data) + at, scratch.data());
    }
  });
}

// A line with one element at its place, in one pass without branches: a sample gives two elements that enclose it,
// unless chance or the data's pattern is against it; those below go to the front, those above to the end, and what is
// left is few. False if they do not enclose it, and then nothing that is written counts. packed_of(i): element i with
// its index.
template <bool Apart, class P, class T, class Packed>
bool place_one(const T* from, index n, index step, index kth, P* line, index* to, const Packed& packed_of) {
  using K = key_of<T>;
  const index inner = Apart ? step : 1;
  constexpr index most = 1024;
  const index size = std::clamp(n / 64, index{256}, most), between = n / size;
  P sample[most];
  for (index i = 0; i < size; ++i) sample[i] = packed_of(i * between + between / 2);
  const double rank = static_cast<double>(kth) / static_cast<double>(n), all = static_cast<double>(size);
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
  if (runtime::is_nan(low)) return false;
  if (middle + margin < size)
    if (const T above = value(middle + margin); !runtime::is_nan(above)) high = above;
  index front = 0, kept = 0, end = n - 1;
  for (index i = 0; i < n; ++i) {
    const T x = from[i * inner];
    const index below = x < low, above = !(x <= high);  // NaN are above
    to[front * inner] = i;
    to[end * inner] = i;
    const K number = static_cast<K>(i);
    std::memcpy(line + kept, &number, sizeof number);
    front += below;
    end -= above;
    kept += 1 - below - above;
  }
  const index own = kth - front;
  if (own < 0 || own >= kept) return false;
  for (index i = 0; i < kept; ++i) {
    K number;
    std::memcpy(&number, line + i, sizeof number);
    line[i] = packed_of(static_cast<index>(number));
  }
  std::nth_element(line, line + own, line + kept);
  for (index i = 0; i < kept; ++i) to[(front + i) * inner] = static_cast<index>(static_cast<K>(line[i]));
  return true;
}

// The n numbers `from`, which may be `line`, with the one at kth at its place, in `to`: they are compared with two
// elements of a sample in one pass without branches, those below go to the front, those above to the end, those between
// to the front of `line`, and then between the others; a selection works on the part that kth lies in, few numbers
// unless chance or the data's pattern is against it.
template <class T>
void place_value(const T* from, T* line, index n, index kth, T* to) {
  constexpr index size = 256;
  T sample[size];
  const index step = n / size;
  for (index i = 0; i < size; ++i) sample[i] = from[i * step + step / 2];
  const double rank = static_cast<double>(kth) / static_cast<double>(n), all = static_cast<double>(size);
  const index middle = static_cast<index>(rank * all),
              margin = 2 + static_cast<index>(2.5 * std::sqrt(all * rank * (1 - rank)));
  using limits = std::numeric_limits<T>;
  T low = limits::has_infinity ? -limits::infinity() : limits::lowest();
  T high = limits::has_infinity ? limits::infinity() : limits::max();
  const auto value = [&](index at) {
    std::nth_element(sample, sample + at, sample + size);
    return sample[at];
  };
  if (middle >= margin) low = value(middle - margin);
  if (middle + margin < size) high = value(middle + margin);
  index front = 0, kept = 0, end = n - 1;
  const auto divide = [&](auto some_below) {
    for (index i = 0; i < n; ++i) {
      const T x = from[i];
      const index above = high < x;
      index below = 0;
      if constexpr (decltype(some_below)::value) {
        below = x < low;
        to[front] = x;
        front += below;
      }
      to[end] = x;
      line[kept] = x;
      end -= above;
      kept += 1 - below - above;
    }
  };
  if (middle >= margin)
    divide(std::true_type{});
  else
    divide(std::false_type{});
  std::copy(line, line + kept, to + front);
  const index after = front + kept;
  const index first = kth < front ? 0 : kth < after ? front : after;
  const index last = kth < front ? front : kth < after ? after : n;
  std::nth_element(to + first, to + kth, to + last);
}

}  // namespace

void partition_lines(const lines_of& x, const index* kth, index count, const char* call, void* values, index* indices,
                     const runtime::options& how) {
  const std::vector<index> places = sorted_places(kth, count, x.extent, call);
  const index* const first = places.data();
  const index* const last = first + places.size();
  const index n = x.extent;
  runtime::with_type(x.type, [&]<class T>(T) {
    // Bytes are counted, which puts all of them into order.
    if constexpr (sizeof(T) == 1)
      if (n >= bytes_counted_from && n <= index{0xffffffff})
        return sort_lines(x, {0, n, false, true, false}, values, indices, how);
    if (values != nullptr)
      each_line<T, T>(x, how, x.inner == 1 ? 1 : 2, [&](index at, const T* from, T* line) {
        if constexpr (std::is_integral_v<T>)
          if (x.inner == 1 && places.size() == 1 && n >= sampled_line)
            return place_value(from, line, n, places[0], static_cast<T*>(values) + at);
        index numbers = 0;  // NaN go to the end, where they are in order
        index end = n;
        for (index i = 0; i < n; ++i) {
          const T e = from[i * x.inner];
          line[runtime::is_nan(e) ? --end : numbers++] = e;
        }
        T* const to = static_cast<T*>(values) + at;
        const bool by_sample = places.size() == 1 && numbers >= sampled_line && places[0] < numbers;
        if (by_sample) {
          T* const placed = x.inner == 1 ? to : line + n;
          place_value<T>(line, line, numbers, places[0], placed);
          if (x.inner != 1)
            for (index i = 0; i < numbers; ++i) to[i * x.inner] = placed[i];
        } else
          select_places(line, 0, numbers, first, std::lower_bound(first, last, numbers));
        for (index i = by_sample ? numbers : 0; i < n; ++i) to[i * x.inner] = line[i];
      });
    else {
      using K = key_of<T>;
      using P = packed<K>;
      constexpr int shift = static_cast<int>(sizeof(P)) * 4;
      if (sizeof(K) == 4 && n > index{0xffffffff})
        throw shape_error(std::string(call) + ": an axis of more than 4294967295 elements of this type");
      each_line<P, T>(x, how, 1, [&](index at, const T* from, P* line) {
        const auto packed_of = [&](index i) {
          return static_cast<P>(static_cast<P>(key(from[i * x.inner])) << shift | static_cast<P>(static_cast<K>(i)));
        };
        if (n >= sampled_line && places.size() == 1 &&
            (x.inner == 1 ? place_one<false>(from, n, 1, places[0], line, indices + at, packed_of)
                          : place_one<true>(from, n, x.inner, places[0], line, indices + at, packed_of)))
          return;
        for (index i = 0; i < n; ++i) line[i] = packed_of(i);
        select_places(line, 0, n, first, last);
        for (index i = 0; i < n; ++i) indices[at + i * x.inner] = static_cast<index>(static_cast<K>(line[i]));
      });
    }
  });
}

}  // namespace broadloom::detail
