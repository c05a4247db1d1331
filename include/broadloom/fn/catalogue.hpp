// Every pointwise function as an object, made from the lines of catalogue.def: bl::add, bl::exp, ... and the in-place
// bl::add_, ...
#pragma once

#include <broadloom/expr/slice.hpp>
#include <broadloom/fn/complex_lanes.hpp>
#include <broadloom/fn/function.hpp>
#include <broadloom/fn/in_place.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

// Formulas are compiled inside this namespace, so that `less` or `select` mean its own functions.
namespace lanes {

using detail::no_f;
using detail::strip_element;

#define BROADLOOM_LIST(...) __VA_ARGS__
#define BROADLOOM_FORMULA1(FORMULA)                             \
  template <class X>                                            \
  [[gnu::always_inline]] static constexpr auto on(const X& x) { \
    return FORMULA;                                             \
  }
#define BROADLOOM_FORMULA2(FORMULA)                                                                           \
  template <class X, class Y>                                                                                 \
  [[gnu::always_inline]] static constexpr auto on([[maybe_unused]] const X& x, [[maybe_unused]] const Y& y) { \
    return FORMULA;                                                                                           \
  }
#define BROADLOOM_FORMULA3(FORMULA)                                                     \
  template <class X, class Y, class Z>                                                  \
  [[gnu::always_inline]] static constexpr auto on(const X& x, const Y& y, const Z& z) { \
    return FORMULA;                                                                     \
  }
// Of x and up to three more, all of one type, and s, the last of them.
#define BROADLOOM_FORMULA(FORMULA)                                                \
  template <class X, class... P>                                                  \
  [[gnu::always_inline]] static constexpr auto on(const X& x, const P&... p) {    \
    const X more[] = {p..., x, x, x};                                             \
    [[maybe_unused]] const X &y = more[0], &z = more[1], &w = more[2];            \
    [[maybe_unused]] const X& s = more[sizeof...(P) == 0 ? 0 : sizeof...(P) - 1]; \
    return FORMULA;                                                               \
  }
#define BROADLOOM_FUNCTION(NAME, RULE, STRIP, ...)                      \
  struct NAME##_f : detail::rule_function<detail::rule_##RULE, STRIP> { \
    static constexpr const char* name() { return #NAME; }               \
    __VA_ARGS__                                                         \
  };
#define BROADLOOM_PART(NAME, PART, FORMULA_IS)                        \
  struct PART : detail::rule_function<detail::rule_same, false> {     \
    static constexpr const char* name() { return #NAME "'s " #PART; } \
    BROADLOOM_FORMULA(FORMULA_IS)                                     \
  };

#define BROADLOOM_ON_INTEGERS(NAME, RULE, FORMULA_IS)                             \
  struct integer_##NAME##_f : detail::rule_function<detail::rule_##RULE, false> { \
    static constexpr const char* name() { return #NAME; }                         \
    BROADLOOM_FORMULA2(FORMULA_IS)                                                \
  };

#define BROADLOOM_COST(COST) static constexpr auto cost = detail::function_cost::COST;
#define BROADLOOM_UNARY(NAME, RULE, COST, FORMULA) \
  BROADLOOM_FUNCTION(NAME, RULE, false, BROADLOOM_COST(COST) BROADLOOM_FORMULA1(FORMULA))
#define BROADLOOM_BINARY(NAME, RULE, COST, FORMULA) \
  BROADLOOM_FUNCTION(NAME, RULE, false, BROADLOOM_COST(COST) BROADLOOM_FORMULA2(FORMULA))
#define BROADLOOM_TERNARY(NAME, RULE, COST, FORMULA) \
  BROADLOOM_FUNCTION(NAME, RULE, false, BROADLOOM_COST(COST) BROADLOOM_FORMULA3(FORMULA))
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ASSIGN, FORMULA) BROADLOOM_BINARY(NAME, RULE, COST, FORMULA)
#define BROADLOOM_COMPARISON(NAME, OP, FORMULA) BROADLOOM_BINARY(NAME, test, quick, FORMULA)
#define BROADLOOM_PARAMETERS(NAME, RULE, COST, DEFAULTS, FORMULA) \
  BROADLOOM_FUNCTION(                                             \
      NAME, RULE, false,                                          \
      BROADLOOM_COST(COST) BROADLOOM_FORMULA(FORMULA) static constexpr double defaults[] = {BROADLOOM_LIST DEFAULTS};)
#define BROADLOOM_STRIP1(NAME, RULE, OP)                                \
  BROADLOOM_FUNCTION(                                                   \
      NAME, RULE, true, static constexpr auto op = runtime::maths1::OP; \
      template <class T> static constexpr T scalar(const T& x) { return strip_element<op>(x); })
#define BROADLOOM_STRIP2(NAME, RULE, OP, INTEGERS)                                                              \
  BROADLOOM_ON_INTEGERS(NAME, RULE, INTEGERS)                                                                   \
  BROADLOOM_FUNCTION(                                                                                           \
      NAME, RULE, true, using on_integers = integer_##NAME##_f; static constexpr auto op = runtime::maths2::OP; \
      template <class T> static constexpr T scalar(const T& x, const T& y) { return strip_element<op>(x, y); })
#define BROADLOOM_STAGES(NAME, OP, FIRST, OP2, SECOND, LAST) \
  BROADLOOM_PART(NAME, first, FIRST)                         \
  BROADLOOM_PART(NAME, second, SECOND)                       \
  BROADLOOM_PART(NAME, last, LAST)                           \
  using stages = detail::stages_of<first, OP##_f, second, OP2##_f, last>;
#define BROADLOOM_STAGED1(NAME, RULE, OP, FIRST, OP2, SECOND, LAST) \
  BROADLOOM_FUNCTION(NAME, RULE, true, BROADLOOM_STAGES(NAME, OP, FIRST, OP2, SECOND, LAST))
#define BROADLOOM_STAGED2(NAME, RULE, OP, FIRST, OP2, SECOND, LAST) \
  BROADLOOM_STAGED1(NAME, RULE, OP, FIRST, OP2, SECOND, LAST)
#define BROADLOOM_STAGED_PARAMETERS(NAME, RULE, DEFAULTS, OP, FIRST, OP2, SECOND, LAST) \
  BROADLOOM_FUNCTION(NAME, RULE, true,                                                  \
                     BROADLOOM_STAGES(NAME, OP, FIRST, OP2, SECOND,                     \
                                      LAST) static constexpr double defaults[] = {BROADLOOM_LIST DEFAULTS};)
#define BROADLOOM_DIVISION(NAME, LAST, INTEGERS)                                 \
  BROADLOOM_ON_INTEGERS(NAME, number, INTEGERS)                                  \
  BROADLOOM_FUNCTION(NAME, number, true, using on_integers = integer_##NAME##_f; \
                     BROADLOOM_PART(NAME, last, LAST) using stages = detail::stages_after<fmod_f, last>;)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_STAGES
#undef BROADLOOM_COST
#undef BROADLOOM_PART
#undef BROADLOOM_ON_INTEGERS
#undef BROADLOOM_FUNCTION
#undef BROADLOOM_FORMULA
#undef BROADLOOM_FORMULA3
#undef BROADLOOM_FORMULA2
#undef BROADLOOM_FORMULA1
#undef BROADLOOM_LIST

// Of x, 10^decimals and 1, or of x, 1 and 10^-decimals. What leaves the range on the way has no such decimals.
struct round_decimals_f : detail::rule_function<detail::rule_floats, false> {
  static constexpr auto cost = detail::function_cost::slow;
  static constexpr const char* name() { return "round"; }
  template <class X>
  BROADLOOM_INLINE static constexpr X on(const X& x, const X& up, const X& down) {
    const X scaled = over(times(x, up), down), whole = to_even(scaled);
    return select(is_finite(scaled), select(equal(whole, X{}), whole, over(times(whole, down), up)), x);
  }
};

}  // namespace lanes

// How div(x, y, ...) rounds: trunc towards zero, floor down; both keep integers.
namespace rounding {

inline constexpr struct trunc_t {
} trunc{};
inline constexpr struct floor_t {
} floor{};

}  // namespace rounding

namespace detail {

template <>
struct binary_function<lanes::add_f> : function_with_alpha<lanes::add_f, lanes::mul_f> {};
template <>
struct binary_function<lanes::sub_f> : function_with_alpha<lanes::sub_f, lanes::mul_f> {};
template <>
struct binary_function<lanes::div_f> : function_with_rounding<lanes::div_f> {};
template <>
struct rounded_by<lanes::div_f, rounding::trunc_t> {
  using type = lanes::trunc_divide_f;
};
template <>
struct rounded_by<lanes::div_f, rounding::floor_t> {
  using type = lanes::floor_divide_f;
};

// x < n is max(x, t) == t, where t is the last element before n; and so on.
#define BROADLOOM_BESIDE_NUMBER(NAME, MIRRORED, FIRST, COMPARISON, ELEMENTS) \
  template <>                                                                \
  struct beside_number<lanes::NAME##_f> {                                    \
    using mirrored = lanes::MIRRORED##_f;                                    \
    using first = lanes::FIRST##_f;                                          \
    using comparison = lanes::COMPARISON##_f;                                \
    template <class T, class N>                                              \
    static constexpr compared_elements<T> elements(const N& n) {             \
      return ELEMENTS;                                                       \
    }                                                                        \
  };
BROADLOOM_BESIDE_NUMBER(lt, gt, maximum, eq, elements_at_most<T>(n, true))
BROADLOOM_BESIDE_NUMBER(le, ge, maximum, eq, elements_at_most<T>(n, false))
BROADLOOM_BESIDE_NUMBER(gt, lt, minimum, eq, elements_at_least<T>(n, true))
BROADLOOM_BESIDE_NUMBER(ge, le, minimum, eq, elements_at_least<T>(n, false))
BROADLOOM_BESIDE_NUMBER(eq, eq, bitwise_and, eq, elements_equal_to<T>(n))
BROADLOOM_BESIDE_NUMBER(ne, ne, bitwise_and, ne, elements_equal_to<T>(n))
#undef BROADLOOM_BESIDE_NUMBER

template <>
inline constexpr int lower_bounds<lanes::maximum_f> = 3;
template <>
inline constexpr int lower_bounds<lanes::fmax_f> = 3;
template <>
inline constexpr int lower_bounds<lanes::clamp_min_f> = 2;
template <>
inline constexpr int lower_bounds<lanes::clamp_f> = 2;
template <>
inline constexpr int upper_bounds<lanes::minimum_f> = 3;
template <>
inline constexpr int upper_bounds<lanes::fmin_f> = 3;
template <>
inline constexpr int upper_bounds<lanes::clamp_max_f> = 2;
template <>
inline constexpr int upper_bounds<lanes::clamp_f> = 4;

// round(x, decimals = 0): to a number of decimals, below 0 to tens, hundreds and so on; of two that are as near the
// even one. Floating elements (NumPy's and PyTorch's round, whose steps these are: x 10^decimals is rounded).
template <>
struct unary_function<lanes::round_f> : unary_function<lanes::round_f, true> {
  using unary_function<lanes::round_f, true>::operator();
  template <array A, integer_like N>
    requires callable_with<lanes::round_decimals_f, A>
  constexpr auto operator()(A&& x, N decimals) const {
    const index n = static_cast<index>(decimals);
    double power = 1;
    for (index k = 0; k < (n < 0 ? -n : n) && k < 700; ++k) power *= 10;
    return apply<lanes::round_decimals_f>(static_cast<A&&>(x), n > 0 ? power : 1, n < 0 ? power : 1);
  }
  template <array A, integer_like N, class Error = call_error<lanes::round_decimals_f, A>>
    requires(!callable_with<lanes::round_decimals_f, A>)
  Error operator()(A&&, N) const = delete;
};

// clamp(x, low, high): either bound may be a number, an array, or none.
template <>
struct ternary_function<lanes::clamp_f> : three_operands<lanes::clamp_f> {
  using three_operands<lanes::clamp_f>::operator();
  template <operand A, operand B>
    requires callable_with<lanes::clamp_min_f, A, B>
  constexpr auto operator()(A&& x, B&& low, none_t = {}) const {
    return apply<lanes::clamp_min_f>(static_cast<A&&>(x), static_cast<B&&>(low));
  }
  template <operand A, operand B>
    requires callable_with<lanes::clamp_max_f, A, B>
  constexpr auto operator()(A&& x, none_t, B&& high) const {
    return apply<lanes::clamp_max_f>(static_cast<A&&>(x), static_cast<B&&>(high));
  }
};

}  // namespace detail

#define BROADLOOM_OBJECT(KIND, NAME)                          \
  namespace detail {                                          \
  using lanes::NAME##_f;                                      \
  }                                                           \
  using NAME##_t = detail::KIND##_function<detail::NAME##_f>; \
  inline constexpr NAME##_t NAME{};                           \
  inline constexpr detail::in_place<NAME##_t> NAME##_{};
#define BROADLOOM_UNARY(NAME, ...) BROADLOOM_OBJECT(unary, NAME)
#define BROADLOOM_BINARY(NAME, ...) BROADLOOM_OBJECT(binary, NAME)
#define BROADLOOM_BINARY_OPERATOR(NAME, ...) BROADLOOM_OBJECT(binary, NAME)
#define BROADLOOM_COMPARISON(NAME, ...) BROADLOOM_OBJECT(binary, NAME)
#define BROADLOOM_TERNARY(NAME, ...) BROADLOOM_OBJECT(ternary, NAME)
#define BROADLOOM_PARAMETERS(NAME, ...) BROADLOOM_OBJECT(parameters, NAME)
#define BROADLOOM_STAGED_PARAMETERS(NAME, ...) BROADLOOM_OBJECT(parameters, NAME)
#define BROADLOOM_STRIP1(NAME, ...) BROADLOOM_OBJECT(unary, NAME)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_OBJECT(binary, NAME)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_OBJECT

namespace errors_md {
// What max(x, 0) "returns": PyTorch means the axis, C++ the number.
template <auto Text, class Array, class Number>
struct an_axis_or_a_number;
}  // namespace errors_md

namespace detail {

template <class Name, class... A>
inline constexpr bool is_extended = extended<Name, A...>;
// The first is an array only if the second is one.
template <class A, class B>
inline constexpr bool may_be_compared = any_array<A, B> && (!array<A> || array<B>);

// max and min of two operands; with one array, and perhaps constant axes, reductions (reduce/sums.hpp).
template <class Name, class Two, text Say>
struct min_or_max_of {
  using function_type = typename Two::function_type;
  template <operand A, operand B>
    requires may_be_compared<A, B> && callable_with<typename Two::function_type, A, B>
  constexpr auto operator()(A&& x, B&& y) const {
    return Two{}(static_cast<A&&>(x), static_cast<B&&>(y));
  }
  template <operand A, operand B,
            class Error = std::enable_if_t<may_be_compared<A, B>, call_error<typename Two::function_type, A, B>>>
    requires(!callable_with<typename Two::function_type, A, B>)
  Error operator()(A&&, B&&) const = delete;
  template <array A, class N, class... O, class Error = errors_md::an_axis_or_a_number<Say, A, N>>
    requires number_scalar<std::remove_cvref_t<N>>
  Error operator()(A&&, N&&, const O&...) const = delete;
  template <class... A>
    requires is_extended<Name, A...>
  constexpr auto operator()(A&&... a) const {
    return extension<Name, A...>::call(static_cast<A&&>(a)...);
  }
};

}  // namespace detail

// max and min of two operands are maximum and minimum. A bare number beside an array is refused: amax(x, 0) reduces the
// axis, maximum(x, 0) compares with the number.
inline constexpr struct max_t : detail::min_or_max_of<max_t, maximum_t, "amax(x, 0) or maximum(x, 0)?"> {
} max{};
inline constexpr struct min_t : detail::min_or_max_of<min_t, minimum_t, "amin(x, 0) or minimum(x, 0)?"> {
} min{};

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
