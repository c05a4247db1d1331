// e^z of complex numbers, by vectors of f64: with the bits of the functions of doubles, of which the sine and the
// cosine share the remainder.
#pragma once

#include <broadloom/core/lane_types.hpp>

#include "own.hpp"

namespace broadloom::runtime {

// Floats and Doubles are packs of one level with FMA.
template <class Floats, class Doubles>
struct complex_exponentials {
  using value = typename Doubles::value;
  static constexpr int width = Doubles::width;

  // `pairs`: n numbers, the parts of each side by side; `out` may be `pairs`. `others` is e^z of one number, for what
  // is not finite or so large that a part is computed by other means.
  template <class T>
  [[gnu::flatten]] static void run(const T* pairs, T* out, index n, void (*others)(const T* z, T* out)) {
    index i = 0;
    for (; i + width <= n; i += width) some(pairs + 2 * i, out + 2 * i, width, others);
    if (i == n) return;
    T last[2 * width] = {};
    for (index k = 2 * i; k < 2 * n; ++k) last[k - 2 * i] = pairs[k];
    some(last, last, n - i, others);
    for (index k = 2 * i; k < 2 * n; ++k) out[k] = last[k - 2 * i];
  }

 private:
  using plain = vec<double, sizeof(value)>;
  using sequence = detail::make_sequence<width>;

  static value all(double x) { return Doubles::splat(x); }

  // Of each two lanes of a and b the first or the second ones: twice, they are where they were.
  template <int Which, int... At>
  static value unpacked(value a, value b, detail::sequence<At...>) {
    return value(detail::shuffled<((At & ~1) + Which + (At & 1) * width)...>(reinterpret_cast<plain>(a),
                                                                             reinterpret_cast<plain>(b)));
  }
  static void load(const float* p, value& low, value& high) {
    const auto x = Floats::load(p);
    low = Doubles::low_half(x);
    high = Doubles::high_half(x);
  }
  static void load(const double* p, value& low, value& high) {
    low = Doubles::load(p);
    high = Doubles::load(p + width);
  }
  static void store(float* p, value low, value high) { Floats::store(p, Doubles::rounded(low, high)); }
  static void store(double* p, value low, value high) {
    Doubles::store(p, low);
    Doubles::store(p + width, high);
  }

  template <class T>
  [[gnu::always_inline]] static inline void some(const T* pairs, T* out, index n, void (*others)(const T*, T*)) {
    constexpr double most = sizeof(T) == 4 ? double(__FLT_MAX__) : 700;
    value low, high;
    load(pairs, low, high);
    const value a = unpacked<0>(low, high, sequence{}), b = unpacked<1>(low, high, sequence{});
    const unsigned usual = Doubles::less(Doubles::abs(a), all(most)) & Doubles::less(Doubles::abs(b), all(1e7));
    const value size = fused_exponential<Doubles>::exp(a);
    value sine, cosine;
    fused_trigonometric<Doubles>::sine_and_cosine(b, sine, cosine);
    const value re = size * cosine, im = b == all(0) ? b : size * sine;
    const value first = unpacked<0>(re, im, sequence{}), second = unpacked<1>(re, im, sequence{});
    if (usual != (1u << width) - 1) [[unlikely]] {
      T given[2 * width], results[2 * width];
      store(given, low, high);
      store(results, first, second);
      for (int k = 0; k < n; ++k) {
        // Lanes are in the order 0, width / 2, 1 and so on, by twos: those of unpacked().
        const int lane = lane_of(k);
        if ((usual >> lane & 1u) == 0) others(given + 2 * k, results + 2 * k);
      }
      for (int k = 0; k < 2 * width; ++k) out[k] = results[k];
      return;
    }
    store(out, first, second);
  }
  // Where unpacked() has the parts of number k: those of `low` are lanes 0, 2 and so on, those of `high` between them.
  static constexpr int lane_of(int k) { return k < width / 2 ? 2 * k : 2 * k - width + 1; }
};

}  // namespace broadloom::runtime
