// Which element types a function takes and gives, and how it is evaluated: in a loop of lanes, on strips, or in stages.
#pragma once

#include <type_traits>

#include <broadloom/core/api.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/maths.hpp>
#include <broadloom/fn/promote.hpp>

namespace broadloom::detail {

// The cost of an element: a few cycles, or many, as for roots and quotients.
enum class function_cost : bool { quick, slow };

// Type rules: the type the arguments are converted to, given their common one, and the type of the result.
struct rule_same {                                            // any type, kept
  static constexpr bool accepts(dtype) { return true; }       // the common type
  static constexpr bool accepts_each(dtype) { return true; }  // every argument's
  template <class C>
  using compute = C;
  template <class C>
  using result = C;
};
struct rule_number : rule_same {  // any type but bool, kept
  static constexpr bool accepts(dtype t) { return t != dtype::b8; }
};
struct rule_no_bool : rule_number {  // no bool among the arguments either, kept
  static constexpr bool accepts_each(dtype t) { return t != dtype::b8; }
};
struct rule_whole : rule_same {  // integers
  static constexpr bool accepts(dtype t) { return is_integer(t); }
};
struct rule_shift : rule_whole {  // integers, the second one a count
  using counts = void;
};
struct rule_bits : rule_same {  // integers and bool
  static constexpr bool accepts(dtype t) { return is_integer(t) || t == dtype::b8; }
};
struct rule_floats : rule_same {  // floating
  static constexpr bool accepts(dtype t) { return is_floating(t); }
};
struct rule_real : rule_same {  // floating; integers of 32 and 64 bits become f64, narrower ones and bool f32
  template <class C>
  using compute = floating_type<C>;
};
struct rule_test : rule_same {  // any type, gives bool
  template <class C>
  using result = bool;
};
struct rule_logic : rule_test {  // truth of any type
  template <class C>
  using compute = bool;
};

// The common base of all functions. `strip` functions are evaluated by compiled code on strips of elements.
struct lane_function {
  static constexpr bool is_strip = false;
};
struct strip_function {
  static constexpr bool is_strip = true;
};
// A function of the catalogue, with its type rule.
template <class Rule, bool Strip>
struct rule_function {
  static constexpr bool is_strip = Strip;
  using rule = Rule;
  template <class T, class...>
  using result = typename Rule::template result<T>;
};

// A function in stages: a formula, a strip function of its result, optionally a second formula and strip function, and
// a last formula of the arguments and the strip function's result. Each argument is evaluated once.
struct no_f {};
template <class First, class Strip, class Second, class SecondStrip, class Last>
struct stages_of {
  template <class... T>
  static constexpr auto scalar(const T&... v) {
    const auto s = Strip::scalar(First::on(v...));
    if constexpr (__is_same(SecondStrip, no_f))
      return Last::on(v..., s);
    else
      return Last::on(v..., SecondStrip::scalar(Second::on(v..., s)));
  }
};
// The same with a strip function of all arguments.
template <class Strip, class Last>
struct stages_after {
  template <class... T>
  static constexpr auto scalar(const T&... v) {
    return Last::on(v..., Strip::scalar(v...));
  }
};
template <class F>
concept staged = requires { typename F::stages; };

[[noreturn]] BROADLOOM_API void transcendental_functions_are_run_time_only();
template <class T>
T one_element(runtime::maths1 f, T x) noexcept {
  runtime::map1(f, runtime::accuracy::accurate, &x, &x, 1);
  return x;
}
template <class T>
T one_element(runtime::maths2 f, T x, T y) noexcept {
  runtime::map2(f, runtime::accuracy::accurate, &x, &y, &x, 1);
  return x;
}

template <auto Op, class... T>
constexpr auto strip_element(T... x) {
  if (__builtin_is_constant_evaluated()) transcendental_functions_are_run_time_only();
  return one_element(Op, x...);
}

}  // namespace broadloom::detail
