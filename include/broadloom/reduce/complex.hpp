// Sums and products of complex numbers, and their running forms. They are combined in the order of reduce() with a
// callable that may be in any order: strips of 512 elements, lanes of 64 bytes, then pairs.
#pragma once

#include <broadloom/fn/complex.hpp>
#include <broadloom/reduce/own.hpp>
#include <broadloom/reduce/own_scan.hpp>
#include <broadloom/reduce/scans.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::runtime {

// The sums of so many whole strips of complex numbers of f32 or f64.
BROADLOOM_API void sum_complex_strips(const void* x, index strips, void* to, bool is_f64);

}  // namespace broadloom::runtime

namespace broadloom::detail {

// A line of plan/reductions.def as a callable.
template <class Op>
struct combine_complex {
  static constexpr bool starts_with_first = true;
  static constexpr const char* name() { return Op::name(); }
  template <class V>
  constexpr V operator()(const V& x, const V& y) const {
    return Op::on(x, y);
  }
};

// Complex numbers whose parts are in a vector of 16 bytes each.
template <class R>
struct numbers_apart {
  static constexpr int count = static_cast<int>(16 / sizeof(R));
  using vector = simd_vec<R, count>;
  vector re, im;

  BROADLOOM_INLINE static numbers_apart at(const std::complex<R>* p) { return at(p, make_sequence<count>{}); }
  BROADLOOM_INLINE void put(std::complex<R>* p) const { put(p, make_sequence<count>{}); }
  BROADLOOM_INLINE friend numbers_apart operator*(const numbers_apart& x, const numbers_apart& y) {
    using lanes::times;
    return {lanes::minus(times(x.re, y.re), times(x.im, y.im)), lanes::plus(times(x.re, y.im), times(x.im, y.re))};
  }

 private:
  template <int... At>
  BROADLOOM_INLINE static numbers_apart at(const std::complex<R>* p, sequence<At...>) {
    const R* const x = reinterpret_cast<const R*>(p);
    const vector a = load<R, count>(x), b = load<R, count>(x + count);
    return {shuffled<(2 * At)...>(a, b), shuffled<(2 * At + 1)...>(a, b)};
  }
  template <int... At>
  BROADLOOM_INLINE void put(std::complex<R>* p, sequence<At...>) const {
    R* const x = reinterpret_cast<R*>(p);
    store<R>(x, shuffled<(At % 2 * count + At / 2)...>(re, im));
    store<R>(x + count, shuffled<(At % 2 * count + At / 2 + count / 2)...>(re, im));
  }
};

// Whole vectors: a sum adds real and imaginary parts as they lie in memory, a product has its lanes taken apart once.
template <class Op, class R>
struct own_combine<combine_complex<Op>, std::complex<R>> {
  using V = std::complex<R>;
  static constexpr int lanes = static_cast<int>(64 / sizeof(V));
  [[no_unique_address]] combine_complex<Op> f;

  constexpr V on(const V& x, const V& y) const { return Op::on(x, y); }
  V strip(const V* x, index n) const {
    V lane[static_cast<std::size_t>(lanes)];
    const index count = n < lanes ? n : index{lanes};
    index i = lanes;
    if (n < lanes)
      for (index k = 0; k < count; ++k) lane[k] = x[k];
    else if constexpr (__is_same(Op, sum_r)) {
      constexpr int quarter = static_cast<int>(16 / sizeof(R));
      using vector = simd_vec<R, quarter>;
      const R* const p = reinterpret_cast<const R*>(x);
      vector a = load<R, quarter>(p), b = load<R, quarter>(p + quarter), c = load<R, quarter>(p + 2 * quarter),
             d = load<R, quarter>(p + 3 * quarter);
      for (; i + lanes <= n; i += lanes) {
        const R* const q = p + 2 * i;
        a = a + load<R, quarter>(q);
        b = b + load<R, quarter>(q + quarter);
        c = c + load<R, quarter>(q + 2 * quarter);
        d = d + load<R, quarter>(q + 3 * quarter);
      }
      R* const to = reinterpret_cast<R*>(lane);
      store(to, a);
      store(to + quarter, b);
      store(to + 2 * quarter, c);
      store(to + 3 * quarter, d);
    } else {
      using vector = numbers_apart<R>;
      vector a = vector::at(x), b = vector::at(x + vector::count);
      for (; i + lanes <= n; i += lanes) {
        a = a * vector::at(x + i);
        b = b * vector::at(x + i + vector::count);
      }
      a.put(lane);
      b.put(lane + vector::count);
    }
    for (; i < n; ++i) lane[i % lanes] = on(lane[i % lanes], x[i]);
    for (index half = lanes / 2; half >= 1; half /= 2)
      for (index k = 0; k < half; ++k)
        if (k + half < count) lane[k] = on(lane[k], lane[k + half]);
    return lane[0];
  }
  void whole_strips(const V* x, index count, V* to) const
    requires(__is_same(Op, sum_r))
  {
    runtime::sum_complex_strips(x, count, to, __is_same(R, double));
  }
  void on_rows(V* to, const V* from, const V* const* x, int count, index n) const {
    constexpr int quarter = static_cast<int>(16 / sizeof(R));
    index c = 0;
    for (; c + lanes <= n; c += lanes) {
      if constexpr (__is_same(Op, sum_r)) {
        simd_vec<R, quarter> own[4];
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) own[k] = load<R, quarter>(reinterpret_cast<const R*>(from + c) + k * quarter);
        for (int r = 0; r < count; ++r)
#pragma GCC unroll 4
          for (int k = 0; k < 4; ++k)
            own[k] = own[k] + load<R, quarter>(reinterpret_cast<const R*>(x[r] + c) + k * quarter);
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) store(reinterpret_cast<R*>(to + c) + k * quarter, own[k]);
      } else {
        using vector = numbers_apart<R>;
        vector a = vector::at(from + c), b = vector::at(from + c + quarter);
        for (int r = 0; r < count; ++r) {
          a = a * vector::at(x[r] + c);
          b = b * vector::at(x[r] + c + quarter);
        }
        a.put(to + c);
        b.put(to + c + quarter);
      }
    }
    one_by_one(*this, to, from, x, count, c, n);
  }
  constexpr V pairs(const V* x, index n) const { return pairs_of(*this, x, n); }
};

template <class Op, class E>
struct complex_reduction {
  using V = value_of<E>;
  template <class... O>
  static constexpr auto of(const E& e, const O&... o) {
    if constexpr (is_compensated<O...>) {
      const auto x = shared_tree(e);
      return complex(reduce_function<Op>{}(real(x), o...), reduce_function<Op>{}(imag(x), o...));
    } else
      return make_own_reduced<true>(e, Op::template empty<V>(), combine_complex<Op>{}, o...);
  }
  static constexpr auto running(const E& e, int axis) {
    using node = own_scanned<combine_complex<Op>, V, E>;
    return deferred<node>(node(e, axis, V{}, combine_complex<Op>{}));
  }
};

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
