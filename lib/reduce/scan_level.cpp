// Running sums and products of several rows at once in the registers of AVX2 or AVX-512, and of columns.
#include <cstdint>

#include <broadloom/core/array.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/fn/lanes.hpp>

#include "../base/level.hpp"
#include "../base/limits.hpp"
#include "operations.hpp"
#include "scan_rows.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

namespace {

using detail::load;
using detail::simd_vec;
using detail::store;

// Columns: running results stay in registers while rows are few bytes in all; of more, rows are read as they lie, and
// the results before them come from the first-level cache.
template <class Op, class T>
struct columns_scan {
  static constexpr int widest = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T));

  template <int W>
  BROADLOOM_INLINE static auto load_at(const T* x) {
    if constexpr (W == 1)
      return *x;
    else
      return load<T, W>(x);
  }
  template <class V>
  BROADLOOM_INLINE static void store_at(T* to, const V& x) {
    if constexpr (sizeof(V) == sizeof(T))
      *to = x;
    else
      store<T>(to, x);
  }

  template <int W, int Side>
  BROADLOOM_INLINE static void block(const T* x, index from_pitch, T* y, index to_pitch, index rows) {
    decltype(load_at<W>(x)) sum[Side];
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s) store_at(y + s * W, sum[s] = load_at<W>(x + s * W));
    for (index r = 1; r < rows; ++r) {
      x += from_pitch;
      y += to_pitch;
#pragma GCC unroll 8
      for (int s = 0; s < Side; ++s) store_at(y + s * W, sum[s] = Op::on(sum[s], load_at<W>(x + s * W)));
    }
  }
  // The columns that fill no block of wider vectors.
  template <int W>
  BROADLOOM_INLINE static void narrow(const T* x, index from_pitch, T* y, index to_pitch, index rows, index n) {
    for (; n >= W; n -= W, x += W, y += W) block<W, 1>(x, from_pitch, y, to_pitch, rows);
    if constexpr (W > 1) narrow<W / 2>(x, from_pitch, y, to_pitch, rows, n);
  }
  static void by_blocks(const T* x, index from_pitch, T* y, index to_pitch, index rows, index n) {
    constexpr int side = 8;
    for (; n >= side * widest; n -= side * widest, x += side * widest, y += side * widest)
      block<widest, side>(x, from_pitch, y, to_pitch, rows);
    narrow<widest>(x, from_pitch, y, to_pitch, rows, n);
  }
  static void by_rows(const T* x, index from_pitch, T* y, index to_pitch, index rows, index n) {
    if (x != y) __builtin_memcpy(y, x, static_cast<std::size_t>(n) * sizeof(T));
    for (index r = 1; r < rows; ++r) {
      const T* const before = y;
      x += from_pitch;
      y += to_pitch;
      index i = 0;
      for (; i + widest <= n; i += widest) store<T>(y + i, Op::on(load<T, widest>(before + i), load<T, widest>(x + i)));
      for (; i < n; ++i) y[i] = Op::on(before[i], x[i]);
    }
  }
  static void all(const void* from, index from_pitch, void* to, index to_pitch, index rows, index n) {
    const auto* const x = static_cast<const T*>(from);
    auto* const y = static_cast<T*>(to);
    const bool is_cached = rows * to_pitch * static_cast<index>(sizeof(T)) <= 4 * limits::scanning::block_bytes;
    (is_cached ? by_blocks : by_rows)(x, from_pitch, y, to_pitch, rows, n);
  }
};

// Integers wrap around, so signed ones are as unsigned ones.
template <class Op>
scan_columns_kernel* columns_of(dtype t) {
  switch (t) {
    case dtype::f32: return columns_scan<Op, float>::all;
    case dtype::f64: return columns_scan<Op, double>::all;
    case dtype::i8:
    case dtype::u8: return columns_scan<Op, std::uint8_t>::all;
    case dtype::i16:
    case dtype::u16: return columns_scan<Op, std::uint16_t>::all;
    case dtype::i32:
    case dtype::u32: return columns_scan<Op, std::uint32_t>::all;
    default: return columns_scan<Op, std::uint64_t>::all;
  }
}

}  // namespace

static scan_columns_kernel* find_columns(reduction op, dtype t) {
  return op == reduction::running_sum ? columns_of<operation<reduction::sum>>(t)
                                      : columns_of<operation<reduction::prod>>(t);
}

#if BROADLOOM_LEVEL_BYTES > 16
namespace {

using detail::sequence;
using detail::splat;

// As many rows as a vector has lanes: squares of elements are transposed, scanned as columns, and transposed back.
template <class Op, class T>
struct squares {
  static constexpr int w = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T));
  using vector = simd_vec<T, w>;
  static constexpr int per_line = 64 / static_cast<int>(sizeof(T));
  // Streamed by whole cache lines: eight rows of which half a line is written in turn took 14 ms instead of 3.6 for
  // (8192, 1024) on Zen 3 while another program ran beside; four rows, of f64, never did.
  static constexpr bool by_lines = w > 4 && w < per_line;
  static constexpr index ahead = 512 / static_cast<index>(sizeof(T));  // of what is read: is prefetched

  template <int Step, int... I>
  BROADLOOM_INLINE static void exchange_two(vector& a, vector& b, sequence<I...>) {
    const vector low = __builtin_shufflevector(a, b, ((I & Step) != 0 ? I - Step + w : I)...);
    b = __builtin_shufflevector(a, b, ((I & Step) != 0 ? I + w : I + Step)...);
    a = low;
  }
  template <int Step>
  BROADLOOM_INLINE static void transpose(vector* r) {
    if constexpr (Step < w) {
#pragma GCC unroll 16
      for (int i = 0; i < w; ++i)
        if ((i & Step) == 0) exchange_two<Step>(r[i], r[i + Step], detail::make_sequence<w>{});
      transpose<2 * Step>(r);
    }
  }

  // The results of the square at `from`, after those of `sum`.
  BROADLOOM_INLINE static void scan_square(const T* from, index from_pitch, vector& sum, vector* r) {
#pragma GCC unroll 16
    for (int k = 0; k < w; ++k) {
      const T* const x = from + k * from_pitch;
      __builtin_prefetch(x + ahead);
      r[k] = load<T, w>(x);
    }
    transpose<1>(r);
#pragma GCC unroll 16
    for (int k = 0; k < w; ++k) r[k] = sum = Op::on(sum, r[k]);
    transpose<1>(r);
  }

  template <bool PastCaches>
  static void scan_squares(const T* from, index from_pitch, T* to, index to_pitch, index n) {
    vector sum = splat<w>(Op::template identity<T>());
    index i = 0;
    if constexpr (PastCaches && by_lines) {
      alignas(64) T lines[w * per_line];
      for (; i + per_line <= n; i += per_line) {
#pragma GCC unroll 1
        for (int j = 0; j < per_line; j += w) {
          vector r[w];
          scan_square(from + i + j, from_pitch, sum, r);
#pragma GCC unroll 16
          for (int k = 0; k < w; ++k) store<T>(lines + k * per_line + j, r[k]);
        }
#pragma GCC unroll 16
        for (int k = 0; k < w; ++k)
          for (int j = 0; j < per_line; j += w)
            detail::stream(to + k * to_pitch + i + j, load<T, w>(lines + k * per_line + j));
      }
    }
    for (; i + w <= n; i += w) {
      vector r[w];
      scan_square(from + i, from_pitch, sum, r);
#pragma GCC unroll 16
      for (int k = 0; k < w; ++k) {
        T* const x = to + k * to_pitch + i;
        if constexpr (PastCaches && !by_lines)
          detail::stream(x, r[k]);
        else
          store<T>(x, r[k]);
      }
    }
    alignas(64) T sums[w];
    store<T>(sums, sum);
    for (; i < n; ++i)
      for (int k = 0; k < w; ++k) to[k * to_pitch + i] = sums[k] = Op::on(sums[k], from[k * from_pitch + i]);
  }

  static void rows(const void* from, index from_pitch, void* to, index to_pitch, index n, bool streaming) {
    const auto at = reinterpret_cast<std::uintptr_t>(to), pitch = static_cast<std::uintptr_t>(to_pitch) * sizeof(T);
    constexpr std::uintptr_t alignment = by_lines ? 64 : BROADLOOM_LEVEL_BYTES;
    const bool aligned = at % alignment == 0 && pitch % alignment == 0;
    const auto run = streaming && aligned ? scan_squares<true> : scan_squares<false>;
    run(static_cast<const T*>(from), from_pitch, static_cast<T*>(to), to_pitch, n);
  }
  static constexpr scan_rows_kernel kernel{rows, w};
};

template <class Op>
const scan_rows_kernel* squares_of(dtype t) {
  switch (t) {
    case dtype::f32: return &squares<Op, float>::kernel;
    case dtype::f64: return &squares<Op, double>::kernel;
    case dtype::i64: return &squares<Op, std::int64_t>::kernel;
    default: return nullptr;
  }
}

}  // namespace

static const scan_rows_kernel* find_scan(reduction op, dtype t) {
  return op == reduction::running_sum ? squares_of<operation<reduction::sum>>(t)
                                      : squares_of<operation<reduction::prod>>(t);
}
#else
static const scan_rows_kernel* find_scan(reduction, dtype) { return nullptr; }
#endif

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {
constinit const scan_kernels BROADLOOM_OF_LEVEL(scans_of){BROADLOOM_LEVEL::find_scan, BROADLOOM_LEVEL::find_columns};
}  // namespace broadloom::runtime
