// Reads all elements of a selection: in blocks, or, if the elements of a column are far apart, in strips of columns
// that are made contiguous first.
#include <cstring>

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../base/tuned.hpp"
#include "../move/copy.hpp"
#include "../plan/blocks.hpp"
#include "lines.hpp"
#include "walk.hpp"

namespace broadloom::runtime {

namespace {

constexpr index few_elements = 256;  // too few for strips and threads
constexpr index small_block = 16384, large_block = 65536;
constexpr index piece_elements = 2048;         // written with streaming stores at a time
constexpr index strip_bytes = index{1} << 20;  // of columns that stay in the second-level cache
constexpr index least_columns = 16;

index size_of_result(const selection& s) {
  index n = 1;
  for (int i = 0; i < s.rank; ++i) n *= s.extents[i];
  return n;
}

// The columns of a strip, or 0 for none. Strips are used for indices that differ along both of the last axes, into an
// axis with a large stride. Made contiguous, a strip stays in the cache; in place, its columns may all map to the same
// few cache sets.
index strip_columns(const selection& s) {
  if (s.rank < 2 || s.term_count != 1 || s.terms[0].segments != nullptr) return 0;
  const position_term& t = s.terms[0];
  const int inner = s.rank - 1;
  const index rows = s.extents[inner - 1];
  if (s.strides[inner] != s.size || t.strides[inner] == 0 || s.strides[inner - 1] != 0 || t.strides[inner - 1] == 0)
    return 0;
  if (t.step < 1024 || t.extent * t.step <= strip_bytes || rows * 4 < t.extent) return 0;
  index columns = strip_bytes / (t.extent * s.size) / least_columns * least_columns;
  if (columns > 64) columns = 64;
  return columns < least_columns || s.extents[inner] < 2 * columns ? 0 : columns;
}

// Reads one row of a strip: to[j] = columns[p[j]][j].
template <class T, class I>
void pick_row(T* to, const T* columns, index width, index n, const I* p, index step, index extent) {
  if (extent != 0) {
    for (index j = 0; j < n; ++j) {
      const auto x = static_cast<index>(p[j * step]);
      to[j] = columns[(x + ((x >> 63) & extent)) * width + j];
    }
  } else if (step == 1) {
    for (index j = 0; j < n; ++j) to[j] = columns[static_cast<index>(p[j]) * width + j];
  } else
    for (index j = 0; j < n; ++j) to[j] = columns[static_cast<index>(p[j * step]) * width + j];
}

template <class T>
void read_strips(const selection& s, T* to, index width, index first, index last, bool streamed) {
  const position_term& t = s.terms[0];
  const int inner = s.rank - 1, row = s.rank - 2;
  const index columns = s.extents[inner], rows = s.extents[row], strips = (columns + width - 1) / width;
  const frame f(static_cast<std::size_t>((t.extent + 1) * width) * sizeof(T));
  T* const packed = reinterpret_cast<T*>(f.data());
  T* const line = packed + t.extent * width;
  for (index b = first; b < last; ++b) {
    const index c = b % strips * width, n = c + width < columns ? width : columns - c, outer = b / strips;
    index from = c * s.strides[inner], at = c * t.strides[inner], rest = outer;
    for (int i = row - 1; i >= 0; --i) {
      from += rest % s.extents[i] * s.strides[i];
      at += rest % s.extents[i] * t.strides[i];
      rest /= s.extents[i];
    }
    const std::byte* const base = static_cast<const std::byte*>(s.data) + from;
    for (index k = 0; k < t.extent; ++k)
      std::memcpy(packed + k * width, base + k * t.step, static_cast<std::size_t>(n) * sizeof(T));
    T* target = to + outer * rows * columns + c;
    with_read_positions(t, at, [&](const auto* p) {
      for (index r = 0; r < rows; ++r, p += t.strides[row], target += columns) {
        pick_row(streamed ? line : target, packed, width, n, p, t.strides[inner], t.negative ? t.extent : 0);
        if (streamed) stream(target, line, static_cast<std::size_t>(n) * sizeof(T));
      }
    });
  }
  if (streamed) fence();
}

}  // namespace

void read_all(const selection& s, void* to, const options& how) {
  const index n = size_of_result(s);
  if (n == 0) return;
  if (n <= few_elements) return read_line(s, to, 0, n);
  const int threads = threads_for(how.threads, static_cast<double>(n) * element_ns(s, 2));
  const bool streamed = n * s.size >= streamed_bytes();
  if (const index width = strip_columns(s); width > 0) {
    const index columns = s.extents[s.rank - 1],
                blocks = n / columns / s.extents[s.rank - 2] * ((columns + width - 1) / width);
    with_size(s.size, [&]<class T>(T) {
      for_ranges(blocks, threads,
                 [&](index first, index last) { read_strips(s, static_cast<T*>(to), width, first, last, streamed); });
    });
    return;
  }
  // Blocks in reverse order: indices were checked forwards, so the last of them may still be in a cache.
  const index block_elements = streamed ? large_block : small_block;
  const index blocks = (n + block_elements - 1) / block_elements;
  for_ranges(blocks, threads, [&](index first, index last) {
    for (index b = blocks - 1 - first; b >= blocks - last; --b) {
      const index from = b * block_elements, end = from + block_elements < n ? from + block_elements : n;
      std::byte* const target = static_cast<std::byte*>(to) + from * s.size;
      if (!streamed) {
        read_line(s, target, from, end - from);
        continue;
      }
      const frame f(static_cast<std::size_t>(piece_elements * s.size));
      for (index i = from; i < end; i += piece_elements) {
        const index count = i + piece_elements < end ? piece_elements : end - i;
        read_line(s, f.data(), i, count);
        stream(target + (i - from) * s.size, f.data(), static_cast<std::size_t>(count * s.size));
      }
    }
    if (streamed) fence();
  });
}

}  // namespace broadloom::runtime
