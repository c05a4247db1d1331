// Oscillating functions of doubles from 8 on, by modulus and phase, beside what is computed up to 8.
#pragma once

#include <cstdint>

#include "own_fits.hpp"
#include "special_chunk.hpp"
#include "two_parts.hpp"

namespace broadloom::runtime {
namespace {

// c - a b, where the product is near c: rounded once.
value less_product(value c, value a, value b) {
  if constexpr (vec::has_fused) return vec::fused(-a, b, c);
  const two_parts p = two_parts::product(a, b);
  return (c - p.high) - p.low;
}

// The sine of x + phase + (turns - 1/2) pi / 2, for x from 8 to 2^30 and small phases, to 2^-63.
template <std::uint64_t turns>
value sine_of_turned(value x, two_parts phase) {
  using fits = fused_fits<double>;
  using bits = detail::simd_vec<std::uint64_t, vec::width>;
  constexpr double rounder = 0x1.8p52, two_by_pi = 0.63661977236758138;
  // x less an odd number of eighth turns, whose angle with the phase is up to pi / 4.
  const value t = vec::multiply_add(x + phase.high, vec::all(two_by_pi), vec::all(-0.5)) + vec::all(rounder);
  const value quarters = (t - vec::all(rounder)) + vec::all(0.5);
  const value high = less_product(x, quarters, vec::all(fits::pi / 2));  // exact
  const value product = quarters * vec::all(fits::pi_rest / 2);
  const value product_rest = less_product(product, quarters, vec::all(fits::pi_rest / 2));
  const value off = high - product;
  const value off_rest =
      vec::multiply_add(quarters, vec::all(-fits::pi_last / 2), ((high - off) - product) + product_rest);
  const two_parts angle = two_parts::sum(off, phase.high);
  const value r = angle.high, rest = (angle.low + off_rest) + phase.low;

  const value square = r * r, half = square * vec::all(0.5), less = vec::all(1) - half;
  const value rest_of_sine = vec::multiply_add(-half, rest, rest);
  const value sine = r + vec::multiply_add(square * r, vec::polynomial(fits::sine_fit, square), rest_of_sine);
  const value rest_of_cosine = vec::multiply_add(-r, rest, (vec::all(1) - less) - half);
  const value cosine =
      less + vec::multiply_add(square * square, vec::polynomial(fits::cosine_fit, square), rest_of_cosine);

  const bits turn = reinterpret_cast<bits>(t) + turns;
  const auto by_cosine = (turn & 1u) != 0u;
  return reinterpret_cast<value>(reinterpret_cast<bits>(by_cosine ? cosine : sine) ^ ((turn & 2u) << 62));
}

const auto is_far = [](value x) { return vec::absolute(x) >= vec::all(8); };

// near(i, x), or far(x) of sizes from 8 on; only what some element of the vector needs. Apart from the loop of small
// sizes, which the compiler makes slower otherwise without AVX2.
template <class Near, class Far, class Left>
[[gnu::noinline]] void write_by_size(chunk_of<double>& c, double* out, double (*single)(double), const Near& near,
                                     const Far& far, const Left& left) {
  c.write(
      out,
      [&](index i) {
        const value x = c.at(c.x + i);
        const auto of_far = is_far(x);
        value r = x;
        if (any(of_far)) r = far(x);
        if (any(~of_far)) r = of_far ? r : near(i, x);
        return r;
      },
      single, left);
}
// The same, of small sizes without a look at each vector.
template <class Near, class Far, class Left>
void by_size(chunk_of<double>& c, double* out, double (*single)(double), const Near& near, const Far& far,
             const Left& left) {
  auto of_all = is_far(c.at(c.x));
  for (index i = vec::width; i < c.count; i += vec::width) of_all |= is_far(c.at(c.x + i));
  if (any(of_all)) return write_by_size(c, out, single, near, far, left);
  c.write(out, [&](index i) { return near(i, c.at(c.x + i)); }, single, left);
}

}  // namespace
}  // namespace broadloom::runtime
