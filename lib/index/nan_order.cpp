// Order statistics that leave NaN out, and the most frequent value, line by line.
#include <algorithm>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/index/nan_order.hpp>
#include <broadloom/index/ordered_lines.hpp>

#include "../base/for_each.hpp"
#include "../base/memory_block.hpp"
#include "select_one.hpp"
#include "types.hpp"

namespace broadloom::detail {

namespace {

// f(line, its elements in order without NaN, their number, number of the line), for each line.
template <class T, class F>
void sorted_lines(const lines_of& x, F f) {
  constexpr index few = 256;
  const index lines = x.outer * x.inner;
  runtime::for_ranges(lines, lines * x.extent < 4096 ? 1 : 0, [&](index first, index last) {
    runtime::block_vector<T> line(static_cast<std::size_t>(x.extent)), numbers(line.size()), sorted(line.size());
    for (index l = first; l < last; ++l) {
      const T* const from = static_cast<const T*>(x.data) + l / x.inner * x.extent * x.inner + l % x.inner;
      index n = 0;
      for (index i = 0; i < x.extent; ++i) {
        const T own = from[i * x.inner];
        line[static_cast<std::size_t>(i)] = own;
        numbers[static_cast<std::size_t>(n)] = own;
        n += runtime::is_nan(own) ? 0 : 1;
      }
      if (n > few)
        sort_lines({numbers.data(), x.type, 1, n, 1}, {0, n, false, true, false}, sorted.data(), nullptr,
                   runtime::options{1, {}});
      else
        std::sort(numbers.data(), numbers.data() + n);
      f(line.data(), n > few ? sorted.data() : numbers.data(), n, l);
    }
  });
}

}  // namespace

// The middle element is selected, in a long line with NaN behind all others; its position is that of the equal one,
// counted from the first, that the order of all would put there.
void nan_median_lines(const lines_of& x, void* values, index* indices) {
  runtime::with_type(x.type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      return sort_lines(x, {(x.extent - 1) / 2, 1, false, true, false}, values, indices, runtime::options{});
    const index lines = x.outer * x.inner;
    runtime::for_ranges(lines, lines * x.extent < 4096 ? 1 : 0, [&](index first, index last) {
      runtime::block_vector<T> scratch(static_cast<std::size_t>(x.extent));
      T* const numbers = scratch.data();
      for (index l = first; l < last; ++l) {
        const T* const from = static_cast<const T*>(x.data) + l / x.inner * x.extent * x.inner + l % x.inner;
        if (x.extent >= sampled_line) {
          const T* line = from;
          if (x.inner > 1) {
            for (index i = 0; i < x.extent; ++i) numbers[i] = from[i * x.inner];
            line = numbers;
          }
          const index n = count_numbers(line, x.extent, 1);
          sort_lines({line, x.type, 1, x.extent, 1}, {n == 0 ? 0 : (n - 1) / 2, 1, false, true, false},
                     static_cast<T*>(values) + l, indices + l, runtime::options{1, {}});
          continue;
        }
        index n = 0;
        for (index i = 0; i < x.extent; ++i) {
          numbers[n] = from[i * x.inner];
          n += !runtime::is_nan(numbers[n]);
        }
        index at = 0;
        if (n != 0) {
          T* const middle = numbers + (n - 1) / 2;
          std::nth_element(numbers, middle, numbers + n);
          const T value = *middle;
          index before = std::count(numbers, middle, value);
          while (!(from[at * x.inner] == value && before-- == 0)) ++at;
        }
        static_cast<T*>(values)[l] = from[at * x.inner];
        indices[l] = at;
      }
    });
  });
}

void most_frequent_lines(const lines_of& x, void* values, index* indices) {
  runtime::with_type(x.type, [&](auto zero) {
    using T = decltype(zero);
    // The first value of the longest run, and the last place that has it.
    sorted_lines<T>(x, [&](const T* line, const T* sorted, index n, index l) {
      index best = 0;
      T found{};
      for (index i = 0; i < n;) {
        index end = i + 1;
        while (end < n && sorted[end] == sorted[i]) ++end;
        if (end - i > best) {
          best = end - i;
          found = sorted[i];
        }
        i = end;
      }
      index at = best > 0 ? x.extent - 1 : 0;
      while (best > 0 && !(line[at] == found)) --at;
      static_cast<T*>(values)[l] = line[at];
      indices[l] = at;
    });
  });
}

void nan_quantile_lines(const lines_of& x, const double* q, index count, interpolation between, void* to, index step) {
  const auto each = [&](auto zero) {
    using T = decltype(zero);
    const index lines = x.outer * x.inner;
    runtime::block_vector<T> scratch(static_cast<std::size_t>(x.extent));
    T* const numbers = scratch.data();
    for (index l = 0; l < lines; ++l) {
      const T* const from = static_cast<const T*>(x.data) + l / x.inner * x.extent * x.inner + l % x.inner;
      index n = 0;
      for (index i = 0; i < x.extent; ++i) {
        numbers[n] = from[i * x.inner];
        n += runtime::is_nan(numbers[n]) ? 0 : 1;
      }
      if (n == 0)
        for (index k = 0; k < count; ++k) static_cast<T*>(to)[k * step + l] = from[0];
      else
        quantile_lines({numbers, x.type, 1, n, 1}, q, count, between, static_cast<T*>(to) + l, step);
    }
  };
  if (x.type == dtype::f32)
    each(float{});
  else
    each(double{});
}

}  // namespace broadloom::detail
