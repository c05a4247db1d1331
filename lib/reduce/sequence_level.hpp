// One sequence of elements in memory, of any length, to one result.
#pragma once

#include "narrow_rows_level.hpp"
#include "strip_level.hpp"

namespace broadloom::runtime {
namespace {

// Strips of up to this many bytes are in the first-level cache or soon will be: they are reduced interleaved.
inline constexpr index cached_bytes = limits::reducing::cached_bytes;

template <class Op, class T>
struct sequence_loops : strip_loops<Op, T> {
  using base = strip_loops<Op, T>;
  using base::abreast, base::batch, base::w, base::whole_strip;
  using base::fold, base::load_rest;
  using base::lanes_of_strip;
  using typename base::stack, typename base::vector;

  // Consecutive whole strips in the first-level cache, interleaved, to one result.
  template <int Count>
  BROADLOOM_INLINE static T strips_interleaved(const T* first) {
    constexpr int at_once = Count < abreast ? Count : abreast;
    vector found[batch > Count ? batch : Count];
#pragma GCC unroll 2
    for (int k = 0; k < Count; k += at_once) {
      const T* x[at_once];
#pragma GCC unroll 8
      for (int s = 0; s < at_once; ++s) x[s] = first + (k + s) * strip_length;
      base::template lanes_interleaved<at_once, false>(x, whole_strip, nullptr, 0, found + k);
    }
    alignas(64) T results[batch > Count ? batch : Count];
    if constexpr (batch >= Count) {
      base::template across_batch<batch, Count>(found);
      store<T>(results, found[0]);
    } else
#pragma GCC unroll 8
      for (int s = 0; s < Count; ++s) results[s] = fold(found[s]);
#pragma GCC unroll 4
    for (int k = Count / 2; k > 0; k /= 2)
#pragma GCC unroll 8
      for (int i = 0; i < k; ++i) results[i] = Op::on(results[2 * i], results[2 * i + 1]);
    return results[0];
  }

  // One sequence of integers: these come to the same in any order.
  static T in_any_order(const T* x, index n) {
    constexpr int side = 8;
    vector a = splat<w>(Op::template identity<T>());
    index i = 0;
    if (n >= side * w) {
      vector acc[side];
#pragma GCC unroll 8
      for (int k = 0; k < side; ++k) acc[k] = load<T, w>(x + k * w);
      for (i = side * w; i + side * w <= n; i += side * w)
#pragma GCC unroll 8
        for (int k = 0; k < side; ++k) acc[k] = Op::on(acc[k], load<T, w>(x + i + k * w));
#pragma GCC unroll 8
      for (int half = side / 2; half > 0; half /= 2)
#pragma GCC unroll 8
        for (int k = 0; k < half; ++k) acc[k] = Op::on(acc[k], acc[k + half]);
      a = acc[0];
    }
    for (; i + w <= n; i += w) a = Op::on(a, load<T, w>(x + i));
    if (i < n) a = Op::on(a, is_min_or_max<Op> && n >= w ? load<T, w>(x + n - w) : load_rest(x + i, n - i));
    return fold(a);
  }

  // One sequence. Where it is not cached its strips go one after the other: a processor has as many of them in flight
  // as hide the time that a vector waits for the one before it, and the hardware prefetcher follows one stream best.
  [[gnu::noinline]] static T long_sequence(const T* x, index n, bool cached) {
    if constexpr (!is_floating(dtype_of<T>)) return in_any_order(x, n);
    const index whole = n / strip_length, rest = n % strip_length;
    stack partial;
    index done = 0;
    if constexpr (abreast > 1)
      if (cached) {
        for (; done + 8 <= whole; done += 8) partial.push(strips_interleaved<8>(x + done * strip_length), done / 8);
        if (done + 4 <= whole) {
          partial.push(strips_interleaved<4>(x + done * strip_length), done / 4);
          done += 4;
        }
        if (done + 2 <= whole) {
          partial.push(strips_interleaved<2>(x + done * strip_length), done / 2);
          done += 2;
        }
      }
    for (; done < whole; ++done) partial.push(fold(lanes_of_strip(x + done * strip_length)), done);
    if (rest > 0) partial.push(fold(base::template lanes_of<false>(x + done * strip_length, rest, nullptr, 0)), done);
    return partial.result();
  }
  [[gnu::noinline]] static void one_long(const void* x, index n, void* to) {
    *static_cast<T*>(to) =
        long_sequence(static_cast<const T*>(x), n, n * static_cast<index>(sizeof(T)) <= cached_bytes);
  }
  static void one(const void* x, index n, void* to) {
    const T* const first = static_cast<const T*>(x);
    if constexpr (!is_floating(dtype_of<T>)) {
      *static_cast<T*>(to) = in_any_order(first, n);
    } else {
      if (n > strip_length) return one_long(x, n, to);
      *static_cast<T*>(to) = fold(base::template lanes_of<false>(first, n, nullptr, 0));
    }
  }
};

}  // namespace
}  // namespace broadloom::runtime
