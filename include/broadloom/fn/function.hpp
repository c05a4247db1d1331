// How a line of the catalogue becomes a function object: its tree and its errors.
#pragma once

#include <broadloom/core/text.hpp>
#include <broadloom/fn/arguments.hpp>
#include <broadloom/fn/beside_number.hpp>
#include <broadloom/fn/held_calls.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/fn/rules.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace detail {

template <class... A>
inline constexpr bool any_array = (array<A> || ...);

// Whether the rule accepts the element types of these arguments.
template <class Rule, class... A>
inline constexpr bool types_fit = [] {
  constexpr int code = promoted_code<A...>;
  if constexpr (code == no_type)
    return false;
  else
    return !is_complex(static_cast<dtype>(code)) && code != static_cast<int>(dtype::own) &&
           Rule::accepts(static_cast<dtype>(code)) &&
           (Rule::accepts_each(static_cast<dtype>(operand_type_of<A>().type)) && ...);
}();

// own_call<F>::of is F of own elements: fn/own.hpp.
template <class F>
struct own_call {};
// What F gives of elements V, an element; of an expression template the common type C that it becomes.
template <class F, class C, class... V>
constexpr auto own_result() {
  if constexpr (requires(const V&... v) { own_call<F>::of(v...); }) {
    using R = std::remove_cvref_t<decltype(own_call<F>::of(std::declval<const V&>()...))>;
    if constexpr (element<R>)
      return static_cast<R*>(nullptr);
    else if constexpr (std::is_convertible_v<R, C>)
      return static_cast<C*>(nullptr);
  }
}
template <class F, class C, class... V>
using own_result_of = std::remove_pointer_t<decltype(own_result<F, C, V...>())>;
// How F is called with own elements among V: as they are, all as their common type C, or not at all.
enum class own_way : unsigned char { none, as_they_are, converted };
template <class C, class>
using common_for = C;
template <class F, class C, class... V>
inline constexpr own_way own_way_of =
    !std::is_void_v<own_result_of<F, C, V...>>                                         ? own_way::as_they_are
    : all_become<C, V...> && !std::is_void_v<own_result_of<F, C, common_for<C, V>...>> ? own_way::converted
                                                                                       : own_way::none;

// on_complex<F>::type is the function that F is of complex numbers; without it, F is not defined for them.
// fn/complex.hpp has the list.
template <class F>
struct on_complex {};

// Whether F accepts the element types of these arguments.
template <class F, class... A>
inline constexpr bool suits = [] {
  constexpr int code = promoted_code<A...>;
  if constexpr (code == no_type)
    return false;
  else if constexpr (code == static_cast<int>(dtype::own))
    return own_way_of<F, typename common_of<code, A...>::type, typename element_of_argument<A>::type...> !=
           own_way::none;
  else if constexpr (is_complex(static_cast<dtype>(code)))
    return requires { typename on_complex<F>::type; } &&
           (F::rule::accepts_each(static_cast<dtype>(operand_type_of<A>().type)) && ...);
  else
    return types_fit<typename F::rule, A...>;
}();

template <class A>
struct shape_of_argument {
  using type = shape<>;
};
template <array A>
struct shape_of_argument<A> {
  using type = shape_of<node_of<A>>;
};
template <class... A>
inline constexpr bool shapes_fit = broadcastable<typename shape_of_argument<A>::type...>;
template <class... A>
using shapes_error = why_not_broadcastable<typename shape_of_argument<A>::type...>;

}  // namespace detail

namespace errors_md {
// What a call with element types that a function is not defined for "returns".
template <auto Name, class... Elements>
struct not_defined_for_these_element_types;
// The same of elements of 16 bits, where f32 would do.
template <auto Name, class... Elements>
struct not_defined_for_elements_of_16_bits_use_cast_to_float;
}  // namespace errors_md

namespace detail {

// The function's name, as a template argument that compilers print.
template <class F>
inline constexpr auto label_of = fit<(sentence{} << F::name()).n>(sentence{} << F::name());

template <class F, class... Elements>
using refused_elements =
    std::conditional_t<(is_half_type<Elements> || ...),
                       errors_md::not_defined_for_elements_of_16_bits_use_cast_to_float<label_of<F>, Elements...>,
                       errors_md::not_defined_for_these_element_types<label_of<F>, Elements...>>;

// Void unless the call is refused: compilers compute a default template argument before they check constraints.
template <class F, class... A>
struct explain_call {
  using type = void;
};
template <class F, operand... A>
  requires any_array<A...> && (!suits<F, A...>)
struct explain_call<F, A...> {
  using type = refused_elements<F, typename element_of_argument<A>::type...>;
};
template <class F, operand... A>
  requires any_array<A...> && suits<F, A...> && (!shapes_fit<A...>)
struct explain_call<F, A...> {
  using type = shapes_error<A...>;
};
template <class F, scattered_rows A>
struct explain_call<F, A> {
  using type = rows_error<A>;
};
template <class F, array A, scattered_rows B>
struct explain_call<F, A, B> {
  using type = rows_error<B>;
};
template <class F, class A, array B>
  requires scattered_rows<A>
struct explain_call<F, A, B> {
  using type = rows_error<A>;
};
template <class F, class... A>
using call_error = typename explain_call<F, A...>::type;

// F is defined for these arguments: it accepts their element types, and their shapes broadcast.
template <class F, class... A>
inline constexpr bool callable_with = any_array<A...> && suits<F, A...> && shapes_fit<A...>;

template <class F, class... A>
concept callable = callable_with<F, A...>;

// F is not, and the call is one of arrays: the error of the call says what is wrong.
template <class F, class A, class B>
inline constexpr bool refused = false;
template <class F, array A, scattered_rows B>
inline constexpr bool refused<F, A, B> = true;
template <class F, class A, array B>
  requires scattered_rows<A>
inline constexpr bool refused<F, A, B> = true;
template <class F, operand A, operand B>
inline constexpr bool refused<F, A, B> = any_array<A, B> && !callable_with<F, A, B>;

template <class F, class A>
inline constexpr bool refuses_one = scattered_rows<A>;
template <class F, array A>
inline constexpr bool refuses_one<F, A> = !callable_with<F, A>;

template <class F, class C, class A, class B>
constexpr auto apply_shift(A&& x, B&& count) {
  return make_map(F{}, operand_node<C>(static_cast<A&&>(x)), count_node<C>(static_cast<B&&>(count)));
}

// A node of f32 rounded to elements of 16 bits; any other node as it is.
template <class Half, class Node>
constexpr auto rounded_to(Node&& n) {
  if constexpr (__is_same(value_of<std::remove_cvref_t<Node>>, float))
    return make_map(cast_f<Half>{}, static_cast<Node&&>(n));
  else
    return static_cast<Node&&>(n);
}

// A node of `From`, which is f32 where `To` is of 16 bits and else `To`, as elements `To`.
template <class From, class To, class Node>
constexpr auto rounded_from(Node&& n) {
  if constexpr (__is_same(From, To))
    return static_cast<Node&&>(n);
  else
    return rounded_to<To>(static_cast<Node&&>(n));
}

// on_halves<F>::type is a function that works on the bits of elements of 16 bits; without it, F is computed as f32.
template <class F>
struct on_halves {};

// An argument of a function of elements of 16 bits: converted to them, and then to f32.
template <class Half, class A>
constexpr auto half_node(A&& a) {
  if constexpr (is_constant_number<std::remove_cvref_t<A>>)
    return half_node<Half>(std::remove_cvref_t<A>::value);
  else if constexpr (number_scalar<std::remove_cvref_t<A>>)
    return scalar<float>(static_cast<float>(static_cast<Half>(lanes::convert<Half>(a))));
  else
    return argument<float>(argument<Half>(static_cast<A&&>(a)));
}

// F of own elements, C being their common type: own_call<F>::of.
template <class F, class C>
struct own_f : lane_function {
  using rule = typename F::rule;
  static constexpr auto cost = function_cost::slow;
  static constexpr const char* name() { return F::name(); }
  template <class... V>
  using result = own_result_of<F, C, V...>;
  template <class... V>
  static constexpr result<V...> scalar(const V&... x) {
    return static_cast<result<V...>>(own_call<F>::of(x...));
  }
};

// Whether an operator of the arguments is one node of operands of their common type, which is f32 or f64.
template <class F, class A, class B, int Code = promoted_code<A, B>>
inline constexpr bool is_one_node = false;
template <class F, class A, class B>
inline constexpr bool is_one_node<F, A, B, static_cast<int>(dtype::f32)> =
    __is_same(typename F::rule::template compute<float>, float);
template <class F, class A, class B>
inline constexpr bool is_one_node<F, A, B, static_cast<int>(dtype::f64)> =
    __is_same(typename F::rule::template compute<double>, double);

// The tree of F applied to the arguments. Of elements of 16 bits it is that of f32, and its result is rounded.
template <class F, class... A>
constexpr auto apply(A&&... a) {
  using common = typename common_of<promoted_code<A...>, A...>::type;
  using compute = typename F::rule::template compute<common>;
  if constexpr (own_element<common>) {
    constexpr bool as_they_are =
        own_way_of<F, common, typename element_of_argument<A>::type...> == own_way::as_they_are;
    return make_map(own_f<F, common>{},
                    operand_node<std::conditional_t<as_they_are, typename element_of_argument<A>::type, common>>(
                        static_cast<A&&>(a))...);
  } else if constexpr (compares_by_value<F, A...>)
    return compare_by_value<F>(static_cast<A&&>(a)...);
  else if constexpr ((lower_bounds<F> | upper_bounds<F>) != 0 && integer_element<compute>)
    return apply_bounds<F, compute>(make_sequence<sizeof...(A)>{}, static_cast<A&&>(a)...);
  else if constexpr (is_half_type<compute> && requires { typename on_halves<F>::type; })
    return make_map(typename on_halves<F>::type{}, operand_node<compute>(static_cast<A&&>(a))...);
  else if constexpr (is_half_type<compute>)
    return rounded_to<compute>(make_map(F{}, half_node<compute>(static_cast<A&&>(a))...));
  else if constexpr (is_complex_type<compute>)
    return make_map(typename on_complex<F>::type{}, operand_node<compute>(static_cast<A&&>(a))...);
  else if constexpr (requires { typename F::rule::counts; })
    return apply_shift<F, compute>(static_cast<A&&>(a)...);
  else if constexpr (requires { typename F::on_integers; } && !is_floating(dtype_of<compute>))
    return make_map(typename F::on_integers{}, operand_node<compute>(static_cast<A&&>(a))...);
  else
    return make_map(F{}, operand_node<compute>(static_cast<A&&>(a))...);
}

// Function objects by arity. Each call is constrained; the deleted twins say why a call is refused. Every program that
// includes the catalogue instantiates these classes: one for each function, with no more calls than all functions have.
// A specialisation for F, with more of them, inherits the class with Base = true.
template <class F, bool Base = false>
struct unary_function : takes_one {
  using function_type = F;
  using takes_one::operator();
  BROADLOOM_HELD_CALLS_1(operator(), const, callable_with, F)
  template <array A>
    requires held_otherwise<A> && callable_with<F, A>
  constexpr auto operator()(A&& x) const {
    return apply<F>(static_cast<A&&>(x));
  }
  template <class A, class Error = call_error<F, A>>
    requires refuses_one<F, A>
  Error operator()(A&&) const BROADLOOM_REFUSED;
  template <number_scalar A, class Error = errors_md::write_std_sqrt_of_numbers_alone>
  Error operator()(A) const BROADLOOM_REFUSED;
};

template <class F, bool Base = false>
struct binary_function : takes_two {
  using function_type = F;
  using takes_two::operator();
  BROADLOOM_HELD_CALLS_2(operator(), const, callable_with, F)
  template <operand A, operand B>
    requires held_otherwise<A, B> && callable_with<F, A, B>
  constexpr auto operator()(A&& x, B&& y) const {
    return apply<F>(static_cast<A&&>(x), static_cast<B&&>(y));
  }
  template <class A, class B, class Error = call_error<F, A, B>>
    requires refused<F, A, B>
  Error operator()(A&&, B&&) const BROADLOOM_REFUSED;
  template <number_scalar A, number_scalar B, class Error = errors_md::write_std_sqrt_of_numbers_alone>
  Error operator()(A, B) const BROADLOOM_REFUSED;
};

// A function that scales its second operand by PyTorch's alpha: add(a, b, alpha) = a + alpha * b, two nodes.
template <class F, class Scale>
struct function_with_alpha : binary_function<F, true> {
  using binary_function<F, true>::operator();
  template <operand A, operand B, number_scalar S>
    requires any_array<A, B> && suits<F, A, B> && shapes_fit<A, B>
  constexpr auto operator()(A&& x, B&& y, S alpha) const {
    // alpha takes part in the promotion of the operands' types.
    return apply<F>(static_cast<A&&>(x), apply<Scale>(argument<promoted<A, B>>(static_cast<B&&>(y)), alpha));
  }
};

// The function that computes F(x, y, rounding::floor).
template <class F, class Rounding>
struct rounded_by;
template <class F>
struct function_with_rounding : binary_function<F, true> {
  using binary_function<F, true>::operator();
  template <operand A, operand B, class Rounding, class G = typename rounded_by<F, Rounding>::type>
    requires callable_with<G, A, B>
  constexpr auto operator()(A&& x, B&& y, Rounding) const {
    return apply<G>(static_cast<A&&>(x), static_cast<B&&>(y));
  }
  template <operand A, operand B, class Rounding, class G = typename rounded_by<F, Rounding>::type,
            class Error = call_error<G, A, B>>
    requires any_array<A, B> && (!callable_with<G, A, B>)
  Error operator()(A&&, B&&, Rounding) const BROADLOOM_REFUSED;
};

template <class F>
struct three_operands : takes_three {
  using function_type = F;
  using takes_three::operator();
  BROADLOOM_HELD_CALLS_3(operator(), const, callable_with, F)
  template <operand A, operand B, operand C>
    requires held_otherwise<A, B, C> && callable_with<F, A, B, C>
  constexpr auto operator()(A&& x, B&& y, C&& z) const {
    return apply<F>(static_cast<A&&>(x), static_cast<B&&>(y), static_cast<C&&>(z));
  }
  template <operand A, operand B, operand C, class Error = call_error<F, A, B, C>>
    requires any_array<A, B, C> && (!callable_with<F, A, B, C>)
  Error operator()(A&&, B&&, C&&) const BROADLOOM_REFUSED;
  template <number_scalar A, number_scalar B, number_scalar C, class Error = errors_md::write_std_sqrt_of_numbers_alone>
  Error operator()(A, B, C) const BROADLOOM_REFUSED;
};

template <class F>
struct ternary_function : three_operands<F> {};

// A function of one array and of numbers that need not be given; they are converted to the type it is computed in, to
// the nearest integer of it where it has none.
template <class F>
struct parameters_function : array_first {
  using function_type = F;
  using array_first::operator();
  template <array A, number_scalar... P>
    requires suits<F, A> && (!own_element<value_of<node_of<A>>>) &&
             (sizeof...(P) <= sizeof F::defaults / sizeof *F::defaults)
  constexpr auto operator()(A&& x, P... p) const {
    using given_type = typename F::rule::template compute<value_of<node_of<A>>>;
    using compute = arithmetic_type<given_type>;
    constexpr int count = sizeof F::defaults / sizeof *F::defaults;
    const double given[] = {static_cast<double>(p)..., 0};
    return [&]<int... At>(sequence<At...>) {
      auto node = make_map(F{}, operand_node<compute>(static_cast<A&&>(x)),
                           scalar<compute>(nearest_element<compute>(
                               At < int(sizeof...(P)) ? given[At < int(sizeof...(P)) ? At : 0] : F::defaults[At]))...);
      if constexpr (is_half_type<given_type>)
        return rounded_to<given_type>(static_cast<decltype(node)&&>(node));
      else
        return node;
    }(make_sequence<count>{});
  }
  template <array A, number_scalar... P, class Error = call_error<F, A>>
    requires(!suits<F, A> || own_element<value_of<node_of<A>>>)
  Error operator()(A&&, P...) const BROADLOOM_REFUSED;
};

}  // namespace detail

// cast<double>(x): x's elements converted.
template <element To>
struct cast_t {
#if defined(__clang__)
  template <detail::referred A>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND) const {
    return detail::argument<To>(a);
  }
#endif
  template <array A>
  constexpr auto operator()(A&& a) const {
    return detail::argument<To>(static_cast<A&&>(a));
  }
};
template <element To>
inline constexpr cast_t<To> cast{};

}  // namespace broadloom

#include <broadloom/fn/undefine.hpp>

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
