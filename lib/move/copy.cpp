// Strided copies. Transposed boxes are copied by square blocks, so that both sides use whole cache lines.
#include "copy.hpp"
#include "../base/vectors.hpp"

#include <cstdint>
#include <cstring>

#include <broadloom/core/isa.hpp>

#if defined(__x86_64__)
#include "copy_v3.hpp"
#endif

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "copy_bytes.hpp"
#include "interleave.hpp"
#include "small_copy.hpp"

namespace broadloom::runtime {

namespace {

template <class T>
void splat_as(void* to, const void* from, index count) {
  T x;
  std::memcpy(&x, from, sizeof x);
  T* const t = static_cast<T*>(to);
  for (index i = 0; i < count; ++i) t[i] = x;
}

struct sixteen {
  std::uint64_t a, b;
};

template <class T>
T at(const std::byte* p) {
  T x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

template <std::size_t Bytes>
void copy_rows_of(std::byte* to, const std::byte* from, index rows, index to_step, index from_step) {
  for (index r = 0; r < rows; ++r, to += to_step, from += from_step) std::memcpy(to, from, Bytes);
}

// Of pixels of four, three: rows that are written one after the other and lie at least a vector apart go four at a
// time, as three vectors. The last row is read without what follows it.
void copy_rows_of_12(std::byte* to, const std::byte* from, index rows, index to_step, index from_step) {
#if defined(__SSE2__)
  if (to_step == 12 && from_step >= 16)
    for (; rows > 4; rows -= 4, to += 48, from += 4 * from_step) {
      const auto row = [&](index r) { return _mm_loadu_ps(reinterpret_cast<const float*>(from + r * from_step)); };
      const auto put = [&](index v, __m128 x) { _mm_storeu_ps(reinterpret_cast<float*>(to + v * 16), x); };
      const __m128 a = row(0), b = row(1), c = row(2), d = row(3);
      const __m128 ab = _mm_shuffle_ps(a, b, _MM_SHUFFLE(0, 0, 2, 2)),
                   cd = _mm_shuffle_ps(c, d, _MM_SHUFFLE(0, 0, 2, 2));
      put(0, _mm_shuffle_ps(a, ab, _MM_SHUFFLE(2, 0, 1, 0)));
      put(1, _mm_shuffle_ps(b, c, _MM_SHUFFLE(1, 0, 2, 1)));
      put(2, _mm_shuffle_ps(cd, d, _MM_SHUFFLE(2, 1, 2, 0)));
    }
#endif
  copy_rows_of<12>(to, from, rows, to_step, from_step);
}

// Rows of contiguous bytes. A call takes longer than the copy of a pixel of two to four colours.
void copy_rows(std::byte* to, const std::byte* from, index rows, std::size_t bytes, index to_step, index from_step) {
  switch (bytes) {
    case 2: return copy_rows_of<2>(to, from, rows, to_step, from_step);
    case 3: return copy_rows_of<3>(to, from, rows, to_step, from_step);
    case 4: return copy_rows_of<4>(to, from, rows, to_step, from_step);
    case 6: return copy_rows_of<6>(to, from, rows, to_step, from_step);
    case 8: return copy_rows_of<8>(to, from, rows, to_step, from_step);
    case 12: return copy_rows_of_12(to, from, rows, to_step, from_step);
    case 16: return copy_rows_of<16>(to, from, rows, to_step, from_step);
    case 24: return copy_rows_of<24>(to, from, rows, to_step, from_step);
    case 32: return copy_rows_of<32>(to, from, rows, to_step, from_step);
    default: break;
  }
  for (index r = 0; r < rows; ++r, to += to_step, from += from_step)
    if (bytes <= 32)
      copy_small(to, from, bytes);
    else
      copy_bytes(to, from, bytes);
}

// One row, `rows` times: what is already written is copied behind itself until all is there.
void repeat(std::byte* to, const std::byte* row, std::size_t row_bytes, std::size_t rows) {
  copy_bytes(to, row, row_bytes);
  const std::size_t all = row_bytes * rows;
  for (std::size_t done = row_bytes; done < all;) {
    const std::size_t next = done < all - done ? done : all - done;
    copy_bytes(to + done, to, next);
    done += next;
  }
}

// Each row is one element, splat over the columns. Vectors run over the end of a row, as the next one is written later;
// rows that lie less than a vector before the end go element by element.
template <class T>
void splat_rows(std::byte* to, const std::byte* from, index rows, index columns, index rs) {
  using vector = vec<T, 16>;
  const index row_bytes = columns * static_cast<index>(sizeof(T)), all = rows * row_bytes;
  for (index first = 0; first < all; first += row_bytes, from += rs) {
    const T x = at<T>(from);
    const vector v = x - vector{};
    const index end = first + row_bytes;
    index b = first;
    for (; b < end && b + 16 <= all; b += 16) std::memcpy(to + b, &v, sizeof v);
    for (; b < end; b += static_cast<index>(sizeof x)) std::memcpy(to + b, &x, sizeof x);
  }
}

template <class T>
void gather_as(void* out, const std::byte* from, index rows, index columns, index rs, index cs, index pitch) {
  auto* const to = static_cast<std::byte*>(out);
  if (cs == static_cast<index>(sizeof(T))) {
    const auto row_bytes = static_cast<std::size_t>(columns) * sizeof(T);
    if (rs == 0 && rows > 1) return repeat(to, from, row_bytes, static_cast<std::size_t>(rows));
    return copy_rows(to, from, rows, row_bytes, pitch, rs);
  }
  constexpr index one = sizeof(T);
  const auto put = [](std::byte* at, const T& x) { std::memcpy(at, &x, sizeof x); };
  if ((rs == one || rs == -one) && rows > 1) {  // transposed: columns are contiguous in memory, upwards or downwards
    constexpr index block = 8;
    std::byte* first = to;
    if (rs < 0) {  // the last row first
      from += (rows - 1) * rs;
      first += (rows - 1) * pitch;
      pitch = -pitch;
    }
    index c = 0;
    for (; c + block <= columns; c += block) {
      index r = 0;
      for (; r + block <= rows; r += block) {
        T x[block][block];
        for (index j = 0; j < block; ++j) std::memcpy(x[j], from + (c + j) * cs + r * one, sizeof x[j]);
        for (index i = 0; i < block; ++i)
          for (index j = 0; j < block; ++j) put(first + (r + i) * pitch + (c + j) * one, x[j][i]);
      }
      for (; r < rows; ++r)
        for (index j = 0; j < block; ++j) put(first + r * pitch + (c + j) * one, at<T>(from + (c + j) * cs + r * one));
    }
    if constexpr (one == 4)  // two columns of 8 bytes take as long element by element
      c += interleave_fours(first + c * one, from + c * cs, rows, columns - c, cs, pitch);
    for (; c < columns; ++c)
#pragma GCC unroll 4
      for (index r = 0; r < rows; ++r) put(first + r * pitch + c * one, at<T>(from + c * cs + r * one));
    return;
  }
  for (index r = 0; r < rows; ++r)
    for (index c = 0; c < columns; ++c) put(to + r * pitch + c * one, at<T>(from + r * rs + c * cs));
}

template <class T>
void scatter_as(std::byte* to, const void* in, index rows, index columns, index rs, index cs) {
  const T* const from = static_cast<const T*>(in);
  if (cs == static_cast<index>(sizeof(T))) {
    const index row_bytes = columns * static_cast<index>(sizeof(T));
    return copy_rows(to, static_cast<const std::byte*>(in), rows, static_cast<std::size_t>(row_bytes), rs, row_bytes);
  }
  for (index r = 0; r < rows; ++r)
    for (index c = 0; c < columns; ++c) std::memcpy(to + r * rs + c * cs, from + r * columns + c, sizeof(T));
}

}  // namespace

void splat(void* to, const void* from, int size, index count) {
  if (size <= 8 && count * size == 64) {  // one vector: the most frequent case
    using vector = vec<std::uint64_t, 16>;
    const auto* const f = static_cast<const std::byte*>(from);
    const std::uint64_t x = size == 4   ? at<std::uint32_t>(f) * 0x0000000100000001u
                            : size == 8 ? at<std::uint64_t>(f)
                            : size == 2 ? at<std::uint16_t>(f) * 0x0001000100010001u
                                        : at<std::uint8_t>(f) * 0x0101010101010101u;
    const vector v = {x, x};
    auto* const t = static_cast<std::byte*>(to);
    for (int b = 0; b < 64; b += 16) std::memcpy(t + b, &v, sizeof v);
    return;
  }
  switch (size) {
    case 1: return splat_as<std::uint8_t>(to, from, count);
    case 2: return splat_as<std::uint16_t>(to, from, count);
    case 4: return splat_as<std::uint32_t>(to, from, count);
    case 8: return splat_as<std::uint64_t>(to, from, count);
    default: return splat_as<sixteen>(to, from, count);
  }
}

namespace {

template <class T>
bool interleave_columns(void* to, const std::byte* const* from, index rows, index columns) {
  if (columns == 2)
    interleave<T, 2>(static_cast<std::byte*>(to), from, rows);
  else
    interleave<T, 4>(static_cast<std::byte*>(to), from, rows);
  return true;
}

}  // namespace

bool interleave(void* to, const std::byte* const* from, int size, index rows, index columns) {
  if (columns != 2 && columns != 4) return false;
  switch (size) {
    case 1: return interleave_columns<std::uint8_t>(to, from, rows, columns);
    case 2: return interleave_columns<std::uint16_t>(to, from, rows, columns);
    case 4: return interleave_columns<std::uint32_t>(to, from, rows, columns);
    case 8: return interleave_columns<std::uint64_t>(to, from, rows, columns);
    default: return false;
  }
}

void gather(void* to, const std::byte* from, int size, index rows, index columns, index rs, index cs, index pitch) {
  const bool apart = pitch != columns * size;
  if (apart && rows > 1 && (cs == 0 || (rs != size && rs != -size))) {
    for (index r = 0; r < rows; ++r)
      gather(static_cast<std::byte*>(to) + r * pitch, from + r * rs, size, 1, columns, 0, cs);
    return;
  }
  if (!apart && (columns == 2 || columns == 4) && rs == size && cs != 0) {
    const std::byte* const column[4] = {from, from + cs, from + 2 % columns * cs, from + 3 % columns * cs};
    if (interleave(to, column, size, rows, columns)) return;
  }
#if defined(__x86_64__)
  if (active_isa() >= isa::v3 && gather_v3(to, from, size, rows, columns, rs, cs, pitch)) return;
#endif
  auto* const rows_at = static_cast<std::byte*>(to);
  if (cs == 0) switch (size) {
      case 1: return splat_rows<std::uint8_t>(rows_at, from, rows, columns, rs);
      case 2: return splat_rows<std::uint16_t>(rows_at, from, rows, columns, rs);
      case 4: return splat_rows<std::uint32_t>(rows_at, from, rows, columns, rs);
      case 8: return splat_rows<std::uint64_t>(rows_at, from, rows, columns, rs);
      default: break;
    }
  switch (size) {
    case 1: return gather_as<std::uint8_t>(to, from, rows, columns, rs, cs, pitch);
    case 2: return gather_as<std::uint16_t>(to, from, rows, columns, rs, cs, pitch);
    case 4: return gather_as<std::uint32_t>(to, from, rows, columns, rs, cs, pitch);
    case 8: return gather_as<std::uint64_t>(to, from, rows, columns, rs, cs, pitch);
    default: return gather_as<sixteen>(to, from, rows, columns, rs, cs, pitch);
  }
}

void scatter(std::byte* to, const void* from, int size, index rows, index columns, index rs, index cs) {
  switch (size) {
    case 1: return scatter_as<std::uint8_t>(to, from, rows, columns, rs, cs);
    case 2: return scatter_as<std::uint16_t>(to, from, rows, columns, rs, cs);
    case 4: return scatter_as<std::uint32_t>(to, from, rows, columns, rs, cs);
    case 8: return scatter_as<std::uint64_t>(to, from, rows, columns, rs, cs);
    default: return scatter_as<sixteen>(to, from, rows, columns, rs, cs);
  }
}

void stream(void* to, const void* from, std::size_t bytes) {
#if defined(__SSE2__)
  auto* t = static_cast<std::byte*>(to);
  const auto* f = static_cast<const std::byte*>(from);
  std::size_t head = (64 - reinterpret_cast<std::uintptr_t>(t) % 64) % 64;
  if (head > bytes) head = bytes;
  std::memcpy(t, f, head);
  std::size_t i = head;
  for (; i + 64 <= bytes; i += 64) {
    const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(f + i));
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(f + i + 16));
    const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(f + i + 32));
    const __m128i d = _mm_loadu_si128(reinterpret_cast<const __m128i*>(f + i + 48));
    _mm_stream_si128(reinterpret_cast<__m128i*>(t + i), a);
    _mm_stream_si128(reinterpret_cast<__m128i*>(t + i + 16), b);
    _mm_stream_si128(reinterpret_cast<__m128i*>(t + i + 32), c);
    _mm_stream_si128(reinterpret_cast<__m128i*>(t + i + 48), d);
  }
  std::memcpy(t + i, f + i, bytes - i);
#else
  std::memcpy(to, from, bytes);
#endif
}

void fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace broadloom::runtime
