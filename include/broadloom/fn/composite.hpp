// Functions that are defined as trees of other functions: they have no evaluation of their own, so they equal the tree
// bit for bit.
#pragma once

#include <broadloom/fn/aliases.hpp>
#ifndef BROADLOOM_OPERATORS_COME_LAST
#include <broadloom/fn/operators.hpp>
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace detail {

struct where_f : lane_function {
  static constexpr text label{"where"};
  static constexpr const char* name() { return "where"; }
  template <class, class T, class>
  using result = T;
  template <class M, class X, class Y>
  BROADLOOM_INLINE static constexpr auto on(const M& m, const X& x, const Y& y) {
    return broadloom::lanes::select(m, x, y);
  }
  template <class T>
  static constexpr T scalar(bool m, const T& x, const T& y) {
    return m ? x : y;
  }
};

template <class A>
constexpr auto argument_shape(const A& a) {
  if constexpr (array<A>)
    return shape_of_array(a);
  else
    return shape<>{};
}

// Throws shape_error, which names the function, if its arguments, folded from left to right, do not broadcast. The
// nodes of the tree would name an inner function and another pair of shapes.
template <class... A>
constexpr void check_together(const char* function, const A&... a) {
  using all = typename broadcast_of<typename shape_of_argument<const A&>::type...>::type;
  static_cast<void>(broadcast_checked<all>(function, argument_shape(a)...));
}

template <bool EqualNan>
struct isclose_f : rule_function<rule_test, false> {
  static constexpr const char* name() { return "isclose"; }
  template <class X>
  BROADLOOM_INLINE static constexpr auto on(const X& x, const X& y, const X& relative, const X& absolute) {
    using namespace broadloom::lanes;
    const X allowed = plus(absolute, magnitude(times(relative, y))), actual = magnitude(minus(x, y));
    const auto within = both(is_finite(actual), lanes::less_equal(actual, allowed));
    const auto close = either(equal(x, y), within);
    if constexpr (EqualNan)
      return either(close, both(unequal(x, x), unequal(y, y)));
    else
      return close;
  }
};

// For complex numbers isclose is composed of other functions.
template <bool EqualNan>
struct on_complex<isclose_f<EqualNan>> {
  using type = lanes::eq_f;
};

}  // namespace detail

// isclose(x, y, rtol, atol): x == y, or |x - y| <= atol + |rtol * y| and finite; integers are compared in f64. With
// equal_nan{}, NaN is close to NaN.
struct equal_nan {};
inline constexpr struct isclose_t {
  template <operand A, operand B>
    requires detail::callable_with<detail::isclose_f<false>, A, B>
  constexpr auto operator()(A&& x, B&& y, double rtol = 1e-5, double atol = 1e-8) const {
    return compare<false>(static_cast<A&&>(x), static_cast<B&&>(y), rtol, atol);
  }
  template <operand A, operand B>
    requires detail::callable_with<detail::isclose_f<false>, A, B>
  constexpr auto operator()(A&& x, B&& y, double rtol, double atol, equal_nan) const {
    return compare<true>(static_cast<A&&>(x), static_cast<B&&>(y), rtol, atol);
  }
  template <operand A, operand B, class... T, class Error = detail::call_error<detail::isclose_f<false>, A, B>>
    requires detail::any_array<A, B> && (!detail::callable_with<detail::isclose_f<false>, A, B>)
  Error operator()(A&&, B&&, T...) const BROADLOOM_REFUSED;

 private:
  template <bool EqualNan, class A, class B>
  static constexpr auto compare(A&& x, B&& y, double rtol, double atol) {
    using common = promoted<A, B>;
    if constexpr (is_complex(dtype_of<common>)) {
      using R = detail::real_of<common>;
      detail::check_together("isclose", x, y);
      const auto a = detail::argument<common>(static_cast<A&&>(x));
      const auto b = detail::argument<common>(static_cast<B&&>(y));
      // an infinite distance is beyond the largest number, and so is an allowance that is infinite
      const R most = sizeof(R) == 4 ? static_cast<R>(__FLT_MAX__) : static_cast<R>(__DBL_MAX__);
      const auto close =
          logical_or(eq(a, b), le(abs(sub(a, b)), minimum(add(abs(mul(b, rtol)), static_cast<R>(atol)), most)));
      if constexpr (EqualNan)
        return logical_or(close, logical_and(isnan(a), isnan(b)));
      else
        return close;
    } else {
      using T = std::conditional_t<is_floating(dtype_of<common>), detail::arithmetic_type<common>, double>;
      return detail::make_map(detail::isclose_f<EqualNan>{}, detail::argument<T>(static_cast<A&&>(x)),
                              detail::argument<T>(static_cast<B&&>(y)), detail::argument<T>(rtol),
                              detail::argument<T>(atol));
    }
  }
} isclose{};

namespace errors_md {
// What a call with a mask that is not of bool "returns".
template <class Element>
struct mask_must_be_of_bool;
}  // namespace errors_md

namespace detail {

// A condition: bool, an array or a number of any type.
template <class M>
inline constexpr bool is_condition = true;
template <array M>
inline constexpr bool is_condition<M> = __is_same(value_of<node_of<M>>, bool);

template <class M, class X, class Y>
concept where_takes = any_array<M, X, Y> && is_condition<M> && (promoted_code<X, Y> != no_type) && shapes_fit<M, X, Y>;

// where of one argument: index/nonzero.hpp.
template <array M>
struct where_one;

}  // namespace detail

// where(condition): where an array is not zero (index/nonzero.hpp). where(condition, x, y): x where the condition, of
// bool, holds, else y; the three broadcast together (PyTorch's where; x != 0 makes a condition of numbers).
inline constexpr struct where_t : detail::refuses_other_arguments<where_t> {
  static constexpr detail::text call{"where(condition, x, y)"};
  using refuses_other_arguments::operator();
  template <array M>
  constexpr auto operator()(M&& m) const {
    return detail::where_one<M>::of(static_cast<M&&>(m));
  }
#if defined(__clang__)
  template <detail::referred M, operand X, operand Y>
    requires detail::where_takes<M&, X, Y>
  constexpr auto operator()(M& m BROADLOOM_LIFETIMEBOUND, X&& x, Y&& y) const {
    return (*this)(detail::capture(m), static_cast<X&&>(x), static_cast<Y&&>(y));
  }
  template <operand M, detail::referred X, operand Y>
    requires detail::where_takes<M, X&, Y>
  constexpr auto operator()(M&& m, X& x BROADLOOM_LIFETIMEBOUND, Y&& y) const {
    return (*this)(static_cast<M&&>(m), detail::capture(x), static_cast<Y&&>(y));
  }
  template <detail::referred M, detail::referred X, operand Y>
    requires detail::where_takes<M&, X&, Y>
  constexpr auto operator()(M& m BROADLOOM_LIFETIMEBOUND, X& x BROADLOOM_LIFETIMEBOUND, Y&& y) const {
    return (*this)(detail::capture(m), detail::capture(x), static_cast<Y&&>(y));
  }
#endif
  template <operand M, operand X, operand Y>
    requires detail::where_takes<M, X, Y>
  constexpr auto operator()(M&& m, X&& x, Y&& y) const {
    using common = promoted<X, Y>;
    return detail::make_map(detail::where_f{}, detail::argument<bool>(static_cast<M&&>(m)),
                            detail::argument<common>(static_cast<X&&>(x)),
                            detail::argument<common>(static_cast<Y&&>(y)));
  }
  template <operand M, operand X, operand Y, class Error = detail::shapes_error<M, X, Y>>
    requires detail::any_array<M, X, Y> && detail::is_condition<M> && (!detail::shapes_fit<M, X, Y>)
  Error operator()(M&&, X&&, Y&&) const BROADLOOM_REFUSED;
  template <array M, operand X, operand Y,
            class Error = errors_md::mask_must_be_of_bool<detail::value_of<detail::node_of<M>>>>
    requires(!detail::is_condition<M>)
  Error operator()(M&&, X&&, Y&&) const BROADLOOM_REFUSED;
} where{};

// addcmul(c, a, b) is add(c, mul(a, b)); addcmul(c, a, b, value) is add(c, mul(a, b), value): c + (a * b) * value.
inline constexpr struct addcmul_t : detail::refuses_other_arguments<addcmul_t> {
  static constexpr detail::text call{"addcmul(c, a, b, value)"};
  using detail::refuses_other_arguments<addcmul_t>::operator();
  template <operand C, operand A, operand B>
    requires detail::any_array<A, B> && detail::shapes_fit<C, A, B>
  constexpr auto operator()(C&& c, A&& a, B&& b) const {
    detail::check_together("addcmul", c, a, b);
    return add(static_cast<C&&>(c), mul(static_cast<A&&>(a), static_cast<B&&>(b)));
  }
  template <operand C, operand A, operand B, detail::number_scalar V>
    requires detail::any_array<A, B> && detail::shapes_fit<C, A, B>
  constexpr auto operator()(C&& c, A&& a, B&& b, V value) const {
    detail::check_together("addcmul", c, a, b);
    return add(static_cast<C&&>(c), mul(static_cast<A&&>(a), static_cast<B&&>(b)), value);
  }
  template <operand C, operand A, operand B, class... V, class Error = detail::shapes_error<C, A, B>>
    requires detail::any_array<A, B> && (!detail::shapes_fit<C, A, B>)
  Error operator()(C&&, A&&, B&&, V...) const BROADLOOM_REFUSED;
} addcmul{};

// addcdiv(c, a, b) is add(c, div(a, b)); with value, c + (a / b) * value.
inline constexpr struct addcdiv_t : detail::refuses_other_arguments<addcdiv_t> {
  static constexpr detail::text call{"addcdiv(c, a, b, value)"};
  using detail::refuses_other_arguments<addcdiv_t>::operator();
  template <operand C, operand A, operand B>
    requires detail::any_array<A, B> && detail::shapes_fit<C, A, B>
  constexpr auto operator()(C&& c, A&& a, B&& b) const {
    detail::check_together("addcdiv", c, a, b);
    return add(static_cast<C&&>(c), div(static_cast<A&&>(a), static_cast<B&&>(b)));
  }
  template <operand C, operand A, operand B, detail::number_scalar V>
    requires detail::any_array<A, B> && detail::shapes_fit<C, A, B>
  constexpr auto operator()(C&& c, A&& a, B&& b, V value) const {
    detail::check_together("addcdiv", c, a, b);
    return add(static_cast<C&&>(c), div(static_cast<A&&>(a), static_cast<B&&>(b)), value);
  }
  template <operand C, operand A, operand B, class... V, class Error = detail::shapes_error<C, A, B>>
    requires detail::any_array<A, B> && (!detail::shapes_fit<C, A, B>)
  Error operator()(C&&, A&&, B&&, V...) const BROADLOOM_REFUSED;
} addcdiv{};

namespace detail {

// 1 / (1 + exp(-x)), and exp(x) where that is the same and exp(-x) would leave the range.
struct sigmoid_f : rule_function<rule_real, true> {
  static constexpr const char* name() { return "sigmoid"; }
  struct first : rule_function<rule_same, false> {
    static constexpr const char* name() { return "sigmoid's first"; }
    template <class V>
    BROADLOOM_INLINE static constexpr V on(const V& x) {
      return broadloom::lanes::select(broadloom::lanes::is_far_below(x), x, broadloom::lanes::negative(x));
    }
  };
  struct last : rule_function<rule_same, false> {
    static constexpr const char* name() { return "sigmoid's last"; }
    template <class V>
    BROADLOOM_INLINE static constexpr V on(const V& x, const V& s) {
      const V one = broadloom::lanes::each<V>(1);
      return broadloom::lanes::select(broadloom::lanes::is_far_below(x), s,
                                      broadloom::lanes::over(one, broadloom::lanes::plus(one, s)));
    }
  };
  using stages = stages_of<first, broadloom::lanes::exp_f, no_f, no_f, last>;
};
template <>
struct on_complex<sigmoid_f> {
  using type = complex_strip<sigmoid_f, runtime::complex_maths::sigmoid>;
};

}  // namespace detail

// sigmoid(x) = 1 / (1 + exp(-x)), also where exp(-x) is beyond the largest number. Of elements of 16 bits it is
// computed as f32 and rounded once.
using sigmoid_t = detail::unary_function<detail::sigmoid_f>;
inline constexpr sigmoid_t sigmoid{};

inline constexpr detail::in_place<addcmul_t> addcmul_{};
inline constexpr detail::in_place<addcdiv_t> addcdiv_{};
inline constexpr detail::in_place<sigmoid_t> sigmoid_{};

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
