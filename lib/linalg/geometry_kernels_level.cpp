// The formulas of geometry by the lane: one core array of a run in each lane of a vector. What is left at the end goes
// one by one, by the same arithmetic.
#include "../base/level.hpp"
#if BROADLOOM_LEVEL_BYTES < 64
#include <broadloom/geometry/transform_formulas.hpp>

#include "geometry_kernels.hpp"
#include "lane_quads_level.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

using detail::core_numbers;
using detail::lane_number;

template <class T>
struct formula_code {
  static constexpr int width = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T));

  template <class F, int W>
  struct group {
    using V = detail::simd_vec<T, W>;
    using number = lane_number<V>;
    static constexpr int inputs = F::signature::parsed.inputs;

    template <int I>
    struct input {
      static constexpr int count = core_numbers<F>(I), columns = count == 9 ? 3 : count == 16 ? 4 : 1;
      number x[count];
      // Element e of W core arrays from p on.
      BROADLOOM_INLINE void bring(const T* p, index step, const index (&core)[2]) {
        using quads = lane_quads<T>;
        if constexpr (W > 1 && count >= 3)
          if (core[columns > 1] == 1 && (columns == 1 || core[0] == columns)) {
            V v[count];
            quads::template bring<count, W>(v, p, step);
#pragma GCC unroll 16
            for (int e = 0; e < count; ++e) x[e] = number(v[e]);
            return;
          }
#pragma GCC unroll 16
        for (int e = 0; e < count; ++e)
          x[e] = number(quads::template element<W>(p + e / columns * core[0] + e % columns * core[1], step));
      }
    };
    template <class>
    struct all;
    template <int... I>
    struct all<detail::sequence<I...>> : input<I>... {
      BROADLOOM_INLINE void bring(const formula_run<T>& r, index at, bool first) { (bring_one<I>(r, at, first), ...); }
      template <int K>
      BROADLOOM_INLINE void bring_one(const formula_run<T>& r, index at, bool first) {
        if (first || r.step[K] != 0) input<K>::bring(r.in[K] + at * r.step[K], r.step[K], r.core[K]);
      }
      BROADLOOM_INLINE void compute(T* to) const {
        constexpr int results = core_numbers<F>(inputs);
        number y[results];
        F::compute(static_cast<const input<I>&>(*this).x..., y);
        V v[results];
#pragma GCC unroll 16
        for (int e = 0; e < results; ++e) v[e] = y[e].v;
        lane_quads<T>::template take<results, W>(to, v);
      }
    };
    // Whole groups from `at` on; returns where they end.
    static index run(const formula_run<T>& given, index at) {
      const formula_run<T> r = given;  // stores of vectors cannot change it
      all<detail::make_sequence<inputs>> x;
      constexpr int size = core_numbers<F>(inputs);
      for (bool first = true; at + W <= r.count; at += W, first = false) {
        x.bring(r, at, first);
        x.compute(r.to + at * size);
      }
      return at;
    }
  };
  template <class F>
  static void run(const formula_run<T>& r) {
    index done = 0;
    if constexpr (__is_same(F, detail::cross_of_stacks) && width >= 4) done = cross(r);
    group<F, 1>::run(r, group<F, width>::run(r, done));
  }

  // Cross products by vectors of one array each, all but the last: a load reads an element of the next array, and a
  // store writes one, after that is read. Lanes are the elements after the next: c = x * yzx(y) - yzx(x) * y, yzx(c).
  using one = detail::simd_vec<T, 4>;
  BROADLOOM_INLINE static one turned(const one& v) { return __builtin_shufflevector(v, v, 1, 2, 0, 3); }
  BROADLOOM_INLINE static one product(const one& x, const one& y) {
    return turned(one(lanes::minus(lanes::times(x, turned(y)), lanes::times(turned(x), y))));
  }
  // Whether x and y go from array to array, or are one for all.
  template <bool X, bool Y>
  static index cross_of(const formula_run<T>& given) {
    const formula_run<T> r = given;
    const auto first = [](const T* p, bool moves) __attribute__((always_inline)) {
      return moves ? detail::load<T, 4>(p) : one{p[0], p[1], p[2], p[2]};
    };
    const T *p = r.in[0], *q = r.in[1];
    T* to = r.to;
    one x = first(p, X), y = first(q, Y);
#pragma GCC unroll 4
    for (index left = r.count - 2; left > 0; --left, to += 3) {
      const one v = product(x, y);
      if constexpr (X) x = detail::load<T, 4>(p += r.step[0]);
      if constexpr (Y) y = detail::load<T, 4>(q += r.step[1]);
      detail::store<T>(to, v);
    }
    detail::store<T>(to, product(x, y));
    return r.count - 1;
  }
  static index cross(const formula_run<T>& r) {
    const auto fits = [&r](int k) { return r.core[k][0] == 1 && (r.step[k] == 0 || r.step[k] >= 3); };
    if (r.count < 2 || !fits(0) || !fits(1)) return 0;
    if (r.step[0] == 0) return r.step[1] == 0 ? 0 : cross_of<false, true>(r);
    return r.step[1] == 0 ? cross_of<true, false>(r) : cross_of<true, true>(r);
  }
  template <class... F>
  struct listed {
    static constexpr void (*const run[])(const formula_run<T>&) = {formula_code::run<F>...};
  };
  template <class... F>
  static constexpr formula_kernels<T> table_of(detail::formula_list<F...>) {
    return {listed<F...>::run};
  }
  static constexpr formula_kernels<T> table = table_of(detail::formulas{});
};

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {

BROADLOOM_REAL_TABLES(formula_kernels, geometry_formulas, formula_code)

}  // namespace broadloom::runtime
#endif
