// What a function on core arrays says of itself, and the element types it takes.
#pragma once

#include <broadloom/fn/function.hpp>
#include <broadloom/linalg/call.hpp>

namespace broadloom {

// Defined in fn/catalogue.hpp.
namespace lanes {
struct add_f;
struct mul_f;
}  // namespace lanes

namespace detail {

// F, looked for when T is known.
template <class T, class F>
using after = std::conditional_t<(sizeof(T) > 0), F, void>;

// Element types of functions on core arrays: complex ones too.
struct rule_core_any : rule_same {
  static constexpr bool complex_too = true, halves_too = true;
};
struct rule_core_number : rule_no_bool {
  static constexpr bool complex_too = true, halves_too = true;
  using as_f32 = void;  // elements of 16 bits are converted, and the result is rounded
};
struct rule_product : rule_core_number {  // own elements too
  template <class T>
  static constexpr bool takes_own = requires(const T& x) {
    T{};
    static_cast<T>(own_call<after<T, lanes::mul_f>>::of(x, x));
    static_cast<T>(own_call<after<T, lanes::add_f>>::of(x, x));
  };
};
struct rule_core_floats : rule_floats {
  static constexpr bool complex_too = true;
};

// The element types of these arguments suit the rule.
template <class Rule, class... A>
inline constexpr bool core_types_fit = [] {
  constexpr int code = promoted_code<A...>;
  if constexpr (code == no_type)
    return false;
  else if constexpr (code == static_cast<int>(dtype::own)) {
    using T = typename common_of<code, A...>::type;
    if constexpr (requires { Rule::template takes_own<T>; })
      return Rule::template takes_own<T> && all_become<T, typename element_of_argument<A>::type...>;
    else
      return false;
  } else if constexpr (is_complex(static_cast<dtype>(code)))
    return requires { Rule::complex_too; } &&
           (Rule::accepts_each(static_cast<dtype>(operand_type_of<A>().type)) && ...);
  else if constexpr (is_half(static_cast<dtype>(code)))
    return requires { Rule::halves_too; } && types_fit<Rule, A...>;
  else
    return types_fit<Rule, A...>;
}();

template <class F, class... A>
inline constexpr bool takes_others = sizeof...(A) != F::signature::parsed.inputs || !(array<A> && ...);
template <class F>
using takes_arrays = errors_md::this_function_takes_arrays<label_of<F>, F::signature::parsed.inputs>;

// Products and sums of single elements.
template <class T>
constexpr T element_product(const T& x, const T& y) {
  if constexpr (is_complex_type<T>)
    return x * y;
  else if constexpr (own_element<T>)
    return static_cast<T>(own_call<after<T, lanes::mul_f>>::of(x, y));
  else
    return lanes::times(x, y);
}
template <class T>
constexpr T element_sum(const T& x, const T& y) {
  if constexpr (is_complex_type<T>)
    return x + y;
  else if constexpr (own_element<T>)
    return static_cast<T>(own_call<after<T, lanes::add_f>>::of(x, y));
  else
    return lanes::plus(x, y);
}

// What a function F on core arrays says of itself:
//   signature       core<"...">
//   exact           no loop axes: ranks are those of the signature
//   rule            which element types it takes (fn/function.hpp)
//   name()          as error messages have it
//   run(call)       runs it; call.parameters points to the member `parameters`, if there is one
//   result<T, At>    the element type of result At for operands of T
// and perhaps
//   extents(At, sizes)     the core extents of result At where the signature cannot say it
//   check(binding)        throws shape_error for sizes that the signature allows and the function does not
//   one(at, args...)      a single element of the result, also in constant expressions
//   constant(at, args...) the same in constant expressions only
//   results               a struct template of several results, of a function that is run at once
struct core_function {
  static constexpr bool exact = false;
  template <class T, int>
  using result = T;
  constexpr bool operator==(const core_function&) const = default;
};

}  // namespace detail
}  // namespace broadloom
