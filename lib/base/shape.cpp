// Shapes whose rank is known at run time only, and the text of a shape; the number of elements of a range.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <broadloom/shape/broadcast.hpp>
#include <broadloom/shape/broadcast_shapes.hpp>
#include <broadloom/tensor/factories.hpp>
#include <broadloom/tensor/print.hpp>

namespace broadloom::detail {

namespace {

[[noreturn]] void throw_too_many_numbers() { throw shape_error("arange: too many elements"); }

}  // namespace

std::string shape_text(const index* extents, index rank) {
  std::string s = "(";
  for (index i = 0; i < rank; ++i) s += (i > 0 ? ", " : "") + std::to_string(extents[i]);
  return s + ")";
}

index arange_size(double start, double stop, double step) {
  const double n = std::ceil((stop - start) / step);
  if (step == 0 || !(n >= 0)) throw_bad_step();
  if (n > 9.0e18) throw_too_many_numbers();
  return static_cast<index>(n);
}

index arange_size(std::size_t start, std::size_t stop, std::size_t step) {
  if (step == 0 || start > stop) throw_bad_step();
  const std::size_t away = stop - start, n = away / step + (away % step != 0 ? 1 : 0);
  if (n > static_cast<std::size_t>(PTRDIFF_MAX)) throw_too_many_numbers();
  return static_cast<index>(n);
}

index arange_size(index start, index stop, index step) {
  // modulo 2^64, which holds every distance
  const auto from = static_cast<std::size_t>(start), to = static_cast<std::size_t>(stop),
             by = static_cast<std::size_t>(step);
  if (step < 0 ? start < stop : start > stop) throw_bad_step();
  return step < 0 ? arange_size(std::size_t{0}, from - to, 0 - by) : arange_size(std::size_t{0}, to - from, by);
}

// Products are rounded before they are added, on all processors.
#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC push_options
#pragma GCC optimize("O3", "fp-contract=off")
#endif

namespace {

// Vectors have conversions of 32 bits.
template <class Count, class T>
void arange_by(T* to, Count n, T first, T step) {
  for (Count i = 0; i < n; ++i) to[i] = first + static_cast<T>(i) * step;
}
template <class T>
void arange_of(T* to, index n, T first, T step) {
  if (n <= std::numeric_limits<std::int32_t>::max())
    arange_by(to, static_cast<std::int32_t>(n), first, step);
  else
    arange_by(to, n, first, step);
}
template <class Count, class T>
void linspace_by(T* to, Count n, T low, T high, T step) {
  const Count middle = n == 1 ? n : n / 2;
  for (Count i = 0; i < middle; ++i) to[i] = low + step * static_cast<T>(i);
  for (Count i = middle; i < n; ++i) to[i] = high - step * static_cast<T>(n - 1 - i);
}
// Of halves where stop - start is beyond the largest number.
template <class T>
void linspace_of(T* to, index n, T start, T stop) {
  const bool wide = std::isinf(stop - start) && !std::isinf(start) && !std::isinf(stop);
  const T part = wide ? T(0.5) : T(1), low = start * part, high = stop * part;
  const T step = n > 1 ? (high - low) / static_cast<T>(n - 1) : T(0);
  if (n <= std::numeric_limits<std::int32_t>::max())
    linspace_by(to, static_cast<std::int32_t>(n), low, high, step);
  else
    linspace_by(to, n, low, high, step);
  for (index i = 0; wide && i < n; ++i) to[i] *= 2;
}

}  // namespace

void fill_arange(bool f64, void* to, index n, double first, double step) {
  f64 ? arange_of(static_cast<double*>(to), n, first, step)
      : arange_of(static_cast<float*>(to), n, static_cast<float>(first), static_cast<float>(step));
}
void fill_linspace(bool f64, void* to, index n, double start, double stop) {
  f64 ? linspace_of(static_cast<double*>(to), n, start, stop)
      : linspace_of(static_cast<float*>(to), n, static_cast<float>(start), static_cast<float>(stop));
}

#if !defined(__clang__)
#pragma GCC pop_options
#endif

void broadcast_extents(const char* function, const shape_view* shapes, int count, index* result, index rank) {
  for (index i = 0; i < rank; ++i) result[i] = 1;
  for (int j = 0; j < count; ++j)
    for (index k = 1; k <= shapes[j].rank; ++k) {
      const index x = shapes[j].extents[shapes[j].rank - k];
      index& r = result[rank - k];
      if (x == r || x == 1) continue;
      if (r != 1) throw_not_broadcastable(function, shapes, count);
      r = x;
    }
}

list<index> broadcast_extents(const shape_view* shapes, std::size_t count) {
  index rank = 0;
  for (std::size_t j = 0; j < count; ++j) {
    rank = std::max(rank, shapes[j].rank);
    for (index i = 0; i < shapes[j].rank; ++i)
      if (shapes[j].extents[i] < 0) throw_negative_extent(shapes[j].extents, shapes[j].rank);
  }
  std::vector<index> r(static_cast<std::size_t>(rank));
  broadcast_extents("broadcast_shapes", shapes, static_cast<int>(count), r.data(), rank);
  return r;
}

list<index> broadcast_extents(std::initializer_list<std::initializer_list<index>> shapes) {
  std::vector<shape_view> views;
  for (const auto& s : shapes) views.push_back({s.begin(), static_cast<index>(s.size())});
  return broadcast_extents(views.data(), views.size());
}

}  // namespace broadloom::detail
