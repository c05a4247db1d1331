// Rows are written in vectors: of one element, or copied, or an element after the other.
#include "materialize.hpp"

#include <cstdint>
#include <cstring>

#include "../base/vectors.hpp"
#include "interleave.hpp"
#include "small_copy.hpp"

namespace broadloom::runtime {

namespace {

using words = two_words;

template <class T>
T at(const std::byte* p) {
  T x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

struct half_line {
  words a, b;
};

// 32 bytes of one element.
template <class T>
inline half_line splat_of(T x) {
  half_line r;
  if constexpr (sizeof(T) == 16) {
    r = {x, x};
  } else {
    using vector = vec<T, 16>;
    const vector v = x - vector{};
    std::memcpy(&r.a, &v, 16);
    r.b = r.a;
  }
  return r;
}

// Rows are written in whole half lines: what is written beyond the end of one is overwritten by the next.
inline void put(std::byte* to, const half_line& x) {
  std::memcpy(to, &x.a, 16);
  std::memcpy(to + 16, &x.b, 16);
}

template <class T>
void write_row(std::byte* to, const std::byte* from, index columns, index step) {
  constexpr index size = sizeof(T);
  if (step == 0) {
    const half_line x = splat_of(at<T>(from));
    for (index i = 0; i < columns * size; i += 32) put(to + i, x);
  } else if (step == size) {
    copy_small(to, from, static_cast<std::size_t>(columns * size));
  } else {
    for (index c = 0; c < columns; ++c) {
      const T x = at<T>(from + c * step);
      std::memcpy(to + c * size, &x, sizeof x);
    }
  }
}

template <class T>
void write_rows(std::byte* to, const std::byte* from, const walk& w) {
  const index columns = w.extents[0], rows = w.extents[1], step = w.steps[0], row_step = w.steps[1];
  const index bytes = columns * static_cast<index>(sizeof(T));
  if (row_step == 0) {
    write_row<T>(to, from, columns, step);
    if (bytes <= 32) {
      const half_line x = at<half_line>(to);
      for (index r = 1; r < rows; ++r) put(to += bytes, x);
    } else
      for (index r = 1; r < rows; ++r) copy_small(to + r * bytes, to, static_cast<std::size_t>(bytes));
  } else if (step == 0 && bytes <= 32) {
    for (index r = 0; r < rows; ++r, to += bytes, from += row_step) put(to, splat_of(at<T>(from)));
  } else if (sizeof(T) == 4 && row_step == 4 && step != 4 && step != 0 && columns >= 4 &&
             rows * columns >= limits::small_strided::min_transposed) {
    for (index c = interleave_fours(to, from, rows, columns, step, bytes); c < columns; ++c)
      for (index r = 0; r < rows; ++r) std::memcpy(to + r * bytes + c * 4, from + r * 4 + c * step, 4);
  } else {
    for (index r = 0; r < rows; ++r, to += bytes, from += row_step) write_row<T>(to, from, columns, step);
  }
}

template <class T>
void materialize(std::byte* to, const std::byte* from, const walk& w) {
  if (w.rank == 1) return write_row<T>(to, from, w.extents[0], w.steps[0]);
  if (w.rank == 2) return write_rows<T>(to, from, w);
  const index bytes = w.extents[0] * w.extents[1] * static_cast<index>(sizeof(T)),
              outer = w.rank == 4 ? w.extents[3] : 1;
  for (index k = 0; k < outer; ++k)
    for (index j = 0; j < w.extents[2]; ++j, to += bytes)
      write_rows<T>(to, from + (w.rank == 4 ? k * w.steps[3] : 0) + j * w.steps[2], w);
}

// The other way: the elements of a row-major array to where the walk over a strided one has them.
template <class T>
void put_back(std::byte* to, const std::byte* from, const walk& w) {
  index at[walk::max_axes] = {};
  for (;;) {
    for (index c = 0; c < w.extents[0]; ++c, from += sizeof(T)) {
      const T x = runtime::at<T>(from);
      std::memcpy(to + c * w.steps[0], &x, sizeof x);
    }
    int i = 1;
    for (; i < w.rank; ++i) {
      to += w.steps[i];
      if (++at[i] < w.extents[i]) break;
      to -= w.steps[i] * w.extents[i];
      at[i] = 0;
    }
    if (i >= w.rank) return;
  }
}

// each.operator()<T>() for an element of this many bytes.
template <class Each>
[[gnu::always_inline]] inline void by_size(int size, const Each& each) {
  switch (size) {
    case 1: return each.template operator()<std::uint8_t>();
    case 2: return each.template operator()<std::uint16_t>();
    case 4: return each.template operator()<std::uint32_t>();
    case 8: return each.template operator()<std::uint64_t>();
    default: return each.template operator()<words>();
  }
}

}  // namespace

void materialize(std::byte* to, const void* from, int size, const walk& w) {
  by_size(size, [&]<class T>() { materialize<T>(to, static_cast<const std::byte*>(from), w); });
}

void put_back(void* to, const void* from, int size, const walk& w) {
  by_size(size, [&]<class T>() { put_back<T>(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), w); });
}

void materialize_rows(std::byte* to, const void* from, int size, index rows, index columns, index own_rows,
                      index own_columns) {
  const walk w{{columns, rows}, {own_columns == 1 ? 0 : size, own_rows == 1 ? 0 : own_columns * size}, 2};
  by_size(size, [&]<class T>() { write_rows<T>(to, static_cast<const std::byte*>(from), w); });
}

}  // namespace broadloom::runtime
