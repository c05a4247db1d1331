// One level's loops. Included once by a file that has defined BROADLOOM_VECTOR, the bytes of a vector; everything is
// local to that file, so that no other level's code can take its place. No include guard: the text is part of its
// includer.
#include <broadloom/core/array.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/pack.hpp>
#include <broadloom/fn/lanes.hpp>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "kernels.hpp"
#include "operations.hpp"
#include "reduce.hpp"

namespace broadloom::runtime {
namespace {

using detail::load;
using detail::pack;
using detail::splat;
using detail::store;

template <class T>
inline constexpr index lane_total = 64 / static_cast<index>(sizeof(T));
inline constexpr index ahead_bytes =
    1024;  // of what is read: is asked for early, as hardware follows few streams at once
template <class T>
inline constexpr int width = BROADLOOM_VECTOR / static_cast<int>(sizeof(T));

template <class T>
constexpr T lowest() {
  if constexpr (is_floating(dtype_of<T>))
    return -static_cast<T>(__builtin_huge_val());
  else if constexpr (T(-1) < T(0))
    return static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  else
    return T{};
}
template <class T>
constexpr T highest() {
  if constexpr (is_floating(dtype_of<T>))
    return static_cast<T>(__builtin_huge_val());
  else
    return static_cast<T>(~lowest<T>());
}
// x where that is NaN, else x > y ? x : y, and x < y ? x : y, in the instructions that processors have for it. GCC 12
// finds them for vectors of less than 64 bytes only.
#if defined(__x86_64__) && !defined(__clang__)
#define BROADLOOM_EXTREME(name, comparison)                                             \
  template <class V>                                                                    \
  BROADLOOM_INLINE V name(const V& x, const V& y) {                                     \
    if constexpr (sizeof(V) == 64) {                                                    \
      V r;                                                                              \
      if constexpr (sizeof(x[0]) == 4)                                                  \
        __asm__(BROADLOOM_EXTREME_IN(#name, "ps") : "=&v"(r) : "v"(x), "vm"(y) : "k1"); \
      else                                                                              \
        __asm__(BROADLOOM_EXTREME_IN(#name, "pd") : "=&v"(r) : "v"(x), "vm"(y) : "k1"); \
      return r;                                                                         \
    } else {                                                                            \
      const V r = x comparison y ? x : y;                                               \
      return x == x ? r : x;                                                            \
    }                                                                                   \
  }
#define BROADLOOM_EXTREME_IN(name, type) \
  "v" name type " %2, %1, %0\n\tvcmp" type " $3, %1, %1, %%k1\n\tvmova" type " %1, %0%{%%k1%}"
#else
#define BROADLOOM_EXTREME(name, comparison)         \
  template <class V>                                \
  BROADLOOM_INLINE V name(const V& x, const V& y) { \
    const V r = x comparison y ? x : y;             \
    return x == x ? r : x;                          \
  }
#endif
BROADLOOM_EXTREME(max, >)
BROADLOOM_EXTREME(min, <)
#undef BROADLOOM_EXTREME
#undef BROADLOOM_EXTREME_IN

struct maximum {
  template <class T>
  static constexpr T neutral() {
    return lowest<T>();
  }
  // As lanes::larger, in the two instructions that processors have for it.
  template <class V>
  BROADLOOM_INLINE static V on(const V& x, const V& y) {
    if constexpr (detail::vector<V> && broadloom::lanes::floating<V>)
      return max(x, y);
    else
      return broadloom::lanes::larger(x, y);
  }
};
struct minimum {
  template <class T>
  static constexpr T neutral() {
    return highest<T>();
  }
  template <class V>
  BROADLOOM_INLINE static V on(const V& x, const V& y) {
    if constexpr (detail::vector<V> && broadloom::lanes::floating<V>)
      return min(x, y);
    else
      return broadloom::lanes::smaller(x, y);
  }
};

// Extremes of vectors of which none has a NaN, in one instruction each, and whether that is so, in one for two vectors.
#if defined(__AVX512F__)
template <class Op, class V>
inline constexpr bool has_quick_extremes =
    sizeof(V) == 64 && (__is_same(Op, maximum) || __is_same(Op, minimum)) && broadloom::lanes::floating<V>;
template <class Op, class V>
BROADLOOM_INLINE V quick_extreme(const V& x, const V& y) {
  if constexpr (sizeof(x[0]) == 4) {
    const auto a = reinterpret_cast<__m512>(x), b = reinterpret_cast<__m512>(y);
    return reinterpret_cast<V>(__is_same(Op, maximum) ? _mm512_maskz_max_ps(0xffff, a, b)
                                                      : _mm512_maskz_min_ps(0xffff, a, b));
  } else {
    const auto a = reinterpret_cast<__m512d>(x), b = reinterpret_cast<__m512d>(y);
    return reinterpret_cast<V>(__is_same(Op, maximum) ? _mm512_maskz_max_pd(0xff, a, b)
                                                      : _mm512_maskz_min_pd(0xff, a, b));
  }
}
// No lane of x or y is NaN.
template <class V>
struct no_nan {
  static constexpr int lanes = sizeof(V) / sizeof(V{}[0]);
  unsigned short bits = static_cast<unsigned short>((1u << lanes) - 1);
  BROADLOOM_INLINE void look_at(const V& x, const V& y) {
    if constexpr (lanes == 16)
      bits = _mm512_mask_cmp_ps_mask(bits, reinterpret_cast<__m512>(x), reinterpret_cast<__m512>(y), _CMP_ORD_Q);
    else
      bits = _mm512_mask_cmp_pd_mask(static_cast<__mmask8>(bits), reinterpret_cast<__m512d>(x),
                                     reinterpret_cast<__m512d>(y), _CMP_ORD_Q);
  }
  BROADLOOM_INLINE bool was_there() const { return bits != (1u << lanes) - 1; }
};
#else
template <class Op, class V>
inline constexpr bool has_quick_extremes = false;
template <class Op, class V>
V quick_extreme(const V& x, const V& y);
template <class V>
struct no_nan;
#endif

// Combines `count` partial results of n elements in place: after a step those of 2^k neighbours lie where the first of
// them was, in the end all where the first was.
template <class T, class Join>
BROADLOOM_INLINE void join_as_tree(T* p, index count, index n, const Join& join) {
  for (index step = 1; 2 * step <= count; step *= 2)
    for (index i = 0; i + 2 * step <= count; i += 2 * step) join(p + i * n, p + (i + step) * n);
  // What is left over is in blocks of falling powers of two: the last is combined with the one before it, and so on.
  index last = count;
  index end = -1;  // where what has been gathered from the right lies
  for (index size = 1; last > 0; size *= 2) {
    if ((count & size) == 0) continue;
    const index at = last - size;
    if (end >= 0) join(p + at * n, p + end * n);
    end = at;
    last = at;
  }
}

template <int>
struct several {};

template <class Op, class T>
struct loops {
  static constexpr int w = width<T>;
  static constexpr int vectors = static_cast<int>(lane_total<T>) / w;
  using vector = pack<T, w>;
  static constexpr index ahead = ahead_bytes / static_cast<index>(sizeof(T));

  // The lanes of a strip of n elements, 1 <= n <= strip_length, down to one vector: lanes k and k + half are combined.
  // Meanwhile memory from `ask` on is asked for, so many bytes further each time.
  BROADLOOM_INLINE static vector lanes_of(const T* x, index n, const char* ask, index ask_step) {
    vector acc[vectors];
    const index whole = n / lane_total<T>, rest = n % lane_total<T>;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) acc[v] = whole > 0 ? load<T, w>(x + v * w) : splat<w>(Op::template neutral<T>());
#pragma GCC unroll 4
    for (index g = 1; g < whole; ++g) {
      __builtin_prefetch(ask + g * ask_step);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) acc[v] = Op::on(acc[v], load<T, w>(x + g * lane_total<T> + v * w));
    }
    if (rest > 0) {
      alignas(64) T l[lane_total<T>];
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) store<T>(l + v * w, acc[v]);
      for (index i = 0; i < rest; ++i) l[i] = Op::on(l[i], x[whole * lane_total<T> + i]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) acc[v] = load<T, w>(l + v * w);
    }
#pragma GCC unroll 8
    for (int half = vectors / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int v = 0; v < half; ++v) acc[v] = Op::on(acc[v], acc[v + half]);
    return acc[0];
  }

  // In a strip each vector waits for the one before it, for long where NaN is looked for: strips in a cache go side by
  // side, so many where there are, or half as many.
  static constexpr int abreast = vectors > 2                                                          ? 1
                                 : vectors == 1 && (__is_same(Op, maximum) || __is_same(Op, minimum)) ? 8
                                                                                                      : 4;
  // The same, where no element is NaN; else false.
  template <int Side, bool Asks>
  BROADLOOM_INLINE static bool extremes_side_by_side(const T* const* x, index whole, const char* const* ask,
                                                     index ask_step, vector* to) {
    static_assert(Side % 2 == 0 && vectors == 1);
    vector acc[Side];
    no_nan<vector> numbers[Side / 2];
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s) acc[s] = load<T, w>(x[s]);
#pragma GCC unroll 4
    for (int s = 0; s < Side; s += 2) numbers[s / 2].look_at(acc[s], acc[s + 1]);
    for (index g = 1; g < whole; ++g)
#pragma GCC unroll 4
      for (int s = 0; s < Side; s += 2) {
        if constexpr (Asks) {
          __builtin_prefetch(ask[s] + g * ask_step);
          __builtin_prefetch(ask[s + 1] + g * ask_step);
        }
        const vector a = load<T, w>(x[s] + g * w), b = load<T, w>(x[s + 1] + g * w);
        numbers[s / 2].look_at(a, b);
        acc[s] = quick_extreme<Op>(acc[s], a);
        acc[s + 1] = quick_extreme<Op>(acc[s + 1], b);
      }
    bool there = false;
#pragma GCC unroll 4
    for (int s = 0; s < Side / 2; ++s) there |= numbers[s].was_there();
    if (there) return false;
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s) to[s] = acc[s];
    return true;
  }
  // The lanes of `Side` strips of `whole` times as many elements each.
  template <int Side, bool Asks>
  BROADLOOM_INLINE static void lanes_side_by_side(const T* const* x, index whole, const char* const* ask,
                                                  index ask_step, vector* to) {
    if constexpr (has_quick_extremes<Op, vector>)
      if (extremes_side_by_side<Side, Asks>(x, whole, ask, ask_step, to)) return;
    vector acc[Side][vectors];
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) acc[s][v] = load<T, w>(x[s] + v * w);
    for (index g = 1; g < whole; ++g)
#pragma GCC unroll 8
      for (int s = 0; s < Side; ++s) {
        if constexpr (Asks) __builtin_prefetch(ask[s] + g * ask_step);
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) acc[s][v] = Op::on(acc[s][v], load<T, w>(x[s] + g * lane_total<T> + v * w));
      }
#pragma GCC unroll 8
    for (int s = 0; s < Side; ++s) {
#pragma GCC unroll 8
      for (int half = vectors / 2; half > 0; half /= 2)
#pragma GCC unroll 8
        for (int v = 0; v < half; ++v) acc[s][v] = Op::on(acc[s][v], acc[s][v + half]);
      to[s] = acc[s][0];
    }
  }

  // Strips whose lanes are combined side by side: as many as a vector has lanes, where that is few enough.
  static constexpr int batch = sizeof(T) >= 4 && w > 1 ? w : 1;

  // Of two vectors with the lanes of w / Block strips each, the first (second) halves of all these.
  template <int Block, int Second, int... I>
  BROADLOOM_INLINE static vector halves(const vector& x, const vector& y, detail::sequence<I...>) {
    return __builtin_shufflevector(x, y, (I / (Block / 2) * Block + I % (Block / 2) + Second * (Block / 2))...);
  }
  // The vectors of w strips, one behind the other, to the strips' results; where there are fewer, to some of them
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

  // Strips one behind the other, as memory has them: a processor works at several at once by itself.
  static void sequences(const void* first, index rows, index n, index pitch, void* out, const void* next_read) {
    const auto *const start = static_cast<const char*>(first), *row = start;
    T* to = static_cast<T*>(out);
    const index strips = (n + strip_length - 1) / strip_length;
    index remaining = rows * strips, at = 0,
          done = 0;  // strips: left, of the row that is read, of the row that is combined
    stack partial;
    const auto take = [&](T x) __attribute__((always_inline)) {
      if (strips == 1) {
        *to++ = x;
        return;
      }
      partial.push(x, done);
      if (++done < strips) return;
      *to++ = partial.result();
      done = 0;
    };
    const auto begin = [&]() __attribute__((always_inline)) {
      const char* const here = row + at * strip_length * static_cast<index>(sizeof(T));
      if (++at == strips) {
        at = 0;
        row += pitch;
      }
      return here;
    };
    const bool asks_here = next_read == nullptr || next_read == first;
    const auto ask_at = [&](const char* here) __attribute__((always_inline)) {
      return asks_here ? here + ahead_bytes : static_cast<const char*>(next_read) + (here - start) / asked_part;
    };
    const auto next = [&]() __attribute__((always_inline)) {
      const index i = at * strip_length;
      const char* const here = begin();
      return lanes_of(reinterpret_cast<const T*>(here), strip_length < n - i ? strip_length : n - i, ask_at(here),
                      asks_here ? 64 : 64 / asked_part);
    };
    // Strips in a cache that are all alike.
    const index each = strips == 1 ? n : strip_length;
    const bool alike = abreast > 1 && next_read != nullptr && n % each == 0 && each % lane_total<T> == 0;
    const auto next_side = [&]<int Side>(several<Side>, vector* found) __attribute__((always_inline)) {
      const T* x[Side];
      const char* ask[Side];
      for (int s = 0; s < Side; ++s) {
        const char* const here = begin();
        x[s] = reinterpret_cast<const T*>(here);
        ask[s] = ask_at(here);
      }
      if (next_read == first)
        lanes_side_by_side<Side, false>(x, each / lane_total<T>, ask, 0, found);
      else
        lanes_side_by_side<Side, true>(x, each / lane_total<T>, ask, 64 / asked_part, found);
    };
    const auto take_side = [&]<int Side>(several<Side> how_many) __attribute__((always_inline)) {
      constexpr bool in_registers = batch >= Side;
      vector x[in_registers ? batch : Side];
      next_side(how_many, x);
      if constexpr (in_registers) {
        across_batch<batch, Side>(x);
        alignas(64) T results[batch];
        store<T>(results, x[0]);
        for (int s = 0; s < Side; ++s) take(results[s]);
      } else {
        alignas(64) T l[Side][w];
        for (int s = 0; s < Side; ++s) {
          store<T>(l[s], x[s]);
          within<w / 2>(l[s]);
        }
        for (int s = 0; s < Side; ++s) take(l[s][0]);
      }
      remaining -= Side;
    };
    if constexpr (batch > 1)
      for (; remaining >= batch; remaining -= batch) {
        vector x[batch];
        if (alike)
          for (int k = 0; k < batch; k += abreast) next_side(several<abreast>{}, x + k);
        else
          for (int k = 0; k < batch; ++k) x[k] = next();
        across_batch<batch>(x);
        alignas(64) T results[batch];
        store<T>(results, x[0]);
        if (strips == 1) {
          store<T>(to, x[0]);
          to += batch;
        } else
          for (int k = 0; k < batch; ++k) take(results[k]);
      }
    while (alike && remaining >= abreast) take_side(several<abreast>{});
    if constexpr (abreast > 4)
      if (alike && remaining >= abreast / 2) take_side(several<abreast / 2>{});
    for (; remaining > 0; --remaining) {
      alignas(64) T l[w];
      store<T>(l, next());
      within<w / 2>(l);
      take(l[0]);
    }
  }

  template <int Count>
  BROADLOOM_INLINE static void add_rows(T* to, const void* const* rows, index n) {
    const T* x[Count];
    for (int k = 0; k < Count; ++k) x[k] = static_cast<const T*>(rows[k]);
    index i = 0;
    for (; i + w <= n; i += w) {
      vector a = load<T, w>(to + i);
#pragma GCC unroll 8
      for (int k = 0; k < Count; ++k) a = Op::on(a, load<T, w>(x[k] + i));
      store<T>(to + i, a);
    }
    for (; i < n; ++i) {
      T a = to[i];
      for (int k = 0; k < Count; ++k) a = Op::on(a, x[k][i]);
      to[i] = a;
    }
  }
  static void rows(void* to, const void* const* x, int count, index n) {
    T* const t = static_cast<T*>(to);
    for (; count >= 8; count -= 8, x += 8) add_rows<8>(t, x, n);
    if (count >= 4) {
      add_rows<4>(t, x, n);
      count -= 4;
      x += 4;
    }
    if (count == 3) add_rows<3>(t, x, n);
    if (count == 2) add_rows<2>(t, x, n);
    if (count == 1) add_rows<1>(t, x, n);
  }

  static void neutral(void* to, index n) {
    T* const t = static_cast<T*>(to);
    const vector x = splat<w>(Op::template neutral<T>());
    index i = 0;
    for (; i + w <= n; i += w) store<T>(t + i, x);
    for (; i < n; ++i) t[i] = Op::template neutral<T>();
  }

  static void join(void* to, const void* right, index n) { rows(to, &right, 1, n); }
  static void tree(void* partial, index count, index n, void* to) {
    T *const p = static_cast<T*>(partial), *const t = static_cast<T*>(to);
    join_as_tree(p, count, n, [n](T* left, const T* right) { join(left, right, n); });
    for (index i = 0; i < n; ++i) t[i] = p[i];
  }

  static void trees(void* partial, index count, index rows, void* to) {
    T *p = static_cast<T*>(partial), *const t = static_cast<T*>(to);
    if (count == 2) {
      for (index i = 0; i < rows; ++i) t[i] = Op::on(p[2 * i], p[2 * i + 1]);
      return;
    }
    for (index i = 0; i < rows; ++i, p += count) {
      join_as_tree(p, count, 1, [](T* left, const T* right) { *left = Op::on(*left, *right); });
      t[i] = *p;
    }
  }

  // Whether x goes before best: larger (smaller).
  template <class V>
  BROADLOOM_INLINE static auto beyond(const V& x, const V& best) {
    if constexpr (__is_same(Op, maximum))
      return x > best;
    else
      return x < best;
  }

  // The extreme of n >= w elements, or NaN where there is one. Vectors may overlap: what is looked at twice is the
  // same.
  BROADLOOM_INLINE static T extreme_of(const T* x, index n) {
    constexpr int side = 4;
    vector best[side];
    index i = 0;
    if constexpr (has_quick_extremes<Op, vector>) {
      no_nan<vector> numbers[side / 2];
#pragma GCC unroll 8
      for (int k = 0; k < side; ++k) best[k] = load<T, w>(x);
      for (; i + side * w <= n; i += side * w)
#pragma GCC unroll 8
        for (int k = 0; k < side; k += 2) {
          __builtin_prefetch(x + i + k * w + ahead);
          __builtin_prefetch(x + i + (k + 1) * w + ahead);
          const vector a = load<T, w>(x + i + k * w), b = load<T, w>(x + i + (k + 1) * w);
          numbers[k / 2].look_at(a, b);
          best[k] = quick_extreme<Op>(best[k], a);
          best[k + 1] = quick_extreme<Op>(best[k + 1], b);
        }
      if (numbers[0].was_there() || numbers[1].was_there()) i = 0;
    }
    if (i == 0)
#pragma GCC unroll 8
      for (int k = 0; k < side; ++k) best[k] = load<T, w>(x);
    for (; i + side * w <= n; i += side * w)
#pragma GCC unroll 8
      for (int k = 0; k < side; ++k) {
        __builtin_prefetch(x + i + k * w + ahead);
        best[k] = Op::on(best[k], load<T, w>(x + i + k * w));
      }
    for (; i + w <= n; i += w) best[0] = Op::on(best[0], load<T, w>(x + i));
    best[1] = Op::on(best[1], load<T, w>(x + n - w));
    alignas(64) T l[w];
#pragma GCC unroll 8
    for (int half = side / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int k = 0; k < half; ++k) best[k] = Op::on(best[k], best[k + half]);
    store<T>(l, best[0]);
    within<w / 2>(l);
    return l[0];
  }

  template <class V>
  BROADLOOM_INLINE static bool any(const V& bits) {
    constexpr int size = static_cast<int>(sizeof(V));
    if constexpr (size > 16) {
      const auto* const p = reinterpret_cast<const std::int64_t*>(&bits);
      return any(load<std::int64_t, size / 16>(p) | load<std::int64_t, size / 16>(p + size / 16));
    } else {
      const auto v = (pack<std::int64_t, 2>)bits;
      return (v[0] | v[1]) != 0;
    }
  }
  // The first hit among Side vectors, without another branch that nobody can foresee.
  template <int Side, class Hits>
  BROADLOOM_INLINE static index place_among(const Hits& hits, const T* x) {
    using counter = typename detail::int_of<sizeof(T)>::type;
    using counters = pack<counter, w>;
    counters lane{}, place = splat<w>(counter{Side * w});
    for (int k = 0; k < w; ++k) lane[k] = static_cast<counter>(k);
#pragma GCC unroll 4
    for (int k = Side - 1; k >= 0; --k) place = hits(x + k * w) ? lane + static_cast<counter>(k * w) : place;
    alignas(64) counter l[w];
    store<counter>(l, place);
    loops<minimum, counter>::template within<w / 2>(l);
    return static_cast<index>(l[0]);
  }
  // The first of n elements that is `wanted`, which is among them; NaN is where any element is that.
  BROADLOOM_INLINE static index place_of(const T* x, index n, T wanted) {
    constexpr int side = 4;
    const vector same = splat<w>(wanted);
    const bool nan = wanted != wanted;
    const auto hits = [&](const T* at) __attribute__((always_inline)) {
      const vector v = load<T, w>(at);
      return broadloom::lanes::kept(nan ? v != v : v == same);
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
    while (!(x[i] == wanted || (nan && x[i] != x[i]))) ++i;
    return i;
  }

  // Where the first NaN of n elements is, else the first extreme: first in which block it is, then where in that.
  static index first_extreme(const T* x, index n) {
    if (n < w) {
      index place = 0;
      for (index i = 0; i < n; ++i) {
        if (x[i] != x[i]) return i;
        if (beyond(x[i], x[place])) place = i;
      }
      return place;
    }
    constexpr index block = 4096 / static_cast<index>(sizeof(T));
    const index blocks = n / block + (n % block >= w || n < block ? 1 : 0);  // a short rest belongs to the last
    index first = 0, count = n;
    T best{};
    for (index k = 0; k < blocks; ++k) {
      const index here = k * block, m = k + 1 < blocks ? block : n - here;
      const T e = extreme_of(x + here, m);
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
    const index place = first_extreme(x, n);
    const T found = x[place];
    if (*at >= 0 && (b != b || (found == found && !beyond(found, b)))) return;
    b = found;
    *at = first + place;
  }

  static constexpr reduce_kernels table{sequences, rows, neutral, tree, trees, position, 1, join, nullptr};
};

}  // namespace
}  // namespace broadloom::runtime

#include "compensated_level.hpp"

namespace broadloom::runtime {
namespace {

template <class Op>
const reduce_kernels* of_sum(dtype t) {
  switch (t) {
    case dtype::f32: return &loops<Op, float>::table;
    case dtype::f64: return &loops<Op, double>::table;
    case dtype::i64: return &loops<Op, std::int64_t>::table;
    case dtype::u64: return &loops<Op, std::uint64_t>::table;
    default: return nullptr;
  }
}
// bool is in bytes of 0 and 1.
template <class Op>
const reduce_kernels* of_order(dtype t) {
  switch (t) {
    case dtype::i8: return &loops<Op, std::int8_t>::table;
    case dtype::i16: return &loops<Op, std::int16_t>::table;
    case dtype::i32: return &loops<Op, std::int32_t>::table;
    case dtype::b8:
    case dtype::u8: return &loops<Op, std::uint8_t>::table;
    case dtype::u16: return &loops<Op, std::uint16_t>::table;
    case dtype::u32: return &loops<Op, std::uint32_t>::table;
    default: return of_sum<Op>(t);
  }
}

const reduce_kernels* find(reduction op, dtype t) {
  switch (op) {
    case reduction::sum: return of_sum<sum>(t);
    case reduction::product: return of_sum<product>(t);
    case reduction::any:
    case reduction::arg_maximum:
    case reduction::maximum: return of_order<maximum>(t);
    case reduction::all:
    case reduction::arg_minimum:
    case reduction::minimum: return of_order<minimum>(t);
    case reduction::compensated_sum:
      return t == dtype::f32   ? &compensated_loops<float>::table
             : t == dtype::f64 ? &compensated_loops<double>::table
                               : nullptr;
    default: return nullptr;
  }
}

}  // namespace
}  // namespace broadloom::runtime
