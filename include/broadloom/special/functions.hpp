// Special functions as pointwise functions, element by element: of gamma, of errors, Bessel functions, orthogonal
// polynomials. Lazy and broadcasting as all others; not for constant expressions.
#pragma once

#include <broadloom/fn/composite.hpp>
#include <broadloom/fn/pointwise.hpp>
#include <broadloom/special/evaluate.hpp>

namespace broadloom {

namespace detail {

// Integers become floating as by sqrt: of 32 and 64 bits f64, else f32.
template <runtime::special1 F>
struct special1_rule {
  using rule = rule_real;
  static constexpr const char* name() {
    switch (F) {
#define BROADLOOM_SPECIAL1(NAME) \
  case runtime::special1::NAME: return #NAME;
#define BROADLOOM_SPECIAL2(NAME)
#include <broadloom/special/functions.def>
#undef BROADLOOM_SPECIAL1
#undef BROADLOOM_SPECIAL2
    }
    return "";
  }
};
template <runtime::special2 F>
struct special2_rule {
  using rule = rule_real;
  static constexpr const char* name() {
    switch (F) {
#define BROADLOOM_SPECIAL1(NAME)
#define BROADLOOM_SPECIAL2(NAME) \
  case runtime::special2::NAME: return #NAME;
#include <broadloom/special/functions.def>
#undef BROADLOOM_SPECIAL1
#undef BROADLOOM_SPECIAL2
    }
    return "";
  }
};

template <auto F, class T>
struct special_call {
  T operator()(T x) const
    requires(std::is_same_v<decltype(F), runtime::special1>)
  {
    T r;
    strip(&x, &r, 1);
    return r;
  }
  T operator()(T x, T y) const
    requires(std::is_same_v<decltype(F), runtime::special2>)
  {
    T r;
    strip(&x, &y, -1, -1, &r, 1);
    return r;
  }
  void strip(const T* x, T* to, index n) const { runtime::special(F, x, to, n, sizeof(T) == 4); }
  void strip(const T* x, const T* y, index x_advance, index y_advance, T* to, index n) const {
    runtime::special(F, x, y, x_advance, y_advance, to, n, sizeof(T) == 4);
  }
};
template <auto F, class T>
inline constexpr bool takes_strips<special_call<F, T>> = true;

template <class T>
struct multigammaln_call {
  int p;
  T operator()(T x) const {
    T r;
    strip(&x, &r, 1);
    return r;
  }
  void strip(const T* x, T* to, index n) const { runtime::multigammaln(x, p, to, n, sizeof(T) == 4); }
};
template <class T>
inline constexpr bool takes_strips<multigammaln_call<T>> = true;

template <runtime::special1 F>
struct special1_function : takes_one {
  using takes_one::operator();
  using function_type = special1_rule<F>;
  template <array X>
    requires callable_with<function_type, X>
  constexpr auto operator()(X&& x) const {
    using given = rule_real::compute<value_of<node_of<X>>>;
    using T = arithmetic_type<given>;
    return rounded_from<T, given>(pointwise(special_call<F, T>{}, argument<T>(static_cast<X&&>(x))));
  }
  template <array X, class Error = call_error<function_type, X>>
    requires(!callable_with<function_type, X>)
  Error operator()(X&&) const BROADLOOM_REFUSED;
  template <number_scalar X, class Error = errors_md::write_std_sqrt_of_numbers_alone>
  Error operator()(X) const BROADLOOM_REFUSED;
};
template <runtime::special2 F>
struct special2_function : takes_two {
  using takes_two::operator();
  using function_type = special2_rule<F>;
  template <operand X, operand Y>
    requires callable_with<function_type, X, Y>
  constexpr auto operator()(X&& x, Y&& y) const {
    using given = rule_real::compute<promoted<X, Y>>;
    using T = arithmetic_type<given>;
    check_together(function_type::name(), parameter_of(x), parameter_of(y));
    return rounded_from<T, given>(
        pointwise(special_call<F, T>{}, argument<T>(static_cast<X&&>(x)), argument<T>(static_cast<Y&&>(y))));
  }
  template <class X, class Y, class Error = call_error<function_type, X, Y>>
    requires refused<function_type, X, Y>
  Error operator()(X&&, Y&&) const BROADLOOM_REFUSED;
  template <number_scalar X, number_scalar Y, class Error = errors_md::write_std_sqrt_of_numbers_alone>
  Error operator()(X, Y) const BROADLOOM_REFUSED;

 private:
  template <class X>
  static constexpr decltype(auto) parameter_of(const X& x) {
    if constexpr (array<X>)
      return as_node(x);
    else
      return x;
  }
};

}  // namespace detail

#define BROADLOOM_SPECIAL1(NAME)                                       \
  using NAME##_t = detail::special1_function<runtime::special1::NAME>; \
  inline constexpr NAME##_t NAME{};                                    \
  inline constexpr detail::in_place<NAME##_t> NAME##_{};
#define BROADLOOM_SPECIAL2(NAME)                                       \
  using NAME##_t = detail::special2_function<runtime::special2::NAME>; \
  inline constexpr NAME##_t NAME{};                                    \
  inline constexpr detail::in_place<NAME##_t> NAME##_{};
#define BROADLOOM_SPECIAL_ORDER(NAME)                                  \
  using NAME##_t = detail::special2_function<runtime::special2::NAME>; \
  inline constexpr NAME##_t NAME{};
#include <broadloom/special/functions.def>
#undef BROADLOOM_SPECIAL1
#undef BROADLOOM_SPECIAL2

// PyTorch's other names.
inline constexpr digamma_t psi{};
inline constexpr i0_t modified_bessel_i0{};
inline constexpr i1_t modified_bessel_i1{};
inline constexpr gammainc_t igamma{};
inline constexpr gammaincc_t igammac{};
inline constexpr lgamma_t gammaln{};
inline constexpr sigmoid_t expit{};

// multigammaln(x, p): the logarithm of the multivariate gamma function of dimension p >= 1, the sum of lgamma(x - i /
// 2) over i < p and p (p - 1) / 4 log(pi) (PyTorch's multigammaln and mvlgamma); for x > (p - 1) / 2. Throws
// std::invalid_argument for p < 1; an x that is too small gives what the sum gives, where PyTorch throws.
inline constexpr struct multigammaln_t {
  using function_type = detail::lgamma_f;
  template <array X>
    requires detail::callable_with<function_type, X>
  auto operator()(X&& x, int p) const {
    using given = detail::rule_real::compute<detail::value_of<detail::node_of<X>>>;
    using T = detail::arithmetic_type<given>;
    runtime::check_dimension("multigammaln", p);
    return detail::rounded_from<T, given>(
        pointwise(detail::multigammaln_call<T>{p}, detail::argument<T>(static_cast<X&&>(x))));
  }
  template <array X, class Error = detail::call_error<function_type, X>>
    requires(!detail::callable_with<function_type, X>)
  Error operator()(X&&, int) const = delete;
} multigammaln{};
inline constexpr multigammaln_t mvlgamma{};

// float_power(x, y): pow in f64 (PyTorch's float_power).
inline constexpr struct float_power_t : detail::takes_two {
  using takes_two::operator();
  template <operand X, operand Y>
    requires detail::callable_with<detail::pow_f, X, Y>
  constexpr auto operator()(X&& x, Y&& y) const {
    return pow(wide(static_cast<X&&>(x)), wide(static_cast<Y&&>(y)));
  }

 private:
  template <class X>
  static constexpr auto wide(X&& x) {
    if constexpr (array<X>)
      return detail::argument<double>(static_cast<X&&>(x));
    else
      return static_cast<double>(x);
  }
} float_power{};

}  // namespace broadloom
