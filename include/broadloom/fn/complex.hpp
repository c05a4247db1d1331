// What the functions of the catalogue are of complex numbers, and the functions of their parts: real, imag, conj,
// complex, polar. A function that is not here is not defined for them.
#pragma once

#include <broadloom/core/complex_maths.hpp>
#include <broadloom/fn/catalogue.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace detail {

// Computed by compiled code, element by element.
template <class F, runtime::complex_maths Op>
struct complex_strip {
  static constexpr bool is_strip = true;
  static constexpr auto complex_op = Op;
  static constexpr const char* name() { return F::name(); }
  template <class C, class...>
  using result = std::conditional_t<runtime::gives_real(Op), real_of<C>, C>;
  template <class C, class... More>
  static constexpr auto scalar(const C& x, const More&... y) {
    if (__builtin_is_constant_evaluated()) transcendental_functions_are_run_time_only();
    const C* const more[] = {&y..., &x};
    result<C> r{};
    runtime::complex_element(Op, __is_same(real_of<C>, double), &x, more[0], &r);
    return r;
  }
};

struct between_f : rule_function<rule_same, false> {
  static constexpr const char* name() { return "lerp"; }
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x, const V& y, const V& z) {
    return lanes::between(x, y, z);
  }
};
template <>
struct on_complex<lanes::lerp_f> {
  using type = between_f;
};

// These functions have the formula of real numbers.
#define BROADLOOM_COMPLEX(NAME)        \
  template <>                          \
  struct on_complex<lanes::NAME##_f> { \
    using type = lanes::NAME##_f;      \
  };
BROADLOOM_COMPLEX(add)
BROADLOOM_COMPLEX(sub)
BROADLOOM_COMPLEX(mul)
BROADLOOM_COMPLEX(div)
BROADLOOM_COMPLEX(eq)
BROADLOOM_COMPLEX(ne)
BROADLOOM_COMPLEX(neg)
BROADLOOM_COMPLEX(positive)
BROADLOOM_COMPLEX(square)
BROADLOOM_COMPLEX(reciprocal)
BROADLOOM_COMPLEX(isnan)
BROADLOOM_COMPLEX(isinf)
BROADLOOM_COMPLEX(isfinite)
BROADLOOM_COMPLEX(logical_not)
BROADLOOM_COMPLEX(logical_and)
BROADLOOM_COMPLEX(logical_or)
BROADLOOM_COMPLEX(logical_xor)
#undef BROADLOOM_COMPLEX
#define BROADLOOM_COMPLEX(NAME)                                                \
  template <>                                                                  \
  struct on_complex<lanes::NAME##_f> {                                         \
    using type = complex_strip<lanes::NAME##_f, runtime::complex_maths::NAME>; \
  };
BROADLOOM_COMPLEX(sqrt)
BROADLOOM_COMPLEX(rsqrt)
BROADLOOM_COMPLEX(exp)
BROADLOOM_COMPLEX(log)
BROADLOOM_COMPLEX(log2)
BROADLOOM_COMPLEX(log10)
BROADLOOM_COMPLEX(sin)
BROADLOOM_COMPLEX(cos)
BROADLOOM_COMPLEX(tan)
BROADLOOM_COMPLEX(asin)
BROADLOOM_COMPLEX(acos)
BROADLOOM_COMPLEX(atan)
BROADLOOM_COMPLEX(sinh)
BROADLOOM_COMPLEX(cosh)
BROADLOOM_COMPLEX(tanh)
BROADLOOM_COMPLEX(asinh)
BROADLOOM_COMPLEX(acosh)
BROADLOOM_COMPLEX(atanh)
BROADLOOM_COMPLEX(expm1)
BROADLOOM_COMPLEX(log1p)
BROADLOOM_COMPLEX(sgn)
BROADLOOM_COMPLEX(pow)
BROADLOOM_COMPLEX(abs)
BROADLOOM_COMPLEX(angle)
#undef BROADLOOM_COMPLEX

struct rule_complex_only : rule_same {
  static constexpr bool accepts(dtype) { return false; }
};

// Functions of the real and imaginary parts; real and conj of a real number are the number itself.
struct real_f : rule_function<rule_same, false> {
  static constexpr const char* name() { return "real"; }
  template <class C>
  using result = real_of<C>;
  template <class V>
  BROADLOOM_INLINE static constexpr auto on(const V& x) {
    if constexpr (complexes<V>)
      return real_part(x);
    else
      return x;
  }
};
struct imag_f : rule_function<rule_complex_only, false> {
  static constexpr const char* name() { return "imag"; }
  template <class C>
  using result = real_of<C>;
  template <class V>
  BROADLOOM_INLINE static constexpr auto on(const V& x) {
    return imaginary_part(x);
  }
};
struct conj_f : rule_function<rule_same, false> {
  static constexpr const char* name() { return "conj"; }
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x) {
    if constexpr (complexes<V>)
      return lanes::conjugate(x);
    else
      return x;
  }
};
struct isreal_f : rule_function<rule_test, false> {
  static constexpr const char* name() { return "isreal"; }
  template <class V>
  BROADLOOM_INLINE static constexpr auto on(const V& x) {
    if constexpr (complexes<V>)
      return lanes::equal(imaginary_part(x), decltype(imaginary_part(x)){});
    else
      return lanes::either(lanes::equal(x, x), lanes::unequal(x, x));
  }
};
struct complex_f : rule_function<rule_floats, false> {
  static constexpr const char* name() { return "complex"; }
  template <class T, class>
  using result = std::complex<T>;
  template <class V>
  BROADLOOM_INLINE static constexpr auto on(const V& x, const V& y) {
    return complex_of(x, y);
  }
};

#define BROADLOOM_COMPLEX(NAME) \
  template <>                   \
  struct on_complex<NAME##_f> { \
    using type = NAME##_f;      \
  };
BROADLOOM_COMPLEX(real)
BROADLOOM_COMPLEX(imag)
BROADLOOM_COMPLEX(conj)
BROADLOOM_COMPLEX(isreal)
#undef BROADLOOM_COMPLEX

// A view of complex elements in memory.
template <class Node>
inline constexpr bool is_complex_view = false;
template <class T, class S, class L>
inline constexpr bool is_complex_view<view<T, S, L>> = is_complex_type<std::remove_const_t<T>>;
template <class A>
inline constexpr bool seen_in_parts = false;
template <array A>
inline constexpr bool seen_in_parts<A> = is_complex_view<node_of<A>>;

// Of arrays in memory a view of the parts, through which they can be written; of other nodes a function.
template <class F, int Part>
struct part_function {
  using function_type = F;
  template <array A>
    requires callable_with<F, A>
  constexpr auto operator()(A&& a) const {
    if constexpr (seen_in_parts<A>) {
      const auto x = as_node(static_cast<A&&>(a));
      using T = std::remove_pointer_t<decltype(x.data())>;
      using R = real_of<std::remove_const_t<T>>;
      using to = std::conditional_t<std::is_const_v<T>, const R, R>;
      using S = shape_of<decltype(x)>;
      dyn_strides<S::axes_count> strides{x.strides()};
      for (index& s : strides.s) s *= 2;
      return view<to, S, dyn_strides<S::axes_count>>(reinterpret_cast<to*>(x.data()) + Part, x.shape(), strides);
    } else
      return apply<F>(static_cast<A&&>(a));
  }
  template <array A, class Error = call_error<F, A>>
    requires(!callable_with<F, A>)
  Error operator()(A&&) const = delete;
};

}  // namespace detail

// real(z), imag(z): of an array in memory a view, so that real(z) = x writes; else functions.
using real_t = detail::part_function<detail::real_f, 0>;
using imag_t = detail::part_function<detail::imag_f, 1>;
inline constexpr real_t real{};
inline constexpr imag_t imag{};
// conj(z); of real numbers the numbers. conj_physical is the same.
using conj_t = detail::unary_function<detail::conj_f>;
inline constexpr conj_t conj{}, conj_physical{};
inline constexpr detail::in_place<conj_t> conj_{}, conj_physical_{};
using isreal_t = detail::unary_function<detail::isreal_f>;
inline constexpr isreal_t isreal{};
// complex(re, im) of floating arrays.
using complex_t = detail::binary_function<detail::complex_f>;
inline constexpr complex_t complex{};
// polar(abs, angle): complex(abs cos(angle), abs sin(angle)).
inline constexpr struct polar_t {
  template <operand A, operand B>
    requires detail::callable_with<detail::complex_f, A, B>
  constexpr auto operator()(A&& length, B&& turn) const {
    const auto turned = detail::argument<promoted<A, B>>(static_cast<B&&>(turn));
    const auto scaled = detail::argument<promoted<A, B>>(static_cast<A&&>(length));
    return complex(mul(scaled, cos(turned)), mul(scaled, sin(turned)));
  }
  template <operand A, operand B, class Error = detail::call_error<detail::complex_f, A, B>>
    requires detail::any_array<A, B> && (!detail::callable_with<detail::complex_f, A, B>)
  Error operator()(A&&, B&&) const = delete;
} polar{};

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
