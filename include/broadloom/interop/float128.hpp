// __float128 as an element type, where the compiler and the C library have it: 113 bits of precision.
#pragma once
#pragma GCC system_header  // the type, and functions by the names of their symbols, are extensions

#include <broadloom/eval/own_loop.hpp>
#include <broadloom/fn/own.hpp>
#include <broadloom/reduce/own_types.hpp>
#include <broadloom/tensor/own_text.hpp>

#if defined(__SIZEOF_FLOAT128__) && defined(__GLIBC__)

template <>
inline constexpr bool broadloom::enable_element<__float128> = true;

namespace broadloom_own_elements {

template <>
struct functions_of<__float128> {
#define BROADLOOM_UNARY(NAME) static __float128 NAME(__float128) __asm__(#NAME "f128");
#define BROADLOOM_BINARY(NAME) static __float128 NAME(__float128, __float128) __asm__(#NAME "f128");
  BROADLOOM_UNARY(sqrt)
  BROADLOOM_UNARY(cbrt)
  BROADLOOM_UNARY(exp)
  BROADLOOM_UNARY(exp2)
  BROADLOOM_UNARY(expm1)
  BROADLOOM_UNARY(log)
  BROADLOOM_UNARY(log2)
  BROADLOOM_UNARY(log10)
  BROADLOOM_UNARY(log1p)
  BROADLOOM_UNARY(sin)
  BROADLOOM_UNARY(cos)
  BROADLOOM_UNARY(tan)
  BROADLOOM_UNARY(asin)
  BROADLOOM_UNARY(acos)
  BROADLOOM_UNARY(atan)
  BROADLOOM_UNARY(sinh)
  BROADLOOM_UNARY(cosh)
  BROADLOOM_UNARY(tanh)
  BROADLOOM_UNARY(asinh)
  BROADLOOM_UNARY(acosh)
  BROADLOOM_UNARY(atanh)
  BROADLOOM_UNARY(erf)
  BROADLOOM_UNARY(erfc)
  BROADLOOM_UNARY(lgamma)
  BROADLOOM_UNARY(tgamma)
  BROADLOOM_UNARY(floor)
  BROADLOOM_UNARY(ceil)
  BROADLOOM_UNARY(trunc)
  BROADLOOM_BINARY(pow)
  BROADLOOM_BINARY(atan2)
  BROADLOOM_BINARY(hypot)
  BROADLOOM_BINARY(fmod)
  BROADLOOM_BINARY(copysign)
#undef BROADLOOM_UNARY
#undef BROADLOOM_BINARY
  static __float128 abs(__float128 x) { return x < 0 || (x == 0 && 1 / x < 0) ? -x : x; }
};

}  // namespace broadloom_own_elements

#endif
