// From vectors to one element: the lanes of a vector, those of several strips together, and the results of strips.
#pragma once

#include "vectors_level.hpp"

namespace broadloom::runtime {
namespace {

// Of vectors without NaN.
template <class Op>
struct min_max_of_numbers {
  template <class V>
  BROADLOOM_INLINE static V on(const V& x, const V& y) {
    return min_max_instruction<Op>(x, y);
  }
};

template <class Op, class T>
struct vector_fold {
  static constexpr int w = width<T>;
  static constexpr int vectors = static_cast<int>(lane_total<T>) / w;
  using vector = simd_vec<T, w>;

  // Lanes k and k + half of a strip are combined, down to one vector.
  BROADLOOM_INLINE static vector one_vector(vector* acc) {
#pragma GCC unroll 8
    for (int half = vectors / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int v = 0; v < half; ++v) acc[v] = Op::on(acc[v], acc[v + half]);
    return acc[0];
  }

  // Strips whose lanes are combined together: as many as a vector has lanes, 1 for small elements.
  static constexpr int batch = sizeof(T) >= 4 && w > 1 ? w : 1;

  // Where strip k of a batch goes, so that neighbours of 2^i strips are lanes w / 2^(i + 1) apart, as fold() combines
  // them.
  static constexpr auto reversed = [] {
    detail::fixed_array<int, static_cast<std::size_t>(batch)> r{};
    for (int k = 0; k < batch; ++k)
      for (int bit = 1; bit < batch; bit *= 2) r.v[k] = 2 * r.v[k] + (k / bit & 1);
    return r;
  }();

  // Of two vectors with the lanes of w / Block strips each, the first (second) halves of all these.
  template <int Block, int Second, int... I>
  BROADLOOM_INLINE static vector halves(const vector& x, const vector& y, detail::sequence<I...>) {
    return __builtin_shufflevector(x, y, (I / (Block / 2) * Block + I % (Block / 2) + Second * (Block / 2))...);
  }
  // The vectors of w consecutive strips, to the strips' results; where there are fewer, to some of them
  // twice.
  template <int Count, int Strips = Count>
  BROADLOOM_INLINE static void across_batch(vector* x) {
    if constexpr (Count > 1) {
      constexpr int block = Count, pairs = Strips > 1 ? Strips / 2 : 1;
      using lanes = detail::make_sequence<w>;
#pragma GCC unroll 16
      for (int k = 0; k < pairs; ++k) {
        const vector &left = x[2 * k], &right = x[Strips > 1 ? 2 * k + 1 : 0];
        x[k] = Op::on(halves<block, 0>(left, right, lanes{}), halves<block, 1>(left, right, lanes{}));
      }
      across_batch<Count / 2, pairs>(x);
    }
  }
  // Lanes k and k + half, until one is left.
  template <int Half>
  BROADLOOM_INLINE static void within(T* x) {
    if constexpr (Half > 0) {
      store<T>(x, Op::on(load<T, Half>(x), load<T, Half>(x + Half)));
      within<Half / 2>(x);
    }
  }

  // Lane k of Count lanes with lane k + Count / 2, until one is left: in vectors of half as many lanes, down to 16
  // bytes, in which processors move lanes soonest.
  template <int First, class V, int... I>
  BROADLOOM_INLINE static auto lanes_from(const V& x, detail::sequence<I...>) {
    return __builtin_shufflevector(x, x, ((I + First) % static_cast<int>(sizeof(V) / sizeof(T)))...);
  }
  template <int Count, class V>
  BROADLOOM_INLINE static T fold_lanes(const V& x) {
    constexpr int half = Count / 2;
    if constexpr (Count == 1) {
      return x[0];
    } else {
      using lanes = detail::make_sequence<(sizeof(V) > 16 ? half : static_cast<int>(sizeof(V) / sizeof(T)))>;
      return fold_lanes<half>(Op::on(lanes_from<0>(x, lanes{}), lanes_from<half>(x, lanes{})));
    }
  }
  // The same of integers of less than 32 bits, by words and then within one.
  BROADLOOM_INLINE static T fold_words(vector x) {
    using words = simd_vec<std::uint64_t, BROADLOOM_VECTOR / 8>;
    constexpr int count = BROADLOOM_VECTOR / 8;
    const auto turned = [&]<int... I>(index half, detail::sequence<I...>) __attribute__((always_inline)) {
      const auto y = (words)x;
      if (half == 4) return (vector)__builtin_shufflevector(y, y, ((I + 4) % count)...);
      if (half == 2) return (vector)__builtin_shufflevector(y, y, ((I + 2) % count)...);
      return (vector)__builtin_shufflevector(y, y, ((I + 1) % count)...);
    };
#pragma GCC unroll 4
    for (int half = count / 2; half > 0; half /= 2) x = Op::on(x, turned(half, detail::make_sequence<count>{}));
#pragma GCC unroll 4
    for (int bits = 32; bits >= 8 * static_cast<int>(sizeof(T)); bits /= 2) x = Op::on(x, (vector)((words)x >> bits));
    return x[0];
  }
  BROADLOOM_INLINE static T fold(vector x) {
    if constexpr (batch > 1) {
      return fold_lanes<w>(x);
    } else if constexpr (sizeof(T) < 4) {
      return fold_words(x);
    } else {
      alignas(64) T l[w];
      store<T>(l, x);
      within<w / 2>(l);
      return l[0];
    }
  }

  // Partial results in a stack: equal numbers of strips meet.
  struct stack {
    T top[64];
    int size = 0;
    BROADLOOM_INLINE void push(T x, index strips_before) {
      for (index m = strips_before; (m & 1) != 0; m >>= 1) x = Op::on(top[--size], x);
      top[size++] = x;
    }
    BROADLOOM_INLINE T result() {
      T x = top[--size];
      while (size > 0) x = Op::on(top[--size], x);
      return x;
    }
  };

  // Fewer elements than a vector, with identity elements behind them.
  BROADLOOM_INLINE static vector load_rest(const T* x, index n) {
    const vector identity = splat<w>(Op::template identity<T>());
    if constexpr (has_partial_loads<T>) {
      return load_partly(x, n, identity);
    } else {
      alignas(64) T l[w];
      store<T>(l, identity);
      for (index i = 0; i < n; ++i) l[i] = x[i];
      return load<T, w>(l);
    }
  }
};

}  // namespace
}  // namespace broadloom::runtime
