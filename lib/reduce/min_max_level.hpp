// The smallest and the largest element of one sequence in memory, in one pass.
#pragma once

#include "rows_level.hpp"

namespace broadloom::runtime {
namespace {

template <class T>
struct min_max_loops {
  using low = sequence_loops<minimum, T>;
  using high = sequence_loops<maximum, T>;
  using vector = typename low::vector;
  static constexpr int w = low::w, vectors = low::vectors;

  // Integers: in any order.
  static void of_integers(const T* x, index n, T* least, T* most) {
    constexpr int side = 4;
    vector lo[side], hi[side];
#pragma GCC unroll 4
    for (int k = 0; k < side; ++k) {
      lo[k] = splat<w>(minimum::identity<T>());
      hi[k] = splat<w>(maximum::identity<T>());
    }
    const auto look = [&](int k, const vector& a, const vector& b) __attribute__((always_inline)) {
      lo[k] = minimum::on(lo[k], a);
      hi[k] = maximum::on(hi[k], b);
    };
    index i = 0;
    for (; i + side * w <= n; i += side * w)
#pragma GCC unroll 4
      for (int k = 0; k < side; ++k) {
        const vector a = load_once(x + i + k * w);
        look(k, a, a);
      }
    for (; i + w <= n; i += w) {
      const vector a = load<T, w>(x + i);
      look(0, a, a);
    }
    if (i < n && n >= w) {
      const vector a = load<T, w>(x + n - w);  // elements that are seen twice change nothing
      look(1, a, a);
    } else if (i < n)
      look(1, low::load_rest(x, n), high::load_rest(x, n));
#pragma GCC unroll 4
    for (int half = side / 2; half > 0; half /= 2)
#pragma GCC unroll 4
      for (int k = 0; k < half; ++k) {
        lo[k] = minimum::on(lo[k], lo[k + half]);
        hi[k] = maximum::on(hi[k], hi[k + half]);
      }
    *least = low::fold(lo[0]);
    *most = high::fold(hi[0]);
  }

  // Strips that are interleaved, so that the eight vectors of their lanes hide what one takes.
  static constexpr int side = vectors > 2 ? 1 : vectors == 2 ? 2 : 4;

  // The lanes of `side` whole strips, one vector each, if no element is NaN, which is kept in `numbers`.
  BROADLOOM_INLINE static void lanes_of_numbers(const T* x, vector* least, vector* most, no_nan<vector>& numbers) {
    using by_low = vector_fold<min_max_of_numbers<minimum>, T>;
    using by_high = vector_fold<min_max_of_numbers<maximum>, T>;
    constexpr int all = side * vectors;
    vector lo[all], hi[all];
    no_nan<vector> more[2];
#pragma GCC unroll 8
    for (int k = 0; k < all; ++k) lo[k] = hi[k] = load<T, w>(x + k / vectors * strip_length + k % vectors * w);
#pragma GCC unroll 8
    for (int k = 0; k < all; k += 2) more[k / 2 % 2].look_at(lo[k], lo[k + 1]);
#pragma GCC unroll 2
    for (index g = lane_total<T>; g < strip_length; g += lane_total<T>)
#pragma GCC unroll 8
      for (int k = 0; k < all; k += 2) {
        const vector a = load_once(x + g + k / vectors * strip_length + k % vectors * w),
                     b = load_once(x + g + (k + 1) / vectors * strip_length + (k + 1) % vectors * w);
        more[k / 2 % 2].look_at(a, b);
        lo[k] = min_max_instruction<minimum>(lo[k], a);
        lo[k + 1] = min_max_instruction<minimum>(lo[k + 1], b);
        hi[k] = min_max_instruction<maximum>(hi[k], a);
        hi[k + 1] = min_max_instruction<maximum>(hi[k + 1], b);
      }
    numbers.look_at(more[0]);
    numbers.look_at(more[1]);
#pragma GCC unroll 4
    for (int s = 0; s < side; ++s) {
      least[s] = by_low::one_vector(lo + s * vectors);
      most[s] = by_high::one_vector(hi + s * vectors);
    }
  }

  // The results of `together` strips, whose lanes are these, as one.
  static constexpr int together = 8;
  template <class Op>
  BROADLOOM_INLINE static T joined(vector* lanes) {
    using fold = vector_fold<min_max_of_numbers<Op>, T>;
    constexpr int batch = fold::batch;
    alignas(64) T results[batch > together ? batch : together];
    if constexpr (batch >= together) {
      fold::template across_batch<batch, together>(lanes);
      store<T>(results, lanes[0]);
    } else
#pragma GCC unroll 8
      for (int k = 0; k < together; k += batch) {
        fold::template across_batch<batch>(lanes + k);
        if constexpr (batch > 1)
          store<T>(results + k, lanes[k]);
        else
          results[k] = fold::fold(lanes[k]);
      }
#pragma GCC unroll 4
    for (int half = together / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int k = 0; k < half; ++k) results[k] = Op::on(results[2 * k], results[2 * k + 1]);
    return results[0];
  }

  // Elements that may be NaN, in the order of each reduction by itself, so that the result is the same among NaN and
  // among zeros.
  static void of_numbers(const T* x, index n, T* least, T* most) {
    typename low::stack lows;
    typename high::stack highs;
    const index whole = n / strip_length, rest = n % strip_length;
    index done = 0;
    for (; done + together <= whole; done += together) {
      constexpr int room = low::batch > together ? low::batch : together;
      const T* const from = x + done * strip_length;
      vector lo[room], hi[room];
      no_nan<vector> numbers;
#pragma GCC unroll 1
      for (int s = 0; s < together; s += side) lanes_of_numbers(from + s * strip_length, lo + s, hi + s, numbers);
      if (numbers.was_there()) {
        for (int s = 0; s < together; ++s) {
          lows.push(low::fold(low::lanes_of_strip(from + s * strip_length)), done + s);
          highs.push(high::fold(high::lanes_of_strip(from + s * strip_length)), done + s);
        }
      } else {
        lows.push(joined<minimum>(lo), done / together);
        highs.push(joined<maximum>(hi), done / together);
      }
    }
    for (; done < whole; ++done) {
      lows.push(low::fold(low::lanes_of_strip(x + done * strip_length)), done);
      highs.push(high::fold(high::lanes_of_strip(x + done * strip_length)), done);
    }
    if (rest > 0) {
      lows.push(low::fold(low::template lanes_of<false>(x + done * strip_length, rest, nullptr, 0)), done);
      highs.push(high::fold(high::template lanes_of<false>(x + done * strip_length, rest, nullptr, 0)), done);
    }
    *least = lows.result();
    *most = highs.result();
  }

  static void one(const void* x, index n, void* least, void* most) {
    const T* const from = static_cast<const T*>(x);
    T* const to_least = static_cast<T*>(least);
    T* const to_most = static_cast<T*>(most);
    if constexpr (is_floating(dtype_of<T>))
      of_numbers(from, n, to_least, to_most);
    else
      of_integers(from, n, to_least, to_most);
  }
};

}  // namespace
}  // namespace broadloom::runtime
