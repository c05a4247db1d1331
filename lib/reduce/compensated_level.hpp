// One level's loops of compensated sums: the order of plain sums, each addition with what it rounds off. A partial
// result of n sums is these, and behind them n errors. Part of kernels_level.cpp.
#pragma once

#include "columns_level.hpp"

namespace broadloom::runtime {
namespace {

inline constexpr index ahead_bytes = 1024;  // prefetched so far ahead of what is read

template <class T>
struct compensated_loops {
  static constexpr int w = width<T>;
  static constexpr int lanes = static_cast<int>(lane_total<T>), vectors = lanes / w;
  using vector = simd_vec<T, w>;

  // As exactly_added: the same additions, whose results have the same bits.
  template <class V>
  BROADLOOM_INLINE static void join(V& sum, V& error, const V& x, const V& x_error) {
    const V both = sum + x, of_x = both - sum;
    error = (error + x_error) + ((sum - (both - of_x)) + (x - of_x));
    sum = both;
  }
  template <class V>
  BROADLOOM_INLINE static void add(V& sum, V& error, const V& x) {
    const V both = sum + x, of_x = both - sum;
    error = error + ((sum - (both - of_x)) + (x - of_x));
    sum = both;
  }

  // Lanes k and k + half, until one is left.
  template <int Half>
  BROADLOOM_INLINE static void within(T* sum, T* error) {
    if constexpr (Half > 0) {
      constexpr int wide = Half < w ? Half : w;
      for (int k = 0; k < Half; k += wide) {
        auto s = load<T, wide>(sum + k), e = load<T, wide>(error + k);
        join(s, e, load<T, wide>(sum + Half + k), load<T, wide>(error + Half + k));
        store<T>(sum + k, s);
        store<T>(error + k, e);
      }
      within<Half / 2>(sum, error);
    }
  }

  // A strip of n elements, 1 <= n <= strip_length: its sum and error, the first of as many lanes.
  BROADLOOM_INLINE static void strip(const T* x, index n, T* sum, T* error) {
    vector s[vectors], e[vectors];
    const index whole = n / lanes, rest = n % lanes;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      s[v] = splat<w>(static_cast<T>(-0.0));
      e[v] = splat<w>(T{});
    }
    for (index g = 0; g < whole; ++g) {
      __builtin_prefetch(reinterpret_cast<const char*>(x + g * lanes) + ahead_bytes);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) add(s[v], e[v], load<T, w>(x + g * lanes + v * w));
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      store<T>(sum + v * w, s[v]);
      store<T>(error + v * w, e[v]);
    }
    for (index i = 0; i < rest; ++i) add(sum[i], error[i], x[whole * lanes + i]);
    within<lanes / 2>(sum, error);
  }

  // As reduce_kernels says, but for the partial result of one sum of each row.
  static void sequences(const void* first, index rows, index n, index pitch, void* out, const void*) {
    const auto* row = static_cast<const char*>(first);
    T* to = static_cast<T*>(out);
    for (; rows > 0; --rows, row += pitch, to += 2) {
      alignas(64) T sum[lanes], error[lanes], sums[64], errors[64];
      int top = 0;
      for (index s = 0; s * strip_length < n; ++s) {
        const index i = s * strip_length;
        strip(reinterpret_cast<const T*>(row) + i, strip_length < n - i ? strip_length : n - i, sum, error);
        for (index m = s; (m & 1) != 0; m >>= 1) {  // equal numbers of strips meet, the earlier on the left
          --top;
          join(sums[top], errors[top], sum[0], error[0]);
          sum[0] = sums[top];
          error[0] = errors[top];
        }
        sums[top] = sum[0];
        errors[top++] = error[0];
      }
      for (--top; top > 0; --top) join(sums[top - 1], errors[top - 1], sums[top], errors[top]);
      to[0] = sums[0];
      to[1] = errors[0];
    }
  }

  static void rows(void* to, const void* from, const void* const* x, int count, index n) {
    T *const sum = static_cast<T*>(to), *const error = sum + n;
    const T *const first = static_cast<const T*>(from), *const first_error = first + n;
    index i = 0;
    for (; i + w <= n; i += w) {
      vector s = load<T, w>(first + i), e = load<T, w>(first_error + i);
      for (int k = 0; k < count; ++k) add(s, e, load<T, w>(static_cast<const T*>(x[k]) + i));
      store<T>(sum + i, s);
      store<T>(error + i, e);
    }
    for (; i < n; ++i) {
      T s = first[i], e = first_error[i];
      for (int k = 0; k < count; ++k) add(s, e, static_cast<const T*>(x[k])[i]);
      sum[i] = s;
      error[i] = e;
    }
  }

  static void fill_identity(void* to, index n) {
    T* const t = static_cast<T*>(to);
    for (index i = 0; i < n; ++i) t[i] = static_cast<T>(-0.0);
    for (index i = n; i < 2 * n; ++i) t[i] = T{};
  }

  static void join_rows(void* to, const void* right, index n) {
    T *const sum = static_cast<T*>(to), *const error = sum + n;
    const T *const x = static_cast<const T*>(right), *const x_error = x + n;
    index i = 0;
    for (; i + w <= n; i += w) {
      vector s = load<T, w>(sum + i), e = load<T, w>(error + i);
      join(s, e, load<T, w>(x + i), load<T, w>(x_error + i));
      store<T>(sum + i, s);
      store<T>(error + i, e);
    }
    for (; i < n; ++i) join(sum[i], error[i], x[i], x_error[i]);
  }

  static void tree(void* partial, index count, index n, void* to) {
    T* const p = static_cast<T*>(partial);
    join_as_tree(p, count, 2 * n, [n](T* left, const T* right) { join_rows(left, right, n); });
    for (index i = 0; i < 2 * n; ++i) static_cast<T*>(to)[i] = p[i];
  }

  // The sums and errors of each row as one number: an error that overflow made is not one.
  static void finish(const void* partial, index rows, index n, void* to) {
    const T* sum = static_cast<const T*>(partial);
    T* out = static_cast<T*>(to);
    for (index r = 0; r < rows; ++r, sum += 2 * n, out += n)
      for (index i = 0; i < n; ++i) {
        const T error = sum[n + i];
        out[i] = error - error == 0 && error != 0 ? sum[i] + error : sum[i];
      }
  }

  static constexpr reduce_kernels table{sequences, rows, nullptr,   fill_identity, nullptr, tree,
                                        nullptr,   2,    join_rows, finish,        nullptr};
};

}  // namespace
}  // namespace broadloom::runtime
