// Functions of complex numbers by compiled code, one element after the other. Numbers are pairs of parts in memory.
#pragma once

#include <broadloom/core/api.hpp>

namespace broadloom::runtime {

enum class complex_maths : unsigned char {
  sqrt,
  rsqrt,
  exp,
  log,
  log2,
  log10,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  sgn,
  sigmoid,
  pow,
  abs,  // gives a real number, as the next one
  angle,
  expm1,
  log1p
};
inline constexpr int complex_maths_count = static_cast<int>(complex_maths::log1p) + 1;

constexpr bool gives_real(complex_maths f) { return f == complex_maths::abs || f == complex_maths::angle; }

// One element: out = f(x), or f(x, y) for pow. The same code and bits as in arrays.
// Of parts that are all f64, or all f32.
BROADLOOM_API void complex_element(complex_maths f, bool is_f64, const void* x, const void* y, void* out) noexcept;

}  // namespace broadloom::runtime
