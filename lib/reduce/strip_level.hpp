// The lanes of a strip, of one or of several interleaved, in memory or in a cache.
#pragma once

#include "fold_level.hpp"

// Eight vectors of a strip an iteration.
#if BROADLOOM_VECTOR == 16
#define BROADLOOM_UNROLL_GROUPS _Pragma("GCC unroll 2")
#elif BROADLOOM_VECTOR == 32
#define BROADLOOM_UNROLL_GROUPS _Pragma("GCC unroll 4")
#else
#define BROADLOOM_UNROLL_GROUPS _Pragma("GCC unroll 8")
#endif

namespace broadloom::runtime {
namespace {

template <class Op, class T>
struct strip_loops : vector_fold<Op, T> {
  using base = vector_fold<Op, T>;
  using base::one_vector, base::vectors, base::w;
  using typename base::vector;

  static constexpr index whole_strip = strip_length / lane_total<T>;  // elements of a lane
  static constexpr index shortest_of_numbers = 8;  // elements of a lane that pay for what numbers_interleaved tests

  // The lanes of `whole` elements each, at least one, if no element is NaN, which is kept in `numbers`.
  BROADLOOM_INLINE static void min_max_lanes(const T* x, index whole, vector* acc, no_nan<vector>& numbers) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) acc[v] = load<T, w>(x + v * w);
    if constexpr (vectors == 1) {
      numbers.look_at(acc[0], acc[0]);
      index g = 1;
      if (whole % 2 == 0) {
        const vector a = load_once(x + w);
        numbers.look_at(a, a);
        acc[0] = min_max_instruction<Op>(acc[0], a);
        g = 2;
      }
#pragma GCC unroll 4
      for (; g < whole; g += 2) {
        const vector a = load_once(x + g * w), b = load_once(x + (g + 1) * w);
        numbers.look_at(a, b);
        acc[0] = min_max_instruction<Op>(min_max_instruction<Op>(acc[0], a), b);
      }
    } else {
#pragma GCC unroll 8
      for (int v = 0; v < vectors; v += 2) numbers.look_at(acc[v], acc[v + 1]);
      BROADLOOM_UNROLL_GROUPS
      for (index g = 1; g < whole; ++g)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v += 2) {
          const vector a = load_once(x + g * lane_total<T> + v * w), b = load_once(x + g * lane_total<T> + (v + 1) * w);
          numbers.look_at(a, b);
          acc[v] = min_max_instruction<Op>(acc[v], a);
          acc[v + 1] = min_max_instruction<Op>(acc[v + 1], b);
        }
    }
  }

  // The same of the largest (smallest) number: the processor's instruction keeps what was found where an element is
  // NaN. It also keeps the first of two zeros, where the last one counts, and cannot tell NaN from infinity in every
  // lane: false, if a lane has found a zero where there is one with a sign, or nothing.
  template <int Side>
  BROADLOOM_INLINE static bool numbers_interleaved(const T* const* x, index whole, vector (*acc)[vectors]) {
    using extreme = std::conditional_t<__is_same(Op, largest_number), maximum, minimum>;
    using integers = typename no_nan<vector>::integers;
    const vector none = splat<w>(extreme::template identity<T>());
    const auto negative_zero = (integers)splat<w>(static_cast<T>(-0.0));
    integers zeros[2]{};
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) acc[s][v] = none;
#pragma GCC unroll 2
    for (index g = 0; g < whole; ++g)
#pragma GCC unroll 8
      for (int s = 0; s < Side; ++s)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
          const vector a = load_once(x[s] + g * lane_total<T> + v * w);
          zeros[(s * vectors + v) % 2] |= (integers)a == negative_zero;
          acc[s][v] = min_max_instruction<extreme>(a, acc[s][v]);
        }
    const auto negative = zeros[0] | zeros[1];
    no_nan<vector> doubt;
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) doubt.bits |= (acc[s][v] == none) | ((acc[s][v] == vector{}) & negative);
    return !doubt.was_there();
  }

  // The lanes of `whole` elements each, at least one. Where Prefetches, memory from `prefetch` on is prefetched
  // meanwhile, so many bytes further each time.
  template <bool Prefetches>
  BROADLOOM_INLINE static void lanes_of_whole(const T* x, index whole, const char* prefetch, index prefetch_step,
                                              vector* acc) {
    if constexpr (has_min_max_instruction<Op, vector> && !Prefetches) {
      no_nan<vector> numbers;
      min_max_lanes(x, whole, acc, numbers);
      if (!numbers.was_there()) return;
    }
    if constexpr (has_number_instruction<Op, vector> && !Prefetches)
      if (whole >= shortest_of_numbers && numbers_interleaved<1>(&x, whole, reinterpret_cast<vector(*)[vectors]>(acc)))
        return;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) acc[v] = load<T, w>(x + v * w);
    // A pointer that moves, and a few groups an iteration: of a short strip each instruction counts.
    const auto next = [&](index g) __attribute__((always_inline)) {
      if constexpr (Prefetches) __builtin_prefetch(prefetch + g * prefetch_step);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) acc[v] = Op::on(acc[v], load<T, w>(x + g * lane_total<T> + v * w));
    };
    constexpr index groups = vectors > 2 ? 2 : 4;
    index left = whole - 1;
    for (; left >= groups; left -= groups) {
#pragma GCC unroll 4
      for (index g = 1; g <= groups; ++g) next(g);
      x += groups * lane_total<T>;
      if constexpr (Prefetches) prefetch += groups * prefetch_step;
    }
    for (; left > 0; --left) {
      next(1);
      x += lane_total<T>;
      if constexpr (Prefetches) prefetch += prefetch_step;
    }
  }

  // The lanes of a whole strip, one vector.
  BROADLOOM_INLINE static vector lanes_of_strip(const T* x) {
    vector acc[vectors];
    lanes_of_whole<false>(x, whole_strip, nullptr, 0, acc);
    return one_vector(acc);
  }

  // The same of a strip of n elements, 1 <= n <= strip_length.
  template <bool Prefetches>
  BROADLOOM_INLINE static vector lanes_of(const T* x, index n, const char* prefetch, index prefetch_step) {
    vector acc[vectors];
    const auto count_of_lanes = static_cast<std::size_t>(lane_total<T>);
    const auto whole = static_cast<index>(static_cast<std::size_t>(n) / count_of_lanes),
               rest = static_cast<index>(static_cast<std::size_t>(n) % count_of_lanes);
    const T* const last = x + whole * lane_total<T>;
    if (whole > 0)
      lanes_of_whole<Prefetches>(x, whole, prefetch, prefetch_step, acc);
    else
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) acc[v] = splat<w>(Op::template identity<T>());
    if (rest > 0) {
      if constexpr (has_partial_loads<T>) {
        const vector identity = splat<w>(Op::template identity<T>());
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
          const index count = rest - v * w;
          if (count > 0) acc[v] = Op::on(acc[v], load_partly(last + v * w, count < w ? count : w, identity));
        }
      } else {
        alignas(64) T l[lane_total<T>];
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) store<T>(l + v * w, acc[v]);
        for (index i = 0; i < rest; ++i) l[i] = Op::on(l[i], last[i]);
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) acc[v] = load<T, w>(l + v * w);
      }
    }
    return one_vector(acc);
  }

  // Within a strip each operation waits for the one before it, longest if it looks for NaN. Strips in the first-level
  // cache are therefore interleaved: this many, or half as many if there are not enough.
  static constexpr int abreast = vectors > 2                                                          ? 1
                                 : vectors == 1 && (__is_same(Op, maximum) || __is_same(Op, minimum)) ? 8
                                                                                                      : 4;
  // The same, where no element is NaN; else false.
  template <int Side, bool Prefetches>
  BROADLOOM_INLINE static bool min_max_interleaved(const T* const* x, index whole, const char* const* prefetch,
                                                   index prefetch_step, vector* to) {
    static_assert(Side % 2 == 0);
    vector acc[Side][vectors];
    no_nan<vector> numbers[Side / 2];
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) acc[s][v] = load<T, w>(x[s] + v * w);
#pragma GCC unroll 4
    for (int s = 0; s < Side; s += 2)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) numbers[s / 2].look_at(acc[s][v], acc[s + 1][v]);
    for (index g = 1; g < whole; ++g)
#pragma GCC unroll 4
      for (int s = 0; s < Side; s += 2) {
        if constexpr (Prefetches) {
          __builtin_prefetch(prefetch[s] + g * prefetch_step);
          __builtin_prefetch(prefetch[s + 1] + g * prefetch_step);
        }
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
          const vector a = load_once(x[s] + g * lane_total<T> + v * w),
                       b = load_once(x[s + 1] + g * lane_total<T> + v * w);
          numbers[s / 2].look_at(a, b);
          acc[s][v] = min_max_instruction<Op>(acc[s][v], a);
          acc[s + 1][v] = min_max_instruction<Op>(acc[s + 1][v], b);
        }
      }
    bool there = false;
#pragma GCC unroll 4
    for (int s = 0; s < Side / 2; ++s) there |= numbers[s].was_there();
    if (there) return false;
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s) to[s] = one_vector(acc[s]);
    return true;
  }
  // The lanes of `Side` strips of `whole` times as many elements each.
  template <int Side, bool Prefetches>
  BROADLOOM_INLINE static void lanes_interleaved(const T* const* x, index whole, const char* const* prefetch,
                                                 index prefetch_step, vector* to) {
    if constexpr (has_min_max_instruction<Op, vector>)
      if (min_max_interleaved<Side, Prefetches>(x, whole, prefetch, prefetch_step, to)) return;
    vector acc[Side][vectors];
    if constexpr (has_number_instruction<Op, vector> && !Prefetches)
      if (whole >= shortest_of_numbers && numbers_interleaved<Side>(x, whole, acc)) {
#pragma GCC unroll 8
        for (int s = 0; s < Side; ++s) to[s] = one_vector(acc[s]);
        return;
      }
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) acc[s][v] = load<T, w>(x[s] + v * w);
    for (index g = 1; g < whole; ++g)
#pragma GCC unroll 8
      for (int s = 0; s < Side; ++s) {
        if constexpr (Prefetches) __builtin_prefetch(prefetch[s] + g * prefetch_step);
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) acc[s][v] = Op::on(acc[s][v], load<T, w>(x[s] + g * lane_total<T> + v * w));
      }
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s) to[s] = one_vector(acc[s]);
  }
};

}  // namespace
}  // namespace broadloom::runtime

#undef BROADLOOM_UNROLL_GROUPS
