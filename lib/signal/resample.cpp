// Pooling and interpolation: each element of the result is made of some elements of each axis; rows are combined first.
#include <broadloom/signal/resample_call.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <broadloom/core/simd_vec.hpp>

#include "../base/memory_block.hpp"
#include "../linalg/batch.hpp"

namespace broadloom::runtime {

namespace {

constexpr int max_axes = detail::max_signal_axes;

// Element o of an axis is made of the elements at[k] of x, begin[o] <= k < begin[o + 1].
struct axis_taps {
  block_vector<index> begin{0}, at;
  block_vector<double> weight, divisor;
  bool single = true;  // all weights are 1

  // Memory for `out` elements of `each` elements at most.
  void reserve(index out, index each) {
    begin.reserve(static_cast<std::size_t>(out) + 1);
    divisor.reserve(static_cast<std::size_t>(out));
    at.reserve(static_cast<std::size_t>(out * each));
    weight.reserve(static_cast<std::size_t>(out * each));
  }

  void add(index i, double w = 1) {
    at.push_back(i);
    weight.push_back(w);
    single = single && w == 1;
  }
  void close(double by = 1) {
    begin.push_back(static_cast<index>(at.size()));
    divisor.push_back(by);
  }
  index first(index o) const { return begin[static_cast<std::size_t>(o)]; }
  index last(index o) const { return begin[static_cast<std::size_t>(o) + 1]; }
  index from(index k) const { return at[static_cast<std::size_t>(k)]; }
  double factor(index k) const { return weight[static_cast<std::size_t>(k)]; }
  double by(index o) const { return divisor[static_cast<std::size_t>(o)]; }
};

// The last axes of x and of the result; what comes before is a stack of images.
template <class T>
struct images {
  const T* x;
  index loops[2] = {1, 1}, loop_strides[2] = {0, 0};
  index extent[max_axes] = {1, 1, 1}, stride[max_axes] = {0, 0, 0}, out[max_axes] = {1, 1, 1};
  T* to;

  images(const signal_operand& o, int axes, void* result, const index* extents)
      : x(static_cast<const T*>(o.data)), to(static_cast<T*>(result)) {
    const int before = o.rank - axes;
    for (int a = 0; a < before; ++a) {
      loops[2 - before + a] = o.extents[a];
      loop_strides[2 - before + a] = o.strides[a];
    }
    for (int a = 0; a < axes; ++a) {
      extent[max_axes - axes + a] = o.extents[before + a];
      stride[max_axes - axes + a] = o.strides[before + a];
      out[max_axes - axes + a] = extents[before + a];
    }
  }
  const T* image(index i) const { return x + i / loops[1] * loop_strides[0] + i % loops[1] * loop_strides[1]; }
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3")
#endif

template <class T>
void add_row(T* to, const T* x, index step, index n, T weight) {
  if (step == 1)
    for (index i = 0; i < n; ++i) to[i] += weight * x[i];
  else
    for (index i = 0; i < n; ++i) to[i] += weight * x[i * step];
}
// NaN is the largest.
template <class T>
void max_row(T* to, const T* x, index step, index n) {
  for (index i = 0; i < n; ++i) {
    const T value = x[i * step];
    to[i] = to[i] > value || to[i] != to[i] ? to[i] : value;
  }
}

template <bool Maximum, int Stride, class T>
void windows_of(T* to, const T* x, index n, index stride, index kernel, index dilation) {
  const index apart = Stride > 0 ? Stride : stride;
  for (index i = 0; i < n; ++i) to[i] = Maximum ? x[i * apart] : T(0) + x[i * apart];
  for (index k = 1; k < kernel; ++k) {
    x += dilation;
    for (index i = 0; i < n; ++i) {
      const T value = to[i], next = x[i * apart], larger = value > next ? value : next;
      to[i] = !Maximum ? value + next : value != value ? value : larger;
    }
  }
}
// The largest, or the sum divided by `divisor`, of windows of `kernel` elements, `dilation` apart, that begin `stride`
// apart and lie in the row.
template <bool Maximum, class T>
void reduce_windows(T* to, const T* row, index n, index stride, index kernel, index dilation, T divisor) {
  constexpr index block = 1024;
  for (index first = 0; first < n; first += block) {
    const index count = n - first < block ? n - first : block;
    T* const own = to + first;
    const T* x = row + first * stride;
    if (stride == 1)
      windows_of<Maximum, 1>(own, x, count, stride, kernel, dilation);
    else if (stride == 2)
      windows_of<Maximum, 2>(own, x, count, stride, kernel, dilation);
    else
      windows_of<Maximum, 0>(own, x, count, stride, kernel, dilation);
    if constexpr (!Maximum)
      for (index i = 0; i < count; ++i) own[i] /= divisor;
  }
}

// Elements that are each made of two neighbours: (1 - rest) row[at] + rest row[at + 1], without a list of double
// weights.
template <class T>
struct neighbour_pairs {
  block_vector<std::int32_t> at;
  block_vector<T> rest;
  index inner = 0;  // from this one on there may be no next element
  bool empty() const { return at.empty(); }
};
// PyTorch computes positions in the element type.
template <class T>
void fill_pairs(neighbour_pairs<T>& to, T scale, bool align_corners, index n, index out) {
  to.at.resize(static_cast<std::size_t>(out));
  to.rest.resize(static_cast<std::size_t>(out));
  std::int32_t* const at = to.at.data();
  T* const rest = to.rest.data();
  const T half = align_corners ? T(0) : T(0.5);
  const auto last = static_cast<std::int32_t>(n - 1);
  for (std::int32_t o = 0; o < static_cast<std::int32_t>(out); ++o) {
    const T x = scale * (static_cast<T>(o) + half) - half;
    const auto i = std::min(static_cast<std::int32_t>(x), last);
    const T r = x - static_cast<T>(i), positive = r < T(0) ? T(0) : r;
    at[o] = i;
    rest[o] = positive > T(1) ? T(1) : positive;
  }
  for (to.inner = out; to.inner > 0 && at[to.inner - 1] >= last; --to.inner) {
  }
}
template <class T>
void place_pairs(T* to, const T* row, index step, const neighbour_pairs<T>& t, index n) {
  const std::int32_t* const at = t.at.data();
  const T* const rest = t.rest.data();
  if (step == 1)
    for (index i = 0; i < t.inner; ++i) {
      const T* const x = row + at[i];
      to[i] = (1 - rest[i]) * x[0] + rest[i] * x[1];
    }
  else
    for (index i = 0; i < t.inner; ++i) {
      const T* const x = row + at[i] * step;
      to[i] = (1 - rest[i]) * x[0] + rest[i] * x[step];
    }
  for (index i = t.inner; i < n; ++i) {
    const T x = row[at[i] * step];
    to[i] = (1 - rest[i]) * x + rest[i] * x;
  }
}

// Elements that are each made of one, or each of two; false for others.
template <class T>
bool place_row(T* to, const T* row, index step, const axis_taps& t, index n) {
  const auto* const at = t.at.data();
  if (static_cast<index>(t.at.size()) == n && t.single) {
    if (step == 1)
      for (index i = 0; i < n; ++i) to[i] = row[at[i]];
    else
      for (index i = 0; i < n; ++i) to[i] = row[at[i] * step];
    return true;
  }
  if (static_cast<index>(t.at.size()) != 2 * n) return false;
  const double* const w = t.weight.data();
  for (index i = 0; i < n; ++i)
    to[i] = static_cast<T>(w[2 * i]) * row[at[2 * i] * step] + static_cast<T>(w[2 * i + 1]) * row[at[2 * i + 1] * step];
  return true;
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

// A line of the result again. The C library copies thousands of bytes by the processor's string instruction, which
// takes twice as long where the result goes to memory.
template <class T>
void copy_line(T* to, const T* from, index n) {
  using vector = detail::simd_vec<T, 16 / sizeof(T)>;
  constexpr index lanes = 16 / static_cast<index>(sizeof(T)), group = 4 * lanes;
  index i = 0;
  for (; i + group <= n; i += group) {
    vector x[4];
#pragma GCC unroll 4
    for (index k = 0; k < 4; ++k) x[k] = detail::load<T, lanes>(from + i + k * lanes);
#pragma GCC unroll 4
    for (index k = 0; k < 4; ++k) detail::store<T>(to + i + k * lanes, x[k]);
  }
  for (; i < n; ++i) to[i] = from[i];
}

enum class combination : unsigned char { maximum, mean, weighted };

// With `pairs`, elements of the last axis are made of these, not of taps[2].
template <class T, combination How>
void combine(const images<T>& s, const axis_taps (&taps)[max_axes], double divisor, const options& how,
             const neighbour_pairs<T>& pairs = {}) {
  constexpr bool Maximum = How == combination::maximum;
  const index count = s.loops[0] * s.loops[1], width = s.extent[2];
  const index lines = s.out[0] * s.out[1], size = lines * s.out[2];
  if (count * size == 0) return;
  const index rows = count * lines;
  const double work = static_cast<double>(width + s.out[2]) *
                      static_cast<double>(1 + taps[1].at.size() / static_cast<std::size_t>(s.out[1]));
  const index block = block_of(work);
  work_memory<T> memory(width, blocks_of(rows, block), how);
  const T start = Maximum ? -std::numeric_limits<T>::infinity() : T(0);
  in_blocks(rows, block, how, [&](index first, index last) {
    const typename work_memory<T>::slot slot(memory);
    const T* before = nullptr;  // the row of x of which the line before this one was made
    for (index n = first; n < last; ++n) {
      const T* const image = s.image(n / lines);
      const index d = n % lines / s.out[1], h = n % s.out[1];
      const T* row = slot.data();
      index step = 1;
      if (taps[0].last(d) - taps[0].first(d) == 1 && taps[1].last(h) - taps[1].first(h) == 1 &&
          taps[0].factor(taps[0].first(d)) * taps[1].factor(taps[1].first(h)) == 1) {
        // A row by itself.
        row = image + taps[0].from(taps[0].first(d)) * s.stride[0] + taps[1].from(taps[1].first(h)) * s.stride[1];
        step = s.stride[2];
      } else {
        std::fill_n(slot.data(), width, start);
        for (index i = taps[0].first(d); i < taps[0].last(d); ++i)
          for (index j = taps[1].first(h); j < taps[1].last(h); ++j) {
            const T* const x = image + taps[0].from(i) * s.stride[0] + taps[1].from(j) * s.stride[1];
            if constexpr (Maximum)
              max_row(slot.data(), x, s.stride[2], width);
            else
              add_row(slot.data(), x, s.stride[2], width, static_cast<T>(taps[0].factor(i) * taps[1].factor(j)));
          }
      }
      T* const to = s.to + n * s.out[2];
      const T lines_divisor = static_cast<T>(taps[0].by(d) * taps[1].by(h));
      if constexpr (How == combination::weighted) {
        if (row == before) {
          copy_line(to, to - s.out[2], s.out[2]);
          continue;
        }
        before = row == slot.data() ? nullptr : row;
        if (!pairs.empty()) {
          place_pairs(to, row, step, pairs, s.out[2]);
          continue;
        }
        if (place_row(to, row, step, taps[2], s.out[2])) continue;
      }
      for (index w = 0; w < s.out[2]; ++w) {
        T value = start;
        for (index k = taps[2].first(w); k < taps[2].last(w); ++k) {
          const T x = row[taps[2].from(k) * step];
          if constexpr (Maximum) {
            // Selections of one comparison each, so that no branch is made of them.
            const T larger = value > x ? value : x;
            value = value != value ? value : larger;
          } else
            value += static_cast<T>(taps[2].factor(k)) * x;
        }
        if constexpr (How == combination::mean)
          value /= divisor != 0 ? static_cast<T>(divisor) : lines_divisor * static_cast<T>(taps[2].by(w));
        to[w] = value;
      }
    }
  });
}

axis_taps pool_taps(const pool_parameters& p, int a, index n, index out) {
  axis_taps r;
  for (index o = 0; o < out; ++o) {
    if (p.adaptive) {
      const index first = o * n / out, last = ((o + 1) * n + out - 1) / out;
      for (index i = first; i < last; ++i) r.add(i);
      r.close(static_cast<double>(last - first));
      continue;
    }
    const index first = o * p.stride[a] - p.padding[a];
    index valid = 0;
    for (index k = 0; k < p.kernel[a]; ++k)
      if (const index i = first + k * p.dilation[a]; i >= 0 && i < n) {
        r.add(i);
        ++valid;
      }
    const index covered = std::min(first + p.kernel[a], n + p.padding[a]) - first;
    r.close(static_cast<double>(p.count_include_pad ? covered : valid));
  }
  return r;
}

// From one position to the next, in elements of x. PyTorch computes positions in the element type.
template <class T>
T interpolation_scale(const interpolation_parameters& p, int a, index n, index out) {
  if (p.align_corners && p.mode != resampling::nearest && p.mode != resampling::nearest_exact)
    return out > 1 ? static_cast<T>(n - 1) / static_cast<T>(out - 1) : T(0);
  return p.scale[a] > 0 ? static_cast<T>(1.0 / p.scale[a]) : static_cast<T>(n) / static_cast<T>(out);
}
template <class T>
axis_taps interpolation_taps(const interpolation_parameters& p, int a, index n, index out) {
  axis_taps r;
  r.reserve(out, p.mode == resampling::linear                                           ? 2
                 : p.mode == resampling::nearest || p.mode == resampling::nearest_exact ? 1
                                                                                        : 4);
  const bool nearest = p.mode == resampling::nearest || p.mode == resampling::nearest_exact;
  const T scale = interpolation_scale<T>(p, a, n, out);
  for (index o = 0; o < out; ++o) {
    if (nearest) {
      const float step =
          p.scale[a] > 0 ? static_cast<float>(1.0 / p.scale[a]) : static_cast<float>(n) / static_cast<float>(out);
      const float at =
          p.mode == resampling::nearest ? static_cast<float>(o) * step : (static_cast<float>(o) + 0.5F) * step;
      r.add(std::min(static_cast<index>(std::floor(at)), n - 1));
      r.close();
      continue;
    }
    const T at = p.align_corners ? scale * static_cast<T>(o) : scale * (static_cast<T>(o) + T(0.5)) - T(0.5);
    if (p.mode == resampling::linear) {
      const index i = std::min(static_cast<index>(at), n - 1);
      const T rest = std::min(std::max(at - static_cast<T>(i), T(0)), T(1));
      r.add(i, 1 - rest);
      r.add(i + (i < n - 1), rest);
    } else {
      const T floor = std::floor(at), t = at - floor;
      constexpr T c = T(-0.75);  // of the cubic convolution
      const auto inner = [](T x) { return ((c + 2) * x - (c + 3)) * x * x + 1; };
      const auto outer = [](T x) { return ((c * x - 5 * c) * x + 8 * c) * x - 4 * c; };
      const T weights[4] = {outer(t + 1), inner(t), inner(1 - t), outer(2 - t)};
      for (int k = 0; k < 4; ++k) r.add(std::clamp<index>(static_cast<index>(floor) - 1 + k, 0, n - 1), weights[k]);
    }
    r.close();
  }
  return r;
}

// Windows that lie in the row, one in each lane: those from `begin` to `end` begin `step` elements apart, at `from`,
// and have `kernel` elements `apart`.
struct even_windows {
  index begin = 0, end = 0, from = 0, step = 1, kernel = 0, apart = 1;
};

// A NaN is the largest, the last of several; of equal elements the first one.
template <class T>
void locate_in_window(const T* image, index line, index stride, const index* first, const index* last, T& largest,
                      index& place) {
  for (const index* k = first; k < last; ++k)
    if (const T x = image[*k * stride]; x > largest || x != x) {
      largest = x;
      place = line + *k;
    }
}

// The rows of x that windows of a line of the result have in common, evenly apart along both axes.
template <class T>
struct window_rows {
  const T* first;
  index outer, outer_step, outer_places;  // how many; elements, and places, from one to the next
  index middle, middle_step, middle_places;
  index place;  // of the first one
};

// As many windows as there are lanes. Vectors of a type of 8 bytes go in pairs: each step waits for the one before it.
template <class T>
struct located_lanes {
  static constexpr int lanes = 16 / sizeof(T), vectors = sizeof(T) / 4, width = lanes * vectors;
  using V = detail::simd_vec<T, lanes>;
  using whole = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using I = detail::simd_vec<whole, lanes>;

  template <bool Next>
  static V elements(const T* x, index step) {
    if constexpr (Next) return detail::load<T, lanes>(x);
    V r;
#pragma GCC unroll 4
    for (int l = 0; l < lanes; ++l) r[l] = x[l * step];
    return r;
  }
  // Next: windows begin at one element after the other.
  template <bool Next>
  static void find(const window_rows<T>& rows, index column, const even_windows& e, T* to, std::int64_t* places) {
    V largest[vectors];
    I place[vectors], first[vectors];
    const index step = Next ? 1 : e.step;
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      largest[v] = elements<Next>(rows.first + column + v * lanes * step, step);
      I places_of{};
#pragma GCC unroll 4
      for (int l = 0; l < lanes; ++l) places_of[l] = static_cast<whole>(rows.place + column + (v * lanes + l) * step);
      place[v] = first[v] = places_of;
    }
    for (index i = 0; i < rows.outer; ++i)
      for (index j = 0; j < rows.middle; ++j) {
        const T* x = rows.first + i * rows.outer_step + j * rows.middle_step + column;
        auto ahead = static_cast<whole>(i * rows.outer_places + j * rows.middle_places);
        for (index k = 0; k < e.kernel; ++k, x += e.apart, ahead += static_cast<whole>(e.apart))
#pragma GCC unroll 2
          for (int v = 0; v < vectors; ++v) {
            const V value = elements<Next>(x + v * lanes * step, step);
            // Never both; GCC takes `or` of comparisons of f64 apart where SSE2 is all there is.
            const I taken = (I)(value > largest[v]) + (I)(value != value);
            largest[v] = (V)(((I)value & taken) | ((I)largest[v] & ~taken));
            place[v] = ((first[v] + ahead) & taken) | (place[v] & ~taken);
          }
      }
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      detail::store<T>(to + v * lanes, largest[v]);
#pragma GCC unroll 4
      for (int l = 0; l < lanes; ++l) places[v * lanes + l] = place[v][l];
    }
  }
};

template <class T>
void locate(const images<T>& s, const axis_taps (&taps)[max_axes], const even_windows& even, std::int64_t* to,
            const options& how) {
  const index lines = s.out[0] * s.out[1], rows = s.loops[0] * s.loops[1] * lines;
  if (rows * s.out[2] == 0) return;
  const auto work = static_cast<double>(taps[0].at.size() * taps[1].at.size() * taps[2].at.size());
  in_blocks(rows, block_of(work / static_cast<double>(lines)), how, [&](index begin, index end) {
    const index* const at = taps[2].at.data();
    for (index n = begin; n < end; ++n) {
      const T* const image = s.image(n / lines);
      const index d = n % lines / s.out[1], h = n % s.out[1];
      const auto line_of = [&](index i, index j) { return taps[0].from(i) * s.extent[1] + taps[1].from(j); };
      const auto row_of = [&](index i, index j) {
        return image + taps[0].from(i) * s.stride[0] + taps[1].from(j) * s.stride[1];
      };
      const index i0 = taps[0].first(d), j0 = taps[1].first(h);
      const index outer = taps[0].last(d) - i0, middle = taps[1].last(h) - j0;
      // Windows of whole vectors; the last ones may be looked at twice.
      using lanes = located_lanes<T>;
      const bool by_lanes = even.end - even.begin >= lanes::width && outer > 0 && middle > 0;
      if (by_lanes) {
        const index down = outer > 1 ? taps[0].from(i0 + 1) - taps[0].from(i0) : 0;
        const index along = middle > 1 ? taps[1].from(j0 + 1) - taps[1].from(j0) : 0;
        const window_rows<T> rows_of_line{row_of(i0, j0),
                                          outer,
                                          down * s.stride[0],
                                          down * s.extent[1] * s.extent[2],
                                          middle,
                                          along * s.stride[1],
                                          along * s.extent[2],
                                          line_of(i0, j0) * s.extent[2]};
        for (index w = even.begin; w < even.end; w += lanes::width) {
          const index at_most = std::min(w, even.end - lanes::width), own = n * s.out[2] + at_most;
          const index column = even.from + at_most * even.step;
          if (even.step == 1)
            lanes::template find<true>(rows_of_line, column, even, s.to + own, to + own);
          else
            lanes::template find<false>(rows_of_line, column, even, s.to + own, to + own);
        }
      }
      for (index w = 0; w < s.out[2]; ++w) {
        if (by_lanes && w == even.begin) w = even.end;
        if (w == s.out[2]) break;
        const index *const first = at + taps[2].first(w), *const last = at + taps[2].last(w);
        index i = taps[0].first(d), j = taps[1].first(h);
        if (i == taps[0].last(d) || j == taps[1].last(h) || first == last) {
          s.to[n * s.out[2] + w] = -std::numeric_limits<T>::infinity();
          to[n * s.out[2] + w] = -1;
          continue;
        }
        // The window's first element, which may be the smallest number there is.
        T largest = row_of(i, j)[*first * s.stride[2]];
        index place = line_of(i, j) * s.extent[2] + *first;
        for (; i < taps[0].last(d); ++i)
          for (j = taps[1].first(h); j < taps[1].last(h); ++j)
            locate_in_window(row_of(i, j), line_of(i, j) * s.extent[2], s.stride[2], first, last, largest, place);
        s.to[n * s.out[2] + w] = largest;
        to[n * s.out[2] + w] = place;
      }
    }
  });
}

template <class T>
void fill_taps(const pool_parameters& p, const images<T>& s, axis_taps (&taps)[max_axes]) {
  for (int a = 0; a < max_axes; ++a) {
    const int own = a - (max_axes - p.axes);
    if (own >= 0)
      taps[a] = pool_taps(p, own, s.extent[a], s.out[a]);
    else {
      taps[a].add(0);
      taps[a].close();
    }
  }
}

// The largest, or the mean, of windows along one axis, which lie evenly: no list of their elements is made. NaN is the
// largest.
template <bool Maximum, class T>
void pool_line(const pool_parameters& p, const images<T>& s, const options& how) {
  const index size = s.out[2], width = s.extent[2], step = s.stride[2], apart = p.dilation[0];
  if (size == 0) return;
  in_blocks(s.loops[0] * s.loops[1] * size, block_of(static_cast<double>(p.kernel[0])), how, [&](index n, index last) {
    for (index w = n % size; n < last; w = 0) {
      const T* const row = s.image(n / size);
      // Windows [inner, outer) lie in the row.
      const index over = width + p.padding[0] - (p.kernel[0] - 1) * apart - 1;
      const index inner = (p.padding[0] + p.stride[0] - 1) / p.stride[0], outer = over < 0 ? 0 : over / p.stride[0] + 1;
      for (; w < size && n < last; ++w, ++n) {
        if (w >= inner && w < outer && step == 1) {
          const index count = std::min({outer - w, size - w, last - n});
          reduce_windows<Maximum>(s.to + n, row + w * p.stride[0] - p.padding[0], count, p.stride[0], p.kernel[0],
                                  apart, static_cast<T>(p.divisor != 0 ? p.divisor : p.kernel[0]));
          w += count - 1;
          n += count - 1;
          continue;
        }
        index begin = w * p.stride[0] - p.padding[0], end = begin + p.kernel[0] * apart;
        const index covered = std::min(begin + p.kernel[0], width + p.padding[0]) - begin;
        if (begin < 0) begin += (apart - 1 - begin) / apart * apart;
        if (end > width) end = width;
        T value = Maximum ? -std::numeric_limits<T>::infinity() : T(0);
        index valid = 0;
        for (index i = begin; i < end; i += apart, ++valid) {
          const T x = row[i * step], larger = value > x ? value : x;
          value = !Maximum ? value + x : value != value ? value : larger;
        }
        if constexpr (!Maximum)
          value /= static_cast<T>(p.divisor != 0 ? p.divisor : p.count_include_pad ? covered : valid);
        s.to[n] = value;
      }
    }
  });
}

template <class T>
void pool_of(const pool_parameters& p, const signal_operand& x, void* to, const index* extents, const options& how) {
  const images<T> s(x, p.axes, to, extents);
  if (p.axes == 1 && !p.adaptive) return p.maximum ? pool_line<true>(p, s, how) : pool_line<false>(p, s, how);
  axis_taps taps[max_axes];
  fill_taps(p, s, taps);
  if (p.maximum)
    combine<T, combination::maximum>(s, taps, 1, how);
  else
    combine<T, combination::mean>(s, taps, static_cast<double>(p.divisor), how);
}
template <class T>
void max_pool_of(const pool_parameters& p, const signal_operand& x, void* to, std::int64_t* at, const index* extents,
                 const options& how) {
  const images<T> s(x, p.axes, to, extents);
  axis_taps taps[max_axes];
  fill_taps(p, s, taps);
  even_windows even;
  const int last = p.axes - 1;
  const index over = s.extent[2] + p.padding[last] - (p.kernel[last] - 1) * p.dilation[last] - 1;
  if (!p.adaptive && s.stride[2] == 1 && over >= 0 &&
      s.extent[0] * s.extent[1] * s.extent[2] <= std::numeric_limits<std::int32_t>::max())
    even = {(p.padding[last] + p.stride[last] - 1) / p.stride[last],
            std::min(s.out[2], over / p.stride[last] + 1),
            -p.padding[last],
            p.stride[last],
            p.kernel[last],
            p.dilation[last]};
  locate(s, taps, even, at, how);
}
template <class T>
void interpolate_of(const interpolation_parameters& p, const signal_operand& x, void* to, const index* extents,
                    const options& how) {
  const images<T> s(x, p.axes, to, extents);
  axis_taps taps[max_axes];
  neighbour_pairs<T> pairs;
  for (int a = 0; a < max_axes; ++a) {
    const int own = a - (max_axes - p.axes);
    const index n = s.extent[a], out = s.out[a];
    constexpr index most = index{1} << 30;
    if (own < 0) {
      taps[a].add(0);
      taps[a].close();
    } else if (p.mode == resampling::linear && a == max_axes - 1 && n <= most && out <= most)
      fill_pairs(pairs, interpolation_scale<T>(p, own, n, out), p.align_corners, n, out);
    else
      taps[a] = interpolation_taps<T>(p, own, n, out);
  }
  combine<T, combination::weighted>(s, taps, 1, how, pairs);
}

}  // namespace

void pool(const pool_parameters& p, const signal_operand& x, void* to, const index* extents, const options& how) {
  x.type == dtype::f32 ? pool_of<float>(p, x, to, extents, how) : pool_of<double>(p, x, to, extents, how);
}
void max_pool(const pool_parameters& p, const signal_operand& x, void* to, std::int64_t* at, const index* extents,
              const options& how) {
  x.type == dtype::f32 ? max_pool_of<float>(p, x, to, at, extents, how)
                       : max_pool_of<double>(p, x, to, at, extents, how);
}
void interpolate(const interpolation_parameters& p, const signal_operand& x, void* to, const index* extents,
                 const options& how) {
  if (p.mode == resampling::area) {
    pool_parameters mean;
    mean.axes = p.axes;
    mean.adaptive = true;
    return pool(mean, x, to, extents, how);
  }
  x.type == dtype::f32 ? interpolate_of<float>(p, x, to, extents, how) : interpolate_of<double>(p, x, to, extents, how);
}

}  // namespace broadloom::runtime
