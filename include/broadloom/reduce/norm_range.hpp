// Norms whose powers of elements leave the range: computed again of elements divided by a power of two near the largest
// (or, for negative orders, the smallest) one. A sum of such powers is at least 0, so that a norm stands in its place
// with the sign turned: what reads the sum, norm_root_f or norm_power_f, takes it as it is.
#pragma once

#include <broadloom/core/maths.hpp>
#include <broadloom/fn/sqrt.hpp>
#include <broadloom/reduce/sums.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// The square root of a sum of squares, or the norm that stands there.
struct norm_root_f : rule_function<rule_floats, false> {
  static constexpr auto cost = function_cost::slow;
  static constexpr const char* name() { return "sqrt"; }
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x) {
    return broadloom::lanes::select(broadloom::lanes::less(x, V{}), broadloom::lanes::negative(x),
                                    broadloom::lanes::root(x));
  }
};

// A power of a sum of powers, or the norm that stands there.
struct norm_power_f : rule_function<rule_floats, true> {
  static constexpr const char* name() { return "pow"; }
  struct last : rule_function<rule_same, false> {
    static constexpr const char* name() { return "pow's last"; }
    template <class V>
    BROADLOOM_INLINE static constexpr V on(const V& x, const V&, const V& s) {
      return broadloom::lanes::select(broadloom::lanes::less(x, V{}), broadloom::lanes::negative(x), s);
    }
  };
  using stages = stages_after<broadloom::lanes::pow_f, last>;
};
template <class E>
constexpr auto norm_power(const E& sum, double exponent) {
  return make_map(norm_power_f{}, sum, scalar<value_of<E>>(static_cast<value_of<E>>(exponent)));
}

// |x|^p for an order p that is known when it runs; 0^0 is 0.
struct norm_term_f : rule_function<rule_floats, true> {
  static constexpr const char* name() { return "pow"; }
  struct last : rule_function<rule_same, false> {
    static constexpr const char* name() { return "pow's last"; }
    template <class V>
    BROADLOOM_INLINE static constexpr V on(const V& x, const V& p, const V& power) {
      return broadloom::lanes::select(broadloom::lanes::unequal(p, V{}), power,
                                      broadloom::lanes::select(broadloom::lanes::equal(x, V{}), V{}, power));
    }
  };
  using stages = stages_after<broadloom::lanes::pow_f, last>;
};
// The same of the orders that need no power: 1 and 2.
struct norm_product_f : rule_function<rule_floats, false> {
  static constexpr const char* name() { return "pow"; }
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x, const V& p) {
    return broadloom::lanes::select(broadloom::lanes::less(p, broadloom::lanes::each<V>(2)), x,
                                    broadloom::lanes::times(x, x));
  }
};

// The terms of a norm: squares, or powers of magnitudes.
template <class E>
struct norm_terms {
  static constexpr bool known = false;
};
template <class Shape, class X>
struct norm_terms<map<lanes::square_f, Shape, X>> {
  static constexpr bool known = true;
  static const X& elements(const map<lanes::square_f, Shape, X>& e) { return e.template arg<0>(); }
  static double order(const map<lanes::square_f, Shape, X>&) { return 2; }
};
template <class Shape, class X, class T>
struct norm_terms<map<lanes::pow_f, Shape, X, scalar<T>>> {
  static constexpr bool known = true;
  static const X& elements(const map<lanes::pow_f, Shape, X, scalar<T>>& e) { return e.template arg<0>(); }
  static double order(const map<lanes::pow_f, Shape, X, scalar<T>>& e) {
    return static_cast<double>(e.template arg<1>().value());
  }
};
template <class Shape, class X, class T>
struct norm_terms<map<norm_term_f, Shape, X, scalar<T>>> {
  static constexpr bool known = true;
  static const X& elements(const map<norm_term_f, Shape, X, scalar<T>>& e) { return e.template arg<0>(); }
  static double order(const map<norm_term_f, Shape, X, scalar<T>>& e) {
    return static_cast<double>(e.template arg<1>().value());
  }
};

// The norm that stands in the place of `sum`, or `sum` where that is as good. get(i) is element i of n.
template <class T, class Get>
[[gnu::noinline]] T norm_in_range(T sum, double order, index n, const Get& get) {
  const T infinity = static_cast<T>(__builtin_huge_val());
  const auto size = [&](index i) {
    const T x = get(i);
    return x < 0 ? -x : x;
  };
  T best = order > 0 ? T(0) : infinity;
  for (index i = 0; i < n; ++i) {
    const T x = size(i);
    if (!(x < infinity) && (order > 0 || x != infinity)) return sum;  // negative powers of infinity are 0
    if (order > 0 ? x > best : x < best) best = x;
  }
  if (!(best > 0 && best < infinity)) return sum;
  int exponent = 0;
  static_cast<void>(__builtin_frexp(static_cast<double>(best), &exponent));
  // In two steps: the reciprocal of a power of two may be beyond the largest number.
  const T half = static_cast<T>(__builtin_ldexp(1.0, -exponent / 2)),
          rest = static_cast<T>(__builtin_ldexp(1.0, -exponent - -exponent / 2));
  const auto term = [&](index i) {
    const T x = lanes::times(lanes::times(size(i), half), rest);
    return order == 2 ? lanes::times(x, x) : one_element(runtime::maths2::pow, x, static_cast<T>(order));
  };
  const T scaled = combine<sum_r, T>(n, term);
  const T root =
      order == 2 ? lanes::root(scaled) : one_element(runtime::maths2::pow, scaled, static_cast<T>(1 / order));
  const T norm = root / half / rest;
  return norm > 0 && norm < infinity ? -norm : sum;
}

// A sum of powers that is looked at when it is computed. `how` is other than a sum for the infinite orders.
template <class Op>
struct checked_norm : Op {
  static constexpr bool is_checked = true;
  template <class T>
  static constexpr bool is_plain(T sum) {
    constexpr T low = sizeof(T) == 4 ? T(0x1p-96) : T(0x1p-960);
    return sum >= low && sum < static_cast<T>(__builtin_huge_val());
  }
  template <class T>
  static constexpr bool left_range(T sum, runtime::reduction how) {
    return !is_plain(sum) && sum >= 0 && (how == runtime::reduction::sum || how == runtime::reduction::compensated_sum);
  }
  // The elements of the tree of terms e, n of them, at place(i).
  template <class T, class E, class Place>
  static T in_range(T sum, const E& e, index n, const Place& place) {
    using terms = norm_terms<E>;
    static_assert(terms::known);
    const auto& x = terms::elements(e);
    return norm_in_range(sum, terms::order(e), n, [&](index i) { return x.element(place(i)); });
  }
};
using norm_squares_r = checked_norm<sum_r>;

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
