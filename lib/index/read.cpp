// Reads selected elements into contiguous memory, row by row. All of a selection: read_all.cpp.
#include <cstring>

#include "../move/copy_bytes.hpp"
#include "lines.hpp"
#include "walk.hpp"

namespace broadloom::runtime {

namespace {

template <class T>
T load(const std::byte* p) {
  T x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

template <class T>
void copy_row(T* to, const std::byte* from, index n, index stride) {
  if (stride == static_cast<index>(sizeof(T)))
    copy_bytes(to, from, static_cast<std::size_t>(n) * sizeof(T));
  else if (stride == 0) {
    const T x = load<T>(from);
    for (index i = 0; i < n; ++i) to[i] = x;
  } else
    for (index i = 0; i < n; ++i) to[i] = load<T>(from + i * stride);
}

// One term whose indices have been checked.
template <class T, class I>
void select_row(T* to, const std::byte* from, index n, index stride, const I* p, index p_stride, index extent,
                index step) {
  if (extent != 0) {
    for (index i = 0; i < n; ++i) {
      const auto x = static_cast<index>(p[i * p_stride]);
      to[i] = load<T>(from + i * stride + (x + ((x >> 63) & extent)) * step);
    }
  } else if (p_stride == 1 && stride == 0 && step == static_cast<index>(sizeof(T))) {
    for (index i = 0; i < n; ++i) to[i] = load<T>(from + static_cast<index>(p[i]) * static_cast<index>(sizeof(T)));
  } else {
    for (index i = 0; i < n; ++i) to[i] = load<T>(from + i * stride + static_cast<index>(p[i * p_stride]) * step);
  }
}

// Indices along the row itself, from 0. Prefetches what the next row reads, as the hardware prefetcher does not follow
// indices.
template <class T, class I>
void pick_and_ask(T* to, const std::byte* from, index n, const I* p, const std::byte* ahead) {
  constexpr index line = 64 / static_cast<index>(sizeof(T)), size = static_cast<index>(sizeof(T));
  index i = 0;
  for (; i + line <= n; i += line) {
    __builtin_prefetch(ahead + i * size);
    for (index k = i; k < i + line; ++k) to[k] = load<T>(from + static_cast<index>(p[k]) * size);
  }
  for (; i < n; ++i) to[i] = load<T>(from + static_cast<index>(p[i]) * size);
}

// Whether each row selects from a row of its own, which fits into the caches and has about as many elements.
template <class T>
bool picks_from_rows(const selection& s, const selected_row& r, int axis) {
  const position_term& t = *r.term[0];
  return axis == s.rank - 1 && axis > 0 && r.stride == 0 && r.term_stride[0] == 1 && !t.negative &&
         t.step == static_cast<index>(sizeof(T)) && s.strides[axis - 1] != 0 && t.extent * t.step >= 4096 &&
         t.extent * t.step <= (index{1} << 18) && 2 * s.extents[axis] >= t.extent;
}

template <class T>
void general_row(T* to, const selected_row& r, index n) {
  for (index i = 0; i < n; ++i) {
    index offset = i * r.stride;
    for (int k = 0; k < r.varying; ++k)
      offset += offset_at(*r.term[k], position(*r.term[k], r.at[k] + i * r.term_stride[k]));
    to[i] = load<T>(r.first + offset);
  }
}

// Begins with a line of the instruction cache: where the linker puts it otherwise, 16 Ki elements of a gather take 8.4
// or 10.1 us (Zen 4).
template <class T>
[[gnu::aligned(64)]] void read_row(T* to, const selection& s, const index* at, int axis, index n) {
  const selected_row r = row_at(s, at, axis);
  if (r.varying == 0)
    copy_row(to, r.first, n, r.stride);
  else if (r.varying == 1)
    with_read_positions(*r.term[0], r.at[0], [&](const auto* p) {
      if (picks_from_rows<T>(s, r, axis))
        return pick_and_ask(to, r.first, n, p,
                            r.first + s.strides[axis - 1] + at[axis] * static_cast<index>(sizeof(T)));
      select_row(to, r.first, n, r.stride, p, r.term_stride[0], r.term[0]->negative ? r.term[0]->extent : 0,
                 r.term[0]->step);
    });
  else
    general_row(to, r, n);
}

// Whole rows, one index each, that are contiguous in the result: embeddings and index_select. Returns the number of
// rows read; `at` has the indices of the first.
template <class T>
index read_whole_rows(T* to, const selection& s, const index* at, index n) {
  const int inner = s.rank - 1, mid = s.rank - 2;
  const position_term& t = s.terms[0];
  const index columns = s.extents[inner], stride = s.strides[inner];
  // rows of all axes that are contiguous with each other
  index all = s.extents[mid] - at[mid], below = s.extents[mid];
  for (int i = mid - 1; i >= 0; --i) {
    if (s.strides[i] != s.strides[i + 1] * s.extents[i + 1] || t.strides[i] != t.strides[i + 1] * s.extents[i + 1])
      break;
    all += (s.extents[i] - at[i] - 1) * below;
    below *= s.extents[i];
  }
  const index rows = all < n / columns ? all : n / columns;
  const std::byte* base = static_cast<const std::byte*>(s.data);
  index p = 0;
  for (int i = 0; i < inner; ++i) {
    base += at[i] * s.strides[i];
    p += at[i] * t.strides[i];
  }
  const index next = s.strides[mid], p_next = t.strides[mid];
  const bool dense = stride == static_cast<index>(sizeof(T));
  with_read_positions(t, p, [&](const auto* positions) {
    const auto row = [&](index r) {
      const auto x = static_cast<index>(positions[r * p_next]);
      return base + r * next + (x < 0 ? x + t.extent : x) * t.step;
    };
    constexpr index ahead = 12;
    const index row_bytes = columns * static_cast<index>(sizeof(T)), lines = row_bytes < 512 ? row_bytes : 512;
    for (index r = 0; r < rows; ++r, to += columns) {
      if (dense && r + ahead < all)  // rows are scattered: prefetch early, and from the streams that are read next
        for (index b = 0; b < lines; b += 64) __builtin_prefetch(row(r + ahead) + b);
      copy_row(to, row(r), columns, stride);
    }
  });
  return rows;
}

void find_indices(const selection& s, index position, index* at) {
  for (int i = s.rank - 1; i >= 0; --i) {
    at[i] = position % s.extents[i];
    position /= s.extents[i];
  }
}

// n elements of the result from element `first` on.
template <class T>
void read_line(T* to, const selection& s, index first, index n) {
  if (s.rank == 1) return read_row(to, s, &first, 0, n);
  small_array<index, 8> at(static_cast<std::size_t>(s.rank + 1));
  find_indices(s, first, at.data());
  if (s.rank == 0) return read_row(to, s, at.data(), -1, n);
  const int inner = s.rank - 1;
  const bool by_rows = s.rank >= 2 && s.term_count == 1 && s.terms[0].strides[inner] == 0;
  for (;;) {
    if (by_rows && at[inner] == 0 && n >= s.extents[inner]) {
      const index rows = read_whole_rows(to, s, at.data(), n);
      n -= rows * s.extents[inner];
      if (n == 0) return;
      to += rows * s.extents[inner];
      at[inner - 1] += rows;
      for (int i = inner - 1; i > 0 && at[i] >= s.extents[i]; --i) {
        at[i - 1] += at[i] / s.extents[i];
        at[i] %= s.extents[i];
      }
      continue;
    }
    const index rest = s.extents[inner] - at[inner], count = rest < n ? rest : n;
    read_row(to, s, at.data(), inner, count);
    n -= count;
    if (n == 0) return;
    to += count;
    at[inner] = 0;
    for (int i = inner - 1; i >= 0; --i) {
      if (++at[i] < s.extents[i]) break;
      at[i] = 0;
    }
  }
}

}  // namespace

void read_line(const selection& s, void* to, index first, index n) {
  if (s.term_count > 0 && s.terms[0].segments != nullptr) return read_segments(s, to, first, n);
  with_size(s.size, [&]<class T>(T) { read_line(static_cast<T*>(to), s, first, n); });
}

void read_rows(const selection& s, void* to, index first, index last) {
  index row = 1;
  bool begun = false;
  for (int i = 0; i < s.rank; ++i) {
    if (begun) row *= s.extents[i];
    begun = begun || s.extents[i] != 1;
  }
  if (row * (last - first) != 0) read_line(s, to, first * row, (last - first) * row);
}

}  // namespace broadloom::runtime
