// Functions with two results, as pairs of expressions: frexp, modf, divmod. `auto [m, e] = bl::frexp(x);` evaluates
// nothing; bl::assign_all writes both in one pass.
#pragma once

#include <broadloom/core/simd_vec.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/fn/pointwise.hpp>
#include <broadloom/special/evaluate.hpp>

namespace broadloom {

template <class Mantissa, class Exponent>
struct frexp_result {
  Mantissa mantissa;
  Exponent exponent;
};
template <class Fraction, class Whole>
struct modf_result {
  Fraction fraction;
  Whole whole;
};
template <class Quotient, class Remainder>
struct divmod_result {
  Quotient quotient;
  Remainder remainder;
};

namespace detail {

template <class T>
struct frexp_mantissa {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int digits = sizeof(T) == 4 ? 23 : 52;
  static constexpr bits largest = sizeof(T) == 4 ? 0xff : 0x7ff, half = largest / 2 - 1;

  // Of a normal number only the bits of the exponent change. As vectors in registers, as a pack is one in memory.
  pack<T, pack_size> operator()(const pack<T, pack_size>& x) const {
    constexpr int width = 16 / static_cast<int>(sizeof(T)), pieces = pack_size / width;
    using lanes = simd_vec<bits, width>;
    pack<T, pack_size> r;
    lanes normal = ~lanes{};
#pragma GCC unroll 8
    for (int k = 0; k < pieces; ++k) {
      const auto all = (lanes)load<T, width>(&x[k * width]);
      normal &= (lanes)(((all >> digits & largest) - 1) < largest - 1);
      store<T>(&r[k * width], (simd_vec<T, width>)((all & ~(largest << digits)) | half << digits));
    }
    bits each = ~bits{};
#pragma GCC unroll 8
    for (int l = 0; l < width; ++l) each &= normal[l];
    if (each == 0)
      for (int i = 0; i < pack_size; ++i) r[i] = one(x[i]);
    return r;
  }

 private:
  static T one(T x) {
    int e = 0;
    if constexpr (sizeof(T) == 4)
      return __builtin_frexpf(x, &e);
    else
      return __builtin_frexp(x, &e);
  }
};
// 0 of infinities and NaN.
template <class T>
struct frexp_exponent {
  std::int32_t operator()(T x) const {
    if (!(x - x == 0)) return 0;
    int e = 0;
    if constexpr (sizeof(T) == 4)
      static_cast<void>(__builtin_frexpf(x, &e));
    else
      static_cast<void>(__builtin_frexp(x, &e));
    return e;
  }
};

}  // namespace detail

// frexp(x): {mantissa, exponent}, x = mantissa * 2^exponent with the mantissa's size in [0.5, 1), the exponent i32; of
// 0, infinities and NaN the number itself and 0 (PyTorch's and NumPy's frexp). For floating types.
inline constexpr struct frexp_t {
  using function_type = detail::frac_f;
  template <array X>
    requires detail::callable_with<function_type, X>
  auto operator()(X&& x) const {
    using given = detail::value_of<detail::node_of<X>>;
    using T = detail::arithmetic_type<given>;
    const auto e = detail::argument<T>(static_cast<X&&>(x));
    const auto m = detail::rounded_from<T, given>(pointwise(detail::frexp_mantissa<T>{}, e));
    const auto n = pointwise(detail::frexp_exponent<T>{}, e);
    return frexp_result<std::remove_const_t<decltype(m)>, std::remove_const_t<decltype(n)>>{m, n};
  }
  template <array X, class Error = detail::call_error<function_type, X>>
    requires(!detail::callable_with<function_type, X>)
  Error operator()(X&&) const = delete;
} frexp{};

// modf(x): {fraction, whole}, both with x's sign: x - trunc(x) and trunc(x); of infinities 0 and x (C's and NumPy's
// modf). Integers become floating as by sqrt.
inline constexpr struct modf_t {
  using function_type = detail::sqrt_f;
  template <array X>
    requires detail::callable_with<function_type, X>
  constexpr auto operator()(X&& x) const {
    using T = detail::rule_real::compute<detail::value_of<detail::node_of<X>>>;
    const auto e = detail::argument<T>(static_cast<X&&>(x));
    const auto w = trunc(e);
    const auto f = copysign(where(isinf(e), T(0), sub(e, w)), e);
    return modf_result<std::remove_const_t<decltype(f)>, std::remove_const_t<decltype(w)>>{f, w};
  }
  template <array X, class Error = detail::call_error<function_type, X>>
    requires(!detail::callable_with<function_type, X>)
  Error operator()(X&&) const = delete;
} modf{};

// divmod(x, y): {quotient, remainder}: floor_divide and remainder (NumPy's divmod).
inline constexpr struct divmod_t {
  using function_type = detail::remainder_f;
  template <operand X, operand Y>
    requires detail::callable_with<function_type, X, Y>
  constexpr auto operator()(X&& x, Y&& y) const {
    const auto a = held(static_cast<X&&>(x));
    const auto b = held(static_cast<Y&&>(y));
    const auto q = floor_divide(a, b);
    const auto r = broadloom::remainder(a, b);
    return divmod_result<std::remove_const_t<decltype(q)>, std::remove_const_t<decltype(r)>>{q, r};
  }
  template <operand X, operand Y, class Error = detail::call_error<function_type, X, Y>>
    requires(detail::any_array<X, Y> && !detail::callable_with<function_type, X, Y>)
  Error operator()(X&&, Y&&) const = delete;

 private:
  template <class X>
  static constexpr auto held(X&& x) {
    if constexpr (array<X>)
      return detail::capture(static_cast<X&&>(x));
    else
      return x;
  }
} divmod{};

}  // namespace broadloom
