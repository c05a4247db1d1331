// What a pack is, and the lanes of a pack that a vector function must not compute.
#pragma once

#include "floats.hpp"
#include "own.hpp"
#include "own_quick.hpp"
#include "table.hpp"

namespace broadloom::runtime {

// A pack type has: element, value (the vector), has_fma, width, splat, load and store (any alignment), abs, and
// less(a, b): bit k is set if lane k of a is less than that of b (not if one of them is NaN). Packs of doubles have
// multiply_add, divide, sqrt, the halves of a pack of floats, and back: rounded. Packs of floats have multiply_add and
// sqrt where there is FMA. Wide packs have load_first, store_first and only_first, which are first_lanes without the
// loops, and those of doubles not_normal, which finds the lanes that are no positive normal numbers.

// n elements, at least one and fewer than the lanes. In registers: a vector that is loaded from where single elements
// have just been stored waits for them.
template <class Pack>
struct first_lanes {
  using element = typename Pack::element;
  using value = typename Pack::value;

  // The lanes behind the n are as the last of them.
  static value load(const element* p, index n) {
    if constexpr (requires { Pack::load_first(p, n); }) {
      return Pack::load_first(p, n);
    } else {
      value v = Pack::splat(p[n - 1]);
#pragma GCC unroll 4
      for (index k = 0; k + 1 < Pack::width; ++k) v[k] = p[k < n ? k : n - 1];
      return v;
    }
  }
  // v, and in the lanes behind the n what changes no sum, -0.
  static value only(value v, index n) {
    if constexpr (requires { Pack::only_first(v, n); }) {
      return Pack::only_first(v, n);
    } else {
#pragma GCC unroll 4
      for (index k = 1; k < Pack::width; ++k)
        if (k >= n) v[k] = -element{0};
      return v;
    }
  }
  // Inline, and so is store_first: a function that ends with a call of one that takes a vector of 32 bytes returns
  // without vzeroupper, and the next SSE instruction then takes some processors 100 ns.
  [[gnu::always_inline]] static inline void store(element* p, value v, index n) {
    if constexpr (requires { Pack::store_first(p, v, n); }) {
      Pack::store_first(p, v, n);
    } else {
#pragma GCC unroll 4
      for (index k = 0; k + 1 < Pack::width; ++k)
        if (k < n) p[k] = v[k];
    }
  }
};

// Comparisons that find the lanes of a pack for which a vector function is wrong. Nearly all packs pass the first one.
// Arguments are read again from memory, because no vector register survives the call of the function.
template <class Pack>
struct lane_checks {
  using element = typename Pack::element;
  using value = typename Pack::value;
  static constexpr bool f32 = sizeof(element) == 4;

  static value either(double for_f32, double for_f64) {
    return Pack::splat(static_cast<element>(f32 ? for_f32 : for_f64));
  }
  static value largest() { return either(3.4028234663852886e38, 1.7976931348623157e308); }

  static unsigned infinite(value v) { return Pack::less(largest(), Pack::abs(v)); }
  static unsigned between(value low, value v, value high) {
    const unsigned above = Pack::less(low, v);
    return above == 0 ? 0 : above & Pack::less(v, high);
  }
  static unsigned small_but_not_zero(value limit, value v) {
    const unsigned small = Pack::less(Pack::abs(v), limit);
    return small == 0 ? 0 : small & Pack::less(either(0, 0), Pack::abs(v));
  }
};

template <auto Function>
struct named_function {};
template <auto A, auto B>
inline constexpr bool same_function = __is_same(named_function<A>, named_function<B>);

// Whether Function, our own one for F, leaves some arguments to another function, and the lanes of those.
template <maths1 F, class Pack, auto Function>
consteval bool is_limited() {
  if constexpr (!Pack::has_fma) {
    return false;
  } else {
    if constexpr (F == maths1::exp)
      return same_function<Function, &quick_functions<Pack>::exp> && !quick_functions<Pack>::has_tables;
    if constexpr (F == maths1::log)
      return !(same_function<Function, &quick_functions<Pack>::log> && fused_numbers<Pack>::has_exponents);
    return F == maths1::sin || F == maths1::cos || F == maths1::tan || F == maths1::log2 || F == maths1::log10;
  }
}
template <maths1 F, class Pack>
inline unsigned beyond_limits(typename Pack::value x) {
  using s = lane_checks<Pack>;
  constexpr unsigned all = (1u << Pack::width) - 1;
  if constexpr (F == maths1::exp) {
    // NaN, too.
    return all & ~Pack::less(Pack::abs(x), Pack::splat(quick_functions<Pack>::exp_limit));
  } else if constexpr (F == maths1::log || F == maths1::log2 || F == maths1::log10) {
    if constexpr (requires { Pack::not_normal(x); }) return Pack::not_normal(x);
    const auto below_normal = s::either(1.17549421e-38, 2.2250738585072009e-308);  // the largest subnormal number
    const auto infinity = s::either(__builtin_inf(), __builtin_inf());
    return all & ~Pack::less(x > below_normal ? x : infinity, infinity);
  } else {
    return Pack::less(Pack::splat(fused<Pack>::limit), Pack::abs(x));
  }
}

// Computes these lanes by another function. They are chosen in registers: a vector that is loaded from where single
// elements have just been stored waits for them.
template <class Pack, auto Rest>
[[gnu::noinline]] void beyond(const typename Pack::element* x, typename Pack::element* r, unsigned lanes) {
  using bits = typename fused_numbers<Pack>::bits;
  bits lane{};
#pragma GCC unroll 16
  for (index k = 0; k < Pack::width; ++k) lane[k] = 1u << k;
  const bits wrong = (bits{} + lanes) & lane;
  Pack::store(r, wrong != bits{} ? Rest(Pack::load(x)) : Pack::load(r));
}

}  // namespace broadloom::runtime
