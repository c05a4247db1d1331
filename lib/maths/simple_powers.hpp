// Powers by exponents that people write most: squares, cubes, roots and reciprocals take an instruction or a few where
// others take fifty. Whether a power is one of these depends on its own arguments alone, so that an element's value
// depends neither on its neighbours nor on whether its exponent is a number or one of many.
#pragma once

#include "limits.hpp"
#include "table.hpp"

namespace broadloom::runtime {

template <class Pack>
struct simple_powers {
  using element = typename Pack::element;
  using value = typename Pack::value;
  static constexpr bool f64 = sizeof(element) == 8;
  static constexpr unsigned all = (1u << Pack::width) - 1;
  // Cubes need products that are not rounded, none of them too small for that.
  static constexpr bool has_cubes = Pack::has_fma;
  static constexpr element least_cubed = static_cast<element>(f64 ? 0x1p-300 : 0x1p-30),
                           max_cubed = static_cast<element>(f64 ? 0x1p300 : 0x1p40);

  static unsigned equal(value x, double y) {
    return Pack::less(Pack::abs(x - Pack::splat(static_cast<element>(y))),
                      Pack::splat(static_cast<element>(f64 ? 0x1p-1074 : 0x1p-149)));  // less is 0
  }
  // The lanes of simple exponents: a product of numbers none of which is so small that it would be 0.
  static unsigned lanes(value y) {
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

  // x^simple_exponents[Which], to r; false where that takes more.
  template <int Which>
  static bool one(value x, value& r) {
    if constexpr (Which == 0) {
      r = x * x;
    } else if constexpr (Which == 1) {
      if (Pack::less(x, -suspicion<Pack>::largest()) != 0) return false;
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
  // x^y for a whole pack of one of the exponents, to r; false where that is not it.
  static bool of_all(value x, value y, value& r) {
    if (equal(y, simple_exponents[0]) == all) return one<0>(x, r);
    if (equal(y, simple_exponents[1]) == all) return one<1>(x, r);
    if (equal(y, simple_exponents[2]) == all) return one<2>(x, r);
    if (equal(y, simple_exponents[3]) == all) return one<3>(x, r);
    if (equal(y, simple_exponents[4]) == all) return one<4>(x, r);
    return equal(y, simple_exponents[5]) == all && one<5>(x, r);
  }

  // Those of the given lanes, one by one, in place of what r has there.
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
