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
    const auto below_normal = s::either(1.17549421e-38, 2.2250738585072009e-308);  // the largest subnormal number
    const auto infinity = s::either(__builtin_inf(), __builtin_inf());
    return all & ~Pack::less(x > below_normal ? x : infinity, infinity);
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
