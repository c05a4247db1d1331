// The inner loops of products of integers, of one instruction-set level.
#include "../base/vectors.hpp"
#include "integer_products.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

template <class U>
struct integer_product_code {
  static constexpr int vector = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(U));
  static constexpr int narrow = 16 / static_cast<int>(sizeof(U));
  static constexpr int half = BROADLOOM_LEVEL_BYTES == 64 ? vector / 2 : vector;
  // A group of two vectors of columns, those of b and a splat fill the registers: 16, with AVX-512 32.
  static constexpr int group = BROADLOOM_LEVEL_BYTES == 64 ? 8 : 4;

  template <int Rows, int Vectors, int Bytes = BROADLOOM_LEVEL_BYTES>
  static void multiply_tile(const integer_tile<U>& t) {
    using V = vec<U, Bytes>;
    using in_array = vec_in_array<U, Bytes>;
    constexpr int lanes = Bytes / static_cast<int>(sizeof(U));
    V sum[Rows][Vectors] = {};
    const U *a = t.a, *b = t.b;
    for (index k = 0; k < t.depth; ++k, a += t.a_term, b += t.b_row) {
      V right[Vectors];
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) right[v] = *reinterpret_cast<const in_array*>(b + v * lanes);
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v) sum[r][v] += a[r * t.a_row] * right[v];
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        in_array& to = *reinterpret_cast<in_array*>(t.to + r * t.to_row + v * lanes);
        to = t.adds ? to + sum[r][v] : sum[r][v];
      }
  }
  template <int Rows>
  static void multiply_rows(const integer_tile<U>& t, index columns) {
    if (columns == narrow)
      multiply_tile<Rows, 1, 16>(t);
    else if (columns == half)
      multiply_tile<Rows, 1, half* static_cast<int>(sizeof(U))>(t);
    else if (columns == vector)
      multiply_tile<Rows, 1>(t);
    else
      multiply_tile<Rows, 2>(t);
  }
  static void multiply(const integer_tile<U>& t, index rows, index columns) {
    if (rows == 1)
      multiply_rows<1>(t, columns);
    else if (rows == 4)
      multiply_rows<4>(t, columns);
    else
      multiply_rows<group>(t, columns);
  }

  static U dot(const U* x, const U* y, index n) {
    using V = vec<U, BROADLOOM_LEVEL_BYTES>;
    using in_array = vec_in_array<U, BROADLOOM_LEVEL_BYTES>;
    constexpr int sums = 4;
    V sum[sums] = {};
    index i = 0;
    for (; i + sums * vector <= n; i += sums * vector)
#pragma GCC unroll 4
      for (int k = 0; k < sums; ++k)
        sum[k] += *reinterpret_cast<const in_array*>(x + i + k * vector) *
                  *reinterpret_cast<const in_array*>(y + i + k * vector);
    for (; i + vector <= n; i += vector)
      sum[0] += *reinterpret_cast<const in_array*>(x + i) * *reinterpret_cast<const in_array*>(y + i);
    const V all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    std::uint64_t total = 0;
    for (int k = 0; k < vector; ++k) total += all[k];
    for (; i < n; ++i) total += static_cast<std::uint64_t>(x[i]) * y[i];
    return static_cast<U>(total);
  }
  // Bytes in pairs: the lower one of a product of pairs is that of the lower ones, and so it is once both are shifted.
  static std::uint8_t dot_bytes(const std::uint8_t* x, const std::uint8_t* y, index n) {
    using V = vec<std::uint16_t, BROADLOOM_LEVEL_BYTES>;
    constexpr index bytes = BROADLOOM_LEVEL_BYTES;
    V lower[2] = {}, upper[2] = {};
    index i = 0;
    const auto add = [&](int k) __attribute__((always_inline)) {
      V a, b;
      __builtin_memcpy(&a, x + i, sizeof a);
      __builtin_memcpy(&b, y + i, sizeof b);
      lower[k] += a * b;
      upper[k] += (a >> 8) * (b >> 8);
      i += bytes;
    };
    while (i + 2 * bytes <= n) {
      add(0);
      add(1);
    }
    if (i + bytes <= n) add(0);
    const V all = lower[0] + lower[1] + upper[0] + upper[1];
    unsigned total = 0;
    for (int k = 0; k < bytes / 2; ++k) total += all[k];
    for (; i < n; ++i) total += static_cast<unsigned>(x[i]) * y[i];
    return static_cast<std::uint8_t>(total);
  }
  static constexpr integer_product_kernels<U> table{group, narrow, half, vector, multiply, dot, dot_bytes};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {
BROADLOOM_TABLE_OF(integer_product_kernels, integer_products, integer_product_code, std::uint16_t, u16)
BROADLOOM_TABLE_OF(integer_product_kernels, integer_products, integer_product_code, std::uint32_t, u32)
BROADLOOM_TABLE_OF(integer_product_kernels, integer_products, integer_product_code, std::uint64_t, u64)
}  // namespace broadloom::runtime
