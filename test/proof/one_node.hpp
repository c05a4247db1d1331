// addcmul as one node of three operands, for the tests of the proof: the library's own is composed of add and mul, so
// what is claimed of the two would say nothing. And what a program computes, written in its operands.
#pragma once

#include <utility>

#include <broadloom/broadloom.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace one_node {

namespace bl = broadloom;

struct addcmul_f : bl::detail::rule_function<bl::detail::rule_same, false> {
  static constexpr const char* name() { return "addcmul"; }
  template <class C, class A, class B>
  [[gnu::always_inline]] static constexpr auto on(const C& c, const A& a, const B& b) {
    using bl::lanes::plus, bl::lanes::times;
    return plus(c, times(a, b));
  }
};
// map<addcmul_f, c, a, b>: the three are broadcast at once.
inline constexpr bl::detail::three_operands<addcmul_f> addcmul{};

// --- what a program computes
// ------------------------------------------------------------------------------------------

// The value of operand Id, and functions of values. Formulas of the catalogue are evaluated with these in the place of
// numbers: equal types are equal formulas of equal operands.
template <int Id, class T>
struct variable {};
template <char Function, class... Values>
struct term {};
template <class X, class Y>
constexpr term<'+', X, Y> plus(const X&, const Y&) {
  return {};
}
template <class X, class Y>
constexpr term<'-', X, Y> minus(const X&, const Y&) {
  return {};
}
template <class X, class Y>
constexpr term<'*', X, Y> times(const X&, const Y&) {
  return {};
}
template <class X, class Y>
constexpr term<'/', X, Y> over(const X&, const Y&) {
  return {};
}

template <int Id, class Program>
struct stage_at;
template <class First, class... Rest>
struct stage_at<0, bl::program<First, Rest...>> {
  using type = First;
};
template <int Id, class First, class... Rest>
struct stage_at<Id, bl::program<First, Rest...>> : stage_at<Id - 1, bl::program<Rest...>> {};

template <class Program, class P>
struct formula;
template <class Program, int Id, class T>
struct formula<Program, bl::detail::operand_ref<Id, T>> {
  using type = variable<Id, T>;
};
template <class Program, int Id, class T>
struct formula<Program, bl::detail::stage_ref<Id, T>> : formula<Program, typename stage_at<Id, Program>::type> {};
template <class Program, class F, class... P>
struct formula<Program, bl::detail::call<F, P...>> {
  using type = decltype(F::on(std::declval<typename formula<Program, P>::type>()...));
};
template <class Program, class P>
struct formula<Program, bl::detail::compute_stage<P>> : formula<Program, P> {};

// The formula of an expression's result.
template <class E, class Program = bl::normal_form_t<E>>
using formula_of = typename formula<Program, typename stage_at<Program::stage_count - 1, Program>::type>::type;

}  // namespace one_node

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
