// The order in which a reduction combines the elements of one result.
#pragma once

#include <concepts>

#include <broadloom/core/index.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/eval/simd/row_reduce_kernel.hpp>

namespace broadloom::detail {

// The order in which elements are combined, for one result at a time: strips of 512, lanes of 64 bytes, then pairs; see
// docs/reference/reductions.md. `get(i)` is element i of the sequence.
template <class Op, class T, int Lanes = static_cast<int>(64 / sizeof(T)), class Get>
constexpr T combine(index n, const Get& get) {
  constexpr index strip = strip_elements, lanes = Lanes;
  T partial[64];
  int top = 0;
  for (index s = 0; s * strip < n; ++s) {
    T lane[static_cast<std::size_t>(lanes)];
    const index count = n - s * strip < strip ? n - s * strip : strip;
    for (index i = 0; i < count; ++i) {
      const T x = get(s * strip + i);
      lane[i % lanes] = i < lanes ? x : Op::on(lane[i % lanes], x);
    }
    for (index half = lanes / 2; half >= 1; half /= 2)
      for (index k = 0; k < half; ++k)
        if (k + half < count) lane[k] = Op::on(lane[k], lane[k + half]);
    T x = lane[0];
    for (index m = s; (m & 1) != 0; m >>= 1) x = Op::on(partial[--top], x);
    partial[top++] = x;
  }
  if (top == 0) return Op::template empty<T>();
  T x = partial[--top];
  while (top > 0) x = Op::on(partial[--top], x);
  return x;
}

// Whether Op combines vectors V as it does their elements T.
template <class Op, class T, class V>
concept combines_lanes = requires(const V& x, T y) {
  { Op::on(x, x) } -> std::convertible_to<V>;
  { Op::on(y, y) } -> std::same_as<T>;
};
// The same of N elements side by side in memory, whole vectors of 16 bytes. A function: clang 16 takes no lambda here.
template <class Op, int N, class T>
consteval bool combines_in_vectors() {
  constexpr int w = 16 / static_cast<int>(sizeof(T));
  if constexpr ((sizeof(T) == 4 || sizeof(T) == 8) && std::is_arithmetic_v<T> && N % w == 0)
    return combines_lanes<Op, T, simd_vec<T, w>>;
  else
    return false;
}
template <class Op, int N, class T>
BROADLOOM_INLINE T combine_vectors(const T* x) {
  constexpr int w = 16 / static_cast<int>(sizeof(T)), lanes = 64 / 16, vectors = N / w,
                count = vectors < lanes ? vectors : lanes;
  using V = simd_vec<T, w>;
  V lane[count];
#pragma GCC unroll 4
  for (int i = 0; i < count; ++i) lane[i] = load<T, w>(x + i * w);
#pragma GCC unroll 32
  for (int i = count; i < vectors; ++i) lane[i % lanes] = Op::on(lane[i % lanes], load<T, w>(x + i * w));
#pragma GCC unroll 2
  for (int half = lanes / 2; half >= 1; half /= 2)
#pragma GCC unroll 2
    for (int i = 0; i < half; ++i)
      if (i + half < count) lane[i] = Op::on(lane[i], lane[i + half]);
  if constexpr (w == 4) lane[0] = Op::on(lane[0], V(shuffled<2, 3, 2, 3>(lane[0], lane[0])));
  return Op::on(lane[0][0], lane[0][1]);
}

// The same of N elements, at most a strip, in registers.
template <class Op, int N, class T>
BROADLOOM_INLINE constexpr T combine_few(const T* x) {
  constexpr int lanes = static_cast<int>(64 / sizeof(T)), count = N < lanes ? N : lanes;
  T lane[count];
#pragma GCC unroll 64
  for (int i = 0; i < count; ++i) lane[i] = x[i];
#pragma GCC unroll 64
  for (int i = count; i < N; ++i) lane[i % lanes] = Op::on(lane[i % lanes], x[i]);
#pragma GCC unroll 8
  for (int half = lanes / 2; half >= 1; half /= 2)
#pragma GCC unroll 32
    for (int i = 0; i < half; ++i)
      if (i + half < count) lane[i] = Op::on(lane[i], lane[i + half]);
  return lane[0];
}

}  // namespace broadloom::detail
