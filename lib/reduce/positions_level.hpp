// The index of the first maximum or minimum, or of the first NaN.
#pragma once

#include "fold_level.hpp"

namespace broadloom::runtime {
namespace {

template <class Op, class T>
struct position_loops : vector_fold<Op, T> {
  using base = vector_fold<Op, T>;
  using base::fold, base::w;
  using typename base::vector;
  using counter = typename detail::int_of<sizeof(T)>::type;

  // Whether x goes before best: larger (smaller).
  template <class V>
  BROADLOOM_INLINE static auto beyond(const V& x, const V& best) {
    if constexpr (__is_same(Op, maximum))
      return x > best;
    else
      return x < best;
  }

  // The maximum (minimum) of n >= w elements, or NaN if there is one. The last vector may overlap the one before it: an
  // element counted twice changes nothing.
  BROADLOOM_INLINE static T min_or_max_of(const T* x, index n) {
    constexpr int side = 4;
    vector best[side];
    index i = 0;
    if constexpr (has_min_max_instruction<Op, vector>) {
      no_nan<vector> numbers[side / 2];
#pragma GCC unroll 8
      for (int k = 0; k < side; ++k) best[k] = load<T, w>(x);
      for (; i + side * w <= n; i += side * w)
#pragma GCC unroll 8
        for (int k = 0; k < side; k += 2) {
          const vector a = load<T, w>(x + i + k * w), b = load<T, w>(x + i + (k + 1) * w);
          numbers[k / 2].look_at(a, b);
          best[k] = min_max_instruction<Op>(best[k], a);
          best[k + 1] = min_max_instruction<Op>(best[k + 1], b);
        }
      if (numbers[0].was_there() || numbers[1].was_there()) i = 0;
    }
    if (i == 0)
#pragma GCC unroll 8
      for (int k = 0; k < side; ++k) best[k] = load<T, w>(x);
    for (; i + side * w <= n; i += side * w)
#pragma GCC unroll 8
      for (int k = 0; k < side; ++k) best[k] = Op::on(best[k], load<T, w>(x + i + k * w));
    for (; i + w <= n; i += w) best[0] = Op::on(best[0], load<T, w>(x + i));
    best[1] = Op::on(best[1], load<T, w>(x + n - w));
#pragma GCC unroll 8
    for (int half = side / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int k = 0; k < half; ++k) best[k] = Op::on(best[k], best[k + half]);
    return fold(best[0]);
  }

  template <class V>
  BROADLOOM_INLINE static bool any(const V& bits) {
    constexpr int size = static_cast<int>(sizeof(V));
    if constexpr (size > 16) {
      const auto* const p = reinterpret_cast<const std::int64_t*>(&bits);
      return any(load<std::int64_t, size / 16>(p) | load<std::int64_t, size / 16>(p + size / 16));
    } else {
      const auto v = (simd_vec<std::int64_t, 2>)bits;
      return (v[0] | v[1]) != 0;
    }
  }
  // The first hit among Side vectors, without a branch that cannot be predicted.
  template <int Side, class Hits>
  BROADLOOM_INLINE static index place_among(const Hits& hits, const T* x) {
    using counters = simd_vec<counter, w>;
    counters lane{}, place = splat<w>(counter{Side * w});
    for (int k = 0; k < w; ++k) lane[k] = static_cast<counter>(k);
#pragma GCC unroll 4
    for (int k = Side - 1; k >= 0; --k) place = hits(x + k * w) ? lane + static_cast<counter>(k * w) : place;
    alignas(64) counter l[w];
    store<counter>(l, place);
    vector_fold<minimum, counter>::template within<w / 2>(l);
    return static_cast<index>(l[0]);
  }
  // The first of n elements that is `wanted`, which is among them; NaN is where any element is that. Each has a loop of
  // its own, with one comparison a vector.
  BROADLOOM_INLINE static index place_of(const T* x, index n, T wanted) {
    if constexpr (std::is_floating_point_v<T>)
      if (wanted != wanted) return place_of_kind<true>(x, n, wanted);
    return place_of_kind<false>(x, n, wanted);
  }
  template <bool Nan>
  static index place_of_kind(const T* x, index n, T wanted) {
    constexpr int side = 4;
    const vector same = splat<w>(wanted);
    const auto hits = [&](const T* at) __attribute__((always_inline)) {
      const vector v = load<T, w>(at);
      if constexpr (Nan)
        return broadloom::lanes::optimisation_barrier(v != v);
      else
        return broadloom::lanes::optimisation_barrier(v == same);
    };
    index i = 0;
    for (; i + side * w <= n; i += side * w)
      if (any((hits(x + i) | hits(x + i + w)) | (hits(x + i + 2 * w) | hits(x + i + 3 * w)))) {
        if constexpr (sizeof(T) >= 4)
          return i + place_among<side>(hits, x + i);
        else
          break;
      }
    for (; i + w <= n; i += w)
      if (any(hits(x + i))) break;
    while (Nan ? x[i] == x[i] : x[i] != wanted) ++i;
    return i;
  }

  // The index of the first maximum (minimum) in one pass that keeps indices beside the elements of each lane; -1 if
  // there is a NaN. n >= together, so few that `counter` has them all. It saves the search, of whose end no branch
  // predictor knows: measured with AVX2 on Zen 3, rows of 256 f32 in cache 1.3 us for 64 instead of 1.9, (1024, 1024)
  // 74 instead of 125; of more than a few KiB the search is short.
  static constexpr index together = 4 * w;
  static constexpr bool has_one_pass = BROADLOOM_VECTOR == 32 && sizeof(T) >= 4;
  static index first_by_lanes(const T* x, index n) {
    constexpr int side = 4;
    using counters = simd_vec<counter, w>;
    vector best[side];
    counters at[side]{};
    no_nan<vector> numbers[side / 2];
#pragma GCC unroll 4
    for (int k = 0; k < side; ++k) best[k] = load<T, w>(x + k * w);
    const auto look_for_nan = [&](int k, const vector& a, const vector& b) __attribute__((always_inline)) {
      if constexpr (std::is_floating_point_v<T>) numbers[k / 2].look_at(a, b);
    };
    look_for_nan(0, best[0], best[1]);
    look_for_nan(2, best[2], best[3]);
    const auto take = [&](int k, const vector& v, const counters& here) __attribute__((always_inline)) {
      const auto hit = beyond(v, best[k]);
      at[k] = hit ? here : at[k];
      if constexpr (has_min_max_instruction<Op, vector>)
        best[k] = min_max_instruction<Op>(best[k], v);
      else
        best[k] = hit ? v : best[k];
    };
    const auto look = [&](index i, const counters& here) __attribute__((always_inline)) {
#pragma GCC unroll 4
      for (int k = 0; k < side; k += 2) {
        const vector a = load_once(x + i + k * w), b = load_once(x + i + (k + 1) * w);
        look_for_nan(k, a, b);
        take(k, a, here);
        take(k + 1, b, here);
      }
    };
    constexpr auto step = static_cast<counter>(together);
    counters here = splat<w>(step);
    index i = together;
    for (; i + together <= n; i += together, here += step) look(i, here);
    // Elements that are looked at twice are not beyond themselves.
    if (i < n) look(n - together, splat<w>(static_cast<counter>(n - together)));
    if constexpr (std::is_floating_point_v<T>)
      if (numbers[0].was_there() || numbers[1].was_there()) return -1;
    using by = std::conditional_t<has_min_max_instruction<Op, vector>, min_max_of_numbers<Op>, Op>;
    const T found = vector_fold<by, T>::fold(by::on(by::on(best[0], best[1]), by::on(best[2], best[3])));
    const vector same = splat<w>(found);
    counters lane{};
    for (int k = 0; k < w; ++k) lane[k] = static_cast<counter>(k);
    counters first = splat<w>(highest<counter>());
#pragma GCC unroll 4
    for (int k = 0; k < side; ++k) {
      const counters place = at[k] + lane + static_cast<counter>(k * w);
      first = minimum::on(first, best[k] == same ? place : splat<w>(highest<counter>()));
    }
    return static_cast<index>(vector_fold<minimum, counter>::fold(first));
  }

  // The index of the first NaN of n elements, else of the first maximum (minimum): first its block, then within it.
  static index first_min_or_max(const T* x, index n) {
    if (n < w) {
      index place = 0;
      for (index i = 0; i < n; ++i) {
        if (x[i] != x[i]) return i;
        if (beyond(x[i], x[place])) place = i;
      }
      return place;
    }
    constexpr index block = 4096 / static_cast<index>(sizeof(T));
    if constexpr (has_one_pass)
      if (n >= 4 * together && n <= (std::is_floating_point_v<T> ? 4 * block : 1024))
        if (const index place = first_by_lanes(x, n); place >= 0) return place;
    const index blocks = n / block + (n % block >= w || n < block ? 1 : 0);  // a short rest belongs to the last
    index first = 0, count = n;
    T best{};
    for (index k = 0; k < blocks; ++k) {
      const index here = k * block, m = k + 1 < blocks ? block : n - here;
      const T e = min_or_max_of(x + here, m);
      if (k > 0 && e == e && !beyond(e, best)) continue;
      first = here;
      count = m;
      best = e;
      if (e != e) break;
    }
    return first + place_of(x + first, count, best);
  }

  static void position(const void* values, index n, index first, void* best, index* at) {
    const T* const x = static_cast<const T*>(values);
    T& b = *static_cast<T*>(best);
    const index place = first_min_or_max(x, n);
    const T found = x[place];
    if (*at >= 0 && (b != b || (found == found && !beyond(found, b)))) return;
    b = found;
    *at = first + place;
  }

  // Whether x takes the place of best: it goes before it, or is the first NaN.
  template <class V>
  BROADLOOM_INLINE static auto takes_place(const V& x, const V& best) {
    if constexpr (std::is_floating_point_v<T>)
      return broadloom::lanes::optimisation_barrier(beyond(x, best) | ((x != x) & (best == best)));
    else
      return broadloom::lanes::optimisation_barrier(beyond(x, best));
  }

  // Of `rows` rows of n columns, w <= n: the values and their rows. These are counted in integers of the elements'
  // size.
  static constexpr index countable = sizeof(T) == 1 ? 127 : sizeof(T) == 2 ? 32767 : 0x7fffffff;
  static constexpr index wide = 256;  // columns are looked at together
  BROADLOOM_INLINE static void look_at_rows(const T* x, index rows, index n, index pitch, T* best, counter* row) {
    for (index j = 0; j < n; ++j) best[j] = x[j], row[j] = 0;
    const auto look = [&]<int Together>(index i) __attribute__((always_inline)) {
      const auto column = [&](index j) __attribute__((always_inline)) {
        vector b = load<T, w>(best + j);
        auto at = load<counter, w>(row + j);
#pragma GCC unroll 4
        for (int k = 0; k < Together; ++k) {
          const vector v = load<T, w>(x + (i + k) * pitch + j);
          const auto hit = takes_place(v, b);
          b = broadloom::lanes::optimisation_barrier(hit ? v : b);
          at = broadloom::lanes::optimisation_barrier(hit ? splat<w>(static_cast<counter>(i + k)) : at);
        }
        store<T>(best + j, b);
        store<counter>(row + j, at);
      };
      index j = 0;
      for (; j + w <= n; j += w) column(j);
      if (j < n) column(n - w);  // a column that is looked at twice stays
    };
    index i = 1;
    for (; i + 4 <= rows; i += 4) look.template operator()<4>(i);
    for (; i < rows; ++i) look.template operator()<1>(i);
  }

  static void positions(const void* values, index rows, index n, index pitch, index first, void* best, index* at) {
    const T* const x = static_cast<const T*>(values);
    T* const b = static_cast<T*>(best);
    alignas(64) T here[2 * wide];
    alignas(64) counter row[2 * wide];
    for (index j = 0; j < n;) {
      const index m = n - j < 2 * wide ? n - j : wide;
      for (index i = 0; i < rows; i += countable) {
        look_at_rows(x + i * pitch + j, rows - i < countable ? rows - i : countable, m, pitch, here, row);
        for (index k = 0; k < m; ++k) {
          if (at[j + k] >= 0 && (b[j + k] != b[j + k] || (here[k] == here[k] && !beyond(here[k], b[j + k])))) continue;
          b[j + k] = here[k];
          at[j + k] = first + i + static_cast<index>(row[k]);
        }
      }
      j += m;
    }
  }

  static void one_position(const void* x, index n, void* to) {
    *static_cast<index*>(to) = first_min_or_max(static_cast<const T*>(x), n);
  }
};

}  // namespace
}  // namespace broadloom::runtime
