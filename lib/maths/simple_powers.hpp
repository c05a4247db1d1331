// Powers with the most frequent exponents: squares, cubes, roots and reciprocals take one or a few instructions, others
// fifty. The choice depends on an element's own arguments alone, so its value does not depend on its neighbours, nor on
// whether the exponent is a scalar or an array.
#pragma once

#include "lane_checks.hpp"
#include "table.hpp"

namespace broadloom::runtime {

template <class Pack>
struct simple_powers {
  using element = typename Pack::element;
  using value = typename Pack::value;
  static constexpr bool f64 = sizeof(element) == 8;
  static constexpr unsigned all = (1u << Pack::width) - 1;
  // Cubes need exact products, none of which underflows.
  static constexpr bool has_cubes = Pack::has_fma;
  static constexpr element least_cubed = static_cast<element>(f64 ? 0x1p-300 : 0x1p-30),
                           max_cubed = static_cast<element>(f64 ? 0x1p300 : 0x1p40);

  static unsigned equal(value x, double y) {
    return Pack::less(Pack::abs(x - Pack::splat(static_cast<element>(y))),
                      Pack::splat(static_cast<element>(f64 ? 0x1p-1074 : 0x1p-149)));  // less is 0
  }
  // The lanes with simple exponents: products that do not underflow.
  static unsigned lanes(value y) {
    // All of them are halves of integers, which few others are.
    const value twice = y + y, rounder = Pack::splat(f64 ? element(0x1.8p52) : element(0x1.8p23));
    if (equal((twice + rounder) - rounder - twice, 0) == 0) return 0;
    const auto less = [y](int k) { return y - Pack::splat(static_cast<element>(simple_exponents[k])); };
    return equal((less(0) * less(1)) * (less(2) * less(3)) * (less(4) * less(5)), 0);
  }

  static value cube(value x) {
    const value square = x * x, square_rest = Pack::multiply_add(x, x, -square);
    const value r = square * x, rest = Pack::multiply_add(square, x, -r);
    return r + Pack::multiply_add(square_rest, x, rest);
  }
  static unsigned can_cube(value x) {
    return Pack::less(Pack::splat(least_cubed), Pack::abs(x)) & Pack::less(Pack::abs(x), Pack::splat(max_cubed));
  }

  // Writes x^simple_exponents[Which] to r; false if another function has to compute it.
  template <int Which>
  static bool one(value x, value& r) {
    if constexpr (Which == 0) {
      r = x * x;
    } else if constexpr (Which == 1) {
      if (Pack::less(x, -lane_checks<Pack>::largest()) != 0) return false;
      r = Pack::sqrt(x) + Pack::splat(0);  // of -0 it is 0
    } else if constexpr (Which == 2) {
      r = Pack::splat(1) / x;
    } else if constexpr (Which == 4) {
      r = x;
    } else if constexpr (Which == 5) {
      r = Pack::splat(1);
    } else if constexpr (has_cubes) {
      if (can_cube(x) != all) return false;
      r = cube(x);
    } else {
      return false;
    }
    return true;
  }
  // Writes x^y to r if the whole pack has one of the exponents; else false.
  static bool of_all(value x, value y, value& r) {
    if (equal(y, simple_exponents[0]) == all) return one<0>(x, r);
    if (equal(y, simple_exponents[1]) == all) return one<1>(x, r);
    if (equal(y, simple_exponents[2]) == all) return one<2>(x, r);
    if (equal(y, simple_exponents[3]) == all) return one<3>(x, r);
    if (equal(y, simple_exponents[4]) == all) return one<4>(x, r);
    return equal(y, simple_exponents[5]) == all && one<5>(x, r);
  }

  // Computes the given lanes one by one, and replaces them in r.
  [[gnu::noinline]] static void of_some(const element* x, const element* y, element* r, unsigned lanes) {
    for (index k = 0; k < Pack::width; ++k) {
      if ((lanes >> k & 1u) == 0) continue;
      element some[Pack::width], by[Pack::width];
      for (index i = 0; i < Pack::width; ++i) some[i] = x[k], by[i] = y[k];
      value p;
      if (!of_all(Pack::load(some), Pack::load(by), p)) continue;
      Pack::store(some, p);
      r[k] = some[0];
    }
  }
};

}  // namespace broadloom::runtime
