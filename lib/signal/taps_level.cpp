// The kernels of convolutions of one instruction-set level.
#include <type_traits>

#include "../base/vectors.hpp"
#include "taps.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class T>
struct tap_code {
  static constexpr index width = BROADLOOM_LEVEL_BYTES / static_cast<index>(sizeof(T));
  using V = vec<T, BROADLOOM_LEVEL_BYTES>;
  using anywhere = vec_in_memory<T, BROADLOOM_LEVEL_BYTES>;

  // Vectors of sums that stay in registers.
  template <int Vectors>
  [[gnu::always_inline]] static inline void strip(T* out, T start, const T* x, const T* factors, const index* offsets,
                                                  index count) {
    V sums[Vectors];
    for (int v = 0; v < Vectors; ++v) sums[v] = V{} + start;
    for (index t = 0; t < count; ++t) {
      const T* const from = x + offsets[t];
      for (int v = 0; v < Vectors; ++v) sums[v] += factors[t] * *reinterpret_cast<const anywhere*>(from + v * width);
    }
    for (int v = 0; v < Vectors; ++v) *reinterpret_cast<anywhere*>(out + v * width) = sums[v];
  }
  // Lanes <= n < 2 Lanes elements by the first vector and the last, which may overlap.
  template <index Lanes>
  [[gnu::always_inline]] static inline void both_ends(T* out, index n, T start, const T* x, const T* factors,
                                                      const index* offsets, index count) {
    constexpr index bytes = Lanes * static_cast<index>(sizeof(T));
    using part = vec_in_memory<T, bytes>;
    const index last = n - Lanes;
    part first_sum = part{} + start, last_sum = first_sum;
    for (index t = 0; t < count; ++t) {
      const T* const from = x + offsets[t];
      first_sum += factors[t] * *reinterpret_cast<const part*>(from);
      last_sum += factors[t] * *reinterpret_cast<const part*>(from + last);
    }
    *reinterpret_cast<part*>(out) = first_sum;
    *reinterpret_cast<part*>(out + last) = last_sum;
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
      for (; i + 8 * width <= n; i += 8 * width) strip<8>(out + i, start, x + i, factors, offsets, count);
      for (; i + 2 * width <= n; i += 2 * width) strip<2>(out + i, start, x + i, factors, offsets, count);
      for (; i + width <= n; i += width) strip<1>(out + i, start, x + i, factors, offsets, count);
      // The last vector overlaps the one before.
      if (i < n) strip<1>(out + n - width, start, x + n - width, factors, offsets, count);
      return;
    }
    for (; i < n; ++i) {
      // Integers of 16 bits would be multiplied as int, which may overflow.
      using wide = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
      wide sum = start;
      for (index t = 0; t < count; ++t) sum += wide{factors[t]} * wide{x[offsets[t] + i * step]};
      out[i] = static_cast<T>(sum);
    }
  }
  static constexpr tap_kernels<T> table = {set};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(tap_kernels, taps, tap_code)
BROADLOOM_TABLE_OF(tap_kernels, taps, tap_code, std::uint8_t, u8)
BROADLOOM_TABLE_OF(tap_kernels, taps, tap_code, std::uint16_t, u16)
BROADLOOM_TABLE_OF(tap_kernels, taps, tap_code, std::uint32_t, u32)
BROADLOOM_TABLE_OF(tap_kernels, taps, tap_code, std::uint64_t, u64)

}  // namespace broadloom::runtime
