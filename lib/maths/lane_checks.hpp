// What a pack is, and the lanes of a pack that a vector function must not compute.
#pragma once

#include "floats.hpp"
#include "own.hpp"
#include "table.hpp"

namespace broadloom::runtime {

// A pack type has: element, value (the vector), has_fma, width, splat, load and store (any alignment), abs, and
// less(a, b): bit k is set if lane k of a is less than that of b (not if one of them is NaN). Packs of doubles have
// multiply_add, divide, sqrt, the halves of a pack of floats, and back: rounded. Packs of floats have multiply_add and
// sqrt where there is FMA.

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

// The lanes of arguments outside the domain of a function of our own.
template <maths1 F, class Pack>
inline constexpr bool is_limited = Pack::has_fma && (F == maths1::sin || F == maths1::cos || F == maths1::tan ||
                                                     F == maths1::log || F == maths1::log2 || F == maths1::log10);
// Whether Function is right for every argument, though other functions of its name are not.
template <auto Function>
struct named_function {};
template <class Pack, auto Function>
consteval bool is_for_all() {
  if constexpr (fused_numbers<Pack>::has_exponents)
    return __is_same(named_function<Function>, named_function<&fused<Pack>::quick_log>);
  else
    return false;
}
template <maths1 F, class Pack>
inline unsigned beyond_limits(typename Pack::value x) {
  using s = lane_checks<Pack>;
  if constexpr (F == maths1::log || F == maths1::log2 || F == maths1::log10) {
    constexpr unsigned all = (1u << Pack::width) - 1;
    const auto below_normal = s::either(1.17549421e-38, 2.2250738585072009e-308);  // the largest subnormal number
    return all & ~(Pack::less(below_normal, x) & Pack::less(x, s::either(__builtin_inf(), __builtin_inf())));
  } else {
    return Pack::less(Pack::splat(fused<Pack>::limit), Pack::abs(x));
  }
}

// Computes these lanes by another function.
template <class Pack, auto Rest>
[[gnu::noinline]] void beyond(const typename Pack::element* x, typename Pack::element* r, unsigned lanes) {
  typename Pack::element buffer[Pack::width];
  Pack::store(buffer, Rest(Pack::load(x)));
  for (index k = 0; k < Pack::width; ++k)
    if (lanes >> k & 1u) r[k] = buffer[k];
}

}  // namespace broadloom::runtime
