// The inner loops of polynomials, of one instruction-set level.
#include "polynomial_kernels.hpp"

#include <type_traits>

#include <broadloom/fn/lanes.hpp>

#include "../base/product_sums.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

// The product is rounded before it is added, whatever the compiler would contract.
template <class V>
[[gnu::always_inline]] inline V product(const V& a, const V& b) {
  if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(V{}[0])>>)
    return lanes::times(a, b);
  else
    return a * b;
}

template <class T>
struct polynomial_sums : product_sums<T, BROADLOOM_LEVEL_BYTES> {};
template <class T>
  requires std::is_floating_point_v<T>
struct polynomial_sums<T> : product_sums<T, BROADLOOM_LEVEL_BYTES> {
  using V = typename product_sums<T, BROADLOOM_LEVEL_BYTES>::V;
  [[gnu::always_inline]] void add(T factor, const T* from) {
    V x;
    __builtin_memcpy(&x, from, sizeof x);
    this->sum = this->sum + product(V{} + factor, x);
  }
};

template <class T>
struct polynomial_code {
  static constexpr int vectors = sizeof(T) == 1 ? 4 : 8;
  static constexpr index lanes = BROADLOOM_LEVEL_BYTES / static_cast<index>(sizeof(T));

  // Bytes as numbers of 16 bits, whose upper byte does not matter.
  using N = std::conditional_t<sizeof(T) == 1, std::uint16_t, T>;
  using V = vec<N, BROADLOOM_LEVEL_BYTES>;
  template <int Vectors>
  [[gnu::always_inline]] static inline void evaluate_vectors(const T* c, index n, T* x) {
    V at[Vectors], sum[Vectors] = {};
    if constexpr (sizeof(T) == 1) {
      static_assert(Vectors % 2 == 0);
#pragma GCC unroll 8
      for (int k = 0; k < Vectors; k += 2) {
        __builtin_memcpy(&at[k], x + k / 2 * lanes, sizeof(V));
        at[k + 1] = at[k] >> 8;
      }
    } else {
#pragma GCC unroll 8
      for (int k = 0; k < Vectors; ++k) __builtin_memcpy(&at[k], x + k * lanes, sizeof(V));
    }
    for (index i = 0; i < n; ++i)
#pragma GCC unroll 8
      for (int k = 0; k < Vectors; ++k) sum[k] = product(sum[k], at[k]) + static_cast<N>(c[i]);
    if constexpr (sizeof(T) == 1) {
#pragma GCC unroll 8
      for (int k = 0; k < Vectors; k += 2) {
        const V both = (sum[k] & static_cast<N>(0xff)) | (sum[k + 1] << 8);
        __builtin_memcpy(x + k / 2 * lanes, &both, sizeof both);
      }
    } else {
#pragma GCC unroll 8
      for (int k = 0; k < Vectors; ++k) __builtin_memcpy(x + k * lanes, &sum[k], sizeof(V));
    }
  }
  static void evaluate(const T* c, index n, T* x, index size) {
    constexpr int least = sizeof(T) == 1 ? 2 : 1, most = 8;
    constexpr index step = lanes / (sizeof(T) == 1 ? 2 : 1);  // elements of a V
    index i = 0;
    for (; i + most * step <= size; i += most * step) evaluate_vectors<most>(c, n, x + i);
    for (; i + least * step <= size; i += least * step) evaluate_vectors<least>(c, n, x + i);
    if (i == size) return;
    T rest[least * step] = {};
    const std::size_t bytes = static_cast<std::size_t>(size - i) * sizeof(T);
    __builtin_memcpy(rest, x + i, bytes);
    evaluate_vectors<least>(c, n, rest);
    __builtin_memcpy(x + i, rest, bytes);
  }

  template <int Vectors>
  static void add(T* to, bool adds, const T* factors, index step, index count, const T* x) {
    polynomial_sums<T> sums[Vectors];
#pragma GCC unroll 8
    for (int k = 0; k < Vectors; ++k) {
      if (adds)
        sums[k].load(to + k * lanes);
      else
        sums[k].start(T(0));
    }
    for (index t = 0; t < count; ++t, factors += step, x -= step)
#pragma GCC unroll 8
      for (int k = 0; k < Vectors; ++k) sums[k].add(*factors, x + k * lanes);
#pragma GCC unroll 8
    for (int k = 0; k < Vectors; ++k) sums[k].store(to + k * lanes);
  }

  static constexpr polynomial_kernels<T> table{evaluate, vectors* lanes, lanes, add<vectors>, add<1>};
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(polynomial_kernels, polynomial_loops, polynomial_code)
BROADLOOM_TABLE_OF(polynomial_kernels, polynomial_loops, polynomial_code, std::uint8_t, u8)
BROADLOOM_TABLE_OF(polynomial_kernels, polynomial_loops, polynomial_code, std::uint16_t, u16)
BROADLOOM_TABLE_OF(polynomial_kernels, polynomial_loops, polynomial_code, std::uint32_t, u32)
BROADLOOM_TABLE_OF(polynomial_kernels, polynomial_loops, polynomial_code, std::uint64_t, u64)

}  // namespace broadloom::runtime
