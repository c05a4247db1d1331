// Lines with some elements at their sorted positions.
#include <algorithm>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/index/partition.hpp>

#include "../base/for_each.hpp"
#include "../base/memory_block.hpp"
#include "sort_keys.hpp"
#include "types.hpp"

namespace broadloom::detail {

namespace {

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

// f(number of a line, its first element, scratch for `room` elements of it) for each line.
template <class P, class T, class F>
void each_line(const lines_of& x, const runtime::options& how, F f) {
  const index lines = x.outer * x.inner;
  runtime::for_ranges(lines, lines * x.extent < 4096 ? 1 : how.threads, [&](index first, index last) {
    runtime::block_vector<P> scratch(static_cast<std::size_t>(x.extent));
    for (index line = first; line < last; ++line) {
      const index at = line / x.inner * x.extent * x.inner + line % x.inner;
      f(at, static_cast<const T*>(x.data) + at, scratch.data());
    }
  });
}

}  // namespace

void partition_lines(const lines_of& x, const index* kth, index count, const char* call, void* values, index* indices,
                     const runtime::options& how) {
  const std::vector<index> places = sorted_places(kth, count, x.extent, call);
  const index* const first = places.data();
  const index* const last = first + places.size();
  const index n = x.extent;
  runtime::with_type(x.type, [&]<class T>(T) {
    if (values != nullptr)
      each_line<T, T>(x, how, [&](index at, const T* from, T* line) {
        index numbers = 0;  // NaN go to the end, where they are in order
        index end = n;
        for (index i = 0; i < n; ++i) {
          const T e = from[i * x.inner];
          line[runtime::is_nan(e) ? --end : numbers++] = e;
        }
        select_places(line, 0, numbers, first, std::lower_bound(first, last, numbers));
        T* const to = static_cast<T*>(values) + at;
        for (index i = 0; i < n; ++i) to[i * x.inner] = line[i];
      });
    else {
      using K = key_of<T>;
      using P = packed<K>;
      constexpr int shift = static_cast<int>(sizeof(P)) * 4;
      if (sizeof(K) == 4 && n > index{0xffffffff})
        throw shape_error(std::string(call) + ": an axis of more than 4294967295 elements of this type");
      each_line<P, T>(x, how, [&](index at, const T* from, P* line) {
        for (index i = 0; i < n; ++i)
          line[i] = static_cast<P>(static_cast<P>(key(from[i * x.inner])) << shift | static_cast<P>(static_cast<K>(i)));
        select_places(line, 0, n, first, last);
        for (index i = 0; i < n; ++i) indices[at + i * x.inner] = static_cast<index>(static_cast<K>(line[i]));
      });
    }
  });
}

}  // namespace broadloom::detail
