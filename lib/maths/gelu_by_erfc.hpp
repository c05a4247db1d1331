// gelu of doubles without FMA, by another library's erfc.
#pragma once

#include "../base/vectors.hpp"

namespace broadloom::runtime {

// x erfc(z) / 2 for z = -x / sqrt(2), which is rounded: an error of z is multiplied by up to 2 z^2 in erfc(z). So the
// error is computed, without FMA, from parts of half the length whose products are exact, and what it makes of erfc is
// taken off: the slope, relative to erfc(z), is nearly z + sqrt(z^2 + 4 / pi).
template <class Pack, auto Erfc>
typename Pack::value gelu_by_erfc(typename Pack::value x) {
  using value = typename Pack::value;
  using bits = vec<unsigned long long, sizeof(value)>;
  constexpr double factor = -0.70710678118654752440, high = -0x1.6a09e6p-1, low = -0x1.9fcef32422cbfp-27;
  const auto all = [](double v) { return Pack::splat(v); };
  const value z = x * all(factor), e = Erfc(z);
  const value x_high = reinterpret_cast<value>(reinterpret_cast<bits>(x) & ~0x7ffffffull), x_low = x - x_high;
  const value first = Pack::multiply_add(x_high, all(high), -z);
  const value rest = Pack::multiply_add(x, all(low), Pack::multiply_add(x_low, all(high), first));
  const value near = z < all(40) ? z : all(40);
  const value slope = near + Pack::sqrt(Pack::multiply_add(near, near, all(1.2732395447351628)));
  const value off = z > all(0) ? e * (rest * slope) : all(0);
  return x * all(0.5) * (e - off);
}

}  // namespace broadloom::runtime
