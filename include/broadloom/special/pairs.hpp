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

// The mantissa, or the exponent: 0 of infinities and NaN.
template <class T, bool Exponent>
struct frexp_part {
  using result = std::conditional_t<Exponent, std::int32_t, T>;

  result operator()(T x) const {
    if (Exponent && !(x - x == 0)) return 0;
    int e = 0;
    T m = 0;
    if constexpr (sizeof(T) == 4)
      m = __builtin_frexpf(x, &e);
    else
      m = __builtin_frexp(x, &e);
    return static_cast<result>(Exponent ? static_cast<T>(e) : m);
  }

  // By the bits of the exponent. A chunk with subnormal numbers goes element by element.
  void strip(const T* x, result* to, index n) const {
    index i = 0;
    // In place, the second look at a chunk finds results: mantissas, which are their own, and subnormal numbers as they
    // were; or exponents, which are not numbers any more.
    const bool in_place = static_cast<const void*>(to) == static_cast<const void*>(x);
    while (i + width <= n && !(Exponent && in_place)) {
      const index first = i, last = n - i < chunk ? n / width * width : i + chunk;
      words subnormal{};
      for (; i < last; i += width) store<result>(to + i, of_words((words)load<T, width>(x + i), subnormal));
      subnormal &= ~of_high(0x80000000u);
      if ((subnormal[0] | subnormal[1] | subnormal[2] | subnormal[3]) != 0)
        for (index k = first; k < last; ++k) to[k] = (*this)(x[k]);
    }
    for (; i < n; ++i) to[i] = (*this)(x[i]);
  }

 private:
  // Doubles, too, in words of 32 bits, of which the higher one has the exponent: processors without SSE4.1 do not
  // compare longer ones.
  static constexpr bool f64 = sizeof(T) == 8;
  static constexpr int width = 16 / static_cast<int>(sizeof(T));
  static constexpr std::uint32_t largest = f64 ? 0x7ff00000 : 0x7f800000, half = f64 ? 0x3fe00000 : 0x3f000000;
  static constexpr index chunk = 64;
  using words = simd_vec<std::uint32_t, 4>;

  static words of_high(std::uint32_t word) { return f64 ? words{0, word, 0, word} : words{word, word, word, word}; }
  BROADLOOM_INLINE static simd_vec<result, width> of_words(words all, words& subnormal) {
    const words exponent = all & of_high(largest);
    const words none = (words)(exponent == words{}), special = none | (words)(exponent == of_high(largest));
    if constexpr (f64)
      subnormal |= shuffled<1, 1, 3, 3>(none, none) & all;
    else
      subnormal |= none & all;
    if constexpr (!Exponent) {
      return (simd_vec<T, width>)(all ^ (~special & (exponent ^ of_high(half))));
    } else {
      const words r = ((exponent >> (f64 ? 20 : 23)) - (f64 ? 1022u : 126u)) & ~special;
      if constexpr (f64)
        return (simd_vec<result, width>)shuffled<1, 3>(r, r);
      else
        return (simd_vec<result, width>)r;
    }
  }
};
template <class T, bool Exponent>
inline constexpr bool takes_strips<frexp_part<T, Exponent>> = true;

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
    const auto m = detail::rounded_from<T, given>(pointwise(detail::frexp_part<T, false>{}, e));
    const auto n = pointwise(detail::frexp_part<T, true>{}, e);
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
inline constexpr struct divmod_t : detail::takes_two {
  using takes_two::operator();
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
