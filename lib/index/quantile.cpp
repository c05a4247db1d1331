// Quantiles of lines, by selection.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/index/sort.hpp>

#include "../base/for_each.hpp"
#include "../base/memory_block.hpp"
#include "select_one.hpp"
#include "types.hpp"

namespace broadloom::detail {

namespace {

// a and b with weights 1 - weight and weight. From the nearer end, as lerp does, and of halves where their difference
// is beyond the largest number. Ends that are equal, and an end whose weight is 1, are the value: arithmetic would give
// NaN for infinite ones.
template <class T>
T between_values(T a, T b, T weight) {
  if (a == b || weight == 0) return a;
  if (std::isinf(a) || std::isinf(b)) return std::isinf(a) && !(std::isinf(b)) ? a : std::isinf(a) ? a + b : b;
  const auto from_nearer = [weight](T x, T y) {
    return weight < T(0.5) ? x + weight * (y - x) : y - (y - x) * (T(1) - weight);
  };
  return std::isinf(b - a) ? T(2) * from_nearer(a / 2, b / 2) : from_nearer(a, b);
}

// Where a quantile lies in a sorted line: between two elements, or on one.
template <class T>
struct quantile_place {
  index low, high;
  T weight;
};

template <class T>
quantile_place<T> place_of(double q, index extent, interpolation between) {
  // in the elements' type, as in PyTorch, if it counts that far exactly
  const bool counts = extent <= index{1} << std::numeric_limits<T>::digits;
  const double rank = counts ? static_cast<double>(static_cast<T>(q) * static_cast<T>(extent - 1))
                             : q * static_cast<double>(extent - 1);
  double low = std::floor(rank), high = std::ceil(rank);
  if (between == interpolation::lower) high = low;
  if (between == interpolation::higher) low = high;
  if (between == interpolation::nearest) low = high = std::nearbyint(rank);
  return {static_cast<index>(low), static_cast<index>(high),
          between == interpolation::midpoint ? T(0.5) : static_cast<T>(rank - low)};
}

// Puts the elements that belong at these ascending positions of the sorted line there: by selection, unless there are
// so many that sorting is less work.
template <class T>
void put_in_place(runtime::block_vector<T>& line, const std::vector<index>& positions) {
  if (positions.size() > 8 && positions.size() * 32 > line.size()) {
    std::sort(line.begin(), line.end());
    return;
  }
  auto first = line.begin();
  for (const index p : positions) {
    const auto at = line.begin() + p;
    if (at == first)  // the least of what is left
      std::iter_swap(first, std::min_element(first, line.end()));
    else
      std::nth_element(first, at, line.end());
    first = at + 1;
  }
}

template <class T>
void quantiles(const lines_of& x, const double* q, index count, interpolation between, T* to, index step) {
  std::vector<quantile_place<T>> places;
  std::vector<index> positions;
  for (index k = 0; k < count; ++k) {
    places.push_back(place_of<T>(q[k], x.extent, between));
    positions.push_back(places.back().low);
    positions.push_back(places.back().high);
  }
  const index lines = x.outer * x.inner;
  if (count <= 4 && x.extent >= sampled_line) {
    for (index k = 0; k < count; ++k) {
      const quantile_place<T>& p = places[static_cast<std::size_t>(k)];
      const index wanted = p.high - p.low + 1;
      runtime::block_vector<T> found(static_cast<std::size_t>(lines * wanted));
      sort_lines(x, {p.low, wanted, false, true, true}, found.data(), nullptr, runtime::options{});
      for (index l = 0; l < lines; ++l) {
        const T* const low = found.data() + l / x.inner * wanted * x.inner + l % x.inner;
        const T* const high = low + (wanted - 1) * x.inner;
        to[k * step + l] = runtime::is_nan(*low) ? *low : between_values(*low, *high, p.weight);
      }
    }
    return;
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  runtime::for_ranges(lines, lines * x.extent < 4096 ? 1 : 0, [&](index first, index last) {
    runtime::block_vector<T> line(static_cast<std::size_t>(x.extent));
    for (index l = first; l < last; ++l) {
      const T* const from = static_cast<const T*>(x.data) + l / x.inner * x.extent * x.inner + l % x.inner;
      T nan{};
      bool any = false;
      for (index i = 0; i < x.extent; ++i) {
        line[static_cast<std::size_t>(i)] = from[i * x.inner];
        if (runtime::is_nan(from[i * x.inner])) {
          any = true;
          nan = from[i * x.inner];
        }
      }
      if (!any) put_in_place(line, positions);
      for (index k = 0; k < count; ++k) {
        const quantile_place<T>& p = places[static_cast<std::size_t>(k)];
        to[k * step + l] = any ? nan
                               : between_values(line[static_cast<std::size_t>(p.low)],
                                                line[static_cast<std::size_t>(p.high)], p.weight);
      }
    }
  });
}

}  // namespace

void quantile_lines(const lines_of& x, const double* q, index count, interpolation between, void* to, index step) {
  if (x.type == dtype::f32)
    quantiles<float>(x, q, count, between, static_cast<float*>(to), step);
  else
    quantiles<double>(x, q, count, between, static_cast<double*>(to), step);
}

}  // namespace broadloom::detail
