// The kernels of convolutions of one instruction-set level.
#include <type_traits>

#include "../base/product_sums.hpp"
#include "taps.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct tap_code {
  static constexpr index width = BROADLOOM_LEVEL_BYTES / static_cast<index>(sizeof(T));
  // Integers of 16 bits would be multiplied as int, which may overflow.
  using wide = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

  // Vectors of sums that stay in registers.
  template <int Vectors>
  [[gnu::always_inline]] static inline void strip(T* out, T start, const T* x, const T* factors, const index* offsets,
                                                  index count) {
    product_sums<T, BROADLOOM_LEVEL_BYTES> sums[Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) sums[v].start(start);
    for (index t = 0; t < count; ++t) {
      const T* const from = x + offsets[t];
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v) sums[v].add(factors[t], from + v * width);
    }
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) sums[v].store(out + v * width);
  }
  // Lanes <= n < 2 Lanes elements by the first vector and the last, which may overlap.
  template <index Lanes>
  [[gnu::always_inline]] static inline void both_ends(T* out, index n, T start, const T* x, const T* factors,
                                                      const index* offsets, index count) {
    constexpr index bytes = Lanes * static_cast<index>(sizeof(T));
    const index last = n - Lanes;
    product_sums<T, bytes> first_sum, last_sum;
    first_sum.start(start);
    last_sum.start(start);
    for (index t = 0; t < count; ++t) {
      const T* const from = x + offsets[t];
      first_sum.add(factors[t], from);
      last_sum.add(factors[t], from + last);
    }
    first_sum.store(out);
    last_sum.store(out + last);
  }
  // Lines shorter than two vectors, by the longest power of two that they hold.
  template <index Lanes>
  [[gnu::always_inline]] static inline bool short_line(T* out, index n, T start, const T* x, const T* factors,
                                                       const index* offsets, index count) {
    if constexpr (Lanes < 2)
      return false;
    else if (n < Lanes)
      return short_line<Lanes / 2>(out, n, start, x, factors, offsets, count);
    else
      return both_ends<Lanes>(out, n, start, x, factors, offsets, count), true;
  }
  static void set(T* out, index n, T start, const T* x, index step, const T* factors, const index* offsets,
                  index count) {
    index i = 0;
    if (step == 1 && n < 2 * width && short_line<width>(out, n, start, x, factors, offsets, count)) return;
    if (step == 1 && n >= width) {
      constexpr int most = sizeof(T) == 1 ? 4 : 8;  // bytes have two sums each
      for (; i + most * width <= n; i += most * width) strip<most>(out + i, start, x + i, factors, offsets, count);
      for (; i + 2 * width <= n; i += 2 * width) strip<2>(out + i, start, x + i, factors, offsets, count);
      for (; i + width <= n; i += width) strip<1>(out + i, start, x + i, factors, offsets, count);
      // The last vector overlaps the one before.
      if (i < n) strip<1>(out + n - width, start, x + n - width, factors, offsets, count);
      return;
    }
    for (; i < n; ++i) {
      wide sum = start;
      for (index t = 0; t < count; ++t) sum += wide{factors[t]} * wide{x[offsets[t] + i * step]};
      out[i] = static_cast<T>(sum);
    }
  }

  // Elements of several outputs in vectors from `at` on, the last of them at `last`. A vector of x is read once for
  // all.
  template <int Outputs, int Vectors>
  [[gnu::always_inline]] static inline void tile(const tap_rows<T>& r, index output, index at, index last) {
    product_sums<T, BROADLOOM_LEVEL_BYTES> sums[Outputs][Vectors];
#pragma GCC unroll 4
    for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) sums[o][v].start(T(0));
    const T* const factors = r.factors + output * r.count;
    for (index t = 0; t < r.count; ++t) {
      const T* const from = r.x + r.offsets[t];
#pragma GCC unroll 4
      for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v)
          sums[o][v].add(factors[o * r.count + t], from + (v == Vectors - 1 ? last : at + v * width));
    }
#pragma GCC unroll 4
    for (int o = 0; o < Outputs; ++o) {
      const T start = r.starts != nullptr ? r.starts[(output + o) * r.start_step] : T(0);
      T* const to = r.out + (output + o) * r.out_row;
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        sums[o][v].add_to_all(start);
        sums[o][v].store(to + (v == Vectors - 1 ? last : at + v * width));
      }
    }
  }
  template <int Outputs>
  static void outputs_of(const tap_rows<T>& r, index output) {
    // What the registers hold; bytes have two sums each.
    constexpr int most = (BROADLOOM_LEVEL_BYTES > 32 ? 4 : 2) / (sizeof(T) == 1 ? 2 : 1);
    const index end = r.n - width;
    index at = 0;
    for (; at + most * width <= r.n; at += most * width) tile<Outputs, most>(r, output, at, at + (most - 1) * width);
    const index rest = r.n - at;  // its last vector may overlap the one before
    if (rest > 3 * width)
      tile<Outputs, most>(r, output, at, end);
    else if (rest > 2 * width)
      tile < Outputs, most<3 ? most : 3>(r, output, at, end);
    else if (rest > width)
      tile < Outputs, most<2 ? most : 2>(r, output, at, end);
    else if (rest > 0)
      tile<Outputs, 1>(r, output, at, end);
  }
  static void set_rows(const tap_rows<T>& r) {
    index o = 0;
    if (r.n >= width) {
      for (; o + 4 <= r.outputs; o += 4) outputs_of<4>(r, o);
      for (; o + 2 <= r.outputs; o += 2) outputs_of<2>(r, o);
      for (; o < r.outputs; ++o) outputs_of<1>(r, o);
    }
    for (; o < r.outputs; ++o)
      for (index i = 0; i < r.n; ++i) {
        wide sum = 0;
        for (index t = 0; t < r.count; ++t) sum += wide{r.factors[o * r.count + t]} * wide{r.x[r.offsets[t] + i]};
        r.out[o * r.out_row + i] = static_cast<T>(sum + (r.starts != nullptr ? r.starts[o * r.start_step] : T(0)));
      }
  }

  static constexpr tap_kernels<T> made() {
    if constexpr (BROADLOOM_LEVEL_BYTES > 16)
      return {set, width, set_rows};
    else
      return {set, 0, nullptr};
  }
  static constexpr tap_kernels<T> table = made();
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(tap_kernels, taps, tap_code)
BROADLOOM_TABLE_OF(tap_kernels, taps, tap_code, std::uint8_t, u8)
BROADLOOM_TABLE_OF(tap_kernels, taps, tap_code, std::uint16_t, u16)
BROADLOOM_TABLE_OF(tap_kernels, taps, tap_code, std::uint32_t, u32)
BROADLOOM_TABLE_OF(tap_kernels, taps, tap_code, std::uint64_t, u64)

}  // namespace broadloom::runtime
